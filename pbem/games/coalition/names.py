"""Resolve ministries by code, name or unique word; parties by letter or name."""

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
"""Least letters of a ministry's word."""
_BRITISH = {"DEFENSE": "DEFENCE"}


@dataclass(frozen=True)
class Full:
    """Names of several words."""

    codes: Mapping[tuple[str, ...], str]
    """{name, word by word in capitals: code}."""

    @cached_property
    def firsts(self) -> frozenset[str]:
        return frozenset(words[0] for words in self.codes)

    @cached_property
    def longest(self) -> int:
        return max(map(len, self.codes), default=0)


def party_named(state: State, words: str) -> str | Problem | None:
    """Return the letter meant by letter, name or unique beginning; a Problem for several, None
    for none."""
    if words.upper() in state.parties:
        return words.upper()
    names = {party.name: letter for letter, party in state.parties.items() if len(party.name) > 1}
    return resolve(words, names) if len(words) > 1 else None


def several_ministries(state: State, word: str) -> Problem | None:
    said = word.upper()
    codes = [m.code for m in state.ministries if said in _words(m.name) and said != "AND"]
    return ambiguous(word, codes) if len(codes) > 1 else None


def _words(name: str) -> list[str]:
    return _WORD.findall(name.upper().replace("&", "AND"))


def spellings(order: Sequence[str], ministries: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return {capitals: code}: codes, also without slash, and unique words."""
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
    named = {tuple(_words(str(ministries[code]["name"]))): code for code in order}
    return Full({words: code for words, code in named.items() if len(words) > 1})


def coded(line: str, full: Full) -> str:
    """Replace full names by codes, except in quotes."""
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
