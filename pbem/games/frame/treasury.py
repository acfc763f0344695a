"""Accounts whose balances always have the same sum.

An account is a name ("S", "bank", "district 21 S"). The bank may be negative, because it pays
salaries and takes fees. Each payment leaves an entry, so every balance can be explained. Whole
units only (crowns, dollars, tokens).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

BANK = "bank"


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment of ``amount`` (0 or more) from ``payer`` to ``payee`` in ``period``. ``purpose``:
    in words."""

    period: int
    payer: str
    payee: str
    amount: int
    purpose: str


@dataclass(frozen=True, slots=True)
class Accounts:
    """Balances by account, and entries since the last :func:`listed_anew`. An unknown account holds
    0."""

    balances: Mapping[str, int]
    entries: tuple[Payment, ...] = ()

    def balance(self, account: str) -> int:
        """Return an account's balance; negative is a debt (normal for the bank only)."""
        return self.balances.get(account, 0)

    def of(self, account: str) -> tuple[Payment, ...]:
        """Return the entries in which the account paid or was paid."""
        return tuple(entry for entry in self.entries if account in (entry.payer, entry.payee))


def opened(balances: Mapping[str, int]) -> Accounts:
    """Open accounts with these balances; the bank holds the opposite sum."""
    return Accounts({**balances, BANK: balances.get(BANK, 0) - sum(balances.values())})


def pay(accounts: Accounts, entries: Iterable[Payment]) -> Accounts:
    """Return the accounts after these payments. Raise ValueError for a negative amount. Do not
    check means."""
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
    """Return the same balances with no entries, after a listing was published."""
    return replace(accounts, entries=())
