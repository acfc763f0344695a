"""The opening (1.1-1.5, 6.6, 7.3), or a scenario's position."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Any

from pbem.errors import ScenarioError
from pbem.games.frame import scenario as kinds
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Minutes
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome
from pbem.games.frame.scenario import Flag, Listed, Part, Table, Text, Whole, Word, entry, wrong
from pbem.games.frame.treasury import opened
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import PHASES, State, spread
from pbem.games.parlement_1968.steps.house import House, is_independent, officer, party_of
from pbem.games.parlement_1968.steps.lists import source, unsent

_EMPTY = ("", "null", "none", "vacant")
_CAPITAL, _DIGITS = re.compile("[A-Z]"), re.compile("[0-9]{1,9}")
_INDEPENDENT = re.compile(r"ind-(\w+)", re.IGNORECASE)


def _member(at: kinds.At, text: str) -> str | None:
    party, _, district = text.partition(" ")
    found = at.names["district"].find(district)
    return f"{party} {found}" if found and party in at.names["party"].listed else None


def _span(at: kinds.At, text: str) -> tuple[str, ...] | None:
    names = at.names["district"]
    found = [names.find(district) for district in spread([text], names.listed)]
    return tuple(filter(None, found)) if all(found) else None


def _matter(at: kinds.At, text: str) -> str | None:
    """Read a standing vote's bill or item, and a region or none."""
    matter, stroke, region = text.partition("/")
    known = matter in at.names["bill"].listed or matter in at.names["item"].listed
    return text if known and stroke and (not region or at.names["region"].find(region)) else None


_NOBODY = kinds.Nothing(*_EMPTY)
_PARTY, _REGION, _DISTRICT = kinds.Name("party"), kinds.Name("region"), kinds.Name("district")
_CANDIDATE = kinds.Name("candidate")
_SPAN = kinds.Made(Text(40), _span, 'a district or a row of them, as "N1-N3"')
_DISTRICTS: kinds.Kind[tuple[str, ...]] = kinds.Made(
    Listed(_SPAN),
    lambda _, spans: tuple(chain.from_iterable(spans)),
    'a list of districts, as ["C1-C6", "E1"]',
)
_CANDIDATES = Table(_CANDIDATE, _DISTRICTS)
_MEMBERS = Table(
    kinds.Name("office"),
    kinds.Either(_NOBODY, kinds.Made(Text(60), _member, 'a member, as "Soc E5"')),
)
_GOVERNMENT = kinds.Either(_NOBODY, _MEMBERS)
_LEVEL = Word("H", "L")

_HOLDER = kinds.or_nothing(_CANDIDATE, *_EMPTY)


@dataclass(frozen=True, slots=True)
class Division:
    yes: int = entry(Whole(), "members for it", default=0)
    no: int = entry(Whole(), "members against it", default=0)
    abstain: int = entry(Whole(), "abstentions", default=0)
    passed: bool | None = entry(Flag(), "whether it passed", "by the members")


@dataclass(frozen=True, slots=True)
class ItemVote:
    H: int = entry(Whole(), "members for the high level", default=0)
    L: int = entry(Whole(), "members for the low level", default=0)
    level: str | None = entry(_LEVEL, "the Government's level", "by the members")
    passed: bool = entry(Flag(), "whether it passed", default=True)


@dataclass(frozen=True, slots=True)
class Program:
    levels: dict[str, str] | None = entry(
        Table(kinds.Name("item"), _LEVEL), "the Budget proposed", "H"
    )
    bills: tuple[str, ...] = entry(
        Listed(kinds.Numbered("bill")),
        "still to be voted on, the first is before the house",
        default=(),
    )
    again: bool = entry(Flag(), "what is before the house is being put again", default=False)


@dataclass(frozen=True, slots=True)
class District:
    holder: str | None = entry(
        _HOLDER, 'who holds it: a party, "Ind-W", or "" for nobody', "as the tables have it"
    )
    incumbent: str | None = entry(_HOLDER, "in an election: who held it before", "as holder has it")
    tally: dict[str, Fraction] | None = entry(
        Table(_CANDIDATE, kinds.Share()), "the votes of the last ballot there", "none"
    )


