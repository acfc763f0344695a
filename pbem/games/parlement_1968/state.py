"""The state of a game: frozen values for pbem.games.frame.codec.

A *unit* has a legislative record: a faction ("Soc-Eas"), a party without seats ("Soc", on its line
of Table 2), or an independent member ("Ind-W N2": bloc and district). A *candidate* is a party key
or "Ind-W".
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
"""Options that games made before them lack, and what those play by (R33)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record (6.1-6.3)."""

    vote: str
    """How the unit voted; "" for its start."""
    points: Mapping[str, int]
    """Points from each bloc."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed Government (3.3)."""

    number: int
    officers: Mapping[str, str]
    """{office: "Soc E5"}."""
    endorsers: tuple[str, ...]
    """Factions."""
    signed: frozenset[str]
    """Factions."""
    changes: int = 0
    """How often ``signed`` has changed."""


@dataclass(frozen=True, slots=True)
class Division:
    """The last vote on a bill (6.7): members for, against and abstaining."""

    yes: int
    no: int
    abstain: int
    passed: bool


@dataclass(frozen=True, slots=True)
class ItemVote:
    """The vote on a budget item."""

    high: int
    """Members for H."""
    low: int
    """Members for L."""
    level: str
    """The Government's level."""
    passed: bool
    """Whether that level passed."""


@dataclass(frozen=True, slots=True)
class Candidacy:
    """A candidate."""

    unit: str
    """The unit whose record is used; "" for none."""
    origin: str
    """Why the candidate stands: "party", "8.6", "8.7", "8.11"."""


@dataclass(frozen=True, slots=True)
class BlocCount:
    """One bloc's vote in a district."""

    votes: int
    """Its votes."""
    points: Mapping[str, int]
    """The candidates' points with it."""
    shares: Mapping[str, Fraction]
    """Votes by candidate."""
    rule: str
    """The deciding paragraph."""
    by: str
    """Who ordered it (8.15); "" for nobody."""


@dataclass(frozen=True, slots=True)
class Count:
    """The last count of a district."""

    ballot: str
    session: int
    period: int
    bills: int
    """Number of bills whose quarter the points are measured against (8.7)."""
    blocs: Mapping[str, BlocCount]
    incumbency: Mapping[str, int]
    """By 8.16."""
    bought: Mapping[str, int]
    """By 8.17."""
    tally: Mapping[str, Fraction]
    winner: str
    """Empty ("") for none."""
    rule: str
    """The paragraph that elected the winner."""


@dataclass(frozen=True, slots=True)
class Cheque:
    """A payment to another player, waiting (house rule 11)."""

    payer: str
    payee: str
    amount: int
    period: int
    """When it is due; 0 for the end of this interregnum."""


@dataclass(frozen=True, slots=True)
class Program:
    """This year's Program."""

    levels: Mapping[str, str]
    """Proposed Budget, {item: H or L}."""
    agenda: tuple[str, ...]
    """Bills still to be voted on; the first is before the house."""
    again: bool
    """Whether the matter before the house is put again (5.7, 5.8)."""


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
    """Members of the sitting Parlement."""
    sheets: Mapping[str, Mapping[str, Line]]
    accounts: Accounts
    government: Mapping[str, str] | None = None
    """By office; "" marks a vacant one."""
    former: Mapping[str, str] | None = None
    """The last Government's factions, {office: faction} (4.5)."""
    proposals: tuple[Proposal, ...] = ()
    proposed: int = 0
    formation_days: int = 0
    caretaker: bool = False
    program: Program | None = None
    budget: Mapping[str, ItemVote] = field(default_factory=dict)
    """The Budget last voted on, in ``budget_year``."""
    budget_year: int = 0
    budget_passed: bool = False
    """This year, as ``budget_defeats`` and ``falls``."""
    budget_defeats: int = 0
    falls: int = 0
    paid: bool = False
    call_year: int = 0
    bills: Mapping[str, Division] = field(default_factory=dict)
    """Of this session, as ``counted``."""
    counted: int = 0
    standing: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Standing votes on file, {seat: {"8/Eas": "NO"}}."""
    sealed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Sealed lists."""
    designated: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Designated records."""
    announced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cheques: tuple[Cheque, ...] = ()
    expelling: tuple[str, ...] = ()
    # the election
    candidates: Mapping[str, Mapping[str, Candidacy]] = field(default_factory=dict)
    elected: Mapping[str, str] = field(default_factory=dict)
    """Members of the next Parlement so far."""
    runoffs: tuple[str, ...] = ()
    bought: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    counts: Mapping[str, Count] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class Seen(State):
    """A position as one seat knows it while letters work on receipt: proposals that do not name
    the seat are missing. Never stored."""

    attempts: tuple[Json, ...] = ()
    """The public report on all proposals (house rule 3)."""


def members(state: State, districts: Iterable[str] = ()) -> dict[str, str]:
    """Return who sits for which district, without vacant seats. Pass ``districts`` if order
    matters: a stored mapping loses its own."""
    return {
        district: holder
        for district in districts or state.holders
        if (holder := state.holders[district])
    }


def shown_holder(state: State, district: str) -> str | None:
    """Return the public holder: None while the seat is undecided (contract)."""
    if state.phase in ("withdrawals", "runoff"):
        return state.elected.get(district)
    return state.holders.get(district)


def first_rulings(state: State) -> bool:
    """Return whether the rulings of before December 2026 hold (R33)."""
    return state.options.get("rulings", LATER["rulings"]) == "first"


def limit(state: State, option: str) -> int:
    """Return a numeric option of R31; 0 if off."""
    value = state.options[option]
    return 0 if value == "off" else int(value)


def seat_counts(state: State) -> dict[str, int]:
    """Return public seats by party (and by Ind-<bloc> if any)."""
    counts = dict.fromkeys(state.seats, 0)
    for district in state.holders:
        holder = shown_holder(state, district)
        if holder:
            counts[holder] = counts.get(holder, 0) + 1
    return counts
