"""The opening (1), or a scenario's position."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from pbem.games.frame import scenario as kinds
from pbem.games.frame.codec import Json
from pbem.games.frame.options import Options
from pbem.games.frame.scenario import Flag, Listed, Part, Table, Text, Whole, Word, entry, wrong
from pbem.games.frame.treasury import opened
from pbem.games.parlement_1966 import state
from pbem.games.parlement_1966.orders import Candidates
from pbem.games.parlement_1966.state import DISTRICTS, OFFICES, PARTIES, PHASES, State
from pbem.games.parlement_1966.state import Tables as Rules
from pbem.games.parlement_1966.steps.elections import chamber, leaders, majority
from pbem.games.parlement_1966.steps.periods import LAST_BEFORE_CALL
from pbem.orders.spelling import is_number


def _bill(at: kinds.At, number: int) -> int | None:
    return number if str(number) in at.names["bill"].listed else None


_DISTRICT = kinds.Numbered("district")
_NUMBER = kinds.Made(_DISTRICT, lambda _, district: int(district))
_DEBT = Whole(-kinds.MOST)
_CANDIDATES = Table(state.PARTY, Listed(_NUMBER))
_VOTE = Word("yes", "no", "abstain")


@dataclass(frozen=True, slots=True)
class Government:
    """Who governs; the Premier holds unfilled offices."""

    premier: str | None = entry(state.PARTY, "the Premier's party")
    foreign: str | None = entry(state.PARTY, "the Foreign minister's", "the Premier's")
    defense: str | None = entry(state.PARTY, "the Defense minister's", "the Premier's")
    finance: str | None = entry(state.PARTY, "the Finance minister's", "the Premier's")
    emergency: bool = entry(Flag(), "an emergency Government instead", default=False)


@dataclass(frozen=True, slots=True)
class Called:
    """A bill put to the vote."""

    bill: int = entry(
        kinds.Made(Whole(1), _bill, "the number of a bill"), "its number", needed=True
    )
    by: str = entry(
        Word("government", "opposition", "gamesmaster"), "who called it", default="government"
    )
    signers: tuple[str, ...] = entry(state.LISTED, "who signed it", "nobody", default=())
    binding: bool | None = entry(Flag(), "it binds the Government", "true unless the gamesmaster's")


@dataclass(frozen=True, slots=True)
class District:
    holder: str | None = entry(
        kinds.Either(kinds.Nothing("null"), state.PARTY), "who sits for it", "nobody"
    )
    tally: dict[str, Fraction] | None = entry(
        Table(state.PARTY, kinds.Share()),
        "votes of the last ballot; one nobody won is held again",
        "none",
    )


@dataclass(frozen=True, slots=True)
class Cheque:
    """A cheque not cashed."""

    number: int = entry(Whole(100_000, 999_999), "its number", needed=True)
    payee: str = entry(state.PARTY, "who may cash it", needed=True)
    crowns: int = entry(Whole(1), "its crowns", needed=True)


@dataclass(frozen=True, slots=True)
class Public:
    follows: ClassVar = ("vacant", "private_treasury_notices", "first_rulings")
    phase: str | None = entry(Word(*PHASES), "the phase, also as `phase`")
    session: int = entry(Whole(1, 9999), "number of the session", default=1)
    period: int = entry(Whole(1, 9999), "period of the session, 1 to 5", default=1)
    extensions: int = entry(Whole(), "extensions of the first period so far", default=0)
    turn: str = entry(
        Word("government", "opposition"),
        "whose right it is to propose a bill",
        default="government",
    )
    crisis: bool = entry(Flag(), "whether this period is the wait of paragraph 10", default=False)
    election: str | None = entry(
        Word("premier", "gamesmaster", "emergency"),
        "who called an election: this is the session's last period",
        "none is called",
    )
    last_period: bool | None = entry(Flag(), "this is the session's last period", "by the others")
    called: tuple[Called, ...] = entry(
        Listed(Part(Called)), "bills put to the vote in this period", "none", default=()
    )
    amendments: tuple[state.Amendment, ...] = entry(
        Listed(Part(state.Amendment)), "amendments to the rules", "none", default=()
    )
    seats: dict[str, int] | None = entry(
        Table(state.PARTY, state.MEMBERS),
        "at most 50 in all; in a runoff those decided",
        "by the holders",
    )
    government: Government | None = entry(
        kinds.Either(kinds.Nothing("null"), Part(Government)), "who governs", "nobody"
    )
    bills: dict[str, state.Voted] | None = entry(
        Table(kinds.Numbered("bill"), Part(state.Voted)), "bills voted in this session", "none"
    )
    records: dict[str, dict[str, int]] | None = entry(
        Table(kinds.Name("bloc"), Table(state.PARTY, Whole(-9999, 9999))),
        "points with each bloc",
        "0",
    )
    candidates: dict[str, tuple[int, ...]] | None = entry(_CANDIDATES, "also as `candidates`")
    districts: dict[str, District] | None = entry(
        Table(_DISTRICT, Part(District)), "members and the last ballots", "nobody, none"
    )
    ballots: dict[str, state.Ballot] | None = entry(
        Table(_DISTRICT, Part(state.Ballot)), "ballots still to be held", "by the tallies"
    )
    listing: dict[str, int] | None = entry(
        Table(state.PARTY, _DEBT), "treasuries as last published", "none"
    )
    changed: dict[str, int] | None = entry(
        Table(Word("candidate_fee", "salary", "contribution", "bloc_loss"), Whole()),
        "figures that amendments have changed",
        "none",
    )


@dataclass(frozen=True, slots=True)
class Private:
    follows: ClassVar = ("paid", "forecast")
    treasury: int = entry(_DEBT, "crowns", default=0)
    prefer: tuple[str, ...] = entry(
        state.LISTED, "where its blocs vote without a candidate", "nowhere", default=()
    )
    blocs: dict[str, str | None] | None = entry(
        Table(_DISTRICT, kinds.Either(kinds.Nothing("NONE"), state.PARTY)),
        "where its bloc of a district votes",
    )
    votes: dict[str, int] | None = entry(
        Table(_DISTRICT, _DEBT), "its bloc's votes in a district", "as the tables have it"
    )
    standing_votes: dict[str, str] | None = entry(
        Table(kinds.Numbered("bill"), _VOTE), "standing votes"
    )
    cheques: tuple[Cheque, ...] = entry(
        Listed(Part(Cheque)), "its cheques that nobody has cashed", "none", default=()
    )
    waiting: tuple[str, ...] | None = entry(
        Listed(Text(4000)), "orders that wait for the end of the first period", "none"
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    phase: str | None = entry(Word(*PHASES), "the phase to start in", "session")
    public: Public = entry(Part(Public), "what everybody may know", default=Public())
    private: dict[str, Private] | None = entry(
        Table(state.PARTY, Part(Private)), "what a party alone knows"
    )
    candidates: dict[str, tuple[int, ...]] | None = entry(
        _CANDIDATES, "who stands where, for phase primary", "nobody"
    )

    def own(self, party: str) -> Private:
        return (self.private or {}).get(party) or Private()


_YES_OR_NO = Word("Y", "N", exact=True)


@dataclass(frozen=True, slots=True)
class BillRow:
    """A row of Table 1."""

    name: str | None = entry(Text(60, 0), "its name")
    parties: dict[str, str | None] | None = entry(
        Table(Word(*PARTIES, exact=True), kinds.Either(kinds.Nothing(""), _YES_OR_NO)),
        "what each party can vote unrestrained",
        "both",
    )
    blocs: dict[str, str] | None = entry(
        Table(Text(3), _YES_OR_NO), "what each independent bloc favours"
    )
    minister: str | None = entry(
        kinds.Either(kinds.Nothing(""), Word(*OFFICES, exact=True)),
        "whose signature it needs",
        "nobody's",
    )
    reconstructed: tuple[str, ...] | None = entry(
        Listed(Text(3)), "the cells that are not attested"
    )


@dataclass(frozen=True, slots=True)
class Votes:
    independent: int | None = entry(Whole(), "of each independent bloc in each district")
    party_bloc: int | None = entry(Whole(), "of each party bloc at the start")
    loss: int | None = entry(Whole(), "of each party bloc after an election")


@dataclass(frozen=True, slots=True)
class Crowns:
    fee: int | None = entry(Whole(), "a candidate")
    salary: int | None = entry(Whole(), "an office for a session period")
    contribution: int | None = entry(Whole(), "a seat in a session's first period")


@dataclass(frozen=True, slots=True)
class Tables:
    blocs: tuple[str, ...] | None = entry(
        Listed(Text(3), least=1, most=26, once=True), "the independent blocs"
    )
    seats: int | None = entry(Whole(0, DISTRICTS // len(PARTIES)), "of each party at the start")
    votes: Votes | None = entry(Part(Votes), "votes of the blocs")
    crowns: Crowns | None = entry(Part(Crowns), "money")
    missing: dict[str, tuple[int, ...]] | None = entry(
        Table(Word(*PARTIES, exact=True), Listed(Whole(1, DISTRICTS))),
        "districts in which a party has no bloc at the start",
    )
    bills: dict[str, BillRow] | None = entry(Table(Text(3), Part(BillRow)), "Table 1")


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError if merged tables disagree."""
    for number, row in tables["bills"].items():
        if not is_number(number) or number != str(int(number)):
            wrong(f"tables.bills.{number}", "bills are numbered; give a number")
        if set(row.get("blocs", {})) != set(tables["blocs"]):
            listed = ", ".join(tables["blocs"])
            wrong(f"tables.bills.{number}.blocs", f"give Y or N for each of {listed}")


