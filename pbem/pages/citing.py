"""Quote the sentence of a cited paragraph that fits a refusal best."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"(])")
_WORD = re.compile(r"[A-Za-z]{3,}")
_STEM = 4
"""Letters compared: "signed" and "signature" are one."""
_SMALL = frozenset(
    ("the", "and", "are", "for", "not", "may", "you", "has", "all", "one", "its", "his")
)
SHORT = 2
"""A paragraph of so many sentences is quoted whole."""
_LEANS = frozenset(
    ("he", "it", "its", "they", "then", "else", "these", "such", "otherwise", "this")
)
"""Such a first word needs the sentence before."""


def quoted(paragraphs: Mapping[str, str], rule: str, message: str) -> str:
    text = paragraphs.get(rule, "")
    return f'"{_fitting(text, message)}" [{rule}]' if text else ""


def _fitting(text: str, message: str) -> str:
    """Return the sentence that shares most words, rare ones first; else the first."""
    sentences = _END.split(" ".join(text.split()))
    if len(sentences) <= SHORT:
        return " ".join(sentences)
    stems = [_stems(one) for one in sentences]
    often, wanted = Counter(stem for one in stems for stem in one), _stems(message)
    shared = [sum(1 / often[stem] for stem in one & wanted) for one in stems]
    best = shared.index(max(shared))
    first = sentences[best].split(maxsplit=1)[0].strip(",").casefold()
    return " ".join(sentences[best - (first in _LEANS and best > 0) : best + 1])


def begun(text: str, most: int, kept_for: re.Pattern[str]) -> str:
    """Return a text's first sentences, of about most characters, or more while they match kept_for,
    with its last citation."""
    flat = " ".join(text.split())
    said, _, cited = flat.rpartition(" [")
    if not (said and cited.endswith("]")):
        said, cited = flat, ""
    kept, *more = _END.split(said)
    while more and (len(kept) + len(more[0]) < most or kept_for.search(more[0])):
        kept = f"{kept} {more.pop(0)}"
    return f"{kept} [{cited}" if cited else kept


def _stems(text: str) -> set[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return {word[:_STEM] for word in words if word not in _SMALL}
