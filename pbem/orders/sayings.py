"""What people say that sounds like a word for the referee: "Game on!", "The end."."""

from __future__ import annotations

from collections.abc import Collection

from pbem.orders.spelling import is_number, slips

_STOPS = " .!;?"
_SENTENCE_ENDS = ".!?:;,"
_WRAPPED = 50
"""A line of prose that goes on in the next one has at least so many characters with its first
word."""
_SAYINGS = frozenset(("ON", "OVER", "OFF", "TIME", "SET", "FACE", "DAY", "NIGHT", "WELL", "PLAN"))
"""What stands behind GAME in what people say."""


def is_end(piece: str, above: str) -> bool:
    """Whether END, alone on its line below the line ``above``, is the documented word: in capitals,
    or without a full stop. "End." as a telephone has it is the end of a story, and "end" below a
    full line that of a sentence, which a mail program broke."""
    if piece.endswith("END"):
        return True
    said = piece.rstrip(_STOPS)
    if said != piece and said.isalpha() and not piece.isupper():
        return False
    above = above.rstrip()
    broken = len(above) + len(" END") >= _WRAPPED and above[-1] not in _SENTENCE_ENDS
    return not broken or above.isupper()


def names_game(piece: str, key: str, keys: Collection[str]) -> bool:
    """Whether a line GAME and a word is an address: the word is one of ``keys`` (in small letters),
    or clearly meant as one."""
    if key.lower() in keys or slips(key.lower(), keys) or any(map(is_number, key)):
        return True
    return piece.lstrip().startswith("GAME") and key.upper() not in _SAYINGS