def reading(scenario: Json, rules: Rules) -> Scenario:
    names = {
        "party": kinds.in_capitals(PARTIES),
        "bloc": kinds.exact(rules.blocs),
        "bill": kinds.exact(map(str, rules.bills)),
        "district": kinds.exact(map(str, range(1, DISTRICTS + 1))),
    }
    return kinds.read_whole(Scenario, scenario, names)


def settings(options: Options) -> state.Settings:
    after, most = options["emergency_after_extensions"], options["max_sessions"]
    return state.Settings(
        None if after == "none" else int(after),
        options["record_per_session"] == "on",
        options["private_treasury_notices"] == "on",
        options["house_rules"] == "on",
        None if most == "off" else int(most),
        options.get("rulings", state.LATER["rulings"]) == "first",
        options.get("rulings", state.LATER["rulings"]) == "third",
    )


def start(options: Options, scenario: Json, tables: state.Tables) -> State:
    """Return the position; what a scenario leaves out is the game's own."""
    told = reading(scenario, tables)
    public, phase = told.public, told.public.phase or "session"
    districts = public.districts or {}
    holders = tuple(
        row.holder if (row := districts.get(str(n))) else None for n in range(1, DISTRICTS + 1)
    )
    tallies = {d: row.tally for d, row in districts.items() if row.tally}
    government = _government(public.government)
    put_up = {**(public.candidates or {}), **(told.candidates or {})}
    candidates = {
        party: Candidates(tuple(sorted(set(places)))).districts for party, places in put_up.items()
    }
    ballots = _ballots(public, holders, tallies, phase, candidates)
    last = phase != "session" or public.last_period or public.period > LAST_BEFORE_CALL
    return State(
        settings=settings(options),
        phase=phase,
        session=public.session,
        period=public.period,
        number=1,
        seats=_seats(public, holders, tables, ballots if phase == "runoff" else None),
        accounts=opened({party: told.own(party).treasury for party in PARTIES}),
        local={party: _votes(party, told.own(party), tables) for party in PARTIES},
        records={
            bloc: dict.fromkeys(PARTIES, 0) | (public.records or {}).get(bloc, {})
            for bloc in tables.blocs
        },
        holders=holders,
        extensions=public.extensions,
        government=government,
        installed=0 if government is None else government.number,
        turn=public.turn,
        called=tuple(_called(one, government) for one in public.called),
        bills=public.bills or {},
        election=public.election or ("gamesmaster" if last else None),
        crisis=public.crisis,
        candidates=candidates,
        tallies=tallies,
        ballots=ballots,
        instructions={
            p: i for p in PARTIES if (i := _instructions(told.own(p))) != state.Instructions()
        },
        standing_votes={
            p: own.standing_votes for p, own in (told.private or {}).items() if own.standing_votes
        },
        amendments=public.amendments,
        waiting={p: own.waiting for p, own in (told.private or {}).items() if own.waiting},
        listed=public.listing or {},
        changed=public.changed or {},
        cheques=tuple(
            state.OpenCheque(one.number, party, one.payee, one.crowns)
            for party in PARTIES
            for one in told.own(party).cheques
        ),
    )


