"""Resolve states by code, name or beginning; speeches by card or title.

An ambiguous word names none; :func:`states` and :func:`speeches` return all candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pbem.games.politics_1935.tables import Atlas

_KEY = re.compile(r"S([0-9]{1,2})")
_WORD = re.compile(r"\w+")
_LEAST = 3
"""Letters of a name's beginning."""
_LINKS = frozenset(("AND", "OF", "IN", "THE", "&"))

PLAIN = frozenset(("in", "or"))
"""Codes that are also plain words."""


def is_plain(word: str, following: Sequence[str]) -> bool:
    """Return whether a code is a plain word: small, before a name ("in Ohio")."""
    return word in PLAIN and any(len(name) > 1 and name.isalpha() for name in following)


def state(atlas: Atlas, words: str) -> str | None:
    found = states(atlas, words)
    return found[0] if len(found) == 1 else None


def states(atlas: Atlas, words: str) -> tuple[str, ...]:
    """Return the codes meant: the exact name, else names that begin so word by word ("N Dak";
    "NE ME" is two), else with such a word ("York")."""
    exact, asked = atlas.named(), words.upper().split()
    if (name := " ".join(asked)) in exact:
        return (exact[name],)
    named = [(code, row.name.upper().split()) for code, row in atlas.states.items()]
    if len(asked) > 1:
        two = [] if asked[0] in exact else named
        return tuple(code for code, parts in two if _aligned(asked, parts))
    if len(name) < _LEAST:
        return ()
    first = [code for code, parts in named if parts[0].startswith(name)]
    return tuple(first or (code for code, parts in named if _begins(name, parts)))


def _aligned(asked: list[str], parts: list[str]) -> bool:
    return len(asked) == len(parts) and all(
        part.startswith(word) for word, part in zip(asked, parts, strict=True)
    )


def _begins(word: str, parts: Iterable[str]) -> bool:
    return any(part.startswith(word) for part in parts)


def speech(atlas: Atlas, words: str) -> str:
    """Return the one card's key, else the words in capitals."""
    found = tuple(speeches(atlas, words))
    return found[0] if len(found) == 1 else key(words)


def key(word: str) -> str:
    found = _KEY.fullmatch(word.upper())
    return f"S{int(found.group(1)):02d}" if found else word.upper()


def speeches(atlas: Atlas, words: str) -> Iterator[str]:
    """Yield keys meant: that key, else titles with a word for each."""
    if key(words) in atlas.cards:
        yield key(words)
        return
    asked = [word for word in _WORD.findall(words.upper()) if word not in _LINKS]
    for card in atlas.cards.values():
        parts = _WORD.findall(card.title.upper())
        if asked and all(len(word) >= _LEAST and _begins(word, parts) for word in asked):
            yield card.key
