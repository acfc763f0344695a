"""The state of Coalition: frozen dataclasses of plain values, which pbem.games.frame.codec can dump
and load.

The state carries the tables it is played by (ministries and majority), so that every step needs the
state only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pbem.games.frame.conditions import WhatIf

OPENING, SITTING = "OPENING", "SITTING"
AYE, NAY, ABSTAIN = "AYE", "NAY", "ABSTAIN"
MAJORITY, MINORITY, DEFEATED = "MAJORITY", "MINORITY", "DEFEATED"
CARETAKER, DRAW, LAST, NOBODY = "CARETAKER", "DRAW", "LAST", "NOBODY"
JUNIOR, OPTIONAL = "junior", "optional"
MOST_SPECIALS = 4
LATER = {"MAJORITY_OF": "ALL"}
"""Options that games made before them lack, and what those play by: their default."""

Slate = Mapping[str, str]
"""{ministry code: party letter}; optional ministries that are not named are left out."""


@dataclass(frozen=True, slots=True)
class Ministry:
    """One ministry: ``value`` in points; ``rank`` is prime, senior, junior or optional (1.2)."""

    code: str
    name: str
    value: int
    rank: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A slate waiting in the docket; ``filed`` is the period of the letter that filed it."""

    slate: Slate
    filed: int


@dataclass(frozen=True, slots=True)
class Party:
    """One party. ``seats`` are its MPs; not ``playing`` is VACANT; ``tabled`` counts its motions
    that reached the floor; ``standing`` is AYE, NAY or None."""

    seats: int
    name: str
    playing: bool
    specials: tuple[str, ...] = ()
    tabled: int = 0
    standing: str | None = None
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class Motion:
    """A slate before Parliament; ``id`` is V1, V2, ... ``sponsor`` is None only where a scenario
    does not say."""

    id: str
    sponsor: str | None
    slate: Slate

    @property
    def number(self) -> int:
        """The number in its id."""
        return int(self.id[1:])

    @property
    def named(self) -> tuple[str, ...]:
        """The parties with a ministry in the slate, A to O."""
        return tuple(sorted(set(self.slate.values())))


@dataclass(frozen=True, slots=True)
class Division:
    """A vote that was held: ``votes`` by party; ``aye``, ``nay``, ``abstain`` in MPs (4.2, 4.3)."""

    motion: Motion
    votes: Mapping[str, str]
    aye: int
    nay: int
    abstain: int
    verdict: str
    period: int


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The end: ``kind`` of Government (or DRAW, LAST, NOBODY), the motion scored, points and
    adjusted points by party, winners (4.6, 4.7)."""

    kind: str
    motion: str | None
    raw: Mapping[str, int]
    adjusted: Mapping[str, Fraction]
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A game of Coalition. ``period`` is the one now running (the last one once it is over);
    ``majority`` is that of the tables, of all seats; ``players`` are the parties that had a player
    at the start; ``ministries`` are in table order; ``ifs`` are the votes with IF on file by
    party.
    """

    phase: str
    period: int
    options: Mapping[str, str | int]
    majority: int
    ministries: tuple[Ministry, ...]
    players: tuple[str, ...]
    parties: Mapping[str, Party]
    floor: Motion | None = None
    history: tuple[Division, ...] = ()
    outcome: Reckoning | None = None
    ifs: Mapping[str, WhatIf] = field(default_factory=dict)

    @property
    def letters(self) -> list[str]:
        """All parties, A to O."""
        return sorted(self.parties)

    @property
    def living(self) -> list[str]:
        """The parties with a player, A to O."""
        return [letter for letter in self.letters if self.parties[letter].playing]

    @property
    def last_period(self) -> int:
        """The period after which the game ends."""
        return int(self.options["MAX_PERIODS"])

    def chosen(self, option: str, value: str) -> bool:
        """Whether an option has this value."""
        return self.options.get(option, LATER.get(option)) == value

    @property
    def needed(self) -> int:
        """The seats that make a majority: as the tables have it, or more than half of those that
        players hold (4.3)."""
        return (
            self.mps(self.living) // 2 + 1 if self.chosen("MAJORITY_OF", "HELD") else self.majority
        )

    def mps(self, letters: Iterable[str]) -> int:
        """The MPs of these parties together."""
        return sum(self.parties[letter].seats for letter in letters)


def in_order(state: State, slate: Slate) -> dict[str, str]:
    """The same slate with its ministries in table order."""
    return {m.code: slate[m.code] for m in state.ministries if m.code in slate}


def portfolios(state: State, slate: Slate) -> dict[str, list[str]]:
    """{party: its ministries in table order}, A to O."""
    ordered = in_order(state, slate)
    return {
        party: [m for m, p in ordered.items() if p == party]
        for party in sorted(set(ordered.values()))
    }


def juniors(state: State) -> tuple[str, ...]:
    """The codes of the junior ministries, in table order."""
    return tuple(m.code for m in state.ministries if m.rank == JUNIOR)


def compulsory(state: State) -> tuple[str, ...]:
    """The codes every slate must assign, in table order."""
    return tuple(m.code for m in state.ministries if m.rank != OPTIONAL)


def with_party(state: State, letter: str, party: Party) -> State:
    """The state with one party changed."""
    return replace(state, parties={**state.parties, letter: party})
