"""Phrases as data, and whether a sentence has one.

``want|wish`` is either word, ``?please`` may be there or not, ``*3`` stands for up to three words,
``play~`` for a word that begins so, and ``{me}`` for a phrase of that set. No phrase crosses a
comma. Small words, which change nothing, may stand between its words.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.orders.questions import Talk
from pbem.orders.sentences import GOODBYE, GREETS, POLITE, US, YES, Sentence, folded, unaccented
from pbem.orders.sentences import sentences as sentences_of
from pbem.orders.spelling import slips

_SIGNS = re.compile(r"[|?*{}~;0-9]")
_BROKEN = re.compile(r"\|\s+")
"""An alternative goes on below."""
_SKIPPED = r"(?:~\S++ ){0,3}"
"""Small words between two words of a phrase: they are marked."""
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
    talk: Talk
    """How people ask."""

    def sentences(self, text: str) -> list[Sentence]:
        return sentences_of(text, self.short)

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

    def is_kind(self, words: Collection[str], names: Collection[str] = ()) -> bool:
        """Return whether words are nothing but a yes, what may stand beside one, and names."""
        said = " ".join(words).replace("thank you", "thanks").split()
        return self.words["kind"].union(names).issuperset(said)

    def _marked(self, words: Sequence[str]) -> str:
        small = self.words["small"]
        return "".join(f"~{word} " if word in small else f"{word} " for word in words)


def made(data: Mapping[str, Any], talk: Talk) -> Phrases:
    sets = {name: _phrases(said) for name, said in data["sets"].items()}
    of = {
        kind: [re.compile(rf"(?<!\S)(?=({_phrase(one, sets)}))") for one in _phrases(said)]
        for kind, said in data["phrases"].items()
    }
    words = {name: frozenset(folded(said).split()) for name, said in data["words"].items()}
    words["polite"] = POLITE | GREETS | GOODBYE | US
    words["agrees"] |= words["yes"] | YES
    words["kind"] = words["agrees"] | words["beside"] | words["polite"] - {"you"}
    forms = (one.split(": ") for one in _phrases(folded(data["contracted"])))
    short = {one: " " * (one.partition("'")[0] in ("", "n")) + long for one, long in forms}
    said = " ".join((*data["sets"].values(), *data["phrases"].values()))
    plain = folded(_SIGNS.sub(" ", said)).split()
    begins = talk.begins.union(unaccented(data["words"]["asks"]).split())
    words["begins"] |= words["supposed"] | words["undecided"] | {*map(folded, begins)}
    known = frozenset(plain).union(*words.values())
    return Phrases(of, words, short, known, replace(talk, begins=begins))


def _phrases(said: str) -> list[str]:
    return [" ".join(one.split()) for one in _BROKEN.sub("|", said).split(";")]


def _phrase(said: str, sets: Mapping[str, Sequence[str]]) -> str:
    return _SKIPPED.join(_part(one, sets) for one in said.split())


def _part(said: str, sets: Mapping[str, Sequence[str]]) -> str:
    if said.startswith("*"):
        return rf"(?:[^ ,]\S*+ ){{0,{said[1:]}}}"
    one = said.removeprefix("?")
    if one.startswith("{"):
        longest = sorted(sets[one.strip("{}")], key=lambda phrase: -len(phrase.split()))
        either = "|".join(_phrase(phrase, sets) for phrase in longest)
    else:
        words = (re.escape(folded(word)).replace(r"\~", r"\S*+") for word in one.split("|"))
        either = rf"~?(?:{'|'.join(words)}) "
    return f"(?:{either})" + "?" * said.startswith("?")


_LETTERS = re.compile(r"[\W_]+")
_LONG_NAME = 8  # from so many letters on, a name of several words may have a slip


def joined(words: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """Join the words of each name, with or without its dashes."""
    long = {_LETTERS.sub("", name): name for name in names if _LETTERS.search(name)}
    found, at = list[str](), 0
    while long and at < len(words):
        tried = ((many, _name_of(words[at : at + many], long)) for many in (3, 2, 1))
        many, name = next((one for one in tried if one[1]), (1, words[at]))
        found.append(name)
        at += many
    return tuple(found) if long else tuple(words)


def _name_of(words: Sequence[str], long: Mapping[str, str]) -> str:
    """Return the name these words write, perhaps with a slip, or ""."""
    said = _LETTERS.sub("", "".join(words))
    if said in long:
        return long[said]
    alike = [one for one, name in long.items() if len(words) in (1, len(_LETTERS.split(name)))]
    near = slips(said, alike) if len(said) >= _LONG_NAME else []
    return long[near[0]] if len(near) == 1 else ""


_CODE = re.compile(r"(?<![\w@.+-])[a-z2-7]{16}(?![\w@+-]|\.\w)")
_FOURS = re.compile(
    r"(?<![\w@.+-])(?:[a-z2-7]{4}(?:-[a-z2-7]{4}){3}|[a-z2-7]{4}(?: [a-z2-7]{4}){3})(?![\w@+-])"
)
"""A code in four parts."""
_DIGIT = frozenset("0123456789")
_DIGITS = 3
_CONFIRM = re.compile(r"\bCONFIRM:? +([A-Za-z0-9-]{4,80})\b")


def code_in(text: str) -> str:
    """Return the code in a text, in small letters, or ""."""
    found = _CODE.search(text.lower())
    if found and not _DIGIT.isdisjoint(found[0]):
        return found[0]
    fours = _FOURS.search(text.lower())
    if fours and sum(char in _DIGIT for char in fours[0]) >= _DIGITS:
        return fours[0].replace(" ", "").replace("-", "")
    said = _CONFIRM.search(text)
    if said:
        return said[1].lower()
    return found[0] if found and "CONFIRM" in text else ""
