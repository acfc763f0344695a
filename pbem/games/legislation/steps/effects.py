"""What passing cards does to red cards, and the earlier bills it depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.state import Bill, State
from pbem.games.legislation.steps.deciding import deciding_order, drop_laws


@dataclass(frozen=True, slots=True)
class Change:
    """The effect on a seat's own red cards."""

    won: tuple[str, ...]
    lost: tuple[str, ...]
    nearer: tuple[str, ...]
    """Whose opposite leaves the law."""
    further: tuple[str, ...]
    """Whose opposite enters it."""
    before: int
    """Satisfied before, of ``total``."""
    after: int
    total: int

    def as_event_data(self) -> dict[str, Any]:
        return {
            "won": list(self.won),
            "lost": list(self.lost),
            "nearer": list(self.nearer),
            "further": list(self.further),
            "before": self.before,
            "after": self.after,
            "total": self.total,
        }


def law_after(state: State, bill: Sequence[str]) -> frozenset[str]:
    law = set(state.law)
    for card in bill:
        if cards.opposite(card) in law:
            law.discard(cards.opposite(card))
        else:
            law.add(card)
    return frozenset(law)


def change(state: State, seat: Seat, bill: Sequence[str]) -> Change:
    """Return the effect under the present law."""
    law = law_after(state, bill)
    before, after = state.satisfied(seat), replace(state, law=law).satisfied(seat)
    won = tuple(card for card in dict.fromkeys(after) if after.count(card) > before.count(card))
    lost = tuple(card for card in dict.fromkeys(before) if before.count(card) > after.count(card))
    goals = state.objectives(seat)
    open_still = [
        card for card in dict.fromkeys(goals) if card not in (*before, *after, cards.CROWN)
    ]
    barred = [card for card in open_still if cards.opposite(card) not in goals]
    nearer = tuple(card for card in barred if cards.opposite(card) in state.law - law)
    further = tuple(card for card in barred if cards.opposite(card) in law - state.law)
    return Change(won, lost, nearer, further, len(before), len(after), len(goals))


def unless(state: State, seat: Seat, bill: Bill, passed: Sequence[str]) -> list[str]:
    """Return earlier bills, with an opposite card, that change the effect (4.3, 4.8)."""
    alone, against = change(state, seat, passed), {cards.opposite(card) for card in passed}
    return [
        one.id
        for one in before(state, bill)
        if not against.isdisjoint(one.cards)
        and _effect(alone) != _effect(change(with_passed(state, one), seat, passed))
    ]


def before(state: State, bill: Bill) -> list[Bill]:
    order = [one for one in deciding_order(state) if isinstance(one, Bill)]
    return list(takewhile(lambda one: one.id != bill.id, order))


def with_passed(state: State, bill: Bill) -> State:
    return replace(state, law=law_after(state, drop_laws(state, bill).cards))


def _effect(found: Change) -> tuple[tuple[str, ...], ...]:
    return found.won, found.lost, found.nearer, found.further
