"""What proof a word for the referee needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Needs(Enum):
    """The proof that a word needs.

    A player's letter with a CERTAIN word is taken whole or not at all. A gamesmaster's acts are
    checked one by one.
    """

    NOTHING = "nothing"
    """It changes nothing and is answered to the registered address, or mails its own code."""
    ADDRESS = "address"
    """A DMARC pass or better for the From address. Otherwise a code is mailed there."""
    LEVEL = "level"
    """The game's level; for a gamesmaster, his secret address."""
    CERTAIN = "certain"
    """For what cannot be undone or speaks in somebody's name: secret address and DMARC pass, or a
    good OpenPGP signature, or a code."""
    CODE = "code"
    """A mailed code, whatever else proves it."""


@dataclass(frozen=True, slots=True)
class Word:
    """A player's word for the referee."""

    hear: Callable[[str], str | None]
    """Return the argument ("" for none), or None if the line is a sentence."""
    needs: Needs
