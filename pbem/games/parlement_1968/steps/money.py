"""Incomes, payments, shortage (section 7, house rules 10-12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import floor

from pbem.games.frame.events import Minutes
from pbem.games.frame.treasury import BANK, Accounts, Payment, pay
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Cheque, State, members
from pbem.games.parlement_1968.steps.house import (
    factions,
    is_independent,
    ministry,
    party_of,
    points,
)
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing


def _credit(state: State, amounts: Iterable[tuple[str, int, str]]) -> Accounts:
    """(account, crowns, purpose)."""
    return pay(
        state.accounts,
        [Payment(state.period, BANK, account, n, purpose) for account, n, purpose in amounts],
    )


def pay_ministers(state: State, tables: Tables, minutes: Minutes) -> State:
    """Pay 1000 crowns per filled office (7.2, R2)."""
    paid: dict[str, int] = {}
    for office in tables.offices:
        if party := ministry(state, office):
            paid[party] = paid.get(party, 0) + tables.figures["per_office"]
    minutes.public("salaries", "7.2", paid=paid)
    accounts = _credit(state, [(party, n, "Cabinet offices (7.2)") for party, n in paid.items()])
    return replace(state, paid=True, accounts=accounts)


def pay_before_election(state: State, tables: Tables, minutes: Minutes) -> State:
    """Pay 2000 crowns a seat and 5000 per bloc's favourite (7.3, 7.4, 7.6, R18, R22)."""
    seats: dict[str, int] = {}
    for district, holder in members(state, tables.districts).items():
        account = f"{holder} {district}" if is_independent(holder) else holder
        seats[account] = seats.get(account, 0) + 1
    loved = favourites(state, tables)
    credit = [
        (account, n * tables.figures["per_seat"], "seats in Parlement (7.3)")
        for account, n in seats.items()
    ]
    credit += [
        (unit, tables.figures["favourite"], f"favourite of the {tables.blocs[bloc]} (7.4)")
        for bloc, unit in loved.items()
        if unit
    ]
    minutes.public(
        "income",
        "7.3",
        seats=seats,
        per_seat=tables.figures["per_seat"],
        favourite=tables.figures["favourite"],
        favourites={tables.blocs[bloc]: unit for bloc, unit in loved.items() if unit},
    )
    return replace(state, accounts=_credit(state, credit))


def favourites(state: State, tables: Tables) -> dict[str, str]:
    """Return each bloc's favourite: its every faction has at least the points of any other's; "" if
    none (7.4). Independents are parties (R22)."""
    records: dict[str, list[dict[str, int]]] = {}
    for unit in factions(state, tables):
        party = unit if is_independent(unit) else party_of(unit)
        records.setdefault(party, []).append(points(state, tables, unit))
    found = {}
    for bloc in tables.blocs:
        top = {party: max(record[bloc] for record in own) for party, own in records.items()}
        fit = [
            party
            for party, own in records.items()
            if all(
                record[bloc] >= n for record in own for other, n in top.items() if other != party
            )
        ]
        found[bloc] = fit[0] if len(fit) == 1 else ""
    return found


def settle_payments(
    state: State, orders: Mapping[str, Standing], minutes: Minutes, *, held: bool = False
) -> State:
    """Settle due cheques and payments, prorated if short (house rules 11, 12, R27). ``held``: they
    wait for the interregnum's end (R1)."""
    cheques = {(c.payer, c.payee, c.period): c for c in state.cheques}
    for seat, standing in orders.items():
        for order in standing.values():
            if isinstance(order, o.Pay):
                when = order.period if order.period > state.period else 0
                if not when:  # uses the slot of a cheque post-dated to this period
                    cheques.pop((seat, order.payee, state.period), None)
                cheques[seat, order.payee, when] = Cheque(seat, order.payee, order.amount, when)
    if not cheques:
        return state
    waiting = tuple(
        sorted(
            (c for c in cheques.values() if c.amount), key=lambda c: (c.period, c.payer, c.payee)
        )
    )
    if held:
        return replace(state, cheques=waiting)
    due = [cheque for cheque in waiting if cheque.period <= state.period]
    promised: dict[tuple[str, str], int] = {}
    for cheque in due:
        promised[cheque.payer, cheque.payee] = (
            promised.get((cheque.payer, cheque.payee), 0) + cheque.amount
        )
    paid = prorated(promised, state.accounts.balances)
    entries = [
        Payment(state.period, payer, payee, n, "payment")
        for (payer, payee), n in sorted(paid.items())
    ]
    for (payer, payee), n in sorted(promised.items()):
        if paid[payer, payee] < n:
            minutes.private(
                "short", "R27", [payer], payee=payee, promised=n, paid=paid[payer, payee]
            )
    later = tuple(cheque for cheque in waiting if cheque.period > state.period)
    return replace(state, accounts=pay(state.accounts, entries), cheques=later)


