"""What a player's words name: ministries by code, full name or one word of it; parties by letter or
by the name they bear."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.coalition.state import State
from pbem.orders.language import resolve
from pbem.orders.order import Problem

_WORD = re.compile(r"[A-Za-z]+")
_LONG = 4
"""So many letters has a word of a ministry's name that may stand for it."""
_BRITISH = {"DEFENSE": "DEFENCE"}


def party_named(state: State, words: str) -> str | Problem | None:
    """The letter of the party that is called so, by its letter or its name, or by the beginning of
    one name only; a Problem where several names begin so, None where none does."""
    if words.upper() in state.parties:
        return words.upper()
    names = {party.name: letter for letter, party in state.parties.items() if len(party.name) > 1}
    return resolve(words, names) if words else None


def spellings(order: Sequence[str], ministries: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """{word in capitals: code}: each code with and without its slash, and the words that stand in
    one ministry's name only."""
    found = {spelt: code for code in order for spelt in (code, code.replace("/", ""))}
    words = {code: set(_WORD.findall(str(ministries[code]["name"]).upper())) for code in order}
    times = Counter(word for names in words.values() for word in names)
    for code, names in words.items():
        for word in names:
            if times[word] == 1 and len(word) >= _LONG:
                found.setdefault(word, code)
                found.setdefault(_BRITISH.get(word, word), code)
    return found
