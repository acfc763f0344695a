"""The address to answer a press, one for each mail. It proves nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PRESS = re.compile(r"press\.([a-z2-7]{24})")
BEGINS = "press."
"""No game's name has a full stop."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """A press as mailed to one seat."""

    part: str
    game: str
    seat: str
    """"GM" for the gamesmaster."""
    number: int


def secret_of(part: str) -> str:
    """Return the secret in a plus part, or ""."""
    found = _PRESS.fullmatch(part)
    return found[1] if found else ""
