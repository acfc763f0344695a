"""What a receipt shows besides the orders themselves: the effect on one's own cards, the purse
left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.check import cost
from pbem.games.legislation.orders import FileBill, Give, NextBill, Spend, Void
from pbem.games.legislation.state import State
from pbem.orders.order import Standing


def advice(
    state: State, seat: Seat, standing: Standing, tables: Mapping[str, Any]
) -> tuple[str, ...]:
    """One line a fact, for the orders that stand for the seat; from what that seat may know."""
    lines = []
    for order in standing.values():
        if isinstance(order, FileBill | NextBill) and order.cards:
            lines.append(f"{order}: {effect(state, seat, order.cards)}")
    if any(isinstance(order, Spend | Void | Give) for order in standing.values()):
        purse, need = state.tokens(seat), sum(cost(order, tables) for order in standing.values())
        lines.append(f"purse: {purse} tokens, these orders take {need}, {purse - need} left")
    return tuple(lines)


def effect(state: State, seat: Seat, bill: Sequence[str]) -> str:
    """What passing these cards as the law now stands would do to his own cards."""
    law = set(state.law)
    for card in bill:
        if cards.opposite(card) in law:
            law.discard(cards.opposite(card))
        else:
            law.add(card)
    before, after = state.satisfied(seat), replace(state, law=frozenset(law)).satisfied(seat)
    won = [card for card in dict.fromkeys(after) if after.count(card) > before.count(card)]
    lost = [card for card in dict.fromkeys(before) if before.count(card) > after.count(card)]
    total = len(state.objectives(seat))
    changes = [f"satisfies {', '.join(won)}"] * bool(won) + [f"loses {', '.join(lost)}"] * bool(
        lost
    )
    return (
        f"if passed: {'; '.join(changes) or 'no change to your cards'} "
        f"({len(before)} of {total} satisfied now, {len(after)} then)"
    )
