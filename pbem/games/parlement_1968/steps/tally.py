"""Exact votes of a district's blocs (8.13-8.17, 8.20-8.22)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import BlocCount, Candidacy, Count, State
from pbem.games.parlement_1968.steps.house import (
    Control,
    better,
    cabinet_districts,
    controls,
    is_independent,
    points,
)
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing
from pbem.orders.spelling import is_number

ZERO = cast(Fraction, 0)


def instructions(
    state: State, tables: Tables, orders: Mapping[str, Standing]
) -> tuple[dict[str, Control], dict[tuple[str, str], str]]:
    """Return controllers, and {(bloc, district): candidate} (8.15)."""
    controlled = controls(state, tables)
    told: dict[tuple[str, str], str] = {}
    for bloc, held in controlled.items():
        for order in orders.get(held.party, {}).values():
            if (
                isinstance(order, o.Bloc)
                and order.bloc == bloc
                and tables.region(order.where) in held.regions
            ):
                told[bloc, order.where] = tables.candidate_named(order.candidate)
    return controlled, told


@dataclass(frozen=True, slots=True)
class Ballot:
    """What all districts of a ballot share."""

    records: Mapping[str, Mapping[str, int]]
    """By unit."""
    controlled: Mapping[str, Control]
    """By bloc."""
    told: Mapping[tuple[str, str], str]
    """{(bloc, district): candidate}."""
    cabinet: frozenset[str]
    alike: dict[tuple[str, ...], dict[str, BlocCount]]
    """Counts of like districts."""


def opened(
    state: State, tables: Tables, orders: Mapping[str, Standing], districts: Iterable[str]
) -> Ballot:
    units = {c.unit for d in districts for c in state.candidates.get(d, {}).values()}
    records = {
        unit: points(state, tables, unit) if unit else dict.fromkeys(tables.blocs, 0)
        for unit in units
    }
    return Ballot(records, *instructions(state, tables, orders), cabinet_districts(state), {})


def count_district(
    state: State, tables: Tables, ballot: Ballot, district: str, bought: Mapping[str, int]
) -> Count:
    """Count a district; the winner is "" if nobody has won."""
    candidates, region = state.candidates.get(district, {}), tables.region_of[district]
    kind = (region, *candidates, *[c.unit for c in candidates.values()])
    blocs = ballot.alike.get(kind)
    if blocs is None:
        ballot.alike[kind] = blocs = _bloc_votes(tables, ballot, candidates, region, state.counted)
    if ballot.told:
        blocs = {
            bloc: _instructed(
                tables, ballot, candidates, district, bloc, blocs[bloc], state.counted
            )
            for bloc in blocs
        }
    totals: dict[str, Fraction] = dict.fromkeys(candidates, ZERO)
    for voted in blocs.values():
        for name, share in voted.shares.items():
            totals[name] += share
    incumbency: dict[str, int] = {}
    holder = state.holders[district]
    if holder and holder in candidates and candidates[holder].origin != "8.7":
        office = "cabinet_votes" if district in ballot.cabinet else "incumbent_votes"
        incumbency[holder] = tables.figures[office]
        totals[holder] += incumbency[holder]
    for name, n in bought.items():
        totals[name] += n
    winner, rule = (
        (absolute(totals), "8.18")
        if state.phase == "ballot"
        else plurality(totals, tables, district)
    )
    return Count(
        state.phase,
        state.session,
        state.period,
        state.counted,
        blocs,
        incumbency,
        bought,
        totals,
        winner,
        rule,
    )


def _bloc_votes(
    tables: Tables, ballot: Ballot, candidates: Mapping[str, Candidacy], region: str, counted: int
) -> dict[str, BlocCount]:
    """8.14."""
    records = {name: ballot.records[c.unit] for name, c in candidates.items()}
    unsent = {name for name, c in candidates.items() if c.origin == "8.7"}
    blocs: dict[str, BlocCount] = {}
    for bloc in tables.blocs if candidates else ():
        if votes := tables.votes[bloc][region]:
            have = {name: record[bloc] for name, record in records.items()}
            own = f"Ind-{bloc}"
            shares, rule = bloc_vote(votes, have, own if own in unsent else "", counted)
            blocs[bloc] = BlocCount(votes, have, shares, rule, "")
    return blocs


def _unsent(candidates: Mapping[str, Candidacy], bloc: str) -> str:
    """8.7; "" if none."""
    own = candidates.get(f"Ind-{bloc}")
    return f"Ind-{bloc}" if own is not None and own.origin == "8.7" else ""


def too_poor(state: State, tables: Tables, bloc: str, district: str, candidate: str) -> bool:
    """Return whether the bloc refuses him: poorer than 25%, and not its own by 8.7 (8.15, R14)."""
    here = state.candidates.get(district, {})
    if candidate not in here or candidate == _unsent(here, bloc):
        return candidate not in here
    unit = here[candidate].unit
    return 4 * (points(state, tables, unit)[bloc] if unit else 0) < state.counted


def _instructed(
    tables: Tables,
    ballot: Ballot,
    candidates: Mapping[str, Candidacy],
    district: str,
    bloc: str,
    voted: BlocCount,
    counted: int,
) -> BlocCount:
    """8.15, R14, R24. What 8.14 gives a protected independent stays his."""
    wanted = ballot.told.get((bloc, district), "")
    if wanted not in candidates or (
        4 * voted.points[wanted] < counted and wanted != _unsent(candidates, bloc)
    ):
        return voted
    held, near = ballot.controlled[bloc], tables.figures["control_lead"]
    kept = {
        n: v
        for n, v in voted.shares.items()
        if is_independent(n) and held.lowest - voted.points[n] <= near
    }
    shares = {**kept, wanted: kept.get(wanted, ZERO) + voted.votes - sum(kept.values(), ZERO)}
    return BlocCount(voted.votes, voted.points, shares, "8.15", held.party)


def part(votes: int, numerator: int, denominator: int) -> Fraction:
    """Return an exact part; whole ones as int, which adds ten times faster."""
    whole, rest = divmod(votes * numerator, denominator)
    return Fraction(votes * numerator, denominator) if rest else cast(Fraction, whole)


def bloc_vote(
    votes: int, have: Mapping[str, int], own: str, counted: int
) -> tuple[dict[str, Fraction], str]:
    """Return a bloc's votes (8.14, R23): half and a tenth per point of lead to the first, the rest
    to a second better than 25%. ``own``, its 8.7 independent or "", gets all while nobody is
    better."""
    ranks = sorted(set(have.values()), reverse=True)
    best, second_best = ranks[0], ranks[1] if len(ranks) > 1 else 0
    if own and not better(
        best, counted
    ):  # he has no points himself, so the best is somebody else's
        return {own: part(votes, 1, 1)}, "8.7"
    first = [name for name, n in have.items() if n == best]
    if len(first) > 1:
        return dict.fromkeys(first, part(votes, 1, len(first))), "8.14"
    tenths = 5 + best - second_best
    if len(ranks) == 1 or tenths >= 10 or not better(second_best, counted):
        return {first[0]: part(votes, 1, 1)}, "8.14"
    second = [name for name, n in have.items() if n == second_best]
    each = part(votes, 10 - tenths, 10 * len(second))
    return {first[0]: part(votes, tenths, 10), **dict.fromkeys(second, each)}, "8.14"


def absolute(tally: Mapping[str, Fraction]) -> str:
    """Return who has more than half of all votes (8.18); "" if nobody."""
    total = sum(tally.values(), ZERO)
    return next((name for name, n in tally.items() if 2 * n > total), "")


def plurality(tally: Mapping[str, Fraction], tables: Tables, district: str) -> tuple[str, str]:
    """Return who has most (8.22, 8.23). Ties: by name, the first in odd districts, the last in
    even."""
    best = max(tally.values(), default=ZERO)
    first = sorted((name for name, n in tally.items() if n == best), key=tables.candidate_name)
    if len(first) < 2:
        return (first[0] if first else ""), "8.22"
    odd = int("".join(c for c in district if is_number(c))) % 2
    return first[0 if odd else -1], "8.23"
