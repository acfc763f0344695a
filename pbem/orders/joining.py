"""Does a line continue the order before it?

A line with an order word begins an order. Another continues one that needs more or ends with a
comma, if both together are readable or may become so; else the number of fitting words decides.

A line of the game's words, without a signature, continues even a complete order. A misspelt order
word begins an order if that makes it readable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from pbem.orders.characters import first_word
from pbem.orders.spelling import is_number, nearest, slips

_CONDITION = re.compile(r"IF\b|[<>=\u2264\u2265]|NONE\W*$", re.IGNORECASE)
_KEPT = "STANDING "
"""Begins an order kept for later periods."""
_PLAIN_WORD = re.compile(r"[^\W_]+")


class Reader(Protocol):
    """What is asked about a language."""

    @property
    def words(self) -> frozenset[str]: ...

    @property
    def keywords(self) -> frozenset[str]: ...

    @property
    def known(self) -> frozenset[str]: ...

    def complete(self, text: str) -> bool: ...

    def reach(self, text: str) -> int: ...

    def expected_words(self, text: str, at: int) -> Sequence[str]: ...


def goes_on(reader: Reader, order: str, following: str) -> bool:
    """Return whether a line without an order word continues ``order``."""
    comma = ends_open(order)
    joined, start = f"{order} {following}", len(order) + 1
    if _CONDITION.match(following) and reader.reach(joined) == len(joined):
        return True
    if not comma and reader.complete(order):
        return _adds(reader, order, following)
    at = reader.reach(joined)
    if at == len(joined) or at < start or not following[:1].isalpha():
        return True
    fitting = joined[start:at].split()
    bad = joined[at:].split(maxsplit=1)[0].strip(",;").upper()
    return len(fitting) > (0 if comma else 1) or bool(
        nearest(bad, reader.expected_words(joined, at))
    )


def ends_open(order: str) -> bool:
    last = order.rsplit(maxsplit=1)[-1] if order.strip() else ""
    return last.endswith(",") or last == "&" or last.upper() == "AND"


def closed(order: str) -> str:
    """Return an order without its link to the next."""
    words = order.rstrip(" ,.!&").split(" ")
    while words and words[-1].upper() in ("", "AND", "THEN", "&"):
        words.pop()
    return " ".join(words).rstrip(" ,.!&")


def _adds(reader: Reader, order: str, following: str) -> bool:
    words = plain_words(following)
    if not words or not all(word in reader.known or not word.isalpha() for word in words):
        return False
    joined = f"{order} {following}"
    return any(_no_signature(reader, order, following)) and reader.reach(joined) == len(joined)


def _no_signature(reader: Reader, order: str, following: str) -> Iterator[bool]:
    items = following.replace(",", " ").split()
    last, first = order.rsplit(maxsplit=1)[-1].upper(), items[0].upper()
    yield any(
        not item.isalpha() and any(map(str.isalpha, item)) for item in items
    )  # a card or motion
    yield len(items) > 1 and last in reader.keywords  # a list below its keyword
    yield is_number(first) and last.isalpha()  # the count of a name
    kept = order[len(_KEPT) :] if order.upper().startswith(_KEPT) else order
    yield first in reader.expected_words(kept, len(kept))


def mended(reader: Reader, text: str, words: frozenset[str]) -> str:
    """Return the text with its order word corrected, if the rest fits; else ""."""
    first = first_word(text)
    rest = text.lstrip()[len(first) :]
    for meant in () if first in reader.known else slips(first, words):
        if meant not in reader.words or reader.reach(meant + rest) == len(meant + rest):
            return meant + rest
    return ""


def plain_words(text: str) -> list[str]:
    return _PLAIN_WORD.findall(text.upper())