@dataclass(frozen=True, slots=True)
class Public:
    phase: str | None = entry(Word(*PHASES), "the phase, also as `phase`")
    period: int = entry(Whole(1, 9999), "number of the first period", default=1)
    session: int = entry(Whole(1, 9999), "number of the session", default=1)
    year: int = entry(Whole(1, 9999), "year of the session", default=1)
    falls: int = entry(Whole(), "Governments fallen this year (8.3)", default=0)
    budget_passed: bool | None = entry(
        Flag(), "this year's Budget has passed", "by `budget` and the phase"
    )
    bills_voted: int | None = entry(
        Whole(), "bills voted on this session, each Budget counting four (8.7)", "counted"
    )
    election_year: int = entry(
        Whole(), "an election is called, for the end of this year (8.1)", default=0
    )
    government: dict[str, str | None] | None = entry(
        _GOVERNMENT, "the Government; an office left out is vacant", "none"
    )
    former: dict[str, str | None] | None = entry(
        _GOVERNMENT, "the Government before, for the formation of the next", "none"
    )
    paid: bool | None = entry(Flag(), "this year's salaries are paid", "true after a Government")
    records: dict[str, dict[str, int]] | None = entry(
        Table(kinds.Name("bloc"), Table(Text(40), Whole())),
        "points of each faction, party or independent with each bloc",
        "as the tables have it",
    )
    districts: dict[str, District] | None = entry(
        Table(_DISTRICT, Part(District)), "who holds which district", "as the tables have it"
    )
    seats: dict[str, int] | None = entry(
        Table(_CANDIDATE, Whole()), "seats of the parties, as a check of the districts"
    )
    budget: dict[str, ItemVote] | None = entry(
        Table(kinds.Name("item"), Part(ItemVote)), "the Budget voted on already: all items", "none"
    )
    bills: dict[str, Division] | None = entry(
        Table(kinds.Numbered("bill"), Part(Division)), "bills voted on already", "none"
    )
    program: Program | None = entry(Part(Program), "the Government's Program", "none")
    announced: dict[str, tuple[str, ...]] | None = entry(
        Table(_PARTY, _DISTRICTS), "candidates announced early (8.5)", "none"
    )
    candidates: dict[str, tuple[str, ...]] | None = entry(_CANDIDATES, "also as `candidates`")
    runoffs: tuple[str, ...] | None = entry(
        _DISTRICTS, "districts still open", "those without a holder"
    )
    bought: dict[str, dict[str, int]] | None = entry(
        Table(_DISTRICT, Table(_CANDIDATE, Whole())), "votes bought on the first ballot", "none"
    )


@dataclass(frozen=True, slots=True)
class Cheque:
    """A waiting payment."""

    to: str = entry(_PARTY, "who gets it", needed=True)
    amount: int = entry(Whole(), "crowns", needed=True)
    period: int = entry(Whole(), "the period it waits for", needed=True)


