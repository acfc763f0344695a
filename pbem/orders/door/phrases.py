"""Phrases as data, and whether a sentence has one.

A phrase is words with blanks between them. ``want|wish`` is either, ``?please`` may be there or
not, ``*3`` stands for up to three words, ``play~`` for a word that begins so, and ``{me}`` for a
phrase of the set of that name. A set holds words and phrases alike. No phrase goes across a comma.
Adverbs that change nothing may stand between its words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.orders.door.sentences import COMMA, folded

_SIGNS = re.compile(r"[|?*{}~0-9]")
_MOST_SKIPPED = 2
"""So many words that say nothing may stand between two words of a phrase."""
Spot = tuple[int, int]
"""Where a phrase stands in a sentence: its first word, and the one behind its last."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One place of a phrase."""

    words: frozenset[str] = frozenset()
    begins: tuple[str, ...] = ()
    phrases: tuple[tuple[_Item, ...], ...] = ()
    optional: bool = False
    gap: int = 0


Phrase = tuple[_Item, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """All phrases by what they say, and the forms in which words are shortened."""

    of: Mapping[str, tuple[Phrase, ...]]
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Lists of single words, by name."""
    short: Mapping[str, str] = field(default_factory=dict)
    vocabulary: frozenset[str] = frozenset()
    """Every word of every phrase."""
    begun: dict[tuple[str, str], tuple[Phrase, ...]] = field(default_factory=dict)
    """The phrases of a kind that may begin with a word, as they are looked up."""

    def spots(self, kind: str, words: Sequence[str]) -> list[Spot]:
        """Return where the phrases of a kind stand, in the order of their first words."""
        skipped = self._skipped()
        return [
            (at, max(ends))
            for at, word in enumerate(words)
            for phrase in self._beginning(kind, word)
            if (ends := _ends(phrase, words, {at}, skipped))
        ]

    def has(self, kind: str, words: Sequence[str]) -> bool:
        """Return whether a phrase of a kind stands anywhere in the words."""
        skipped = self._skipped()
        return any(
            _ends(phrase, words, {at}, skipped)
            for at, word in enumerate(words)
            for phrase in self._beginning(kind, word)
        )

    def _beginning(self, kind: str, word: str) -> tuple[Phrase, ...]:
        """Return the phrases of a kind that may begin with a word."""
        found = self.begun.get((kind, word))
        if found is None:
            all_ = self.of.get(kind, ())
            found = tuple(one for one in all_ if _may_begin(one, word, self._skipped()))
            if word in self.vocabulary:
                self.begun[kind, word] = found
        return found

    def _skipped(self) -> frozenset[str]:
        return self.words.get("adverbs", frozenset())

    def without(self, kind: str, words: Sequence[str]) -> list[str]:
        """Return the words that are left when all phrases of a kind are taken out."""
        gone = {at for first, end in self.spots(kind, words) for at in range(first, end)}
        return [word for at, word in enumerate(words) if at not in gone]


def made(data: Mapping[str, Any]) -> Phrases:
    """Return the phrases of a data file, with its tables of sets, words and contracted forms."""
    sets = {name: tuple(said) for name, said in data["sets"].items()}
    known = dict[str, tuple[Phrase, ...]]()
    of = {
        kind: tuple(_phrase(one, sets, known) for one in _flat(said))
        for kind, said in data["phrases"].items()
    }
    words = {name: frozenset(map(folded, said)) for name, said in data["words"].items()}
    short = {folded(one): folded(long) for one, long in data["contracted"].items()}
    said = [one for of_kind in (data["sets"], *data["phrases"].values()) for one in _flat(of_kind)]
    vocabulary = {*folded(_SIGNS.sub(" ", " ".join(said))).split()}.union(*words.values())
    return Phrases(of, words, short, frozenset(vocabulary))


def _flat(of_kind: Mapping[str, Iterable[str]]) -> list[str]:
    """Return all phrases of some sets, or of a kind in all languages."""
    return [one for said in of_kind.values() for one in said]


def _phrase(said: str, sets: Mapping[str, Sequence[str]], known: dict[str, Any]) -> Phrase:
    return tuple(_item(one, sets, known) for one in said.split())


def _item(said: str, sets: Mapping[str, Sequence[str]], known: dict[str, Any]) -> _Item:
    optional, said = said.startswith("?"), said.removeprefix("?")
    if said.startswith("*"):
        return _Item(gap=int(said[1:] or 1))
    if said.startswith("{"):
        name = said.strip("{}")
        if name not in known:
            known[name] = tuple(_phrase(one, sets, known) for one in sets[name])
        return _Item(phrases=known[name], optional=optional)
    words = [folded(one) for one in said.split("|")]
    begins = tuple(one[:-1] for one in words if one.endswith("~"))
    whole = frozenset(one for one in words if not one.endswith("~"))
    return _Item(whole, begins, optional=optional)


def _may_begin(phrase: Phrase, word: str, skipped: Collection[str]) -> bool:
    """Return whether a phrase may begin with a word."""
    for number, item in enumerate(phrase):
        if item.gap or (number and word in skipped):
            return True
        if word in item.words or word.startswith(item.begins):
            return True
        if any(_may_begin(one, word, skipped) for one in item.phrases):
            return True
        if not item.optional:
            return False
    return True


def _ends(
    phrase: Phrase, words: Sequence[str], starts: Collection[int], skipped: Collection[str]
) -> set[int]:
    """Return where a phrase that begins at one of the starts may end. skipped: words that may stand
    between two of its own."""
    at = set(starts)
    for number, item in enumerate(phrase):
        if number:
            at |= set(_skips(words, at, skipped))
        at = _next(item, words, at, skipped)
        if not at:
            break
    return at


def _skips(words: Sequence[str], starts: set[int], skipped: Collection[str]) -> Iterable[int]:
    """Yield the places behind the skipped words that stand at the starts."""
    for start in starts:
        at = start
        while at < len(words) and words[at] in skipped and at - start < _MOST_SKIPPED:
            at += 1
            yield at


def _next(
    item: _Item, words: Sequence[str], starts: set[int], skipped: Collection[str]
) -> set[int]:
    if item.gap:
        return {end for at in starts for end in _gap(words, at, item.gap)}
    found = set(starts) if item.optional else set[int]()
    for at in starts:
        if at < len(words) and (words[at] in item.words or words[at].startswith(item.begins)):
            found.add(at + 1)
    for phrase in item.phrases:
        found |= _ends(phrase, words, starts, skipped)
    return found


def _gap(words: Sequence[str], at: int, most: int) -> list[int]:
    found = [at]
    while len(found) <= most and found[-1] < len(words) and words[found[-1]] != COMMA:
        found.append(found[-1] + 1)
    return found
