"""8.13-8.17 and 8.20-8.22: how the blocs of a district vote, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.house import (
    better,
    cabinet_districts,
    factions,
    is_independent,
    own_factions,
    party_of,
    points,
)
from pbem.games.parlement_1968.state import BlocCount, Candidacy, Count, State
from pbem.games.parlement_1968.tables import Tables
from pbem.orders import Standing

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Control:
    """A bloc controlled by a party (8.15): its lowest faction's points, and the regions where it has factions."""

    party: str
    lowest: int
    regions: frozenset[str]


def control(state: State, tables: Tables, bloc: str) -> Control | None:
    """8.15: the party every faction of which leads every faction of any other by 5 points or more; independents are
    ignored (R22)."""
    lowest: dict[str, int] = {}
    highest: dict[str, int] = {}
    for unit in factions(state, tables):
        if not is_independent(unit):
            n, party = points(state, tables, unit)[bloc], party_of(unit)
            lowest[party] = min(lowest.get(party, n), n)
            highest[party] = max(highest.get(party, n), n)
    for party, low in lowest.items():
        if all(low - top >= tables.figures["control_lead"] for other, top in highest.items() if other != party):
            regions = frozenset(unit.partition("-")[2] for unit in own_factions(state, tables, party))
            return Control(party, low, regions)
    return None


def instructions(
    state: State, tables: Tables, orders: Mapping[str, Standing]
) -> tuple[dict[str, Control], dict[tuple[str, str], str]]:
    """8.15: who controls which bloc, and {(bloc, district): candidate} as ordered by those who do."""
    controls = {bloc: found for bloc in tables.blocs if (found := control(state, tables, bloc))}
    told: dict[tuple[str, str], str] = {}
    for bloc, held in controls.items():
        for order in orders.get(held.party, {}).values():
            if isinstance(order, o.Bloc) and order.bloc == bloc and tables.region(order.where) in held.regions:
                told[bloc, order.where] = order.candidate.replace("IND-", "Ind-")
    return controls, told


def count_district(
    state: State, tables: Tables, district: str, records: Mapping[str, Mapping[str, int]], bought: Mapping[str, int],
    controls: Mapping[str, Control], told: Mapping[tuple[str, str], str],
) -> Count:  # fmt: skip
    """One ballot of one district, bloc by bloc; no winner is declared yet."""
    candidates, region = state.candidates.get(district, {}), tables.region(district)
    blocs: dict[str, BlocCount] = {}
    totals: dict[str, Fraction] = dict.fromkeys(candidates, ZERO)
    for bloc in tables.blocs:
        votes = tables.votes[bloc][region]
        if not votes or not candidates:
            continue
        have = {name: records[c.unit][bloc] for name, c in candidates.items()}
        shares, rule = bloc_vote(bloc, votes, have, candidates, state.counted)
        by, wanted = "", told.get((bloc, district))
        if wanted in have and (4 * have[wanted] >= state.counted or _own(candidates, wanted, bloc)):
            lowest = controls[bloc].lowest
            near = tables.figures["control_lead"]
            kept = {n: v for n, v in shares.items() if is_independent(n) and lowest - have[n] <= near}
            shares = {**kept, wanted: kept.get(wanted, ZERO) + votes - sum(kept.values(), ZERO)}
            rule, by = "8.15", controls[bloc].party
        blocs[bloc] = BlocCount(votes, have, shares, rule, by)
        for name, share in shares.items():
            totals[name] += share
    incumbency = _incumbency(state, tables, district, candidates)
    for extra in (incumbency, bought):
        for name, n in extra.items():
            totals[name] += n
    return Count(state.phase, state.session, state.period, state.counted, blocs, incumbency, bought, totals, "", "8.18")


def _own(candidates: Mapping[str, Candidacy], name: str, bloc: str) -> bool:
    """Whether a candidate is the bloc's own 8.7 independent, who is never poorer than 25% to it (R14)."""
    return name == f"Ind-{bloc}" and candidates[name].origin == "8.7"


def bloc_vote(
    bloc: str, votes: int, have: Mapping[str, int], candidates: Mapping[str, Candidacy], counted: int
) -> tuple[dict[str, Fraction], str]:
    """8.14, R23: half and a tenth for each point of lead to the first, the rest to a second that is better than 25%;
    ties split evenly. Its own 8.7 independent has the whole bloc while nobody else is better than 25%."""
    own = f"Ind-{bloc}"
    if own in candidates and candidates[own].origin == "8.7":
        if not any(better(n, counted) for name, n in have.items() if name != own):
            return {own: Fraction(votes)}, "8.7"
    best = max(have.values())
    first = [name for name, n in have.items() if n == best]
    if len(first) > 1:
        each = Fraction(votes, len(first))
        return dict.fromkeys(first, each), "8.14"
    rest = [n for n in have.values() if n < best]
    next_best = max(rest, default=0)
    if not rest or not better(next_best, counted):
        return {first[0]: Fraction(votes)}, "8.14"
    tenths = min(10, 5 + best - next_best)
    if tenths == 10:
        return {first[0]: Fraction(votes)}, "8.14"
    second = [name for name, n in have.items() if n == next_best]
    each = Fraction(votes * (10 - tenths), 10 * len(second))
    return {first[0]: Fraction(votes * tenths, 10), **dict.fromkeys(second, each)}, "8.14"


def _incumbency(state: State, tables: Tables, district: str, candidates: Mapping[str, Candidacy]) -> dict[str, int]:
    """8.16: 1000 votes for the incumbent, 2000 if he is in the Cabinet."""
    holder = state.holders.get(district)
    if not holder or holder not in candidates or candidates[holder].origin == "8.7":
        return {}
    inside = district in cabinet_districts(state)
    return {holder: tables.figures["cabinet_votes" if inside else "incumbent_votes"]}


def records_of(state: State, tables: Tables, districts: Iterable[str]) -> dict[str, dict[str, int]]:
    """The records of all units that run in these districts."""
    units = {c.unit for d in districts for c in state.candidates.get(d, {}).values()}
    return {unit: points(state, tables, unit) if unit else dict.fromkeys(tables.blocs, 0) for unit in units}


def absolute(count: Count) -> str:
    """8.18: the candidate with more than half of all votes cast in the district; "" if nobody has."""
    total = sum(count.tally.values(), ZERO)
    return next((name for name, n in count.tally.items() if 2 * n > total), "")


def plurality(count: Count, tables: Tables, district: str) -> tuple[str, str]:
    """8.22, 8.23: the candidate with most votes; of several the first by name in odd districts, the last in even ones."""
    if not count.tally:
        return "", "8.22"
    best = max(count.tally.values())
    first = sorted((name for name, n in count.tally.items() if n == best), key=tables.candidate_name)
    if len(first) == 1:
        return first[0], "8.22"
    odd = int("".join(c for c in district if c.isdigit())) % 2
    return first[0 if odd else -1], "8.23"
