"""What proof a word for the referee needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Needs(Enum):
    """A player's letter with a CERTAIN word is taken whole or not at all. A gamesmaster's acts are
    checked one by one."""

    NOTHING = "nothing"
    """Changes nothing and is answered to the registered address, or mails its own code."""
    ADDRESS = "address"
    """DMARC or better for the From address; else a code is mailed there."""
    LEVEL = "level"
    """The game's level; for a gamesmaster, his secret address."""
    CERTAIN = "certain"
    """Cannot be undone or speaks in somebody's name: secret address and DMARC, or good OpenPGP
    signature, or code."""
    CODE = "code"
    """A code mailed back, whatever else proves it."""


@dataclass(frozen=True, slots=True)
class Word:
    """A player's word for the referee."""

    hear: Callable[[str], str | None]
    """Return the argument ("" for none); None for a sentence."""
    needs: Needs
