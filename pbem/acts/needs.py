"""The proof that a word for the referee needs."""

from __future__ import annotations

from enum import Enum


class Needs(Enum):
    """A letter that lacks a word's proof is taken whole or not at all."""

    NOTHING = "nothing"
    """Changes nothing, or mails its own code."""
    LEVEL = "level"
    """What the game asks for; of a gamesmaster, proof."""
    PROVEN = "proven"
    """Proof, whatever the game asks for; else a code."""
    CODE = "code"
    """A code mailed back, whatever the proof."""
