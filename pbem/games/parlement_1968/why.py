"""Answers to WHY, in steps with paragraphs, from what the seat knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.events import PUBLIC, Audience, Event
from pbem.games.frame.ruleset import ToldEvent
from pbem.games.parlement_1968.names import Names
from pbem.games.parlement_1968.state import BlocCount, Count, State
from pbem.games.parlement_1968.steps.house import (
    better,
    controls,
    factions,
    is_independent,
    party_of,
    points,
)
from pbem.games.parlement_1968.steps.money import favourites
from pbem.games.parlement_1968.tables import Tables
from pbem.games.parlement_1968.views import sheet_order
from pbem.orders.order import Problem
from pbem.orders.spelling import is_number

Steps = Iterator[tuple[str, str, Mapping[str, Any]]]
"""Kind, paragraph, data."""
_NOISE = frozenset(["WHY", "THE", "OF", "ON", "WITH", "IN", "NUMBER", "MY", "OUR", "DID", "IS"])
_MONEY = frozenset(["MONEY", "TREASURY", "ACCOUNT", "CROWNS", "BALANCE"])
_STATEMENTS = 3


def questions(state: State, tables: Tables, seat: str | None) -> tuple[str, ...]:
    bills = [f"VOTE {bill}" for bill in sorted(state.bills, key=int)]
    districts = [f"DISTRICT {d}" for d in tables.districts if d in state.counts]
    records = [f"RECORD {unit}" for unit in factions(state, tables) if seat in (None, _owner(unit))]
    blocs = [f"BLOC {bloc}" for bloc in tables.blocs]
    asked = [*_ends(bills), *_ends(districts), *_ends(records), *_ends(blocs)]
    if state.budget:
        asked.append("VOTE BUDGET")
    if state.government is not None:
        asked.append("GOVERNMENT")
    if seat is not None and state.options["private_treasury_notices"] == "on":
        asked.append("MONEY")
    return tuple(asked)


def _owner(unit: str) -> str:
    return "" if is_independent(unit) else party_of(unit)


def _ends(asked: Sequence[str]) -> list[str]:
    return list(dict.fromkeys((*asked[:1], *asked[-1:])))


def why(
    state: State, tables: Tables, seat: str | None, told: Sequence[ToldEvent], words: str
) -> tuple[Event, ...]:
    plain = words.replace(",", " ").split()
    asked = [word for word in plain if word.upper() not in _NOISE]
    audience: Audience = PUBLIC if seat is None else frozenset([seat])
    steps = _steps(state, tables, seat, [one.event for one in told], asked)
    return tuple(Event(kind, rule, audience, data) for kind, rule, data in steps)


def _steps(
    state: State, tables: Tables, seat: str | None, told: Sequence[Event], asked: Sequence[str]
) -> Steps:
    capitals = [word.upper() for word in asked]
    match capitals:
        case ["BUDGET"] | [("VOTE" | "VOTES"), "BUDGET"]:
            return _budget(state, tables, told)
        case [("VOTE" | "VOTES" | "BILL"), bill] | [("VOTE" | "VOTES"), "BILL", bill] | [bill] if (
            bill.lstrip("#") in tables.bills
        ):
            return _bill(state, tables, told, bill.lstrip("#"))
        case [("DISTRICT" | "SEAT"), district] | [district] if district in tables.rank:
            return _district(state, tables, district)
        case ["GOVERNMENT" | "CABINET"]:
            return _government(state, tables, told)
        case [word] if word in _MONEY and seat is not None:
            return _money(state, told, seat)
        case ["BLOC", *_]:
            key = Names(tables).find("bloc", " ".join(asked[1:]))
            return iter(()) if isinstance(key, Problem) else _bloc(state, tables, key)
        case ["RECORD" | "FACTION" | "PARTY", *_]:
            return _asked_record(state, tables, asked[1:])
        case [_] if isinstance(key := Names(tables).find("bloc", asked[0]), str):
            return _bloc(state, tables, key)
        case _:
            return _asked_record(state, tables, asked)


def _bill(state: State, tables: Tables, told: Sequence[Event], bill: str) -> Steps:
    line, division = f"bill {bill}", state.bills.get(bill)
    heard = [e for e in told if e.kind == "bill_vote" and e.data["bill"] == bill]
    for event in heard:
        yield event.kind, event.rule, event.data
    sheets = {
        unit: state.sheets[unit][line]
        for unit in factions(state, tables)
        if line in state.sheets.get(unit, {})
    }
    if division is None:
        return
    if not heard:
        data = {
            "bill": bill,
            "yes": division.yes,
            "no": division.no,
            "abstain": division.abstain,
            "passed": division.passed,
            "again": False,
            "votes": {unit: x.vote for unit, x in sheets.items()},
            "sizes": factions(state, tables),
            "balance": [],
            "quorum": division.yes + division.no >= tables.quorum,
        }
        yield "bill_vote", "5.6", data
    yield "needed", "5.6", {"quorum": tables.quorum}
    earned = {
        unit: {bloc: x.points[bloc] for bloc in tables.blocs if x.points.get(bloc)}
        for unit, x in sheets.items()
    }
    if earned:
        yield "earned", "6.1", {"what": line, "earned": earned}


def _budget(state: State, tables: Tables, told: Sequence[Event]) -> Steps:
    heard = [e for e in told if e.kind == "budget_vote" and e.data["year"] == state.budget_year]
    if heard:
        yield heard[-1].kind, heard[-1].rule, heard[-1].data
    elif state.budget:
        year = state.budget_year
        rows = {
            unit: {
                item: sheet[f"{year} {item}"].vote
                for item in tables.items
                if f"{year} {item}" in sheet
            }
            for unit in factions(state, tables)
            if (sheet := state.sheets.get(unit, {}))
        }
        voted = {key: state.budget[key] for key in tables.items if key in state.budget}
        data = {
            "year": year,
            "passed": state.budget_passed,
            "again": False,
            "votes": {unit: row for unit, row in rows.items() if len(row) == len(tables.items)},
            "items": {
                key: {"H": v.high, "L": v.low, "level": v.level, "passed": v.passed}
                for key, v in voted.items()
            },
            "failed": [key for key, v in voted.items() if not v.passed],
        }
        yield "budget_vote", "5.6" if state.budget_passed else "5.7", data
    if state.budget:
        yield "needed", "5.6", {"quorum": tables.quorum}


def _government(state: State, tables: Tables, told: Sequence[Event]) -> Steps:
    heard = [e for e in told if e.kind in ("installed", "fall", "reshuffle", "resigned")]
    last = max((n for n, e in enumerate(heard) if e.kind == "installed"), default=0)
    for event in heard[last:]:
        yield event.kind, event.rule, event.data
    if state.government is not None:
        named = {office.name: state.government[key] for key, office in tables.offices.items()}
        yield "in_office", "3.1", {"officers": named}


def _money(state: State, told: Sequence[Event], seat: str) -> Steps:
    """House rule 10."""
    if state.options["private_treasury_notices"] != "on":
        return
    heard = [e for e in told if e.kind in ("account", "statement")]
    for event in heard[-_STATEMENTS:]:
        yield f"{event.kind}_then", event.rule, event.data
    yield "treasury_now", "H10", {"balance": state.accounts.balance(seat)}


def _bloc(state: State, tables: Tables, bloc: str) -> Steps:
    """7.4, 8.15."""
    rows: dict[str, list[int]] = {}
    for unit in factions(state, tables):
        party = unit if is_independent(unit) else party_of(unit)
        rows.setdefault(party, []).append(points(state, tables, unit)[bloc])
    ranked = sorted(rows.items(), key=lambda pair: (-min(pair[1]), pair[0]))
    yield "bloc_points", "6.1", {"bloc": bloc, "rows": [[p, min(n), max(n)] for p, n in ranked]}
    yield "bloc_favourite", "7.4", {"bloc": bloc, "party": favourites(state, tables)[bloc]}
    held = controls(state, tables).get(bloc)
    lead = tables.figures["control_lead"]
    yield "bloc_control", "8.15", {"bloc": bloc, "party": held.party if held else "", "lead": lead}


def _asked_record(state: State, tables: Tables, asked: Sequence[str]) -> Steps:
    """Explain RECORD Soc-Cap, Soc, Soc W or W Soc."""
    names = Names(tables)
    if units := _units(state, tables, names, " ".join(asked)):
        for unit in units:
            yield from _record(state, tables, unit, tuple(tables.blocs))
        return
    if len(asked) > 1:
        for bloc, party in ((asked[0], asked[1:]), (asked[-1], asked[:-1])):
            key = names.find("bloc", bloc)
            units = _units(state, tables, names, " ".join(party))
            if isinstance(key, str) and units:
                for unit in units:
                    yield from _record(state, tables, unit, (key,))
                return


def _units(state: State, tables: Tables, names: Names, word: str) -> list[str]:
    known = list(factions(state, tables))
    exact = [unit for unit in known if unit.casefold() == word.casefold()]
    full = names.full_faction(word)
    if not exact and not isinstance(full, Problem):
        exact = [unit for unit in known if unit == full]
    party = names.spelt("party", word)
    return exact or [unit for unit in known if party_of(unit) == party]


def _record(state: State, tables: Tables, unit: str, blocs: Sequence[str]) -> Steps:
    for line, entry in sheet_order(tables, state.sheets.get(unit, {})).items():
        got = {bloc: entry.points.get(bloc, 0) for bloc in blocs}
        if line == "start":
            rule = "6.6" if state.session == 1 else "6.5"
            yield "record_start", rule, {"unit": unit, "points": got}
            continue
        stands = (
            tables.bills[line.removeprefix("bill ")]
            if line.startswith("bill ")
            else tables.items[line.split()[-1]]
        ).stands
        bonus = any(n > 1 + stands[bloc].endswith("!") for bloc, n in got.items())
        data = {
            "line": line,
            "vote": entry.vote,
            "points": {bloc: n for bloc, n in got.items() if n},
            "stands": {bloc: stands[bloc] for bloc in blocs},
            "bonus": bonus,
        }
        yield "record_line", "6.3" if entry.vote == "ABSTAIN" else "6.2" if bonus else "6.1", data
    if is_independent(unit):
        yield "votes_as_bloc", "5.5", {"unit": unit}
    totals = points(state, tables, unit)
    data = {
        "unit": unit,
        "points": {bloc: totals[bloc] for bloc in blocs},
        "poor": [bloc for bloc in blocs if not better(totals[bloc], state.counted)],
        "bills": state.counted,
    }
    yield "record_total", "8.7", data


def _district(state: State, tables: Tables, district: str) -> Steps:
    count = state.counts.get(district)
    if count is None:
        return
    region = tables.regions[tables.region(district)]
    data = {
        "district": district,
        "region": region,
        "ballot": count.ballot,
        "session": count.session,
        "blocs": bool(count.blocs),
    }
    yield "count_head", "8.20" if count.ballot == "runoff" else "8.13", data
    for bloc, voted in count.blocs.items():
        yield _bloc_count(bloc, voted, count)
    for name, n in count.incumbency.items():
        cabinet = n > tables.figures["incumbent_votes"]
        yield "count_incumbent", "8.16", {"name": name, "votes": n, "cabinet": cabinet}
    for name, n in count.bought.items():
        yield "count_bought", "8.17", {"name": name, "votes": n}
    total = sum(count.tally.values(), Fraction(0))
    ranked = sorted(
        count.tally.items(), key=lambda pair: (-pair[1], tables.candidate_name(pair[0]))
    )
    odd = int("".join(c for c in district if is_number(c))) % 2
    data = {
        "district": district,
        "tally": [[name, codec.number(n)] for name, n in ranked],
        "total": codec.number(total),
        "winner": count.winner,
        "how": count.rule,
        "first": bool(odd),
    }
    yield "count_verdict", count.rule or "8.18", data


def _bloc_count(bloc: str, voted: BlocCount, count: Count) -> tuple[str, str, Mapping[str, Any]]:
    """8.7, 8.14, 8.15."""
    best = max(voted.points.values())
    first = [who for who, n in voted.points.items() if n == best]
    rest = [n for n in voted.points.values() if n < best]
    second = max(rest, default=0)
    how = (
        {"8.15": "ordered", "8.7": "own"}.get(voted.rule)
        or ("tie" if len(first) > 1 else "alone" if not rest else "")
        or ("lead" if better(second, count.bills) else "poor")
    )
    data = {
        "bloc": bloc,
        "votes": voted.votes,
        "points": [
            [who, n, "" if better(n, count.bills) else "*"] for who, n in voted.points.items()
        ],
        "shares": [[who, codec.number(n)] for who, n in voted.shares.items()],
        "how": how,
        "by": voted.by,
        "first": first,
        "lead": best - second,
        "percent": min(100, 50 + 10 * (best - second)),
        "tied": len(voted.shares) > 2,
        "bills": count.bills,
    }
    return "count_bloc", voted.rule, data
