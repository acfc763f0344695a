"""What proof a word for the referee needs before it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Needs(Enum):
    """The proof that a word needs.

    A player's letter with a word that needs CERTAIN is taken as a whole or not at all. Of the
    gamesmaster's acts each is looked at by itself.
    """

    NOTHING = "nothing"
    """It changes nothing and is answered to the address of record, or it mails its own code."""
    ADDRESS = "address"
    """Some proof that the owner of the From address wrote it: a DMARC pass, or better. Without that
    a code is mailed there."""
    LEVEL = "level"
    """The level that the game asks for; of a gamesmaster his secret address."""
    CERTAIN = "certain"
    """It cannot be taken back, or speaks in somebody's name: the secret address and a DMARC pass
    together, or a good OpenPGP signature, or a code."""
    CODE = "code"
    """A code that is mailed back, whatever else proves it."""


@dataclass(frozen=True, slots=True)
class Word:
    """A player's word for the referee: what may stand behind it, and what proof it ``needs``.

    ``hear`` gives what it is about ("" for nothing), or None where the line is a sentence.
    """

    hear: Callable[[str], str | None]
    needs: Needs
