"""Accounts ("S", "bank", "district 21 S") whose sum never changes.

Only the bank is negative. Each payment leaves an entry. Whole units (crowns, dollars, tokens).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

BANK = "bank"


@dataclass(frozen=True, slots=True)
class Payment:
    """``amount`` is 0 or more; ``purpose``: in words."""

    period: int
    payer: str
    payee: str
    amount: int
    purpose: str


@dataclass(frozen=True, slots=True)
class Accounts:
    """Balances and entries since :func:`listed_anew`; an unknown account has 0."""

    balances: Mapping[str, int]
    entries: tuple[Payment, ...] = ()

    def balance(self, account: str) -> int:
        """Return a balance; negative: a debt."""
        return self.balances.get(account, 0)

    def of(self, account: str) -> tuple[Payment, ...]:
        return tuple(entry for entry in self.entries if account in (entry.payer, entry.payee))


def opened(balances: Mapping[str, int]) -> Accounts:
    """Open accounts; the bank has the opposite sum."""
    return Accounts({**balances, BANK: balances.get(BANK, 0) - sum(balances.values())})


def pay(accounts: Accounts, entries: Iterable[Payment]) -> Accounts:
    """Pay, whatever the means. Raise ValueError below 0."""
    balances, kept = dict(accounts.balances), list(accounts.entries)
    for entry in entries:
        if entry.amount < 0:
            raise ValueError(f"a payment of {entry.amount} from {entry.payer} to {entry.payee}")
        if entry.amount and entry.payer != entry.payee:
            balances[entry.payer] = balances.get(entry.payer, 0) - entry.amount
            balances[entry.payee] = balances.get(entry.payee, 0) + entry.amount
            kept.append(entry)
    return Accounts(balances, tuple(kept))


def listed_anew(accounts: Accounts) -> Accounts:
    return replace(accounts, entries=())
