"""Phrases as data, and whether a sentence has one.

``want|wish`` is either word, ``?please`` may be there or not, ``*3`` stands for up to three words,
``play~`` for a word that begins so, and ``{me}`` for a phrase of that set. A set holds words and
phrases. No phrase crosses a comma. Adverbs that change nothing may stand between its words.

Names of several words in sentences, and where clauses begin.

Find a code, however written, and press in somebody's own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.orders.sentences import COMMA, folded
from pbem.orders.spelling import slips

_SIGNS = re.compile(r"[|?*{}~0-9]")
_MOST_SKIPPED = 2
"""Idle words between two words of a phrase."""
Spot = tuple[int, int]
"""First word, and the one behind the last."""


@dataclass(frozen=True, slots=True)
class _Item:
    words: frozenset[str] = frozenset()
    begins: tuple[str, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    optional: bool = False
    gap: int = 0

    def fits(self, word: str) -> bool:
        return word in self.words or word.startswith(self.begins)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Its places, and what its first word may be (None: any)."""

    items: tuple[_Item, ...]
    first: _Item | None


@dataclass(frozen=True, slots=True)
class _Kind:
    """Phrases of one kind, by their first words."""

    by_word: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    others: tuple[Phrase, ...] = ()

    def at(self, word: str) -> tuple[Phrase, ...]:
        return self.by_word.get(word, ()) + self.others


@dataclass(frozen=True, slots=True)
class Phrases:
    """All phrases by what they say, and contracted forms."""

    of: Mapping[str, _Kind]
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Lists of single words."""
    short: Mapping[str, str] = field(default_factory=dict)
    vocabulary: frozenset[str] = frozenset()
    """Every word of every phrase."""
    signs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Words that mean something by their place; not of the vocabulary."""

    def spots(self, kind: str, words: Sequence[str]) -> list[Spot]:
        """Return where phrases of a kind stand, by their first words."""
        return list(self._spots(kind, words))

    def has(self, kind: str, words: Sequence[str]) -> bool:
        return next(self._spots(kind, words), None) is not None

    def _spots(self, kind: str, words: Sequence[str]) -> Iterator[Spot]:
        of, skipped = self.of.get(kind, _Kind()), self.words.get("adverbs", frozenset())
        for at, word in enumerate(words):
            for phrase in of.at(word):
                if ends := _ends(phrase, words, {at}, skipped):
                    yield at, max(ends)

    def without(self, kind: str, words: Sequence[str]) -> list[str]:
        gone = {at for first, end in self.spots(kind, words) for at in range(first, end)}
        return [word for at, word in enumerate(words) if at not in gone]


def made(data: Mapping[str, Any]) -> Phrases:
    sets = {name: tuple(said) for name, said in data["sets"].items()}
    words = {name: frozenset(map(folded, said)) for name, said in data["words"].items()}
    known = dict[str, tuple[Phrase, ...]]()
    skipped = words.get("adverbs", frozenset())
    of = {
        kind: _kind(_phrase(one, sets, known, skipped) for one in _flat(said))
        for kind, said in data["phrases"].items()
    }
    short = {folded(one): folded(long) for one, long in data["contracted"].items()}
    said = [one for of_kind in (data["sets"], *data["phrases"].values()) for one in _flat(of_kind)]
    vocabulary = {*folded(_SIGNS.sub(" ", " ".join(said))).split()}.union(*words.values())
    signs = {name: frozenset(said) for name, said in data["signs"].items()}
    return Phrases(of, words, short, frozenset(vocabulary), signs)


def _kind(phrases: Iterable[Phrase]) -> _Kind:
    by_word, others = dict[str, tuple[Phrase, ...]](), list[Phrase]()
    for phrase in phrases:
        if phrase.first is None or phrase.first.begins:
            others.append(phrase)
        else:
            by_word |= {one: (*by_word.get(one, ()), phrase) for one in phrase.first.words}
    return _Kind(by_word, tuple(others))


def _flat(of_kind: Mapping[str, Iterable[str]]) -> list[str]:
    return [one for said in of_kind.values() for one in said]


def _phrase(
    said: str, sets: Mapping[str, Sequence[str]], known: dict[str, Any], skipped: frozenset[str]
) -> Phrase:
    items = tuple(_item(one, sets, known, skipped) for one in said.split())
    return Phrase(items, _first(items, skipped))


def _first(items: Iterable[_Item], skipped: frozenset[str]) -> _Item | None:
    words, begins = frozenset[str](), tuple[str, ...]()
    for item in items:
        inner = [phrase.first for phrase in item.phrases]
        if item.gap or None in inner:
            return None
        for one in (item, *filter(None, inner)):
            words, begins = words | one.words, begins + one.begins
        if not item.optional:
            return _Item(words, begins)
        words |= skipped  # they may stand where the word that is left out would
    return None


