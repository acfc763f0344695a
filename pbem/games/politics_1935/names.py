"""What a player's word names: a state by code, full name or a beginning that only one has, a speech
by its card or words of its title.

A word that may mean several names none; :func:`states` and :func:`speeches` give all that it may
mean, so that a refusal can ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pbem.games.politics_1935.tables import Atlas

_KEY = re.compile(r"S([0-9]{1,2})")
_WORD = re.compile(r"\w+")
_LEAST = 3
"""Letters of a beginning that is taken for a name."""
_LINKS = frozenset(("AND", "OF", "IN", "THE", "&"))

PLAIN = frozenset(("in", "or"))
"""Codes of states that are plain words as well."""


def is_plain(word: str, following: Sequence[str]) -> bool:
    """Whether a code may be meant as the plain word that it is: in small letters, before a name
    ("in Ohio", "in NY", "Utah or Texas")."""
    return word in PLAIN and any(len(name) > 1 and name.isalpha() for name in following)


def state(atlas: Atlas, words: str) -> str | None:
    """The code of the one state that the words name."""
    found = states(atlas, words)
    return found[0] if len(found) == 1 else None


def states(atlas: Atlas, words: str) -> tuple[str, ...]:
    """The codes of all states that the words may mean: the exact name alone, else those whose name
    begins so, word by word ("N Dak"; but "NE ME" are two states), else those of which any word does
    ("York")."""
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
    """Whether each word of a name begins with the word in its place."""
    return len(asked) == len(parts) and all(
        part.startswith(word) for word, part in zip(asked, parts, strict=True)
    )


def _begins(word: str, parts: Iterable[str]) -> bool:
    return any(part.startswith(word) for part in parts)


def speech(atlas: Atlas, words: str) -> str:
    """The key of the one card that the words name; else the words in capitals."""
    found = tuple(speeches(atlas, words))
    return found[0] if len(found) == 1 else key(words)


def key(word: str) -> str:
    """A card's key in capitals, with its nought: "s7" is S07."""
    found = _KEY.fullmatch(word.upper())
    return f"S{int(found.group(1)):02d}" if found else word.upper()


def speeches(atlas: Atlas, words: str) -> Iterator[str]:
    """The keys of all cards that the words may mean: that key, else the cards in whose title each
    of the words begins one."""
    if key(words) in atlas.cards:
        yield key(words)
        return
    asked = [word for word in _WORD.findall(words.upper()) if word not in _LINKS]
    for card in atlas.cards.values():
        parts = _WORD.findall(card.title.upper())
        if asked and all(len(word) >= _LEAST and _begins(word, parts) for word in asked):
            yield card.key
