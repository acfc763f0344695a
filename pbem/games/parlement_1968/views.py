"""Public facts, and a seat's own; what is known without a game: seats, phases, options."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.options import Option, one_of, switch
from pbem.games.frame.ruleset import About, Awaited
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps import house
from pbem.games.parlement_1968.steps.election import count_district, opened
from pbem.games.parlement_1968.steps.formation import copies, report
from pbem.games.parlement_1968.steps.lists import favourites
from pbem.games.parlement_1968.steps.session import request


def public(state: State, tables: Tables) -> Json:
    return {
        "phase": state.phase,
        "period": state.period,
        "session": state.session,
        "year": state.year,
        "majority": tables.majority,
        "seats": s.seat_counts(state),
        "parties": dict(tables.parties),
        "government": _government(state, tables),
        "attempts": report(state, tables) if state.phase == "formation" else [],
        "caretaker_after": s.limit(state, "caretaker_after_days") or None,
        **_business(state, tables),
        "budget_passed": state.budget_passed,
        "bills_voted": state.counted,
        "falls": state.falls,
        "election_year": state.call_year or None,
        "factions": house.factions(state, tables),
        "records": _records(state, tables),
        "controls": {bloc: held.party for bloc, held in house.controls(state, tables).items()},
        "favourites": {bloc: unit for bloc, unit in favourites(state, tables).items() if unit},
        "announced": {
            seat: list(state.announced[seat]) for seat in state.seats if state.announced.get(seat)
        },
        "members": _members(state, tables),
        "candidates": _candidates(state, tables),
        "runoffs": list(state.runoffs),
        "bought": {district: dict(here) for district, here in state.bought.items()},
        "districts": {district: _district(state, district) for district in tables.districts},
        "sheets": _sheets(state, tables),
        "alike": _alike(state, tables),
        "instructed": _instructed(state, tables),
        "forms": _forms(state, tables),
        "blocs": dict(tables.blocs),
        "bloc_votes": {bloc: dict(votes) for bloc, votes in tables.votes.items()},
        "stands": {
            f"bill {key}": _by_bloc(tables, bill.stands) for key, bill in tables.bills.items()
        }
        | {key: _by_bloc(tables, item.stands) for key, item in tables.items.items()},
        "bill_names": {key: bill.name for key, bill in tables.bills.items()},
        "items": list(tables.items),
        "offices": {
            key: {"name": x.name, "bills": list(x.bills), "item": x.item}
            for key, x in tables.offices.items()
        },
        "regions": {key: list(tables.of_region(key)) for key in tables.regions},
        "region_names": dict(tables.regions),
    }


def _by_bloc(tables: Tables, stands: Mapping[str, str]) -> dict[str, str]:
    return {bloc: stands[bloc] for bloc in tables.blocs}


def _business(state: State, tables: Tables) -> dict[str, Json]:
    program = state.program
    levels = {item: program.levels[item] for item in tables.items} if program else {}
    return {
        "program": program
        and {"levels": levels, "bills": list(program.agenda), "again": program.again},
        "budget": {
            key: {"H": v.high, "L": v.low, "level": v.level, "passed": v.passed}
            for key in tables.items
            if (v := state.budget.get(key))
        },
        "bills": {key: asdict(state.bills[key]) for key in sorted(state.bills, key=int)},
    }


def _government(state: State, tables: Tables) -> Json:
    if state.government is None:
        return None
    return {office: state.government[office] or None for office in tables.offices}


def _records(state: State, tables: Tables) -> Json:
    units = list(house.factions(state, tables))
    units += [c.unit for here in state.candidates.values() for c in here.values() if c.unit]
    known = {unit: house.points(state, tables, unit) for unit in dict.fromkeys(units)}
    return {bloc: {unit: record[bloc] for unit, record in known.items()} for bloc in tables.blocs}


def _members(state: State, tables: Tables) -> Json:
    held: dict[str, list[str]] = {}
    for district in tables.districts:
        held.setdefault(s.shown_holder(state, district) or "undecided", []).append(district)
    return {holder: s.spans(districts, tables) for holder, districts in held.items()}


def _candidates(state: State, tables: Tables) -> Json:
    listed: dict[str, list[str]] = {}
    for district in tables.districts:
        for name in _in_order(tables, state.candidates.get(district, {})):
            listed.setdefault(name, []).append(district)
    return listed


def _district(state: State, district: str) -> Json:
    seen: dict[str, Any] = {"holder": s.shown_holder(state, district), "tally": {}}
    if state.phase in s.ELECTION:
        seen["incumbent"] = state.holders.get(district)
    if district in state.counts:
        seen["tally"] = {name: codec.number(n) for name, n in state.counts[district].tally.items()}
    return seen


def _sheets(state: State, tables: Tables) -> Json:
    return {
        unit: {
            line: {"vote": x.vote, "points": dict(x.points)}
            for line, x in sheet_order(tables, state.sheets.get(unit, {})).items()
        }
        for unit in house.factions(state, tables)
    }


def _alike(state: State, tables: Tables) -> list[Json]:
    """Return who has a record; independents of a bloc with equal ones together."""
    found: dict[str, list[str]] = {}
    for unit in house.factions(state, tables):
        sheet = codec.text(codec.dump(state.sheets.get(unit, {})))
        found.setdefault(
            f"{house.party_of(unit)} {sheet}" if house.is_independent(unit) else unit, []
        ).append(unit)
    sizes = house.factions(state, tables)
    return [
        {
            "unit": units[0],
            "who": f"{house.party_of(units[0])} {s.spans([u.split()[1] for u in units], tables)}"
            if house.is_independent(units[0])
            else units[0],
            "members": sum(sizes[unit] for unit in units),
        }
        for units in found.values()
    ]


def _instructed(state: State, tables: Tables) -> Json:
    """Return {bloc: districts} where it obeyed in the last count (8.15)."""
    obeyed: dict[str, list[str]] = {}
    for district in tables.districts:
        count = state.counts.get(district)
        if count is not None and count.period == state.period - 1:
            for bloc, voted in count.blocs.items():
                if voted.rule == "8.15":
                    obeyed.setdefault(bloc, []).append(district)
    return {bloc: s.spans(districts, tables) for bloc, districts in obeyed.items()}


def sheet_order(tables: Tables, sheet: Mapping[str, s.Line]) -> dict[str, s.Line]:
    """Order a record: start, Budgets, bills."""
    return dict(sorted(sheet.items(), key=lambda pair: _place(tables, pair[0])))


def _place(tables: Tables, line: str) -> tuple[int, int, int]:
    first, _, rest = line.partition(" ")
    if first == "bill":
        return (2, 0, int(rest))
    return (1, int(first), list(tables.items).index(rest)) if rest else (0, 0, 0)


def _in_order(tables: Tables, names: Iterable[str]) -> list[str]:
    known = [*tables.parties, *(f"Ind-{bloc}" for bloc in tables.blocs)]
    return sorted(names, key=known.index)


def _forms(state: State, tables: Tables) -> Json:
    """Return election forms, or each district's last count; equal ones together."""
    forms: dict[str, Json] = {}
    alike: dict[str, list[str]] = {}
    for district in tables.districts:
        count = state.counts.get(district)
        if state.candidates.get(district):
            now = count if count and count.session == state.session else None
            form = _standing(state, tables, district, now)
        elif count is not None and count.blocs:
            form = _counted(tables, count)
        else:
            continue
        form |= {"holder": s.shown_holder(state, district), "open": district in state.runoffs}
        key = codec.text([tables.region(district), form])
        forms[key] = form
        alike.setdefault(key, []).append(district)
    return [{"districts": s.spans(alike[key], tables), **form} for key, form in forms.items()]


