"""Votes and the records they build (sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Minutes
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Division, ItemVote, Line, State
from pbem.games.parlement_1968.steps.house import factions, is_independent, party_of, region_of
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing


def standing_key(item: str, region: str | None = None) -> str:
    """Return "8/Eas", "Def/Eas"; "8/" for the whole party."""
    return f"{item}/{region or ''}"


def ballot(
    state: State, orders: Mapping[str, Standing], seat: str, region: str, item: str, slot: str
) -> str:
    """Return the period's ballot, else the standing vote, else abstention (R10, house rule 9)."""
    order = orders.get(seat, {}).get(f"{slot} {region.upper()}")
    if isinstance(order, o.Vote):
        return order.choices[0][1]
    if isinstance(order, o.VoteBudget):
        given = dict(order.groups[0][1]).get(item)
        if given is not None:
            return given
    on_file = state.standing.get(seat, {})
    return on_file.get(standing_key(item, region), on_file.get(standing_key(item), "ABSTAIN"))


def _ballots(
    state: State,
    tables: Tables,
    orders: Mapping[str, Standing],
    item: str,
    slot: str,
    stands: Mapping[str, str],
) -> dict[str, str]:
    """5.5: independents vote as their bloc stands."""
    votes = {}
    for unit in factions(state, tables):
        if is_independent(unit):
            stand = stands[party_of(unit)[4:]][0]
            votes[unit] = {"Y": "YES", "N": "NO"}.get(stand, stand)
        else:
            votes[unit] = ballot(state, orders, party_of(unit), region_of(unit, tables), item, slot)
    return votes


def vote_bill(
    state: State, tables: Tables, orders: Mapping[str, Standing], bill: str, minutes: Minutes
) -> tuple[State, bool]:
    """Vote on a bill (5.2-5.6, 6.1-6.4, 6.7). Return whether it passed."""
    stands, sizes = tables.bills[bill].stands, factions(state, tables)
    votes = _ballots(state, tables, orders, bill, f"VOTE {bill}", stands)
    yes, no, abstain = (
        sum(sizes[u] for u, v in votes.items() if v == word) for word in ("YES", "NO", "ABSTAIN")
    )
    passed = _passes(tables, yes, no)
    balance = _balance_of_power(tables, votes, sizes, yes, no) if passed else frozenset()
    sheets = dict(state.sheets)
    for unit, voted in votes.items():
        gained = _points(stands, voted, party_of_power(unit) in balance)
        sheets[unit] = {**sheets.get(unit, {}), f"bill {bill}": Line(voted, gained)}
    counted = state.counted + (bill not in state.bills)
    minutes.public(
        "bill_vote",
        "5.6",
        bill=bill,
        yes=yes,
        no=no,
        abstain=abstain,
        passed=passed,
        again=_again(state),
        votes=votes,
        sizes=sizes,
        balance=sorted(balance),
        quorum=yes + no >= tables.quorum,
    )
    division = Division(yes, no, abstain, passed)
    return replace(
        state, sheets=sheets, counted=counted, bills={**state.bills, bill: division}
    ), passed


def _again(state: State) -> bool:
    return state.program is not None and state.program.again


def _passes(tables: Tables, for_it: int, against: int) -> bool:
    """5.6."""
    return for_it > against and for_it + against >= tables.quorum


def party_of_power(unit: str) -> str:
    """Return the party for 6.2; an independent is his own (6.4)."""
    return unit if is_independent(unit) else party_of(unit)


def _balance_of_power(
    tables: Tables, votes: Mapping[str, str], sizes: Mapping[str, int], yes: int, no: int
) -> frozenset[str]:
    """6.2."""
    given: dict[str, int] = {}
    for unit, voted in votes.items():
        if voted == "YES":
            given[party_of_power(unit)] = given.get(party_of_power(unit), 0) + sizes[unit]
    return frozenset(party for party, n in given.items() if not _passes(tables, yes - n, no))


def _points(stands: Mapping[str, str], voted: str, bonus: bool) -> dict[str, int]:
    """6.1-6.3."""
    more = bonus and voted == "YES"
    return {bloc: n + more for bloc, n in right_vote(stands, voted).items()}


def right_vote(stands: Mapping[str, str], voted: str) -> dict[str, int]:
    """Return points by bloc before any bonus (6.1, 6.3)."""
    return {
        bloc: 1 + stand.endswith("!")
        for bloc, stand in stands.items()
        if voted in ("YES", "NO") and stand[0] == voted[0]
    }


def vote_budget(
    state: State,
    tables: Tables,
    orders: Mapping[str, Standing],
    levels: Mapping[str, str],
    minutes: Minutes,
) -> tuple[State, bool]:
    """Vote on the Budget; every level must pass (5.3, 5.6, 5.7, R10)."""
    sizes, result, sheets = (
        factions(state, tables),
        {},
        {unit: dict(s) for unit, s in state.sheets.items()},
    )
    votes: dict[str, dict[str, str]] = {}
    for item, entry in tables.items.items():
        cast = _ballots(state, tables, orders, item, "VOTE BUDGET", entry.stands)
        high, low = (sum(sizes[u] for u, v in cast.items() if v == level) for level in ("H", "L"))
        mine, other = (high, low) if levels[item] == "H" else (low, high)
        result[item] = ItemVote(high, low, levels[item], _passes(tables, mine, other))
        for unit, voted in cast.items():
            gained = {bloc: 1 for bloc, stand in entry.stands.items() if voted == stand}
            sheets.setdefault(unit, {})[f"{state.year} {item}"] = Line(voted, gained)
            votes.setdefault(unit, {})[item] = voted
    passed = all(item.passed for item in result.values())
    first = state.budget_year != state.year
    minutes.public(
        "budget_vote",
        "5.7" if not passed else "5.6",
        year=state.year,
        passed=passed,
        again=not first,
        votes=votes,
        items={
            key: {"H": v.high, "L": v.low, "level": v.level, "passed": v.passed}
            for key, v in result.items()
        },
        failed=[key for key, v in result.items() if not v.passed],
    )
    counted = state.counted + (tables.figures["budget_weight"] if first else 0)
    return replace(
        state,
        sheets=sheets,
        budget=result,
        budget_year=state.year,
        counted=counted,
        budget_passed=passed,
    ), passed
