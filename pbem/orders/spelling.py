"""What a writer may have meant: a number, the nearest of several words, and the word he missed by
one slip of the fingers."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

_MOST_DIGITS = 9
_SHORT = 30
"""Longer words are not kept: a letter may be one word of many thousand characters."""


def is_number(text: str) -> bool:
    """Whether a text is what a person writes as a number: digits from 0 to 9, at least one, and
    nothing else.

    ``str.isdigit`` and ``int`` also take digits of other scripts, and the former those that are
    raised or in a circle.
    """
    return text.isascii() and text.isdigit()


def is_count(text: str) -> bool:
    """Whether a text is a number of nine digits at most: there is never more of anything of ours,
    and a database holds it. (``int`` raises at more than 4,300 digits.)"""
    return is_number(text) and len(text) <= _MOST_DIGITS


def whole(written: str) -> int:
    """The number that a terminal of a grammar has let through: 1000 for "1000", "1,000" and
    "1k"."""
    digits = written.replace(",", "")
    return int(digits[:-1]) * 1000 if digits[-1] in "kK" else int(digits)


def nearest(word: str, legal: Iterable[str], likeness: float = 0.6) -> str:
    """The legal word that looks most like this one, "" where none looks much like it; all in
    capitals."""
    words = sorted(set(legal))
    near = difflib.get_close_matches(word, words, n=1, cutoff=likeness)
    if (
        not near and len(word) == 3 and word.isalpha()
    ):  # one slip is much of a short word, but still a slip
        near = slips(word, words)
    return near[0] if near else ""


def slips(word: str, legal: Collection[str]) -> list[str]:
    """The legal words that this one misses by a letter too few, too many, wrong or changed with its
    neighbour."""
    if word in legal:
        return []
    look = _slips if len(word) <= _SHORT else _slips.__wrapped__
    return list(look(word, frozenset(legal)))


@lru_cache(maxsize=4096)
def _slips(word: str, legal: frozenset[str]) -> tuple[str, ...]:
    """The same; what it found for the last short words is kept, since those of our own mails come
    again and again."""
    return tuple(other for other in sorted(legal) if _one_slip(word, other))


def _one_slip(word: str, other: str) -> bool:
    if abs(len(word) - len(other)) > 1 or len(word) < 2:
        return False
    short, long = sorted((word, other), key=len)
    at = next((at for at, char in enumerate(short) if char != long[at]), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = long[:at] + long[at + 1 : at + 2] + long[at : at + 1] + long[at + 2 :]
    return short == swapped or short[at + 1 :] == long[at + 1 :]


def either(words: Sequence[str]) -> str:
    """ "a, b or c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
