"""Sayings like words for the referee: "Game on!", "The end." """

from __future__ import annotations

from collections.abc import Collection

from pbem.orders.spelling import is_number, slips

_STOPS = " .!;?"
_SENTENCE_ENDS = ".!?:;,"
_WRAPPED = 50
_SAYINGS = frozenset(("ON", "OVER", "OFF", "TIME", "SET", "FACE", "DAY", "NIGHT", "WELL", "PLAN"))
"""After GAME."""


def is_end(piece: str, above: str) -> bool:
    """Return whether END below ``above`` is meant, not a story's end."""
    if piece.endswith("END"):
        return True
    said = piece.rstrip(_STOPS)
    if said != piece and said.isalpha() and not piece.isupper():
        return False
    above = above.rstrip()
    broken = len(above) + len(" END") >= _WRAPPED and above[-1] not in _SENTENCE_ENDS
    return not broken or above.isupper()


def names_game(piece: str, key: str, keys: Collection[str]) -> bool:
    """Return whether a game is meant. ``keys``: games in small letters."""
    if key.lower() in keys or slips(key.lower(), keys) or any(map(is_number, key)):
        return True
    return piece.lstrip().startswith("GAME") and key.upper() not in _SAYINGS