@dataclass(frozen=True, slots=True)
class Private:
    treasury: int | None = entry(Whole(), "crowns", "by its seats")
    standing: dict[str, str] | None = entry(
        Table(
            kinds.Made(
                Text(40), _matter, 'a bill or an item and its region, as "8/" or "Def/Eas",'
            ),
            Word("YES", "NO", "ABSTAIN", "H", "L"),
        ),
        "standing votes",
        "none",
    )
    list: tuple[str, ...] | None = entry(_DISTRICTS, "a sealed list of candidates", "none")
    records_as: dict[str, str] | None = entry(
        Table(_REGION, _REGION), "on whose records its candidates run (8.8)", "none"
    )
    cheques: tuple[Cheque, ...] = entry(
        Listed(Part(Cheque)), "payments that wait", "none", default=()
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    title: str | None = entry(Text(), "what the scenario is called")
    phase: str | None = entry(Word(*PHASES), "the phase to start in", "program with a Government")
    public: Public = entry(Part(Public), "what everybody may know", default=Public())
    private: dict[str, Private] | None = entry(
        Table(_PARTY, Part(Private)), "what a party alone knows"
    )
    candidates: dict[str, tuple[str, ...]] | None = entry(
        _CANDIDATES, 'who stands where, for the phases of an election; also "Ind-W"', "nobody"
    )


def _letters(_: kinds.At, key: str) -> str | None:
    """Read a key of which others are made, "Soc-Eas"; "Ind-W" is an independent."""
    return key if key.isascii() and key.isalpha() and key.casefold() != "ind" else None


_KEY, _LABEL = Text(30), Text(80)
_STEM = kinds.Made(_KEY, _letters, "a key of letters, not Ind,")


@dataclass(frozen=True, slots=True)
class PartyRow:
    key: str = entry(_STEM, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    record: dict[str, int] = entry(
        Table(_KEY, Whole(-9999)), "points with each bloc at the start", needed=True
    )
    holds: tuple[str, ...] = entry(Listed(Text(40)), "districts it holds", needed=True)


@dataclass(frozen=True, slots=True)
class RegionRow:
    key: str = entry(_STEM, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    letter: str = entry(
        kinds.Pattern(_CAPITAL, "a capital letter"), "of its districts", needed=True
    )
    seats: int = entry(Whole(1, 999), "how many districts", needed=True)


@dataclass(frozen=True, slots=True)
class BlocRow:
    key: str = entry(_KEY, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    votes: dict[str, int] = entry(
        Table(_KEY, Whole()), "votes in a district of each region", needed=True
    )


_ANY_NUMBER: kinds.Kind[Any] = kinds.Either(kinds.Pattern(_DIGITS, "a number"), Whole())


@dataclass(frozen=True, slots=True)
class OfficeRow:
    """An office, the Premier's first."""

    key: str = entry(_KEY, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    bills: tuple[str | int, ...] = entry(Listed(_ANY_NUMBER), "bills it controls", needed=True)
    item: str | None = entry(Text(30, 0), "the item whose low level it approves (4.2)", "none")


@dataclass(frozen=True, slots=True)
class BillRow:
    key: str | int = entry(_ANY_NUMBER, "its number", needed=True)
    stands: dict[str, str] = entry(
        Table(_KEY, Word("Y", "Y!", "N", "N!", exact=True)), "the stand of each bloc", needed=True
    )
    name: str | None = entry(Text(80, 0), "its name", "none")


@dataclass(frozen=True, slots=True)
class ItemRow:
    key: str = entry(_KEY, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    stands: dict[str, str] = entry(
        Table(_KEY, Word("H", "L", exact=True)), "the stand of each bloc", needed=True
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """Crowns, votes, points and years."""

    per_seat: int | None = entry(Whole(), "crowns for each seat (7.3)")
    per_office: int | None = entry(Whole(), "crowns for each office and year (7.2)")
    favourite: int | None = entry(Whole(), "crowns to a bloc's favourite (7.4)")
    filing_fee: int | None = entry(Whole(), "crowns for each candidate (7.5)")
    incumbent_votes: int | None = entry(Whole(), "votes of an incumbent (8.16)")
    cabinet_votes: int | None = entry(Whole(), "votes of an incumbent in the Cabinet (8.16)")
    bought_votes: int | None = entry(Whole(), "the most that money buys one candidate (8.17)")
    control_lead: int | None = entry(Whole(), "points (8.15)")
    budget_weight: int | None = entry(Whole(), "bills that a Budget counts as (8.7)")
    session_years: int | None = entry(Whole(1, 9999), "years of a session (8.2)")


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables that a scenario may replace; a list of rows is replaced whole."""

    party: tuple[PartyRow, ...] | None = entry(Listed(Part(PartyRow)), "the parties")
    region: tuple[RegionRow, ...] | None = entry(Listed(Part(RegionRow)), "the regions")
    bloc: tuple[BlocRow, ...] | None = entry(Listed(Part(BlocRow)), "the blocs")
    office: tuple[OfficeRow, ...] | None = entry(Listed(Part(OfficeRow)), "the offices")
    bill: tuple[BillRow, ...] | None = entry(Listed(Part(BillRow)), "the bills")
    item: tuple[ItemRow, ...] | None = entry(Listed(Part(ItemRow)), "the budget items")
    figures: Figures | None = entry(Part(Figures), "figures")
    marks: dict[str, str] | None = entry(Table(Text(40), Text()), "which cells are attested")


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError with every fault of the merged tables. A row may name blocs and regions
    that there are not: they are ignored."""
    found = list(_misfits(tables))
    if len(found) == 1:
        wrong(*found[0])
    if found:
        said = "".join(f"\n  {key}: {why}" for key, why in found)
        raise ScenarioError(f"the tables cannot be played:{said}", found)


_LISTS = ("party", "region", "bloc", "office", "bill", "item")
_BY_NAME = (
    ("party", "record", "bloc"),
    ("bloc", "votes", "region"),
    ("bill", "stands", "bloc"),
    ("item", "stands", "bloc"),
)


def _misfits(tables: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield keys, and what is wrong there."""
    keys = {kind: [str(row["key"]) for row in tables[kind]] for kind in _LISTS}
    folded = {kind: [key.casefold() for key in named] for kind, named in keys.items()}
    folded["region letter"] = [row["letter"] for row in tables["region"]]
    for kind, named in folded.items():
        for key in sorted({key for key in named if named.count(key) > 1}):
            yield f"tables.{kind}", f"{key!r} stands twice; each needs one of its own"
    if len(keys["party"]) < 2:
        yield "tables.party", "one party cannot play; name two or more"
    if not keys["office"]:
        yield "tables.office", "a Government needs at least its Premier"
    for kind, column, of in _BY_NAME:
        for place, row in enumerate(tables[kind], 1):
            if lacks := [name for name in keys[of] if name not in row[column]]:
                why = f"{kinds.shown(row[column])}; also one for {', '.join(lacks)} is wanted"
                yield f"tables.{kind}[{place}].{column}", why
    for place, row in enumerate(tables["office"], 1):
        for bill in map(str, row["bills"]):
            if bill not in keys["bill"]:
                yield f"tables.office[{place}].bills", f"there is no bill {bill}"
        if row.get("item") and row["item"] not in keys["item"]:
            there = ", ".join(keys["item"])
            yield f"tables.office[{place}].item", f"there is no {row['item']}; there are {there}"
    yield from _unfit_holders(tables)


def _unfit_holders(tables: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    held = dict.fromkeys(
        (f"{row['letter']}{n}" for row in tables["region"] for n in range(1, row["seats"] + 1)), ""
    )
    for place, row in enumerate(tables["party"], 1):
        for district in spread(row["holds"], held):
            if held.get(district) != "":
                why = f"is {held[district]}'s already" if district in held else "is no district"
                yield f"tables.party[{place}].holds", f"{district!r} {why}"
            else:
                held[district] = row["key"]
    if free := [district for district, party in held.items() if not party]:
        yield "tables.party", f"nobody holds {', '.join(free)}; give each district to a party"


def _candidates(known: s.Tables) -> kinds.Names:
    listed = (*known.parties, *(f"Ind-{bloc}" for bloc in known.blocs))

    def find(word: str) -> str | None:
        independent = _INDEPENDENT.fullmatch(word)
        if not independent:
            return word if word in known.parties else None
        bloc, upper = independent[1], independent[1].upper()
        named = f"Ind-{upper if upper in known.blocs else bloc}"
        return named if named in listed else None

    return kinds.Names(listed, find)


def _with_vacancies(scenario: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a view's null holder as ""."""
    public = scenario.get("public")
    districts = public.get("districts") if isinstance(public, Mapping) else None
    if not isinstance(public, Mapping) or not isinstance(districts, Mapping):
        return scenario
    told = {
        district: {k: "" if v is None and k != "tally" else v for k, v in row.items()}
        if isinstance(row, Mapping)
        else row
        for district, row in districts.items()
    }
    return {**scenario, "public": {**public, "districts": told}}


def reading(scenario: Json, known: s.Tables) -> Scenario:
    names = {
        "party": kinds.exact(known.parties),
        "bloc": kinds.exact(known.blocs),
        "region": kinds.exact(known.regions),
        "district": kinds.in_capitals(known.districts),
        "office": kinds.exact(known.offices),
        "bill": kinds.exact(known.bills),
        "item": kinds.exact(known.items),
        "candidate": _candidates(known),
    }
    return kinds.read_whole(Scenario, _with_vacancies(scenario), names)


def start(
    seats: tuple[str, ...], options: Options, scenario: Json, tables: s.Tables
) -> Outcome[State]:
    """Return position and events. Raise ScenarioError naming the key."""
    told = reading(scenario, tables)
    public = told.public
    state = _start(seats, options, tables)
    state = _position(state, public)
    state = _records(state, tables, public)
    state = _business(state, tables, public)
    state = _government(state, tables, public)
    state = _election(state, tables, told)
    state = _own(state, tables, told.private or {})
    minutes = Minutes()
    minutes.public(
        "opening",
        "1.3",
        seats=s.seat_counts(state),
        phase=state.phase,
        per_seat=tables.figures["per_seat"],
        options={
            name: value
            for name, value in options.items()
            if name in _NOTED and value not in ("off", 0)
        },
    )
    if options["private_treasury_notices"] == "on":
        for seat in seats:
            minutes.private("account", "7.3", [seat], balance=state.accounts.balance(seat))
    return Outcome(state, tuple(minutes.events))


_NOTED = (
    "new_government_after_election",
    "caretaker_after_days",
    "budget_defeats_fall",
    "max_sessions",
)


def _start(seats: tuple[str, ...], options: Options, tables: s.Tables) -> State:
    holders: dict[str, str | None] = {
        district: tables.start[district] for district in tables.districts
    }
    counts = {seat: sum(holder == seat for holder in holders.values()) for seat in seats}
    return State(
        seats=seats,
        options=dict(options),
        phase="formation",
        period=1,
        session=1,
        year=1,
        holders=holders,
        sheets={},
        accounts=opened({seat: n * tables.figures["per_seat"] for seat, n in counts.items()}),
    )


def _position(state: State, public: Public) -> State:
    usual = "program" if public.government is not None else state.phase
    holders, counts = dict(state.holders), dict[str, s.Count]()
    for district, told in (public.districts or {}).items():
        named = told.holder if told.incumbent is None else told.incumbent
        if named is not None:
            holders[district] = named or None
        if told.tally:
            counts[district] = s.Count(
                "ballot", public.session, 0, 0, {}, {}, {}, told.tally, "", "8.18"
            )
    state = replace(
        state,
        phase=public.phase or usual,
        holders=holders,
        counts=counts,
        period=public.period,
        session=public.session,
        year=public.year,
    )
    sizes = s.seat_counts(state)
    for party, n in (public.seats or {}).items():
        if sizes.get(party, 0) != n:
            wrong(f"public.seats.{party}", f"{n}, but public.districts gives {sizes.get(party, 0)}")
    return state


def _records(state: State, tables: s.Tables, public: Public) -> State:
    """Set 6.6, then [public.records]; a party's key means all its factions."""
    given: dict[str, dict[str, int]] = {}
    units = list(House(state, tables).factions())
    seated = {party_of(unit) for unit in units}
    lines = set(state.seats) - seated  # without seats: a line of its own (R15)
    for bloc, by_unit in (public.records or {}).items():
        for name, n in by_unit.items():
            where = f"public.records.{bloc}.{name}"
            fitting = [unit for unit in units if name in (unit, party_of(unit))]
            fitting += [name] if name in lines else []
            if not fitting:
                wrong(where, f"nobody has that record; there are: {', '.join(units)}")
            for unit in fitting:
                if unit == name or name not in by_unit or unit not in by_unit:
                    given.setdefault(unit, {})[bloc] = n
    sheets = {}
    for unit in (*units, *sorted(lines & set(given))):
        start = tables.records.get(unit.partition("-")[0], dict.fromkeys(tables.blocs, 0))
        points = {**{bloc: start[bloc] for bloc in tables.blocs}, **given.get(unit, {})}
        sheets[unit] = {"start": s.Line("", points)}
    return replace(state, sheets=sheets)


def _business(state: State, tables: s.Tables, public: Public) -> State:
    """Set past votes, the Program, falls, a called election."""
    bills = {
        bill: s.Division(n.yes, n.no, n.abstain, n.yes > n.no if n.passed is None else n.passed)
        for bill, n in (public.bills or {}).items()
    }
    budget = {
        item: s.ItemVote(n.H, n.L, n.level or ("H" if n.H >= n.L else "L"), n.passed)
        for item, n in (public.budget or {}).items()
    }
    if budget and set(budget) != set(tables.items):
        wrong("public.budget", f"give all of {', '.join(tables.items)}")
    late = state.phase in ("bill", "candidates", *s.ELECTION)
    fits = all(x.passed for x in budget.values()) if budget else late
    passed = fits if public.budget_passed is None else public.budget_passed
    program = _program(state, tables, public)
    weight = tables.figures["budget_weight"]
    # with nothing given, nothing was voted, as at the start
    voted = bool(budget or bills or public.budget_passed)
    counted = len(bills) + weight * (state.year - 1 + (voted and bool(budget or passed)))
    return replace(
        state,
        bills=bills,
        budget=budget,
        budget_year=state.year if budget or passed else 0,
        budget_passed=passed,
        program=program,
        counted=counted if public.bills_voted is None else public.bills_voted,
        falls=public.falls,
        call_year=public.election_year,
    )


def _program(state: State, tables: s.Tables, public: Public) -> s.Program | None:
    told = public.program
    if state.phase == "bill" and not (told and told.bills):
        wrong("public.program.bills", "the phase is bill; say which bills are to be voted on")
    high = dict.fromkeys(tables.items, "H")
    if told is None:
        needed = state.phase in ("budget", "bill", "candidates", *s.ELECTION)
        return s.Program(high, (), False) if needed else None
    return s.Program(high | (told.levels or {}), told.bills, told.again)


def _officers(
    state: State, tables: s.Tables, key: str, told: Mapping[str, str | None] | None
) -> dict[str, str] | None:
    if told is None:
        return None
    officers = dict.fromkeys(tables.offices, "")
    for office, member in told.items():
        if not member:
            continue
        party, district = officer(member)
        if state.holders.get(district) != party or is_independent(party):
            wrong(f"public.{key}.{office}", f"{member!r}, but {party} does not hold {district}")
        officers[office] = member
    return officers


def _government(state: State, tables: s.Tables, public: Public) -> State:
    now = _officers(state, tables, "government", public.government)
    former = _officers(state, tables, "former", public.former)
    amiss = ("program", "bill") if now is None else ("formation",)
    if state.phase in amiss:
        there = "a" if now is None else "no"
        wrong("public.government", f"in {state.phase} there is {there} Government")
    if now is not None and not now[tables.premier] and state.phase in ("program", "budget", "bill"):
        wrong(f"public.government.{tables.premier}", "a Government needs its Premier")
    return replace(
        state,
        government=now,
        former=House(state, tables).makeup(former) if former else None,
        caretaker=now is None and state.phase == "budget",
        paid=(now is not None or former is not None) if public.paid is None else public.paid,
    )


def _election(state: State, tables: s.Tables, told: Scenario) -> State:
    public = told.public
    if state.phase not in s.ELECTION:
        return replace(state, announced=public.announced or {})
    standing = {district: dict[str, s.Candidacy]() for district in tables.districts}
    listed = public.candidates if told.candidates is None else told.candidates
    for name, districts in (listed or {}).items():
        for district in districts:
            standing[district][name] = _candidacy(state, tables, name, district)
    for district, holder in state.holders.items():
        if holder and is_independent(holder):  # 8.6: they stand again without being listed
            standing[district].setdefault(holder, _candidacy(state, tables, holder, district))
    state = replace(state, candidates=standing, bought=public.bought or {})
    if state.phase == "ballot":
        return unsent(House(state, tables))[0]
    open_seats = _undecided(state, tables, public)
    elected = {d: holder for d, holder in state.holders.items() if holder and d not in open_seats}
    state = replace(state, runoffs=open_seats, elected=elected)
    return unsent(House(state, tables), open_seats)[0]


def _undecided(state: State, tables: s.Tables, public: Public) -> tuple[str, ...]:
    listed = set(public.runoffs or ())
    listed |= {district for district, told in (public.districts or {}).items() if told.holder == ""}
    listed = listed or {district for district, here in state.candidates.items() if here}
    if not listed:
        wrong("public.runoffs", f"the phase is {state.phase}; list the districts still open")
    return tuple(sorted(listed, key=tables.rank.__getitem__))


def _candidacy(state: State, tables: s.Tables, name: str, district: str) -> s.Candidacy:
    if is_independent(name):
        sits = state.holders.get(district) == name
        return s.Candidacy(f"{name} {district}" if sits else "", "8.6" if sits else "8.7")
    return s.Candidacy(source(House(state, tables), name, tables.region_of[district]), "party")


def _own(state: State, tables: s.Tables, private: Mapping[str, Private]) -> State:
    balances = {k: v for k, v in state.accounts.balances.items() if k in state.seats}
    balances |= _purses(state, tables)
    told = {seat: own.treasury for seat, own in private.items()}
    return replace(
        state,
        accounts=opened(balances | {seat: n for seat, n in told.items() if n is not None}),
        standing={seat: own.standing for seat, own in private.items() if own.standing},
        sealed={seat: own.list for seat, own in private.items() if own.list is not None},
        designated={seat: own.records_as for seat, own in private.items() if own.records_as},
        cheques=tuple(
            s.Cheque(seat, one.to, one.amount, one.period)
            for seat, own in private.items()
            for one in own.cheques
        ),
    )


def _purses(state: State, tables: s.Tables) -> dict[str, int]:
    """Return crowns by account until the ballot takes the fees (R18)."""
    if state.phase not in ("candidates", "ballot"):
        return {}
    fee = tables.figures["filing_fee"] if state.phase == "ballot" else 0
    purse = max(0, tables.figures["per_seat"] - fee)
    return {f"{h} {d}": purse for d, h in state.holders.items() if h and is_independent(h)}
