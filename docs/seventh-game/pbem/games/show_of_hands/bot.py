"""A house bot: legal orders from what a seat may see."""

from __future__ import annotations

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat

VALUES = {"GOAL": (2, 5, 20)}
"""Of options that take any number, those with which bots play."""


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    """The text of one letter."""
    lines = [f"RAISE {chance.choice(('LEFT', 'RIGHT'))}"]
    if public["beans"][seat] > 0:
        lines.append(f"BET 1 ON {chance.choice(sorted(public['beans']))}")
    return "\n".join(lines)
