"""The answer to WHY BEANS A: the rounds that this player won, and one's own bets."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.show_of_hands.state import State

from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.ruleset import ToldEvent


def questions(state: State) -> tuple[str, ...]:
    """Of a span the first and the last are enough."""
    return (f"BEANS {state.seats[0]}", f"BEANS {state.seats[-1]}")


def why(
    state: State, seat: Seat | None, told: Sequence[ToldEvent], words: str
) -> tuple[Event, ...]:
    """The steps, from what the seat has been told; () where nothing is called so."""
    who = words.upper().removeprefix("BEANS").strip() or seat
    if who not in state.seats:
        return ()
    shows = [one for one in told if one.event.kind == "show" and one.event.data["majority"]]
    won = [
        one.period for one in shows if who in one.event.data["shown"][one.event.data["majority"]]
    ]
    bets = [one.event for one in told if one.event.kind == "bets" and who == seat]
    audience = PUBLIC if seat is None else frozenset([seat])
    data = {"who": who, "rounds": won, "beans": state.beans[who]}
    return (Event("why_beans", "2", audience, data), *bets)
