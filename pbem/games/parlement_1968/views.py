"""Public facts, and a seat's own; what is known without a game: seats, phases, options."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.events import grouped
from pbem.games.frame.options import Option, one_of, switch
from pbem.games.frame.ruleset import About, Awaited
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps.election import Ballot
from pbem.games.parlement_1968.steps.formation import copies, report
from pbem.games.parlement_1968.steps.house import House, better, is_independent, party_of
from pbem.games.parlement_1968.steps.lists import favourites
from pbem.games.parlement_1968.steps.session import request


def public(house: House) -> Json:
    state, tables = house.state, house.tables
    stands = {f"bill {key}": bill.stands for key, bill in tables.bills.items()}
    stands |= {key: item.stands for key, item in tables.items.items()}
    return {
        "phase": state.phase,
        "period": state.period,
        "session": state.session,
        "year": state.year,
        "majority": tables.majority,
        "seats": s.seat_counts(state),
        "parties": dict(tables.parties),
        "government": state.government
        and {office: state.government[office] or None for office in tables.offices},
        "attempts": report(house) if state.phase == "formation" else [],
        "caretaker_after": s.limit(state, "caretaker_after_days") or None,
        "program": state.program
        and {
            "levels": {item: state.program.levels[item] for item in tables.items},
            "bills": list(state.program.agenda),
            "again": state.program.again,
        },
        "budget": {key: v.json() for key in tables.items if (v := state.budget.get(key))},
        "bills": {key: asdict(state.bills[key]) for key in sorted(state.bills, key=int)},
        "budget_passed": state.budget_passed,
        "bills_voted": state.counted,
        "falls": state.falls,
        "election_year": state.call_year or None,
        "factions": house.factions(),
        "records": _records(house),
        "controls": {bloc: held.party for bloc, held in house.controls().items()},
        "favourites": favourites(house),
        "announced": {
            seat: list(state.announced[seat]) for seat in state.seats if state.announced.get(seat)
        },
        "members": _members(house),
        "candidates": grouped(
            (name, district)
            for district in tables.districts
            for name in _in_order(tables, state.candidates.get(district, {}))
        ),
        "runoffs": list(state.runoffs),
        "bought": {district: dict(here) for district, here in state.bought.items()},
        "districts": {district: _district(state, district) for district in tables.districts},
        "sheets": {
            unit: {
                line: {"vote": x.vote, "points": dict(x.points)}
                for line, x in sheet_order(tables, state.sheets.get(unit, {})).items()
            }
            for unit in house.factions()
        },
        "alike": _alike(house),
        "instructed": _instructed(house),
        "forms": _forms(house),
        "blocs": dict(tables.blocs),
        "bloc_votes": {bloc: dict(votes) for bloc, votes in tables.votes.items()},
        "stands": {
            key: {bloc: known[bloc] for bloc in tables.blocs} for key, known in stands.items()
        },
        "bill_names": {key: bill.name for key, bill in tables.bills.items()},
        "items": list(tables.items),
        "offices": {
            key: {"name": x.name, "bills": list(x.bills), "item": x.item}
            for key, x in tables.offices.items()
        },
        "regions": {key: list(tables.of_region(key)) for key in tables.regions},
        "region_names": dict(tables.regions),
    }


def _records(house: House) -> Json:
    here = [c for here in house.state.candidates.values() for c in here.values()]
    units = dict.fromkeys((*house.factions(), *(c.unit for c in here if c.unit)))
    known = {unit: house.points(unit) for unit in units}
    return {
        bloc: {unit: record[bloc] for unit, record in known.items()} for bloc in house.tables.blocs
    }


def _members(house: House) -> Json:
    districts = house.tables.districts
    held = grouped((s.shown_holder(house.state, d) or "undecided", d) for d in districts)
    return {holder: s.spans(districts, house.tables) for holder, districts in held.items()}


def _district(state: State, district: str) -> Json:
    seen: dict[str, Any] = {"holder": s.shown_holder(state, district), "tally": {}}
    if state.phase in s.ELECTION:
        seen["incumbent"] = state.holders.get(district)
    if district in state.counts:
        seen["tally"] = {name: codec.number(n) for name, n in state.counts[district].tally.items()}
    return seen


def _alike(house: House) -> list[Json]:
    """Return who has a record; independents of a bloc with equal ones together."""
    found, sizes = dict[str, list[str]](), house.factions()
    for unit in sizes:
        sheet = codec.text(codec.dump(house.state.sheets.get(unit, {})))
        key = f"{party_of(unit)} {sheet}" if is_independent(unit) else unit
        found.setdefault(key, []).append(unit)
    rows = []
    for units in found.values():
        who, members = units[0], sum(sizes[unit] for unit in units)
        if is_independent(who):
            who = f"{party_of(who)} {s.spans([unit.split()[1] for unit in units], house.tables)}"
        rows.append({"unit": units[0], "who": who, "members": members})
    return rows


def _instructed(house: House) -> Json:
    """Return {bloc: districts} where it obeyed in the last count (8.15)."""
    obeyed = grouped(
        (bloc, district)
        for district in house.tables.districts
        if (count := house.state.counts.get(district)) and count.period == house.state.period - 1
        for bloc, voted in count.blocs.items()
        if voted.rule == "8.15"
    )
    return {bloc: s.spans(districts, house.tables) for bloc, districts in obeyed.items()}


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


def _forms(house: House) -> Json:
    """Return election forms, or each district's last count; equal ones together."""
    state, tables = house.state, house.tables
    found = dict[str, tuple[Json, list[str]]]()
    for district in tables.districts:
        count = state.counts.get(district)
        if state.candidates.get(district):
            now = count if count and count.session == state.session else None
            form = _standing(house, district, now)
        elif count is not None and count.blocs:
            form = _counted(tables, count)
        else:
            continue
        form |= {"holder": s.shown_holder(state, district), "open": district in state.runoffs}
        key = codec.text([tables.region_of[district], form])
        found.setdefault(key, (form, []))[1].append(district)
    return [{"districts": s.spans(where, tables), **form} for form, where in found.values()]


