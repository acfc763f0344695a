"""What the cards' printed texts mean.

A card is its id and text ("S7m Dipper"), which the state carries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pbem.errors import ScenarioError

PIP = "PIP"
SUITS = "SHDC"
"""From high to low (1.2)."""
ISSUES = {"S": "EMPLOYMENT", "H": "IMMIGRATION", "D": "TAXATION", "C": "SECURITY"}
SUIT_OF = {issue: suit for suit, issue in ISSUES.items()}
ISSUE_WORDS = {
    word: ISSUES[suit]
    for suit, name in {"S": "SPADES", "H": "HEARTS", "D": "DIAMONDS", "C": "CLUBS"}.items()
    for word in (suit, name, ISSUES[suit])
}
"""In any spelling."""

_CANDIDATE = re.compile(r"([SHDC])([0-9]+)(m?) (.+?)(?: of ([A-Z]{3}))?")
_CONSTITUENCY = re.compile(r"([0-9])([SHDC])([+-][0-9]+) (.+)")
_COPY = re.compile(r"[AR][0-9][A-Z]")
_DECKS = {"T": "talent", "A": "action", "G": "grassroots", "L": "grassroots", "R": "grassroots"}


@dataclass(frozen=True, slots=True)
class Card:
    """A Candidate, Action or Reaction."""

    id: str
    name: str
    issue: str
    """Empty for Actions and Reactions."""
    popularity: int
    minority: bool
    party: str
    """A Leader's, else ""."""

    @property
    def candidate(self) -> bool:
        """Whether it can stand or be spent."""
        return bool(self.issue)

    @property
    def minister(self) -> bool:
        """Whether it is one of the 13 (1.4)."""
        return self.id[0] == "M"

    @property
    def kind(self) -> str:
        """The kind of several copies: "A4", "R1" (1.9, 1.10)."""
        return self.id[:2]

    @property
    def deck(self) -> str:
        """The deck; "" for Ministers."""
        return _DECKS.get(self.id[0], "")

    @property
    def rank(self) -> tuple[int, int]:
        """Popularity, then suit (4.1)."""
        return self.popularity, -SUITS.index(SUIT_OF[self.issue])


@dataclass(frozen=True, slots=True)
class Item:
    """A card in an order, with options."""

    card: str
    on: str = ""
    against: str = ""

    def __str__(self) -> str:
        on = f" ON {self.on}" if self.on else ""
        return f"{self.card}{on}" + (f" AGAINST {self.against}" if self.against else "")


@dataclass(frozen=True, slots=True)
class Constituency:
    """A constituency: seats, issue, Incumbent Advantage in votes."""

    id: str
    name: str
    seats: int
    issue: str
    advantage: int

    @property
    def grc(self) -> bool:
        return self.seats > 1


@cache
def card(id: str, text: str) -> Card:
    found = _CANDIDATE.fullmatch(text)
    if not found:
        return Card(id, text.partition(":")[0], "", 0, False, "")
    suit, popularity, minority, name, party = found.groups()
    return Card(id, name, ISSUES[suit], int(popularity), bool(minority), party or "")


@cache
def constituency(id: str, text: str) -> Constituency:
    found = _CONSTITUENCY.fullmatch(text)
    if not found:
        raise ScenarioError(f"tables.constituencies.{id}: {text!r} is not of the form '5H+8 Name'")
    seats, suit, advantage, name = found.groups()
    return Constituency(id, name, int(seats), ISSUES[suit], int(advantage))


def printed(tables: Mapping[str, Any]) -> dict[str, str]:
    """Return id -> text, each copy apart (A1a, A1b)."""
    cards: dict[str, str] = {}
    for name in ("ministers", "talents", "grassroots", "constituencies"):
        cards |= tables[name]
    for name in ("actions", "reactions"):
        for kind, told in tables[name].items():
            cards |= {f"{kind}{chr(97 + copy)}": told["text"] for copy in range(told["copies"])}
    return cards


def spelt(id: str, text: str) -> str:
    """Describe a card: "G19 Dipper, Employment 7, Minority"."""
    if id[0] == "K":
        place = constituency(id, text)
        seats = "1 seat" if place.seats == 1 else f"{place.seats} seats"
        return (
            f"{id} {place.name}: {seats}, {place.issue.capitalize()}, Advantage"
            f" {place.advantage:+d}"
        )
    told = card(id, text)
    if not told.candidate:
        return f"{id} {text}"
    marks = [f"{told.issue.capitalize()} {told.popularity}"]
    marks += ["Minority"] if told.minority else []
    marks += [f"Leader ({told.party})"] if told.party else []
    return f"{id} {told.name}, {', '.join(marks)}"


def by_id_down(ids: Sequence[str]) -> list[str]:
    return sorted(ids, reverse=True)


def card_id(word: str) -> str:
    """Return an id as printed."""
    upper = word.upper()
    return upper[:-1] + upper[-1].lower() if _COPY.fullmatch(upper) else upper
