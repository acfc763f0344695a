"""What makes two letters one: the same writer, Message-ID and body."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from pbem.letters.letter import Letter


class Likeness(NamedTuple):
    """By what the copies of a letter are found: its effect; the ``former`` one, of the time before
    the writer was in it; the ``writer``, by whom rows of that time are told apart."""

    effect: str
    former: str
    writer: str


def effect(letter: Letter) -> str:
    """What makes two letters one: writer, Message-ID and body; without a Message-ID the whole
    bytes."""
    return _digest(letter, f"{letter.sender or ''}\n")


def likeness(letter: Letter) -> Likeness:
    """By what the copies of a letter are found."""
    return Likeness(effect(letter), _digest(letter, ""), (letter.sender or "")[:254])


def _digest(letter: Letter, writer: str) -> str:
    seed = (
        f"{writer}{letter.message_id}\n{letter.body_hash}" if letter.message_id else letter.raw_hash
    )
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()