def _standing(state: State, tables: Tables, district: str, count: s.Count | None) -> Json:
    here, holder = state.candidates[district], state.holders.get(district)
    mark = "**" if district in house.cabinet_districts(state) else "*"
    rows = []
    for name in _in_order(tables, here):
        unit = here[name].unit
        known = house.points(state, tables, unit) if unit else dict.fromkeys(tables.blocs, 0)
        blocs = count.blocs if count else {}
        votes = {bloc: one.shares.get(name, 0) for bloc, one in blocs.items()}
        borrowed = unit != f"{name}-{tables.region(district)}"
        told = {"unit": unit, "origin": here[name].origin, "borrowed": borrowed}
        star = mark if name == holder else ""
        cells = _cells(known, votes, state.counted)
        rows.append({"name": name, "star": star, **told, "cells": cells, **_sums(name, count)})
    return {"period": count.period if count else 0, "rows": rows}


def _cells(record: Mapping[str, int], votes: Mapping[str, Any], bills: int) -> Json:
    return {
        bloc: {
            "points": n,
            "star": not house.better(n, bills),
            "votes": codec.number(votes.get(bloc, 0)),
        }
        for bloc, n in record.items()
    }


def _sums(name: str, count: s.Count | None) -> dict[str, Json]:
    if count is None or name not in count.tally:
        return {"incumbency": 0, "bought": 0, "total": None}
    return {
        "incumbency": count.incumbency.get(name, 0),
        "bought": count.bought.get(name, 0),
        "total": codec.number(count.tally[name]),
    }