def _standing(house: House, district: str, count: s.Count | None) -> Json:
    state, tables, rows = house.state, house.tables, list[Json]()
    here, region = state.candidates[district], tables.region_of[district]
    mark = "**" if district in house.cabinet_districts() else "*"
    for name in _in_order(tables, here):
        unit = here[name].unit
        record = house.points(unit) if unit else dict.fromkeys(tables.blocs, 0)
        row: dict[str, Json] = {
            "name": name,
            "star": mark if name == state.holders.get(district) else "",
        }
        row |= {"unit": unit, "origin": here[name].origin, "borrowed": unit != f"{name}-{region}"}
        rows.append(row | _figures(name, record, state.counted, count))
    return {"period": count.period if count else 0, "rows": rows}


def _counted(tables: Tables, count: s.Count) -> Json:
    rows = []
    for name in _in_order(tables, count.tally):
        record = {bloc: one.points[name] for bloc, one in count.blocs.items()}
        mark = count.incumbency.get(name, 0)
        star = "**" if mark > tables.figures["incumbent_votes"] else "*" if mark else ""
        row = {"name": name, "star": star, "unit": "", "origin": "", "borrowed": False}
        rows.append(row | _figures(name, record, count.bills, count))
    return {"period": count.period, "rows": rows}


def _figures(
    name: str, record: Mapping[str, int], bills: int, count: s.Count | None
) -> dict[str, Json]:
    votes = {bloc: one.shares.get(name, 0) for bloc, one in count.blocs.items()} if count else {}
    told: dict[str, Json] = {"incumbency": 0, "bought": 0, "total": None}
    if count is not None and name in count.tally:
        told |= {"incumbency": count.incumbency.get(name, 0), "bought": count.bought.get(name, 0)}
        told["total"] = codec.number(count.tally[name])
    cells = {
        bloc: {"points": n, "star": not better(n, bills), "votes": codec.number(votes.get(bloc, 0))}
        for bloc, n in record.items()
    }
    return {"cells": cells, **told}


def own(house: House, seat: str) -> Json:
    """Return account, orders on file, proposals that name the seat."""
    state, asked = house.state, request(house, seat)
    told = state.options["private_treasury_notices"] == "on"
    return {
        "treasury": state.accounts.balance(seat) if told else None,
        "factions": house.own_factions(seat),
        "standing": dict(state.standing.get(seat, {})),
        "standing_asked": list(asked.orders) if asked else [],
        "list": list(state.sealed[seat]) if seat in state.sealed else None,
        "records_as": dict(state.designated.get(seat, {})),
        "contests": _contests(house, seat),
        "cheques": [
            {"to": c.payee, "amount": c.amount, "period": c.period}
            for c in state.cheques
            if c.payer == seat
        ],
        "proposals": copies(house, seat) if state.phase == "formation" else [],
    }


def _contests(house: House, seat: str) -> list[Json]:
    """Return how close its candidates are if nobody buys votes or instructs a bloc, like ones
    together: the votes that each lacks to be elected (ahead if not above 0), and may still buy."""
    state, tables = house.state, house.tables
    if state.phase not in s.ELECTION:
        return []
    contested = tables.districts if state.phase == "ballot" else state.runoffs
    ballot, found = Ballot(house, {}, contested), dict[str, tuple[Json, list[str]]]()
    for district in contested:
        here = state.candidates.get(district, {})
        if seat in here:
            bought = {name: n for name, n in state.bought.get(district, {}).items() if name in here}
            tally = dict(ballot.count(district, bought).tally)
            ranked = sorted(tally.items(), key=lambda pair: pair[1])
            votes = {name: codec.number(n) for name, n in reversed(ranked)}
            own = tally.pop(seat)
            others = tally.values()
            rest = sum(others) if state.phase == "ballot" else max(others, default=0)
            lacks = math.floor(rest - own) + 1
            room = tables.figures["bought_votes"] - bought.get(seat, 0)
            row = {"votes": votes, "lacks": lacks, "room": room}
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
