"""The address to which readers of press may answer.

One for each mail. It proves nothing, because press is made to be shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PRESS = re.compile(r"press\.([a-z2-7]{24})")
BEGINS = "press."
"""Begins the plus part. No game's name has a full stop."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """A press as mailed to one seat."""

    part: str
    """The plus part of the mail's address."""
    game: str
    seat: str
    """The key of the seat, or "GM" for the gamesmaster."""
    number: int
    """Of the press."""


def secret_of(part: str) -> str:
    """Return the secret in a press address's plus part, or ""."""
    found = _PRESS.fullmatch(part)
    return found[1] if found else ""