def _counted(tables: Tables, count: s.Count) -> Json:
    rows, told = [], {"unit": "", "origin": "", "borrowed": False}
    for name in _in_order(tables, count.tally):
        known = {bloc: one.points[name] for bloc, one in count.blocs.items()}
        votes = {bloc: one.shares.get(name, 0) for bloc, one in count.blocs.items()}
        mark = count.incumbency.get(name, 0)
        star = "**" if mark > tables.figures["incumbent_votes"] else "*" if mark else ""
        cells = _cells(known, votes, count.bills)
        rows.append({"name": name, "star": star, **told, "cells": cells, **_sums(name, count)})
    return {"period": count.period, "rows": rows}


def own(state: State, tables: Tables, seat: str) -> Json:
    """Return account, orders on file, proposals that name the seat."""
    told = state.options["private_treasury_notices"] == "on"
    asked = request(state, tables, seat)
    return {
        "treasury": state.accounts.balance(seat) if told else None,
        "factions": house.own_factions(state, tables, seat),
        "standing": dict(state.standing.get(seat, {})),
        "standing_asked": list(asked.orders) if asked else [],
        "list": list(state.sealed[seat]) if seat in state.sealed else None,
        "records_as": dict(state.designated.get(seat, {})),
        "contests": _contests(state, tables, seat),
        "cheques": [
            {"to": c.payee, "amount": c.amount, "period": c.period}
            for c in state.cheques
            if c.payer == seat
        ],
        "proposals": copies(state, tables, seat) if state.phase == "formation" else [],
    }


def _contests(state: State, tables: Tables, seat: str) -> list[Json]:
    """Return how close its candidates are if nobody buys votes or instructs a bloc, like ones
    together: the votes that each lacks to be elected (ahead if not above 0), and may still buy."""
    if state.phase not in s.ELECTION:
        return []
    contested = tables.districts if state.phase == "ballot" else state.runoffs
    ballot, found = opened(state, tables, {}, contested), dict[str, tuple[Json, list[str]]]()
    for district in contested:
        here = state.candidates.get(district, {})
        if seat in here:
            bought = {name: n for name, n in state.bought.get(district, {}).items() if name in here}
            tally = dict(count_district(state, tables, ballot, district, bought).tally)
            votes = {
                name: codec.number(tally[name]) for name in sorted(tally, key=tally.__getitem__)
            }
            own = tally.pop(seat)
            rest = (
                sum(tally.values()) if state.phase == "ballot" else max(tally.values(), default=0)
            )
            lacks = math.floor(rest - own) + 1
            room = tables.figures["bought_votes"] - bought.get(seat, 0)
            row = {"votes": dict(reversed(votes.items())), "lacks": lacks, "room": room}
            found.setdefault(codec.text(row), (row, []))[1].append(district)
    rows = [{"districts": s.spans(where, tables), **row} for row, where in found.values()]
    return sorted(rows, key=lambda row: abs(row["lacks"]))


OPTIONS = (
    switch(
        "new_government_after_election",
        "a new Government is formed after every election (R5)",
        "off",
    ),
    switch(
        "private_treasury_notices",
        "each player is told their account at the end of a period (R30)",
        "on",
    ),
    Option(
        "caretaker_after_days",
        60,
        "days without a Government until a caretaker's Budget and an election (R31)",
        most=366,
        words=("off",),
        says=("never",),
    ),
    Option(
        "budget_defeats_fall",
        "off",
        "defeats of one Budget that bring the Government down (R31)",
        words=("off",),
        says=("none",),
    ),
    one_of(
        "rulings",
        "which rulings the game plays by (R33)",
        second="those of this edition",
        first="those of games that were made before December 2026",
    ),
    Option(
        "max_sessions",
        "off",
        "sessions after which most seats win (R31)",
        words=("off",),
        says=("no such end",),
    ),
)


def about(tables: Tables) -> About:
    """Return the facts; seats are the tables' parties."""
    return About(
        key="parlement-1968",
        title="Parlement (1968)",
        seats=(tuple(tables.parties),),
        schema=1,
        phases=s.PHASES,
        options=OPTIONS,
        status="complete",
        awaited=Awaited(
            "CANDIDATES", "list of candidates", "lists of candidates", "candidate list"
        ),
        plays_on="CONTINUE",
        told_since=("proposal_dead",),
    )
