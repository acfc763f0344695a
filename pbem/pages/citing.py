"""The sentence of the rules that stands behind a refusal: of its paragraph the one that speaks of
the same things."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"(])")
_WORD = re.compile(r"[A-Za-z]{3,}")
_STEM = 4
"""Words that begin with as many same letters count as one: "signed", "signature"."""
_SMALL = frozenset(
    ("the", "and", "are", "for", "not", "may", "you", "has", "all", "one", "its", "his")
)
SHORT = 2
"""A paragraph of so many sentences is quoted whole."""
_LEANS = frozenset(
    ("he", "it", "its", "they", "then", "else", "these", "such", "otherwise", "this")
)
"""A sentence that begins so is not understood without the one before."""


def quoted(paragraphs: Mapping[str, str], rule: str, message: str) -> str:
    """Return what of a cited paragraph is quoted behind a message; "" if none is cited."""
    text = paragraphs.get(rule, "")
    return f'"{_fitting(text, message)}" [{rule}]' if text else ""


def _fitting(text: str, message: str) -> str:
    """Return the sentence that shares most with the message, words that are rare here before
    others; the first where none shares anything."""
    sentences = _END.split(" ".join(text.split()))
    if len(sentences) <= SHORT:
        return " ".join(sentences)
    stems = [_stems(one) for one in sentences]
    often, wanted = Counter(stem for one in stems for stem in one), _stems(message)
    shared = [sum(1 / often[stem] for stem in one & wanted) for one in stems]
    best = shared.index(max(shared))
    first = sentences[best].split(maxsplit=1)[0].strip(",").casefold()
    return " ".join(sentences[best - (first in _LEANS and best > 0) : best + 1])


def _stems(text: str) -> set[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return {word[:_STEM] for word in words if word not in _SMALL}
