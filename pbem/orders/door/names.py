"""Names of several words in sentences, and where clauses begin."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from pbem.orders.door.sentences import COMMA
from pbem.orders.spelling import slips

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
