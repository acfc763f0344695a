"""What everybody may know of a position."""

from __future__ import annotations

from pbem.games.show_of_hands.state import State

from pbem.games.frame.codec import Json


def public(state: State) -> Json:
    """Beans are public."""
    return {"phase": state.phase, "round": state.round, "beans": dict(state.beans)}
