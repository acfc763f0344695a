"""Cheques, written by the payer and cashed by the payee (27, R23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes
from pbem.games.parlement_1966.names import PARTIES
from pbem.games.parlement_1966.orders import Cash, WriteCheque
from pbem.games.parlement_1966.state import OpenCheque, State
from pbem.games.parlement_1966.steps.cabinet import Orders

LOWEST, HIGHEST = 100_000, 999_999
"""Six digits, drawn, against guesses."""


def cashed(state: State, orders: Orders) -> tuple[OpenCheque, ...]:
    return tuple(
        one
        for one in state.cheques
        if str(Cash(one.number)) in orders.get(one.payee, {}) and state.settings.cheques
    )


def sums(cheques: tuple[OpenCheque, ...]) -> dict[str, dict[str, int]]:
    """Return crowns by payer and payee."""
    found: dict[str, dict[str, int]] = {}
    for one in cheques:
        to = found.setdefault(one.payer, {})
        to[one.payee] = to.get(one.payee, 0) + one.crowns
    return found


def received(state: State, orders: Orders, minutes: Minutes) -> State:
    """Tell both sides of cheques sent in, never whether paid (34), and close them."""
    came = cashed(state, orders)
    for one in came:
        for party in (one.payer, one.payee):
            minutes.private("cheque_received", "R23", [party], **one.json())
    known = {(one.payee, one.number) for one in came}
    for party in PARTIES:
        for order in orders.get(party, {}).values():
            if isinstance(order, Cash) and (party, order.number) not in known:
                why = "no open cheque of this number is made out to you"
                minutes.private("void", "R23", [party], order=str(order), why=why)
    return replace(state, cheques=tuple(one for one in state.cheques if one not in came))


def written(state: State, orders: Orders, dice: Dice, minutes: Minutes) -> State:
    """Number the period's cheques; only payers are told."""
    listed = list(state.cheques)
    for payer, payee, crowns in _ordered(orders):
        stream = dice.stream(f"cheque/{state.number}/{payer}/{payee}")
        taken: Mapping[int, OpenCheque] = {one.number: one for one in listed}
        number = LOWEST + stream.below(HIGHEST - LOWEST + 1)
        while number in taken:
            number = LOWEST + stream.below(HIGHEST - LOWEST + 1)
        listed.append(OpenCheque(number, payer, payee, crowns))
        minutes.private("cheque_written", "R23", [payer], **listed[-1].json())
    return replace(state, cheques=tuple(listed))


def _ordered(orders: Orders) -> list[tuple[str, str, int]]:
    return [
        (payer, payee, order.crowns)
        for payer in PARTIES
        for payee in PARTIES
        if isinstance(order := orders.get(payer, {}).get(f"CHEQUE {payee}"), WriteCheque)
        and order.crowns
    ]
