"""Resolve cards and parties by code or name (3.12).

Commas are noise, so a name's words arrive apart and are joined here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.party_in_power.cards import Item, card, card_id, printed

NONE = "NONE"
"""In place of cards or issues."""
_MOST_WORDS = 4
_NOISE = ("AND", "OF", "THE")


def _plain(name: str) -> str:
    """Strip small words, which may be omitted."""
    return " ".join(word for word in name.upper().split() if word not in _NOISE)


class Names:
    """The names in one game. An Action's or Reaction's means all copies ("A4")."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        held: dict[str, set[str]] = {}
        for id, text in printed(tables).items():
            if id[0] != "K":
                one = card(id, text)
                held.setdefault(_plain(one.name), set()).add(id if one.candidate else one.kind)
        self.cards = {name: ids.pop() for name, ids in held.items() if len(ids) == 1}
        self.parties = {_plain(told.partition(" ")[2]) for told in tables["parties"].values()}

    def read(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return card ids; the judge refuses unknown words."""
        if [word.upper() for word in words] == [NONE]:
            return ()
        return tuple(item.card for item in self.items([Item(word) for word in words]))

    def items(self, given: Sequence[Item]) -> tuple[Item, ...]:
        """Return cards with options; a name may repeat its code ("G19 Dipper")."""
        rest, found, coded = list(given), list[Item](), False
        while rest:
            one, taken = self._first(rest)
            by_code = taken == 1 and card_id(rest[0].card) == one.card
            again = coded and not by_code and _alike(found[-1].card, one.card)
            del rest[:taken]
            if again:
                found[-1] = replace(one, card=found[-1].card)
            else:
                found.append(one)
            coded = by_code and not (one.on or one.against)
            if one.against:
                found[-1], gone = self._party(found[-1], rest)
                del rest[:gone]
        return tuple(found)

    def _first(self, items: Sequence[Item]) -> tuple[Item, int]:
        for length in range(min(_MOST_WORDS, len(items)), 0, -1):
            span = items[:length]
            named = self.cards.get(_plain(" ".join(item.card for item in span)))
            if named and not any(item.on or item.against for item in span[:-1]):
                return replace(span[-1], card=named), length
        return replace(items[0], card=card_id(items[0].card)), 1

    def _party(self, item: Item, rest: Sequence[Item]) -> tuple[Item, int]:
        for length in range(min(_MOST_WORDS, len(rest)), 0, -1):
            words = " ".join([item.against, *(one.card for one in rest[:length])])
            if _plain(words) in self.parties and not any(one.on for one in rest[: length - 1]):
                last = rest[length - 1]
                return replace(item, against=_plain(words), on=item.on or last.on), length
        return item, 0


def _alike(one: str, other: str) -> bool:
    return one == other or (one[:1] in "AR" and one[:2] == other)


def party_names(names: Mapping[str, str]) -> dict[str, str]:
    return {
        word: code for code, name in names.items() for word in {_plain(name), name.upper(), code}
    }


def held_copies(items: Sequence[Item], held: Sequence[str]) -> tuple[Item, ...]:
    """Replace each kind ("A4") by the next held copy."""
    used, made = {item.card for item in items}, list[Item]()
    for item in items:
        free = [id for id in held if id[0] in "AR" and id[:2] == item.card]
        one = next((id for id in free if id not in used), item.card)
        used.add(one)
        made.append(replace(item, card=one))
    return tuple(made)


def copies(cards: Sequence[str], held: Sequence[str]) -> tuple[str, ...]:
    return tuple(item.card for item in held_copies([Item(id) for id in cards], held))
