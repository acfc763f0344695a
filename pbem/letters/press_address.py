"""The address of a press, to which its reader may answer.

Each mail of a press has its own: of one press to one seat. What it stands for only the referee can
read; that somebody has it proves nothing, for press is made to be shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PRESS = re.compile(r"press\.([a-z2-7]{24})")
BEGINS = "press."
"""How the plus part of such an address begins; no name of a game has a full stop."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """A press that was mailed to a ``seat`` ("GM": to the gamesmaster) of a ``game``: the plus
    ``part`` of the address in that mail, and the ``number`` of the press."""

    part: str
    game: str
    seat: str
    number: int


def secret_of(part: str) -> str:
    """The secret in the plus part of the address of a press; "" where it is another address."""
    found = _PRESS.fullmatch(part)
    return found[1] if found else ""
