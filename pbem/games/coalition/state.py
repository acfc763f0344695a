"""The state of Coalition: frozen dataclasses of plain values for pbem.games.frame.codec.

It includes the game's tables (ministries, majority), so every step needs only the state.
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
"""Defaults of options that older games lack."""

Slate = Mapping[str, str]
"""{ministry code: party letter}, without unnamed optional ministries."""


@dataclass(frozen=True, slots=True)
class Ministry:
    """One ministry."""

    code: str
    name: str
    value: int
    """Points."""
    rank: str
    """prime, senior, junior or optional (1.2)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A slate waiting in the docket."""

    slate: Slate
    filed: int
    """Period of the letter that filed it."""


@dataclass(frozen=True, slots=True)
class Party:
    """One party."""

    seats: int
    """Number of MPs."""
    name: str
    playing: bool
    """False if VACANT."""
    specials: tuple[str, ...] = ()
    tabled: int = 0
    """Its motions that reached the floor."""
    standing: str | None = None
    """AYE, NAY or None."""
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class Motion:
    """A slate before Parliament."""

    id: str
    """V1, V2, ..."""
    sponsor: str | None
    """None only if a scenario omits it."""
    slate: Slate

    @property
    def number(self) -> int:
        """The number in the id."""
        return int(self.id[1:])

    @property
    def named(self) -> tuple[str, ...]:
        """The parties with a ministry in the slate, A to O."""
        return tuple(sorted(set(self.slate.values())))


@dataclass(frozen=True, slots=True)
class Division:
    """A vote that was held (4.2, 4.3)."""

    motion: Motion
    votes: Mapping[str, str]
    """By party."""
    aye: int
    """MPs, as ``nay`` and ``abstain``."""
    nay: int
    abstain: int
    verdict: str
    period: int


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The end of the game (4.6, 4.7)."""

    kind: str
    """The Government scored, or DRAW, LAST, NOBODY."""
    motion: str | None
    """The motion scored."""
    raw: Mapping[str, int]
    """Points by party."""
    adjusted: Mapping[str, Fraction]
    """Adjusted points by party."""
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A game of Coalition."""

    phase: str
    period: int
    """The running period; the last one after the end."""
    options: Mapping[str, str | int]
    majority: int
    """From the tables, of all seats."""
    ministries: tuple[Ministry, ...]
    """In table order."""
    players: tuple[str, ...]
    """Parties with a player at the start."""
    parties: Mapping[str, Party]
    floor: Motion | None = None
    history: tuple[Division, ...] = ()
    outcome: Reckoning | None = None
    ifs: Mapping[str, WhatIf] = field(default_factory=dict)
    """Conditional votes on file, by party."""

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
        """The last period of the game."""
        return int(self.options["MAX_PERIODS"])

    def chosen(self, option: str, value: str) -> bool:
        """Whether an option has this value."""
        return self.options.get(option, LATER.get(option)) == value

    @property
    def needed(self) -> int:
        """Seats needed for a majority: the table's, or more than half of those that players hold
        (4.3)."""
        return (
            self.mps(self.living) // 2 + 1 if self.chosen("MAJORITY_OF", "HELD") else self.majority
        )

    def mps(self, letters: Iterable[str]) -> int:
        """Return the total MPs of these parties."""
        return sum(self.parties[letter].seats for letter in letters)


def in_order(state: State, slate: Slate) -> dict[str, str]:
    """Return the slate with ministries in table order."""
    return {m.code: slate[m.code] for m in state.ministries if m.code in slate}


def portfolios(state: State, slate: Slate) -> dict[str, list[str]]:
    """Return {party: its ministries in table order}, A to O."""
    ordered = in_order(state, slate)
    return {
        party: [m for m, p in ordered.items() if p == party]
        for party in sorted(set(ordered.values()))
    }


def juniors(state: State) -> tuple[str, ...]:
    """Return the codes of junior ministries in table order."""
    return tuple(m.code for m in state.ministries if m.rank == JUNIOR)


def compulsory(state: State) -> tuple[str, ...]:
    """Return the codes that every slate must assign, in table order."""
    return tuple(m.code for m in state.ministries if m.rank != OPTIONAL)


def with_party(state: State, letter: str, party: Party) -> State:
    """Return the state with one party changed."""
    return replace(state, parties={**state.parties, letter: party})
