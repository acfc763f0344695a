"""What a player's words name: ministries by code, full name or a word of it that no other has;
parties by letter or by the name they bear."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pbem.games.coalition.state import State
from pbem.orders.language import ambiguous, resolve
from pbem.orders.order import Problem

_WORD = re.compile(r"[A-Za-z0-9]+")
_PIECE = re.compile(r"""[\w/]+|&|"[^"\n]*"?|[^\w/&"]+""")
_LONG = 4
"""So many letters has a word of a ministry's name that may stand for it."""
_BRITISH = {"DEFENSE": "DEFENCE"}


@dataclass(frozen=True)
class Full:
    """The names of several words: {a ministry's name, word by word in capitals: its code}."""

    codes: Mapping[tuple[str, ...], str]

    @cached_property
    def firsts(self) -> frozenset[str]:
        """The words with which they begin."""
        return frozenset(words[0] for words in self.codes)

    @cached_property
    def longest(self) -> int:
        """How many words the longest of them has."""
        return max(map(len, self.codes), default=0)


def party_named(state: State, words: str) -> str | Problem | None:
    """The letter of the party that is called so, by its letter or its name, or by the beginning of
    one name only; a Problem where several names begin so, None where none does."""
    if words.upper() in state.parties:
        return words.upper()
    names = {party.name: letter for letter, party in state.parties.items() if len(party.name) > 1}
    return resolve(words, names) if len(words) > 1 else None


def several_ministries(state: State, word: str) -> Problem | None:
    """E_AMBIGUOUS where a word stands in the names of several ministries."""
    said = word.upper()
    codes = [m.code for m in state.ministries if said in _words(m.name) and said != "AND"]
    return ambiguous(word, codes) if len(codes) > 1 else None


def _words(name: str) -> list[str]:
    return _WORD.findall(name.upper().replace("&", "AND"))


def spellings(order: Sequence[str], ministries: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """{word in capitals: code}: each code with and without its slash, and the words that stand in
    one ministry's name only."""
    found = {spelt: code for code in order for spelt in (code, code.replace("/", ""))}
    words = {code: set(_words(str(ministries[code]["name"]))) for code in order}
    times = Counter(word for names in words.values() for word in names)
    for code in order:
        for word in sorted(words[code]):
            if times[word] == 1 and len(word) >= _LONG:
                found.setdefault(word, code)
                found.setdefault(_BRITISH.get(word, word), code)
    return found


def full_names(order: Sequence[str], ministries: Mapping[str, Mapping[str, Any]]) -> Full:
    """The names of several words, which the grammar cannot know."""
    named = {tuple(_words(str(ministries[code]["name"]))): code for code in order}
    return Full({words: code for words, code in named.items() if len(words) > 1})


def coded(line: str, full: Full) -> str:
    """A line with the code of each ministry in place of its full name; what stands in quotes is
    left."""
    said = line.upper()
    if not any(first in said for first in full.firsts):
        return line
    return "".join(_coded(_PIECE.findall(line), full))


def _said(piece: str) -> str:
    return "AND" if piece == "&" else piece.upper()


def _coded(pieces: Sequence[str], full: Full) -> Iterator[str]:
    at = 0
    while at < len(pieces):
        for count in range(full.longest, 1, -1) if _said(pieces[at]) in full.firsts else ():
            words = pieces[at : at + 2 * count - 1]
            said = tuple(map(_said, words[::2]))
            if said in full.codes and not "".join(words[1::2]).strip():
                yield full.codes[said]
                at += len(words)
                break
        else:
            yield pieces[at]
            at += 1
