"""The state of a game: frozen values that pbem.games.frame.codec can dump and load.

Names used in it: a *unit* is what has a legislative record: a faction ("Soc-Eas"), a party without
seats ("Soc", on its line of Table 2), or an independent member ("Ind-W N2": bloc and district). A
*candidate* is a party key or "Ind-W".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pbem.games.frame.treasury import Accounts

PHASES = ("formation", "program", "budget", "bill", "candidates", "ballot", "withdrawals", "runoff")
SESSION = ("program", "budget", "bill", "candidates")
ELECTION = ("ballot", "withdrawals", "runoff")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record: how the unit voted ("" for its start) and the points it got from each
    bloc (6.1-6.3)."""

    vote: str
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed Government (3.3): ``officers`` {office: "Soc E5"}, ``endorsers`` and ``signed``
    are factions; ``changes`` counts how often ``signed`` has changed."""

    number: int
    officers: Mapping[str, str]
    endorsers: tuple[str, ...]
    signed: frozenset[str]
    changes: int = 0


@dataclass(frozen=True, slots=True)
class Division:
    """A vote on a bill (the last one, 6.7): members for, against and abstaining, and whether it
    passed."""

    yes: int
    no: int
    abstain: int
    passed: bool


@dataclass(frozen=True, slots=True)
class ItemVote:
    """The vote on one budget item: members for H and for L, the Government's level, and whether
    that passed."""

    high: int
    low: int
    level: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Candidacy:
    """A candidate: the unit on whose record he runs ("" for none) and why he stands ("party",
    "8.6", "8.7", "8.11")."""

    unit: str
    origin: str


@dataclass(frozen=True, slots=True)
class BlocCount:
    """How one bloc voted in a district: its votes, the candidates' points with it, who got what,
    the paragraph that decided, and by whose order (8.15; "" without)."""

    votes: int
    points: Mapping[str, int]
    shares: Mapping[str, Fraction]
    rule: str
    by: str


@dataclass(frozen=True, slots=True)
class Count:
    """The last count of a district: which ballot of which session and period, bloc by bloc,
    incumbency (8.16), bought votes (8.17), the tally, the winner ("" for none) and the paragraph
    that made him one. ``bills`` is the number of bills that a quarter of the points is measured
    against (8.7)."""

    ballot: str
    session: int
    period: int
    bills: int
    blocs: Mapping[str, BlocCount]
    incumbency: Mapping[str, int]
    bought: Mapping[str, int]
    tally: Mapping[str, Fraction]
    winner: str
    rule: str


@dataclass(frozen=True, slots=True)
class Cheque:
    """A payment to another player that waits for ``period`` (house rule 11); 0: for the end of this
    interregnum."""

    payer: str
    payee: str
    amount: int
    period: int


@dataclass(frozen=True, slots=True)
class Program:
    """This year's Program: the Budget proposed ({item: H or L}), bills still to be voted on (the
    first is before the house), and whether what is before the house is being put again (5.7,
    5.8)."""

    levels: Mapping[str, str]
    agenda: tuple[str, ...]
    again: bool


@dataclass(frozen=True, slots=True)
class State:
    """Everything. ``holders`` are the members of the sitting Parlement, ``elected`` those of the
    next one so far."""

    seats: tuple[str, ...]
    options: Mapping[str, str | int]
    phase: str
    period: int
    session: int
    year: int
    holders: Mapping[str, str | None]
    sheets: Mapping[str, Mapping[str, Line]]
    accounts: Accounts
    # the Government; "" is a vacant office. former: the factions of the last one, {office: faction}
    # (4.5)
    government: Mapping[str, str] | None = None
    former: Mapping[str, str] | None = None
    proposals: tuple[Proposal, ...] = ()
    proposed: int = 0
    formation_days: int = 0
    caretaker: bool = False
    # the year's business; falls, defeats and budget_passed are of this year, bills and counted of
    # this session; budget is the last one voted on, in the year budget_year
    program: Program | None = None
    budget: Mapping[str, ItemVote] = field(default_factory=dict)
    budget_year: int = 0
    budget_passed: bool = False
    budget_defeats: int = 0
    falls: int = 0
    paid: bool = False
    call_year: int = 0
    bills: Mapping[str, Division] = field(default_factory=dict)
    counted: int = 0
    # what players have on file: standing votes {seat: {"8/Eas": "NO"}}, sealed lists, designated
    # records, cheques
    standing: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sealed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    designated: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    announced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cheques: tuple[Cheque, ...] = ()
    expelling: tuple[str, ...] = ()
    # the election
    candidates: Mapping[str, Mapping[str, Candidacy]] = field(default_factory=dict)
    elected: Mapping[str, str] = field(default_factory=dict)
    runoffs: tuple[str, ...] = ()
    bought: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    counts: Mapping[str, Count] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class Seen(State):
    """A position as one seat knows it while letters work on receipt: a proposal that is not in it
    does not name the seat. It is looked at and never stored."""


def members(state: State, districts: Iterable[str] = ()) -> dict[str, str]:
    """Who sits for which district in the sitting Parlement, vacant seats left out; in the order of
    ``districts`` where it matters (a mapping that was stored and read back has lost its own)."""
    return {
        district: holder
        for district in districts or state.holders
        if (holder := state.holders[district])
    }


def shown_holder(state: State, district: str) -> str | None:
    """The holder the public sees: none while a seat is undecided (contract)."""
    if state.phase in ("withdrawals", "runoff"):
        return state.elected.get(district)
    return state.holders.get(district)


def limit(state: State, option: str) -> int:
    """The number an option of R31 sets; 0 where it is off."""
    value = state.options[option]
    return 0 if value == "off" else int(value)


def seat_counts(state: State) -> dict[str, int]:
    """Seats by party (and by Ind-<bloc> where there are any), of the public holders."""
    counts = dict.fromkeys(state.seats, 0)
    for district in state.holders:
        holder = shown_holder(state, district)
        if holder:
            counts[holder] = counts.get(holder, 0) + 1
    return counts
