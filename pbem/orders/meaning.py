"""Suggestions for unreadable texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from pbem.orders.characters import first_word, unstopped
from pbem.orders.spelling import nearest
from pbem.orders.writing import bare

_INNER = re.compile(r"(?<=[\s,;:.\"'(\[])[A-Za-z]{3,20}(?![\w/-])")
_TRIES = 3
_LONGEST = 200
"""Characters searched for an order."""
_FEW = 3
"""Among more words, a single one is no order."""
_SIGNS = " \"'()[].,;:!?"


_NEGATED = re.compile(
    r"\b(?:not|never|cannot|no longer|nicht|nie(?:mals)?|keine?|pas|jamais|nunca|tak(?:e|en|ing)"
    r" (?:it |this |that )?back)\b|n['\u2019]t\b|\[ ?\]|[\u2610\u25a1]",
    re.IGNORECASE,
)
"""A "not", a box without its tick, an order taken back."""


def negated(text: str) -> bool:
    """Say whether it says "not" of something ("Pas" alone is a slip for PASS)."""
    return " " in text.strip() and bool(_NEGATED.search(text))


class Reader(Protocol):
    """What is asked about a language."""

    @property
    def words(self) -> frozenset[str]: ...

    def reads(self, text: str) -> bool: ...

    def reach(self, text: str) -> int: ...

    def parse(self, text: str) -> Sequence[object]: ...

    def expected_words(self, text: str, at: int) -> Sequence[str]: ...


def suggestion(reader: Reader, text: str, at: int, near: str) -> str:
    """Return the line or word that was meant, or "". at: where reading stops. near: the nearest
    order word."""
    first = first_word(text)
    if near and first not in reader.words:
        mended = near + text.lstrip()[len(first) :]
        return _whole(reader, mended) or (unstopped(mended) if near == "CANCEL" else near)
    if first in reader.words:
        return _mended(reader, text, at) or _within(reader, text)
    return _within(reader, text)


def _mended(reader: Reader, text: str, at: int) -> str:
    bad = text[at:].split(maxsplit=1)
    word = bad[0].strip(",;") if bad else ""
    near = nearest(word.upper(), reader.expected_words(text, at)) if word else ""
    if near:
        return _whole(reader, f"{text[:at]}{near}{text[at:].lstrip()[len(word) :]}") or near
    before, behind = text[:at].rstrip(" ,;"), text[at:].strip(_SIGNS).split()
    meant = len(before.split()) > 1 and len(behind) != 1  # a single word may matter
    kept = not any(char in "0123456789" for word in behind for char in word)  # and so does a number
    return _whole(reader, before) if meant and kept else ""


def _within(reader: Reader, text: str) -> str:
    inner = [
        found.start()
        for found in _INNER.finditer(text[:_LONGEST])
        if found.group().upper() in reader.words
    ]
    few, said = len(text.split()) <= _FEW, list[str]()
    for place, start in enumerate(inner[:_TRIES]):
        whole = _order(reader, text[start : start + _LONGEST], few=few)
        ends = inner[place + 1 :][:1] or [len(text)]
        said += filter(None, [whole or _order(reader, text[start : ends[0]], few=few)])
        if whole:
            break
    return _short("; ".join(dict.fromkeys(said)))


def _order(reader: Reader, text: str, *, few: bool) -> str:
    rest = text.rstrip(_SIGNS)
    said = _whole(reader, rest)
    if said and (few or len(said.split()) > 1):
        return said
    part = rest[: reader.reach(rest)]
    return _whole(reader, part) if len(part.split()) >= _FEW else ""


def _whole(reader: Reader, text: str) -> str:
    text = unstopped(bare(text)).strip(" ,;")
    if not text or not reader.reads(text):
        return ""
    return _short("; ".join(str(order) for order in reader.parse(text)))


def _short(orders: str) -> str:
    flat = " ".join(orders.split())
    return flat if len(flat) <= _LONGEST else ""
