"""What happens to who sends nothing."""

from __future__ import annotations

from pbem.games.show_of_hands.state import State

from pbem.games.frame.events import Event, Seat


def silence(state: State, seat: Seat) -> tuple[Event, ...]:
    """No hand, no bean."""
    return (Event("no_hand", "2", frozenset([seat]), {}),)
