"""The state of a game.

A *unit* has a record: a faction ("Soc-Eas"), a party without seats ("Soc") or an independent member
("Ind-W N2"). A *candidate* is a party key or "Ind-W".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pbem.games.frame.codec import Json
from pbem.games.frame.treasury import Accounts

PHASES = ("formation", "program", "budget", "bill", "candidates", "ballot", "withdrawals", "runoff")
SESSION = ("program", "budget", "bill", "candidates")
ELECTION = ("ballot", "withdrawals", "runoff")
LATER = {"rulings": "first"}
"""Values in older games, which lack these options (R33)."""


@dataclass(frozen=True, slots=True)
class Line:
    """A record's line (6.1-6.3)."""

    vote: str
    """The unit's vote; "" for its start."""
    points: Mapping[str, int]
    """By bloc."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed Government (3.3)."""

    number: int
    officers: Mapping[str, str]
    """{office: "Soc E5"}."""
    endorsers: tuple[str, ...]
    signed: frozenset[str]
    changes: int = 0
    """How often ``signed`` changed."""


@dataclass(frozen=True, slots=True)
class Division:
    """A bill's last vote, in members (6.7)."""

    yes: int
    no: int
    abstain: int
    passed: bool


@dataclass(frozen=True, slots=True)
class ItemVote:
    """A budget item's vote, in members."""

    high: int
    low: int
    level: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Candidacy:
    """A candidate."""

    unit: str
    """Whose record is used; "" for none."""
    origin: str
    """Why he stands: "party", "8.6", "8.7", "8.11"."""


@dataclass(frozen=True, slots=True)
class BlocCount:
    """A bloc's vote in a district."""

    votes: int
    points: Mapping[str, int]
    """By candidate."""
    shares: Mapping[str, Fraction]
    """Votes by candidate."""
    rule: str
    """The deciding paragraph."""
    by: str
    """Who ordered it (8.15), or ""."""


@dataclass(frozen=True, slots=True)
class Count:
    """A district's last count."""

    ballot: str
    session: int
    period: int
    bills: int
    """Bills of which a quarter is the mark (8.7)."""
    blocs: Mapping[str, BlocCount]
    incumbency: Mapping[str, int]
    """8.16."""
    bought: Mapping[str, int]
    """8.17."""
    tally: Mapping[str, Fraction]
    winner: str
    rule: str
    """What elected him."""


@dataclass(frozen=True, slots=True)
class Cheque:
    """A waiting payment (house rule 11)."""

    payer: str
    payee: str
    amount: int
    period: int
    """0: the end of this interregnum."""


@dataclass(frozen=True, slots=True)
class Program:
    """This year's Program."""

    levels: Mapping[str, str]
    """{item: H or L}."""
    agenda: tuple[str, ...]
    """Bills to vote on, the next first."""
    again: bool
    """Whether the matter is put again (5.7, 5.8)."""


@dataclass(frozen=True, slots=True)
class State:
    """A game of Parlement 1968."""

    seats: tuple[str, ...]
    options: Mapping[str, str | int]
    phase: str
    period: int
    session: int
    year: int
    holders: Mapping[str, str | None]
    sheets: Mapping[str, Mapping[str, Line]]
    accounts: Accounts
    government: Mapping[str, str] | None = None
    """By office; "" if vacant."""
    former: Mapping[str, str] | None = None
    """The last one's factions, {office: faction} (4.5)."""
    proposals: tuple[Proposal, ...] = ()
    proposed: int = 0
    formation_days: int = 0
    caretaker: bool = False
    program: Program | None = None
    budget: Mapping[str, ItemVote] = field(default_factory=dict)
    """Last voted on, in ``budget_year``."""
    budget_year: int = 0
    budget_passed: bool = False
    """This year, like ``budget_defeats`` and ``falls``."""
    budget_defeats: int = 0
    falls: int = 0
    paid: bool = False
    call_year: int = 0
    bills: Mapping[str, Division] = field(default_factory=dict)
    """This session's, like ``counted``."""
    counted: int = 0
    standing: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """{seat: {"8/Eas": "NO"}}."""
    sealed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    designated: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    announced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cheques: tuple[Cheque, ...] = ()
    expelling: tuple[str, ...] = ()
    # the election
    candidates: Mapping[str, Mapping[str, Candidacy]] = field(default_factory=dict)
    elected: Mapping[str, str] = field(default_factory=dict)
    """Of the next Parlement."""
    runoffs: tuple[str, ...] = ()
    bought: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    counts: Mapping[str, Count] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class Seen(State):
    """A position without proposals that do not name the seat; never stored."""

    attempts: tuple[Json, ...] = ()
    """What is public of all proposals (house rule 3)."""


def members(state: State, districts: Iterable[str] = ()) -> dict[str, str]:
    return {
        district: holder
        for district in districts or state.holders
        if (holder := state.holders[district])
    }


def shown_holder(state: State, district: str) -> str | None:
    """Return the holder; None while undecided."""
    if state.phase in ("withdrawals", "runoff"):
        return state.elected.get(district)
    return state.holders.get(district)


def first_rulings(state: State) -> bool:
    """Return whether the first rulings hold (R33)."""
    return state.options.get("rulings", LATER["rulings"]) == "first"


def limit(state: State, option: str) -> int:
    """Return a limit of R31; 0 for none."""
    value = state.options[option]
    return 0 if value == "off" else int(value)


def seat_counts(state: State) -> dict[str, int]:
    counts = dict.fromkeys(state.seats, 0)
    for district in state.holders:
        holder = shown_holder(state, district)
        if holder:
            counts[holder] = counts.get(holder, 0) + 1
    return counts
