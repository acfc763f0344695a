"""Orders, with their slots and canonical texts.

Ids are as printed (``R1a``), other words in capitals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TOP = "TOP"
"""The private deck's top, as a card."""


@dataclass(frozen=True, slots=True)
class Item:
    """A card with options."""

    card: str
    on: str = ""
    against: str = ""

    def __str__(self) -> str:
        on = f" ON {self.on}" if self.on else ""
        return f"{self.card}{on}" + (f" AGAINST {self.against}" if self.against else "")


def _spelt(word: str, items: Sequence[object], gap: str = " ") -> str:
    return f"{word} {gap.join(map(str, items))}".rstrip()


@dataclass(frozen=True, slots=True)
class Override:
    """Cards to spend (3.2)."""

    cards: tuple[str, ...]
    content: tuple[str, ...] | None = None
    """Issues to leave alone; None for these cards' suits."""
    slot: str = "OVERRIDE"

    def __str__(self) -> str:
        content = "" if self.content is None else _spelt(" CONTENT", self.content, ", ")
        return _spelt("OVERRIDE", self.cards) + content


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards from each deck (3.3)."""

    shares: tuple[tuple[str, int], ...]
    slot: str = "DRAW"

    def of(self, deck: str) -> int:
        return sum(number for name, number in self.shares if name == deck)

    def __str__(self) -> str:
        return _spelt("DRAW", [f"{deck} {number}" for deck, number in self.shares])


@dataclass(frozen=True, slots=True)
class Draft:
    """Wishes in order (3.4): a card or TOP, or several of which the first available counts."""

    wishes: tuple[tuple[str, ...], ...]
    slot: str = "DRAFT"

    @property
    def cards(self) -> tuple[str, ...]:
        return tuple(card for wish in self.wishes for card in wish)

    def __str__(self) -> str:
        return _spelt("DRAFT", [" ELSE ".join(wish) for wish in self.wishes])


@dataclass(frozen=True, slots=True)
class Discard:
    """Cards to go first above seven (3.5)."""

    cards: tuple[str, ...]
    slot: str = "DISCARD"

    def __str__(self) -> str:
        return _spelt("DISCARD", self.cards)


@dataclass(frozen=True, slots=True)
class Contest:
    """Cards submitted, the Team first (3.6)."""

    items: tuple[Item, ...]
    slot: str = "CONTEST"

    def __str__(self) -> str:
        return _spelt("CONTEST", self.items)


@dataclass(frozen=True, slots=True)
class Decline:
    """No contest (3.6)."""

    slot: str = "CONTEST"

    def __str__(self) -> str:
        return "DECLINE"


@dataclass(frozen=True, slots=True)
class Walkover:
    """The PIP's Team if nobody contests (3.7)."""

    cards: tuple[str, ...]
    slot: str = "WALKOVER"

    def __str__(self) -> str:
        return _spelt("WALKOVER", self.cards)


@dataclass(frozen=True, slots=True)
class Field:
    """The PIP's Team (3.8)."""

    cards: tuple[str, ...]
    slot: str = "FIELD"

    def __str__(self) -> str:
        return _spelt("FIELD", self.cards)


@dataclass(frozen=True, slots=True)
class Play:
    """The PIP's Actions in order (3.8)."""

    items: tuple[Item, ...]
    slot: str = "PLAY"

    def __str__(self) -> str:
        return _spelt("PLAY", self.items, ", ")