def _item(
    said: str, sets: Mapping[str, Sequence[str]], known: dict[str, Any], skipped: frozenset[str]
) -> _Item:
    optional, said = said.startswith("?"), said.removeprefix("?")
    if said.startswith("*"):
        return _Item(gap=int(said[1:] or 1))
    if said.startswith("{"):
        name = said.strip("{}")
        if name not in known:
            known[name] = tuple(_phrase(one, sets, known, skipped) for one in sets[name])
        return _Item(phrases=known[name], optional=optional)
    words = [folded(one) for one in said.split("|")]
    begins = tuple(one[:-1] for one in words if one.endswith("~"))
    whole = frozenset(one for one in words if not one.endswith("~"))
    return _Item(whole, begins, optional=optional)


def _ends(
    phrase: Phrase, words: Sequence[str], starts: Collection[int], skipped: Collection[str]
) -> set[int]:
    """Return where a phrase that begins at ``starts`` may end. skipped: words allowed between its
    own."""
    first = phrase.first
    at = {one for one in starts if first is None or (one < len(words) and first.fits(words[one]))}
    for number, item in enumerate(phrase.items if at else ()):
        if number:
            at |= set(_skips(words, at, skipped))
        at = _next(item, words, at, skipped)
        if not at:
            break
    return at


def _skips(words: Sequence[str], starts: set[int], skipped: Collection[str]) -> Iterable[int]:
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
        if at < len(words) and item.fits(words[at]):
            found.add(at + 1)
    for phrase in item.phrases:
        found |= _ends(phrase, words, starts, skipped)
    return found


def _gap(words: Sequence[str], at: int, most: int) -> list[int]:
    found = [at]
    while len(found) <= most and found[-1] < len(words) and words[found[-1]] != COMMA:
        found.append(found[-1] + 1)
    return found


_LETTERS = re.compile(r"[\W_]+")
_LONG_NAME = 8
"""From so many letters on, a name of several words may have a slip."""


def joined(words: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """Join the words of each name, with or without its dashes."""
    long = {_LETTERS.sub("", name): name for name in names if _LETTERS.search(name)}
    found, at = list[str](), 0
    while long and at < len(words):
        for many in (3, 2, 1):
            if name := _name_of(words[at : at + many], long):
                found.append(name)
                at += len(words[at : at + many])
                break
        else:
            found.append(words[at])
            at += 1
    return tuple(found) if long else tuple(words)


def _name_of(words: Sequence[str], long: Mapping[str, str]) -> str | None:
    """Return the name these words write, perhaps with a slip, or None."""
    said = _LETTERS.sub("", "".join(words))
    if said in long:
        return long[said]
    alike = [one for one, name in long.items() if len(words) in (1, len(_LETTERS.split(name)))]
    near = slips(said, alike) if len(said) >= _LONG_NAME else []
    return long[near[0]] if len(near) == 1 else None


def clause(words: Sequence[str], at: int) -> int:
    """Return where a word's clause begins: behind the comma before it."""
    return max((place + 1 for place in range(at) if words[place] == COMMA), default=0)


CODE = re.compile(r"(?<![\w@.+-])[a-z2-7]{16}(?![\w@+-]|\.\w)")
_FOURS = re.compile(
    r"(?<![\w@.+-])(?:[a-z2-7]{4}(?:-[a-z2-7]{4}){3}|[a-z2-7]{4}(?: [a-z2-7]{4}){3})(?![\w@+-])"
)
"""A code in four parts."""
_DIGIT = frozenset("0123456789")
_DIGITS = 3
_CONFIRM = re.compile(r"\bCONFIRM:? +([A-Za-z0-9-]{4,80})\b")

_PRESS = re.compile(
    r"PRESS(?: TO)?(?: THE)? (?:GM|GAMESMASTER|REFEREE)\b[ \t:]{0,8}", re.IGNORECASE
)


def code_in(text: str) -> str:
    """Return the code in a text, in small letters, or ""."""
    found = CODE.search(text.lower())
    if found and not _DIGIT.isdisjoint(found[0]):
        return found[0]
    fours = _FOURS.search(text.lower())
    if fours and sum(char in _DIGIT for char in fours[0]) >= _DIGITS:
        return fours[0].replace(" ", "").replace("-", "")
    said = _CONFIRM.search(text)
    if said:
        return said[1].lower()
    return found[0] if found and "CONFIRM" in text else ""


def pressed(text: str) -> str | None:
    text = text.lstrip()
    if (head := _PRESS.match(text)) is None:
        return None
    lines = text[head.end() :].split("\n")
    ends = (n for n, line in enumerate(lines) if line.strip().upper().startswith("END PRESS"))
    return "\n".join(lines[: next(ends, len(lines))]).strip()
