"""Does a line go on with the order before it?

Mail programs break long lines, and players break them too; both also forget the end of an order and
go on with the next one. A line that begins with an order word never goes on. Any other does, where
the order needs more or asks for more by a comma at its end, and where both together can be read or
still become readable.

Where they cannot, one of two readings is kinder. A line of which nothing fits is a mistake of its
own, and two refusals, each at its place, tell more than one that runs two mistakes together. But of
a list that was broken and has a slip in its second line, one refusal tells more than two. So what
counts is how much of the line fits.

Two kinds of lines show by themselves what they are. One that has nothing but words of the game and
is no signature can only be meant as more, even of an order that could have ended. One whose first
word is an order word but for one slip, and which could be read without it, begins an order,
whatever stands above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from pbem.orders.characters import first_word
from pbem.orders.spelling import is_number, nearest, slips

_CONDITION = re.compile(r"IF\b|[<>=\u2264\u2265]|NONE\W*$", re.IGNORECASE)
"""How the condition of an order begins, or its second half, or what ends an order that is kept:
nothing else does."""
_KEPT = "STANDING "
"""How an order begins that is kept for periods to come; the rest is read as that order is."""
_PLAIN_WORD = re.compile(r"[^\W_]+")


class Reader(Protocol):
    """What is asked about a game's language. Words are in capitals."""

    @property
    def words(self) -> frozenset[str]:
        """The order words."""
        ...

    @property
    def keywords(self) -> frozenset[str]:
        """The words that orders are made of besides names."""
        ...

    @property
    def known(self) -> frozenset[str]:
        """These and the game's names, word by word."""
        ...

    def complete(self, text: str) -> bool:
        """Whether an order could end where this text ends."""
        ...

    def reach(self, text: str) -> int:
        """How many characters of a text can be read."""
        ...

    def expected_words(self, text: str, at: int) -> Sequence[str]:
        """The words that could stand at a place of a text, if it can be read up to there."""
        ...


def goes_on(reader: Reader, order: str, following: str) -> bool:
    """Whether a line that begins no order is the rest of the order before it."""
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
    """Whether an order asks for more at its end: by a comma, or by a word for one."""
    last = order.rsplit(maxsplit=1)[-1] if order.strip() else ""
    return last.endswith(",") or last == "&" or last.upper() == "AND"


def closed(order: str) -> str:
    """An order without the stop, the commas and the words by which another one follows it."""
    words = order.rstrip(" ,.!&").split(" ")
    while words and words[-1].upper() in ("", "AND", "THEN", "&"):
        words.pop()
    return " ".join(words).rstrip(" ,.!&")


def _adds(reader: Reader, order: str, following: str) -> bool:
    """Whether a line can only be meant as more of an order that could end before it.

    Such a line has nothing but words of this game, is no signature, and can be read together with
    the order.
    """
    words = plain_words(following)
    if not words or not all(word in reader.known or not word.isalpha() for word in words):
        return False
    joined = f"{order} {following}"
    return any(_no_signature(reader, order, following)) and reader.reach(joined) == len(joined)


def _no_signature(reader: Reader, order: str, following: str) -> Iterator[bool]:
    """What a line of known words may have that no signature has, each in turn."""
    items = following.replace(",", " ").split()
    last, first = order.rsplit(maxsplit=1)[-1].upper(), items[0].upper()
    yield any(
        not item.isalpha() and any(map(str.isalpha, item)) for item in items
    )  # a card, a motion
    yield len(items) > 1 and last in reader.keywords  # a list right below the word that asks for it
    yield is_number(first) and last.isalpha()  # the count of a name
    kept = order[len(_KEPT) :] if order.upper().startswith(_KEPT) else order
    yield first in reader.expected_words(kept, len(kept))


def mended(reader: Reader, text: str, words: frozenset[str]) -> str:
    """A text with its order word (one of ``words``) as it was meant, where that is missed by one
    slip and the rest fits it; else ""."""
    first = first_word(text)
    rest = text.lstrip()[len(first) :]
    for meant in () if first in reader.known else slips(first, words):
        if meant not in reader.words or reader.reach(meant + rest) == len(meant + rest):
            return meant + rest
    return ""


def plain_words(text: str) -> list[str]:
    """The words and numbers of a text in capitals, without signs."""
    return _PLAIN_WORD.findall(text.upper())
