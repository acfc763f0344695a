"""The state of a game, with its tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.events import grouped

OPENING, SITTING = "OPENING", "SITTING"
AYE, NAY, ABSTAIN = "AYE", "NAY", "ABSTAIN"
MAJORITY, MINORITY, DEFEATED = "MAJORITY", "MINORITY", "DEFEATED"
CARETAKER, DRAW, LAST, NOBODY = "CARETAKER", "DRAW", "LAST", "NOBODY"
JUNIOR, OPTIONAL = "junior", "optional"
MOST_SPECIALS = 4
LATER = {"MAJORITY_OF": "ALL"}
"""Values in older games, which lack these options."""

Slate = Mapping[str, str]
"""Without unnamed optional ones."""


@dataclass(frozen=True, slots=True)
class Ministry:
    """A ministry."""

    code: str
    name: str
    value: int
    """Points."""
    rank: str
    """prime, senior, junior or optional (1.2)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A slate in the docket."""

    slate: Slate
    filed: int
    """In which period."""


@dataclass(frozen=True, slots=True)
class Party:
    """A party."""

    seats: int
    """MPs."""
    name: str
    playing: bool
    """False if VACANT."""
    specials: tuple[str, ...] = ()
    tabled: int = 0
    """Its motions on the floor so far."""
    standing: str | None = None
    """AYE or NAY."""
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class Motion:
    """A slate before Parliament."""

    id: str
    """V1, V2, ..."""
    sponsor: str | None
    """None only by a scenario."""
    slate: Slate

    @property
    def number(self) -> int:
        return int(self.id[1:])

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.slate.values())))


@dataclass(frozen=True, slots=True)
class Division:
    """A vote held (4.2, 4.3)."""

    motion: Motion
    votes: Mapping[str, str]
    aye: int
    """MPs, like ``nay`` and ``abstain``."""
    nay: int
    abstain: int
    verdict: str
    period: int


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The end (4.6, 4.7)."""

    kind: str
    """The Government, or DRAW, LAST, NOBODY."""
    motion: str | None
    """The one scored."""
    raw: Mapping[str, int]
    adjusted: Mapping[str, Fraction]
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A position."""

    phase: str
    period: int
    """The running, in the end the last one."""
    options: Mapping[str, str | int]
    majority: int
    """Of all seats, by the tables."""
    ministries: tuple[Ministry, ...]
    players: tuple[str, ...]
    """Parties with players at the start."""
    parties: Mapping[str, Party]
    floor: Motion | None = None
    history: tuple[Division, ...] = ()
    outcome: Reckoning | None = None
    ifs: Mapping[str, WhatIf] = field(default_factory=dict)
    """Conditional votes by party."""

    @property
    def letters(self) -> list[str]:
        return sorted(self.parties)

    @property
    def living(self) -> list[str]:
        return [letter for letter in self.letters if self.parties[letter].playing]

    @property
    def last_period(self) -> int:
        return int(self.options["MAX_PERIODS"])

    @property
    def motions(self) -> list[Motion]:
        """Those that were on the floor, and the one that is."""
        return [*(one.motion for one in self.history), *([self.floor] if self.floor else [])]

    def chosen(self, option: str, value: str) -> bool:
        return self.options.get(option, LATER.get(option)) == value

    @property
    def needed(self) -> int:
        """The majority, or with players' seats only more than half (4.3)."""
        return (
            self.mps(self.living) // 2 + 1 if self.chosen("MAJORITY_OF", "HELD") else self.majority
        )

    def mps(self, letters: Iterable[str]) -> int:
        return sum(self.parties[letter].seats for letter in letters)


def in_order(state: State, slate: Slate) -> dict[str, str]:
    return {m.code: slate[m.code] for m in state.ministries if m.code in slate}


def portfolios(state: State, slate: Slate) -> dict[str, list[str]]:
    """Return {party: ministries}, A to O, in order."""
    held = grouped((party, code) for code, party in in_order(state, slate).items())
    return dict(sorted(held.items()))


def juniors(state: State) -> tuple[str, ...]:
    return tuple(m.code for m in state.ministries if m.rank == JUNIOR)


def compulsory(state: State) -> tuple[str, ...]:
    """Return codes every slate assigns, in order."""
    return tuple(m.code for m in state.ministries if m.rank != OPTIONAL)


def with_party(state: State, letter: str, party: Party) -> State:
    return replace(state, parties={**state.parties, letter: party})
