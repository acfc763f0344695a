"""Public Eye: half points for one's goals (§6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.orders import ADD
from pbem.games.legislation.state import (
    PUBLIC_APPROVAL,
    PUBLIC_DISAPPROVAL,
    PUBLIC_DISTRACTION,
    Bill,
    Clerk,
    State,
)


def watch(state: State, bill: Bill, sides: Mapping[str, list[Seat]], clerk: Clerk) -> State:
    """Add a decided bill's half points; tell each its own."""
    if not state.on("PUBLIC_EYE"):
        return state
    eye = dict(state.eye)
    for seat in (seat for seat in state.order if seat in state.alive):
        way = (seat in sides["AYE"]) - (seat in sides["NAY"])
        vote = counted(
            bill.yellow, [way * value for card in bill.cards for value in regard(state, seat, card)]
        )
        drafted = bill.filed if bill.chair == seat and not bill.crisis else ()
        draft = sum(value for card in drafted for value in regard(state, seat, card))
        moved = sum(
            value if amendment.action == ADD else -value
            for amendment in bill.carried
            if seat in amendment.movers
            for value in regard(state, seat, amendment.card)
        )
        eye[seat] += vote + draft + moved
        if vote or draft or moved:
            clerk.minutes.private(
                "eye", "6.3", [seat], id=bill.id, vote=vote, draft=draft, moved=moved, eye=eye[seat]
            )
    return replace(state, eye=eye)


def regard(state: State, seat: Seat, card: str) -> list[int]:
    """Return the voters' view of a blue card: +1 per equal, -1 per opposite, once per issue
    (Conflicting Interests: per card)."""
    held = state.objectives(seat)
    likes, dislikes = held.count(card), held.count(cards.opposite(card))
    if not state.conflicting:
        likes, dislikes = min(likes, 1), min(dislikes, 1)
    return [1] * likes + [-1] * dislikes


def counted(yellow: str | None, values: Iterable[int]) -> int:
    """Return half points under the yellow card (§1.3)."""
    if yellow == PUBLIC_DISTRACTION:
        return 0
    return sum(
        value
        for value in values
        if not (value < 0 and yellow == PUBLIC_APPROVAL)
        and not (value > 0 and yellow == PUBLIC_DISAPPROVAL)
    )
