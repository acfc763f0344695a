"""The proof that a word for the referee needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Needs(Enum):
    """A letter with a CERTAIN word is taken whole or not at all."""

    NOTHING = "nothing"
    """Changes nothing, or mails its own code."""
    ADDRESS = "address"
    """DMARC or better; else a code."""
    LEVEL = "level"
    """The game's level; a gamesmaster's secret address."""
    CERTAIN = "certain"
    """Secret address and DMARC, or OpenPGP, or a code: cannot be undone."""
    CODE = "code"
    """A code mailed back, in any case."""


@dataclass(frozen=True, slots=True)
class Word:
    """A player's word for the referee."""

    hear: Callable[[str], str | None]
    """Return the argument or ""; None for a sentence."""
    needs: Needs
