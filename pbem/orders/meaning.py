"""What a text that is no order was perhaps meant to be: the whole line, as it could be sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from pbem.orders.characters import first_word, unstopped
from pbem.orders.refusal import shorten
from pbem.orders.spelling import nearest
from pbem.orders.writing import bare

_INNER = re.compile(r"(?<=[\s,;:.\"'(\[])[A-Za-z]{3,20}(?![\w/-])")
_TRIES = 3
_LONGEST = 200
"""So many characters of a text are searched for an order within it."""
_FEW = 3
"""A single word counts as an order within a text only of so few words: "we all pass"."""
_SIGNS = " \"'()[].,;:!?"


class Reader(Protocol):
    """What is asked about a game's language."""

    @property
    def words(self) -> frozenset[str]:
        """The order words, in capitals."""
        ...

    def reads(self, text: str) -> bool:
        """Whether a text is an order."""
        ...

    def reach(self, text: str) -> int:
        """How many characters of a text can be read."""
        ...

    def parse(self, text: str) -> Sequence[object]:
        """The orders that a text holds, which can be read."""
        ...

    def expected_words(self, text: str, at: int) -> Sequence[str]:
        """The words that could stand at a place of a text, if it can be read up to there."""
        ...


def suggestion(reader: Reader, text: str, at: int, near: str) -> str:
    """The line that a text was meant to be which can be read up to ``at``, or the word; "" where it
    comes near no order. ``near`` is the order word that is nearest to its first one."""
    first = first_word(text)
    if near and first not in reader.words:
        return _whole(reader, near + text.lstrip()[len(first) :]) or near
    if first in reader.words:
        return _mended(reader, text, at) or _within(reader, text)
    return _within(reader, text)


def _mended(reader: Reader, text: str, at: int) -> str:
    """With the word at the place as it was meant; or without what stands there and behind."""
    bad = text[at:].split(maxsplit=1)
    word = bad[0].strip(",;") if bad else ""
    near = nearest(word.upper(), reader.expected_words(text, at)) if word else ""
    if near:
        return _whole(reader, f"{text[:at]}{near}{text[at:].lstrip()[len(word) :]}") or near
    before, behind = text[:at].rstrip(" ,;"), text[at:].strip(_SIGNS).split()
    meant = len(before.split()) > 1 and len(behind) != 1  # a single word may be what counts
    return _whole(reader, before) if meant else ""


def _within(reader: Reader, text: str) -> str:
    """An order that stands at the end of a text, or between quotation marks in it."""
    inner = [
        found for found in _INNER.finditer(text[:_LONGEST]) if found.group().upper() in reader.words
    ]
    few = len(text.split()) <= _FEW
    for found in inner[:_TRIES]:
        rest = text[found.start() : found.start() + _LONGEST].rstrip(_SIGNS)
        said = _whole(reader, rest)
        if said and (few or len(said.split()) > 1):
            return said
        part = rest[: reader.reach(rest)]
        if len(part.split()) >= _FEW and (said := _whole(reader, part)):
            return said
    return ""


def _whole(reader: Reader, text: str) -> str:
    """A text as a line to send, in canonical form, if it is an order; else ""."""
    text = unstopped(bare(text)).strip(" ,;")
    if not text or not reader.reads(text):
        return ""
    return shorten("; ".join(str(order) for order in reader.parse(text)), _LONGEST)
