"""What passing cards does to a seat's red cards, and on which earlier bills that depends."""

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
    """The effect of passing some cards on a seat's own red cards."""

    won: tuple[str, ...]
    """Cards newly satisfied."""
    lost: tuple[str, ...]
    """Cards no longer satisfied."""
    nearer: tuple[str, ...]
    """Of the rest, those whose opposite leaves the law."""
    further: tuple[str, ...]
    """Of the rest, those whose opposite enters the law."""
    before: int
    """Number satisfied before, of ``total``."""
    after: int
    total: int

    def as_event_data(self) -> dict[str, Any]:
        """Return the change as event data."""
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
    """Return the law once these cards have passed (4.8)."""
    law = set(state.law)
    for card in bill:
        if cards.opposite(card) in law:
            law.discard(cards.opposite(card))
        else:
            law.add(card)
    return frozenset(law)


def change(state: State, seat: Seat, bill: Sequence[str]) -> Change:
    """Return the change if these cards passed under the present law."""
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
    """Return the earlier bills that change this one's effect on the seat (4.3, 4.8)."""
    alone = change(state, seat, passed)
    return [
        one.id
        for one in before(state, bill)
        if _effect(alone) != _effect(change(with_passed(state, one), seat, passed))
    ]


def before(state: State, bill: Bill) -> list[Bill]:
    """Return the bills decided before this one."""
    order = [one for one in deciding_order(state) if isinstance(one, Bill)]
    return list(takewhile(lambda one: one.id != bill.id, order))


def with_passed(state: State, bill: Bill) -> State:
    """Return the state in which a bill has passed."""
    return replace(state, law=law_after(state, drop_laws(state, bill).cards))


def _effect(found: Change) -> tuple[tuple[str, ...], ...]:
    return found.won, found.lost, found.nearer, found.further