def prorated(
    promised: Mapping[tuple[str, str], int], balances: Mapping[str, int]
) -> dict[tuple[str, str], int]:
    """Return what can be paid of {(payer, payee): crowns}: the greatest solution in whole crowns,
    circles included (R27)."""
    owed: dict[str, int] = {}
    for (payer, _), n in promised.items():
        owed[payer] = owed.get(payer, 0) + n
    means = _means(promised, owed, balances)
    paid = {
        key: share(n, max(0, floor(means[key[0]])), owed[key[0]]) for key, n in promised.items()
    }
    while True:
        whole = {payer: balances.get(payer, 0) + _received(paid, payer) for payer in owed}
        lowered = {
            key: min(paid[key], share(n, max(0, whole[key[0]]), owed[key[0]]))
            for key, n in promised.items()
        }
        if lowered == paid:
            return paid
        paid = lowered


def _received(paid: Mapping[tuple[str, str], int], account: str) -> int:
    return sum(n for (_, payee), n in paid.items() if payee == account)


def _means(
    promised: Mapping[tuple[str, str], int], owed: Mapping[str, int], balances: Mapping[str, int]
) -> dict[str, Fraction]:
    """Return means as if crowns could be split: a bound from which circles settle quickly."""
    short: list[str] = []
    while True:
        rows = []
        for payer in (
            short
        ):  # means - shares of the other short payers = balance + what the others pay in full
            row = [
                Fraction(other == payer) - Fraction(promised.get((other, payer), 0), owed[other])
                for other in short
            ]
            full = sum(
                n for (giver, payee), n in promised.items() if payee == payer and giver not in short
            )
            rows.append([*row, Fraction(balances.get(payer, 0) + full)])
        solved = dict(zip(short, _solved(rows), strict=True))
        means = {
            account: balances.get(account, 0)
            + sum(
                (
                    n * min(Fraction(1), solved[giver] / owed[giver])
                    if giver in solved
                    else Fraction(n)
                )
                for (giver, payee), n in promised.items()
                if payee == account
            )
            + Fraction(0)
            for account in owed
        }
        now = [payer for payer in owed if means[payer] < owed[payer]]
        if set(now) <= set(short):
            return means
        short = now


def _solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve linear equations: coefficients, then the right side."""
    size, done = len(rows), [list(row) for row in rows]
    for i in range(size):
        pivot = next(j for j in range(i, size) if done[j][i])
        done[i], done[pivot] = done[pivot], done[i]
        done[i] = [x / done[i][i] for x in done[i]]
        for j in range(size):
            if j != i and done[j][i]:
                done[j] = [x - done[j][i] * y for x, y in zip(done[j], done[i], strict=True)]
    return [row[-1] for row in done]


def share(amount: int, means: int, owed: int) -> int:
    """Return the whole crowns of ``amount`` if ``means`` covers ``owed`` in part."""
    return amount if means >= owed else amount * means // owed


def statements(state: State, seats: Iterable[str], minutes: Minutes) -> None:
    """Tell each player his changed account (house rule 10)."""
    for seat in seats:
        lines = [
            {
                "with": e.payee if e.payer == seat else e.payer,
                "amount": -e.amount if e.payer == seat else e.amount,
                "purpose": e.purpose,
            }
            for e in state.accounts.of(seat)
        ]
        if lines:
            minutes.private(
                "statement", "R30", [seat], lines=lines, balance=state.accounts.balance(seat)
            )
