"""What everybody may know of a position, and what a seat knows besides."""

from __future__ import annotations

from pbem.games.show_of_hands.state import State

from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat


def public(state: State) -> Json:
    """Beans are public."""
    return {"phase": state.phase, "round": state.round, "beans": dict(state.beans)}


def own(state: State, seat: Seat) -> Json:
    """The lucky hand is its owner's."""
    return {"lucky": state.lucky[seat]}