def _seats(
    public: Public,
    holders: Sequence[str | None],
    tables: state.Tables,
    runoff: Mapping[str, state.Ballot] | None,
) -> dict[str, int]:
    """Return seats as told, at the start, or by holders; in a runoff decided ones."""
    told = public.seats or {}
    counted = chamber(holders)
    if runoff is not None and sum(told.values()) + len(runoff) > state.DISTRICTS:
        return counted
    too_many = max(counted.values()) > tables.seats or all(holders)
    start = counted if runoff is not None or too_many else dict.fromkeys(PARTIES, tables.seats)
    if sum((start | told).values()) > state.DISTRICTS:
        start = dict.fromkeys(PARTIES, 0)  # the parties it leaves out have nothing left
    seats = start | told
    if sum(seats.values()) > state.DISTRICTS:
        wrong("public.seats", f"{seats} are more than {state.DISTRICTS} seats")
    return seats


def _government(told: Government | None) -> state.Government | None:
    if told is None or told == Government():
        return None
    if told.emergency:
        return state.Government(1, {}, emergency=True)
    if told.premier is None:
        wrong("public.government", f"name {', '.join(OFFICES)}, or give {{ emergency = true }}")
    # an office that is not filled is the Premier's (ruling 5)
    return state.Government(1, {one: getattr(told, one) or told.premier for one in OFFICES})


