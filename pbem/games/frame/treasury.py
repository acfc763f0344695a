"""Money that cannot be made or lost: accounts whose balances always sum to the same.

Every account is a name ("S", "bank", "district 21 S"); the bank may go below zero, since it pays
the salaries and takes the fees. A payment takes from one account what it gives to another, and
keeps an entry, so that every balance can be explained line by line. Whole units only (crowns,
dollars, tokens).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

BANK = "bank"


@dataclass(frozen=True, slots=True)
class Entry:
    """One payment: ``amount`` (0 or more) from ``payer`` to ``payee`` in ``period``; ``purpose`` in
    words."""

    period: int
    payer: str
    payee: str
    amount: int
    purpose: str


@dataclass(frozen=True, slots=True)
class Accounts:
    """Balances by account, and the entries since the last :func:`listed_anew`. An unknown account
    holds 0."""

    balances: Mapping[str, int]
    entries: tuple[Entry, ...] = ()

    def balance(self, account: str) -> int:
        """What the account holds; negative for a debt (only the bank's is in order)."""
        return self.balances.get(account, 0)

    def of(self, account: str) -> tuple[Entry, ...]:
        """The entries in which the account paid or was paid."""
        return tuple(entry for entry in self.entries if account in (entry.payer, entry.payee))


def opened(balances: Mapping[str, int]) -> Accounts:
    """Accounts with these balances, the bank holding the opposite, so that all sum to 0."""
    return Accounts({**balances, BANK: balances.get(BANK, 0) - sum(balances.values())})


def pay(accounts: Accounts, entries: Iterable[Entry]) -> Accounts:
    """The accounts after these payments. Raises ValueError for a negative amount; never checks for
    means."""
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
    """The same balances with an empty list of entries (after a listing was published)."""
    return replace(accounts, entries=())
