"""Phrases as data, and whether a sentence has one.

``want|wish`` is either word, ``?please`` may be there or not, ``*3`` stands for up to three words,
``play~`` for a word that begins so, and ``{me}`` for a phrase of that set. No phrase crosses a
comma. Adverbs that change nothing may stand between its words.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pbem.orders.sentences import COMMA, folded
from pbem.orders.spelling import slips

_SIGNS = re.compile(r"[|?*{}~0-9]")
_SKIPPED = r"(?:~\S++ ){0,2}"
"""Adverbs between two words of a phrase: they are marked."""
Spot = tuple[int, int]
"""First word, and the one behind the last."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """All phrases by what they say, and contracted forms."""

    of: Mapping[str, Sequence[re.Pattern[str]]]
    words: Mapping[str, frozenset[str]]
    """Lists of single words."""
    short: Mapping[str, str]
    vocabulary: frozenset[str]
    """Every word of every phrase."""
    signs: Mapping[str, frozenset[str]]
    """Words that mean something by their place; not of the vocabulary."""

    def spots(self, kind: str, words: Sequence[str]) -> list[Spot]:
        """Return where phrases of a kind stand, by their first words."""
        text, found = self._marked(words), set[Spot]()
        for phrase in self.of[kind]:
            for one in phrase.finditer(text):
                found.add((text.count(" ", 0, one.start(1)), text.count(" ", 0, one.end(1))))
        return sorted(found)

    def has(self, kind: str, words: Sequence[str]) -> bool:
        text = self._marked(words)
        return any(phrase.search(text) for phrase in self.of[kind])

    def _marked(self, words: Sequence[str]) -> str:
        adverbs = self.words["adverbs"]
        return "".join(f"~{word} " if word in adverbs else f"{word} " for word in words)

    def without(self, kind: str, words: Sequence[str]) -> list[str]:
        gone = {at for first, end in self.spots(kind, words) for at in range(first, end)}
        return [word for at, word in enumerate(words) if at not in gone]


def made(data: Mapping[str, Any]) -> Phrases:
    sets, phrases = data["sets"], data["phrases"]
    words = {name: frozenset(folded(said).split()) for name, said in data["words"].items()}
    of = {
        kind: [re.compile(rf"(?<!\S)(?=({_phrase(one, sets)}))") for one in chain(*said.values())]
        for kind, said in phrases.items()
    }
    short = {folded(one): folded(long) for one, long in data["contracted"].items()}
    said = chain(*sets.values(), *(one for kind in phrases.values() for one in kind.values()))
    plain = folded(_SIGNS.sub(" ", " ".join(said))).split()
    signs = {name: frozenset(said) for name, said in data["signs"].items()}
    return Phrases(of, words, short, frozenset(plain).union(*words.values()), signs)


def _phrase(said: str, sets: Mapping[str, Sequence[str]]) -> str:
    return _SKIPPED.join(_part(one, sets) for one in said.split())


def _part(said: str, sets: Mapping[str, Sequence[str]]) -> str:
    if said.startswith("*"):
        return rf"(?:[^ ,]\S*+ ){{0,{said[1:] or 1}}}"
    one = said.removeprefix("?")
    if one.startswith("{"):
        longest = sorted(sets[one.strip("{}")], key=lambda phrase: -len(phrase.split()))
        either = "|".join(_phrase(phrase, sets) for phrase in longest)
    else:
        words = (re.escape(folded(word)).replace(r"\~", r"\S*+") for word in one.split("|"))
        either = rf"~?(?:{'|'.join(words)}) "
    return f"(?:{either})" + "?" * said.startswith("?")


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