def _called(told: Called, government: state.Government | None) -> state.Called:
    binding = told.by != "gamesmaster" if told.binding is None else told.binding
    number = government.number if government and binding else None
    return state.Called(told.bill, told.by, told.signers, number)


def _votes(party: str, own: Private, tables: state.Tables) -> tuple[int, ...]:
    missing, told = tables.missing[party], own.votes or {}
    return tuple(
        told.get(str(d), 0 if d in missing else tables.party_bloc)
        for d in range(1, state.DISTRICTS + 1)
    )


def _instructions(own: Private) -> state.Instructions:
    blocs = {district: party or "NONE" for district, party in (own.blocs or {}).items()}
    return state.Instructions(blocs, own.prefer)


def _ballots(
    public: Public,
    holders: Sequence[str | None],
    tallies: Mapping[str, Mapping[str, Fraction]],
    phase: str,
    candidates: Mapping[str, tuple[int, ...]],
) -> dict[str, state.Ballot]:
    """Return ballots as told, else by undecided tallies (25), else of candidates."""
    if public.ballots:
        return {
            district: replace(row, entrants=tuple(p for p in PARTIES if p in row.entrants))
            for district, row in public.ballots.items()
        }
    ballots = {}
    if phase != "primary":
        for district, tally in tallies.items():
            if holders[int(district) - 1] is None and majority(tally) is None:
                entrants, free = leaders({p: tally[p] for p in PARTIES if p in tally})
                ballots[district] = state.Ballot(entrants, free, 2 if phase == "runoff" else 3)
    if phase == "runoff" and not ballots:
        for number in range(1, state.DISTRICTS + 1):
            entrants = tuple(party for party in PARTIES if number in candidates.get(party, ()))
            if len(entrants) > 1 and holders[number - 1] is None:
                ballots[str(number)] = state.Ballot(entrants, len(entrants) > 2)
    if phase == "runoff" and not ballots:
        wrong("phase", "runoff needs districts with an undecided tally, ballots or candidates")
    return ballots
