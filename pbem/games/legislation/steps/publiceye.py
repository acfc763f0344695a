"""Public Eye: half points for one's goals (§6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.orders import ADD, AYE, NAY, PRESENT
from pbem.games.legislation.state import (
    PUBLIC_APPROVAL,
    PUBLIC_DISAPPROVAL,
    PUBLIC_DISTRACTION,
    Amendment,
    Bill,
    Clerk,
    Public,
    State,
)


def watch(state: State, bill: Bill, sides: Mapping[str, list[Seat]], clerk: Clerk) -> State:
    """Add a decided bill's half points; tell each its own."""
    if not state.on("PUBLIC_EYE"):
        return state
    eye = dict(state.eye)
    for seat in (seat for seat in state.order if seat in state.alive):
        goals = state.objectives(seat)
        choice = next((choice for choice in (AYE, NAY) if seat in sides[choice]), PRESENT)
        vote = voted(state, goals, bill, choice)
        drafted = bill.filed if bill.chair == seat and not bill.crisis else ()
        draft = points(state, goals, drafted)
        moved = sum(
            motion(state, goals, amendment)
            for amendment in bill.carried
            if seat in amendment.movers
        )
        eye[seat] += vote + draft + moved
        if vote or draft or moved:
            clerk.minutes.private(
                "eye", "6.3", [seat], id=bill.id, vote=vote, draft=draft, moved=moved, eye=eye[seat]
            )
    return replace(state, eye=eye)


def points(state: Public, goals: Sequence[str], named: Iterable[str]) -> int:
    """Return the half points of one who stands for these cards."""
    return sum(sum(cards.regard(goals, card, state.conflicting)) for card in named)


def motion(state: Public, goals: Sequence[str], amendment: Amendment) -> int:
    """Return a mover's half points."""
    worth = points(state, goals, [amendment.card])
    return worth if amendment.action == ADD else -worth


def voted(state: Public, goals: Sequence[str], bill: Bill, choice: str) -> int:
    """Return a vote's half points under the yellow card (§1.3)."""
    way = (choice == AYE) - (choice == NAY)
    values = [
        way * value for card in bill.cards for value in cards.regard(goals, card, state.conflicting)
    ]
    if bill.yellow == PUBLIC_DISTRACTION:
        return 0
    return sum(
        value
        for value in values
        if not (value < 0 and bill.yellow == PUBLIC_APPROVAL)
        and not (value > 0 and bill.yellow == PUBLIC_DISAPPROVAL)
    )
