"""The start of a game: 1.1-1.5, 6.6, 7.3, or any position a scenario file asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.errors import ScenarioError
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Minutes
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome
from pbem.games.frame.treasury import opened
from pbem.games.parlement_1968.state import (
    ELECTION,
    PHASES,
    Candidacy,
    Cheque,
    Count,
    Division,
    ItemVote,
    Line,
    Program,
    State,
    seat_counts,
)
from pbem.games.parlement_1968.steps.house import (
    factions,
    is_independent,
    makeup,
    officer,
    party_of,
)
from pbem.games.parlement_1968.steps.lists import source, unsent
from pbem.games.parlement_1968.tables import Tables, spread

_PUBLIC = {
    "phase",
    "period",
    "session",
    "year",
    "government",
    "records",
    "districts",
    "bills",
    "budget",
    "budget_passed",
    "program",
    "bills_voted",
    "falls",
    "election_year",
    "announced",
    "candidates",
    "runoffs",
    "bought",
    "former",
    "seats",
    "paid",
}
_PRIVATE = {"treasury", "standing", "list", "records_as", "cheques"}
_EMPTY = ("", "null", "none", "vacant")
_INDEPENDENT = re.compile(r"ind-(\w+)", re.IGNORECASE)


def start(
    seats: tuple[str, ...], options: Options, scenario: Json, tables: Tables
) -> Outcome[State]:
    """The opening position with its events; raises ScenarioError naming the key that cannot be."""
    public = dict(scenario.get("public", {}))
    private = dict(scenario.get("private", {}))
    unknown = set(scenario) - {
        "public",
        "private",
        "phase",
        "candidates",
        "decks",
        "tables",
        "title",
    }
    _known("", unknown)
    _known("public.", set(public) - _PUBLIC)
    if scenario.get("decks"):
        raise ScenarioError("scenario, decks: this game has no cards; drop the key")
    public |= {key: scenario[key] for key in ("phase", "candidates") if key in scenario}
    state = _start(seats, options, tables)
    state = _position(state, tables, public)
    state = _records(state, tables, public.get("records", {}))
    state = _business(state, tables, public)
    state = _government(state, tables, public)
    state = _election(state, tables, public)
    state = _own(state, tables, private)
    minutes = Minutes()
    minutes.public(
        "opening",
        "1.3",
        seats=seat_counts(state),
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


def _known(where: str, unknown: set[str]) -> None:
    if unknown:
        raise ScenarioError(
            f"scenario: there is no key {where}{sorted(unknown)[0]}; see the template"
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


def _whole(where: str, value: object, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ScenarioError(f"scenario, {where}: {value!r}; give a whole number from {least}")
    return value


def _of(where: str, word: str, legal: Mapping[str, object] | Sequence[str]) -> str:
    if word not in legal:
        raise ScenarioError(f"scenario, {where}: {word!r} is none of {', '.join(map(str, legal))}")
    return word


def _mapping(where: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ScenarioError(f"scenario, {where}: {value!r}; give a table of keys and values")
    return value


def _district_of(tables: Tables, where: str, word: str) -> str:
    return _of(where, word.upper(), tables.rank)


def _candidate(tables: Tables, where: str, word: str) -> str:
    bloc = _INDEPENDENT.fullmatch(word)
    if bloc:
        name, upper = bloc.group(1), bloc.group(1).upper()
        return f"Ind-{_of(where, upper if upper in tables.blocs else name, tables.blocs)}"
    return _of(where, word, tables.parties)


def _position(state: State, tables: Tables, public: Mapping[str, Any]) -> State:
    """Phase, numbers, who holds which district, tallies of the last ballots."""
    usual = "program" if public.get("government") not in (None, *_EMPTY) else state.phase
    phase = _of("phase", str(public.get("phase", usual)), PHASES)
    numbers = {
        key: _whole(f"public.{key}", public[key], 1)
        for key in ("period", "session", "year")
        if key in public
    }
    holders, counts = dict(state.holders), dict[str, Count]()
    for word, given in _mapping("public.districts", public.get("districts", {})).items():
        where = f"public.districts.{word}"
        district, told = _district_of(tables, where, word), _mapping(where, given)
        _known(f"{where}.", set(told) - {"holder", "incumbent", "tally"})
        holder = told.get("incumbent", told.get("holder", holders[district]))
        holders[district] = (
            None
            if holder is None or holder in _EMPTY
            else _candidate(tables, f"{where}.holder", holder)
        )
        if told.get("tally"):
            tally = {
                _candidate(tables, f"{where}.tally", name): _fraction(f"{where}.tally.{name}", n)
                for name, n in _mapping(f"{where}.tally", told["tally"]).items()
            }
            counts[district] = Count(
                "ballot", numbers.get("session", 1), 0, 0, {}, {}, {}, tally, "", "8.18"
            )
    state = replace(
        state,
        phase=phase,
        holders=holders,
        counts=counts,
        period=numbers.get("period", 1),
        session=numbers.get("session", 1),
        year=numbers.get("year", 1),
    )
    wanted = _mapping("public.seats", public.get("seats", {}))
    sizes = seat_counts(state)
    for party, n in wanted.items():
        if sizes.get(party, 0) != n:
            raise ScenarioError(
                f"scenario, public.seats.{party}: {n}, but public.districts gives"
                f" {sizes.get(party, 0)}"
            )
    return state


def _fraction(where: str, value: object) -> Fraction:
    try:
        return Fraction(str(value))
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise ScenarioError(f'scenario, {where}: {value!r}; give a number or "1000/3"') from error


def _records(state: State, tables: Tables, told: Mapping[str, Any]) -> State:
    """6.6, and [public.records] {bloc: {unit: points}}; a party's key stands for all its
    factions."""
    given: dict[str, dict[str, int]] = {}
    units = list(factions(state, tables))
    seated = {party_of(unit) for unit in units}
    lines = {
        seat for seat in state.seats if seat not in seated
    }  # without seats: a line of its own (R15)
    for bloc, by_unit in _mapping("public.records", told).items():
        _of("public.records", bloc, tables.blocs)
        for name, n in _mapping(f"public.records.{bloc}", by_unit).items():
            where = f"public.records.{bloc}.{name}"
            fitting = (
                [name]
                if name in lines
                else [unit for unit in units if name in (unit, party_of(unit))]
            )
            if not fitting:
                raise ScenarioError(
                    f"scenario, {where}: nobody has that record; there are: {', '.join(units)}"
                )
            for unit in fitting:
                if unit == name or name not in by_unit or unit not in by_unit:
                    given.setdefault(unit, {})[bloc] = _whole(where, n)
    sheets = {}
    for unit in (*units, *sorted(lines & set(given))):
        start = tables.records.get(unit.partition("-")[0], dict.fromkeys(tables.blocs, 0))
        points = {**{bloc: start[bloc] for bloc in tables.blocs}, **given.get(unit, {})}
        sheets[unit] = {"start": Line("", points)}
    return replace(state, sheets=sheets)


def _business(state: State, tables: Tables, public: Mapping[str, Any]) -> State:
    """Bills and Budget voted already, the Program, falls, a called election."""
    bills, budget = dict[str, Division](), dict[str, ItemVote]()
    for bill, told in _mapping("public.bills", public.get("bills", {})).items():
        where = f"public.bills.{_of('public.bills', bill, tables.bills)}"
        n = {
            key: _whole(f"{where}.{key}", _mapping(where, told).get(key, 0))
            for key in ("yes", "no", "abstain")
        }
        bills[bill] = Division(
            n["yes"], n["no"], n["abstain"], bool(told.get("passed", n["yes"] > n["no"]))
        )
    for item, told in _mapping("public.budget", public.get("budget", {}) or {}).items():
        where = f"public.budget.{_of('public.budget', item, tables.items)}"
        high, low = (
            _whole(f"{where}.{key}", _mapping(where, told).get(key, 0)) for key in ("H", "L")
        )
        level = _of(
            f"{where}.level", str(told.get("level", "H" if high >= low else "L")), ("H", "L")
        )
        budget[item] = ItemVote(high, low, level, bool(told.get("passed", True)))
    if budget and set(budget) != set(tables.items):
        raise ScenarioError(f"scenario, public.budget: give all of {', '.join(tables.items)}")
    late = state.phase in ("bill", "candidates", *ELECTION)
    passed = bool(
        public.get("budget_passed", all(x.passed for x in budget.values()) if budget else late)
    )
    program = _program(state, tables, public)
    weight = tables.figures["budget_weight"]
    voted = bool(
        budget or bills or public.get("budget_passed")
    )  # with nothing given, nothing was voted, as at the start
    counted = len(bills) + weight * (state.year - 1 + (voted and bool(budget or passed)))
    return replace(
        state,
        bills=bills,
        budget=budget,
        budget_year=state.year if budget or passed else 0,
        budget_passed=passed,
        program=program,
        counted=_whole("public.bills_voted", public.get("bills_voted", counted)),
        falls=_whole("public.falls", public.get("falls", 0)),
        call_year=_whole("public.election_year", public.get("election_year") or 0),
    )


def _program(state: State, tables: Tables, public: Mapping[str, Any]) -> Program | None:
    told = public.get("program")
    if told is None:
        needed = state.phase in ("budget", "bill", "candidates", *ELECTION)
        if state.phase == "bill":
            raise ScenarioError(
                "scenario, public.program.bills: the phase is bill; say which bills are to be"
                " voted on"
            )
        return Program(dict.fromkeys(tables.items, "H"), (), False) if needed else None
    told = _mapping("public.program", told)
    _known("public.program.", set(told) - {"levels", "bills", "again"})
    levels = dict.fromkeys(tables.items, "H")
    for item, level in _mapping("public.program.levels", told.get("levels", {})).items():
        levels[_of("public.program.levels", item, tables.items)] = _of(
            f"public.program.levels.{item}", level, ("H", "L")
        )
    agenda = tuple(
        _of("public.program.bills", str(bill), tables.bills) for bill in told.get("bills", ())
    )
    if state.phase == "bill" and not agenda:
        raise ScenarioError(
            "scenario, public.program.bills: the phase is bill; say which bills are to be voted on"
        )
    return Program(levels, agenda, bool(told.get("again", False)))


def _government(state: State, tables: Tables, public: Mapping[str, Any]) -> State:
    """{office: "Soc E5"}; an office left out or empty is vacant."""
    government: dict[str, dict[str, str] | None] = {}
    for key in ("government", "former"):
        told = public.get(key)
        if told is None or told in _EMPTY:
            government[key] = None
            continue
        officers = dict.fromkeys(tables.offices, "")
        for office, member in _mapping(f"public.{key}", told).items():
            where = f"public.{key}.{_of(f'public.{key}', office, tables.offices)}"
            party, district = officer(member if member and member not in _EMPTY else "")
            if not party:
                continue
            if state.holders.get(_district_of(tables, where, district)) != party or is_independent(
                party
            ):
                raise ScenarioError(
                    f"scenario, {where}: {member!r}, but {party} does not hold {district}"
                )
            officers[office] = f"{party} {district.upper()}"
        government[key] = officers
    now = government["government"]
    if (now is None and state.phase in ("program", "bill")) or (
        now is not None and state.phase == "formation"
    ):
        raise ScenarioError(
            f"scenario, public.government: in {state.phase} there is {'a' if now is None else 'no'}"
            " Government"
        )
    if now is not None and not now[tables.premier] and state.phase in ("program", "budget", "bill"):
        raise ScenarioError(
            f"scenario, public.government.{tables.premier}: a Government needs its Premier"
        )
    former = government["former"]
    return replace(
        state,
        government=now,
        former=makeup(tables, former) if former else None,
        caretaker=now is None and state.phase == "budget",
        paid=bool(public.get("paid", now is not None or former is not None)),
    )


def _election(state: State, tables: Tables, public: Mapping[str, Any]) -> State:
    """Candidates {party: [districts]}, runoffs, votes bought on the first ballot, early
    announcements."""
    standing = {district: dict[str, Candidacy]() for district in tables.districts}
    for word, listed in _mapping("candidates", public.get("candidates", {})).items():
        name = _candidate(tables, "candidates", word)
        for told in spread(listed, tables.rank):
            district = _district_of(tables, f"candidates.{word}", told)
            standing[district][name] = _candidacy(state, tables, name, district)
    if state.phase not in ELECTION:
        announced = _mapping("public.announced", public.get("announced", {}))
        return replace(
            state,
            announced={
                _of("public.announced", seat, tables.parties): tuple(
                    _district_of(tables, f"public.announced.{seat}", d) for d in listed
                )
                for seat, listed in announced.items()
            },
        )
    for district, holder in state.holders.items():
        if holder and is_independent(holder):  # 8.6: he stands again without being listed
            standing[district].setdefault(holder, _candidacy(state, tables, holder, district))
    told_bought = _mapping("public.bought", public.get("bought", {}))
    bought = {
        _district_of(tables, "public.bought", d): {
            _candidate(tables, f"public.bought.{d}", c): _whole(f"public.bought.{d}.{c}", n)
            for c, n in here.items()
        }
        for d, here in told_bought.items()
    }
    state = replace(state, candidates=standing, bought=bought)
    if state.phase == "ballot":
        return unsent(state, tables)
    open_seats = _undecided(state, tables, public)
    elected = {d: holder for d, holder in state.holders.items() if holder and d not in open_seats}
    return unsent(replace(state, runoffs=open_seats, elected=elected), tables, None, open_seats)


def _undecided(state: State, tables: Tables, public: Mapping[str, Any]) -> tuple[str, ...]:
    """The districts of the runoff: as listed, or those whose holder is left empty."""
    listed = {
        _district_of(tables, "public.runoffs", d)
        for d in spread(public.get("runoffs", ()), tables.rank)
    }
    for word, told in public.get("districts", {}).items():
        if told.get("holder", word) in (None, *_EMPTY):
            listed.add(word.upper())
    listed = listed or {district for district, here in state.candidates.items() if here}
    if not listed:
        raise ScenarioError(
            f"scenario, public.runoffs: the phase is {state.phase}; list the districts still open"
        )
    return tuple(sorted(listed, key=tables.rank.__getitem__))


def _candidacy(state: State, tables: Tables, name: str, district: str) -> Candidacy:
    if is_independent(name):
        sits = state.holders.get(district) == name
        return Candidacy(f"{name} {district}" if sits else "", "8.6" if sits else "8.7")
    return Candidacy(source(state, tables, name, tables.region(district)), "party")


def _own(state: State, tables: Tables, private: Mapping[str, Any]) -> State:
    """[private.SEAT]: treasury, standing votes, sealed list, designated records, post-dated
    cheques."""
    balances = {k: v for k, v in state.accounts.balances.items() if k in state.seats} | _purses(
        state, tables
    )
    standing, sealed, designated, cheques = (
        dict(state.standing),
        dict(state.sealed),
        dict(state.designated),
        [],
    )
    for seat, told in private.items():
        where = f"private.{_of('private', seat, state.seats)}"
        own = _mapping(where, told)
        _known(f"{where}.", set(own) - _PRIVATE)
        if own.get("treasury") is not None:
            balances[seat] = _whole(f"{where}.treasury", own["treasury"])
        if own.get("standing"):
            standing[seat] = {
                str(k): str(v) for k, v in _mapping(f"{where}.standing", own["standing"]).items()
            }
        if own.get("list") is not None:
            sealed[seat] = tuple(
                _district_of(tables, f"{where}.list", d) for d in spread(own["list"], tables.rank)
            )
        for region, other in _mapping(f"{where}.records_as", own.get("records_as", {})).items():
            place, basis = (_of(f"{where}.records_as", r, tables.regions) for r in (region, other))
            designated[seat] = {**designated.get(seat, {}), place: basis}
        for cheque in own.get("cheques", ()):
            payee = _of(f"{where}.cheques.to", cheque.get("to", ""), state.seats)
            n, when = (
                _whole(f"{where}.cheques.{key}", cheque.get(key)) for key in ("amount", "period")
            )
            cheques.append(Cheque(seat, payee, n, when))
    return replace(
        state,
        accounts=opened(balances),
        standing=standing,
        sealed=sealed,
        designated=designated,
        cheques=tuple(cheques),
    )


def _purses(state: State, tables: Tables) -> dict[str, int]:
    """Crowns of the independent members by account, before an election; by the ballot their fees
    are paid (R18)."""
    if state.phase not in ("candidates", "ballot"):
        return {}
    fee = tables.figures["filing_fee"] if state.phase == "ballot" else 0
    purse = max(0, tables.figures["per_seat"] - fee)
    return {f"{h} {d}": purse for d, h in state.holders.items() if h and is_independent(h)}
