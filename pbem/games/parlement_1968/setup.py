"""The opening (1.1-1.5, 6.6, 7.3), or a scenario's position."""

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.codec import Json
from pbem.games.frame.events import Minutes
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome
from pbem.games.frame.scenario import wrong
from pbem.games.frame.treasury import opened
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.scenario import Private, Public, Scenario, reading
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps import house
from pbem.games.parlement_1968.steps.lists import source, unsent


def start(
    seats: tuple[str, ...], options: Options, scenario: Json, tables: Tables
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


def _start(seats: tuple[str, ...], options: Options, tables: Tables) -> State:
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


def _records(state: State, tables: Tables, public: Public) -> State:
    """Set 6.6, then [public.records]; a party's key means all its factions."""
    given: dict[str, dict[str, int]] = {}
    units = list(house.factions(state, tables))
    seated = {house.party_of(unit) for unit in units}
    lines = {
        seat for seat in state.seats if seat not in seated
    }  # without seats: a line of its own (R15)
    for bloc, by_unit in (public.records or {}).items():
        for name, n in by_unit.items():
            where = f"public.records.{bloc}.{name}"
            fitting = [unit for unit in units if name in (unit, house.party_of(unit))]
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


def _business(state: State, tables: Tables, public: Public) -> State:
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
    voted = bool(
        budget or bills or public.budget_passed
    )  # with nothing given, nothing was voted, as at the start
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


def _program(state: State, tables: Tables, public: Public) -> s.Program | None:
    told = public.program
    if state.phase == "bill" and not (told and told.bills):
        wrong("public.program.bills", "the phase is bill; say which bills are to be voted on")
    high = dict.fromkeys(tables.items, "H")
    if told is None:
        needed = state.phase in ("budget", "bill", "candidates", *s.ELECTION)
        return s.Program(high, (), False) if needed else None
    return s.Program(high | (told.levels or {}), told.bills, told.again)


def _officers(
    state: State, tables: Tables, key: str, told: Mapping[str, str | None] | None
) -> dict[str, str] | None:
    if told is None:
        return None
    officers = dict.fromkeys(tables.offices, "")
    for office, member in told.items():
        if not member:
            continue
        party, district = house.officer(member)
        if state.holders.get(district) != party or house.is_independent(party):
            wrong(f"public.{key}.{office}", f"{member!r}, but {party} does not hold {district}")
        officers[office] = member
    return officers


def _government(state: State, tables: Tables, public: Public) -> State:
    now = _officers(state, tables, "government", public.government)
    former = _officers(state, tables, "former", public.former)
    if (now is None and state.phase in ("program", "bill")) or (
        now is not None and state.phase == "formation"
    ):
        there = "a" if now is None else "no"
        wrong("public.government", f"in {state.phase} there is {there} Government")
    if now is not None and not now[tables.premier] and state.phase in ("program", "budget", "bill"):
        wrong(f"public.government.{tables.premier}", "a Government needs its Premier")
    return replace(
        state,
        government=now,
        former=house.makeup(tables, former) if former else None,
        caretaker=now is None and state.phase == "budget",
        paid=(now is not None or former is not None) if public.paid is None else public.paid,
    )


def _election(state: State, tables: Tables, told: Scenario) -> State:
    public = told.public
    if state.phase not in s.ELECTION:
        return replace(state, announced=public.announced or {})
    standing = {district: dict[str, s.Candidacy]() for district in tables.districts}
    listed = public.candidates if told.candidates is None else told.candidates
    for name, districts in (listed or {}).items():
        for district in districts:
            standing[district][name] = _candidacy(state, tables, name, district)
    for district, holder in state.holders.items():
        if holder and house.is_independent(holder):  # 8.6: he stands again without being listed
            standing[district].setdefault(holder, _candidacy(state, tables, holder, district))
    state = replace(state, candidates=standing, bought=public.bought or {})
    if state.phase == "ballot":
        return unsent(state, tables)
    open_seats = _undecided(state, tables, public)
    elected = {d: holder for d, holder in state.holders.items() if holder and d not in open_seats}
    return unsent(replace(state, runoffs=open_seats, elected=elected), tables, None, open_seats)


def _undecided(state: State, tables: Tables, public: Public) -> tuple[str, ...]:
    listed = set(public.runoffs or ())
    listed |= {district for district, told in (public.districts or {}).items() if told.holder == ""}
    listed = listed or {district for district, here in state.candidates.items() if here}
    if not listed:
        wrong("public.runoffs", f"the phase is {state.phase}; list the districts still open")
    return tuple(sorted(listed, key=tables.rank.__getitem__))


def _candidacy(state: State, tables: Tables, name: str, district: str) -> s.Candidacy:
    if house.is_independent(name):
        sits = state.holders.get(district) == name
        return s.Candidacy(f"{name} {district}" if sits else "", "8.6" if sits else "8.7")
    return s.Candidacy(source(state, tables, name, tables.region(district)), "party")


def _own(state: State, tables: Tables, private: Mapping[str, Private]) -> State:
    balances = {k: v for k, v in state.accounts.balances.items() if k in state.seats} | _purses(
        state, tables
    )
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


def _purses(state: State, tables: Tables) -> dict[str, int]:
    """Return crowns by account until the ballot takes the fees (R18)."""
    if state.phase not in ("candidates", "ballot"):
        return {}
    fee = tables.figures["filing_fee"] if state.phase == "ballot" else 0
    purse = max(0, tables.figures["per_seat"] - fee)
    return {f"{h} {d}": purse for d, h in state.holders.items() if h and house.is_independent(h)}
