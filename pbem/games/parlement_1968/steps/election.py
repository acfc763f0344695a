"""Ballot, withdrawals, runoff, new Parlement (8.13-8.23, 6.5), by exact votes of a district's
blocs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, cast

from pbem.games.frame import codec
from pbem.games.frame.events import Minutes, Orders
from pbem.games.frame.treasury import BANK, Payment, pay
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps import lists, session
from pbem.games.parlement_1968.steps.formation import expel
from pbem.games.parlement_1968.steps.house import (
    Control,
    better,
    cabinet_districts,
    controls,
    faction_of,
    is_independent,
    officer,
    points,
)
from pbem.games.parlement_1968.steps.lists import unsent
from pbem.orders.order import Standing
from pbem.orders.spelling import is_number

ZERO = cast(Fraction, 0)


def instructions(
    state: State, tables: Tables, orders: Orders
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
    alike: dict[tuple[str, ...], dict[str, s.BlocCount]]
    """Counts of like districts."""


def opened(state: State, tables: Tables, orders: Orders, districts: Iterable[str]) -> Ballot:
    units = {c.unit for d in districts for c in state.candidates.get(d, {}).values()}
    records = {
        unit: points(state, tables, unit) if unit else dict.fromkeys(tables.blocs, 0)
        for unit in units
    }
    return Ballot(records, *instructions(state, tables, orders), cabinet_districts(state), {})


def count_district(
    state: State, tables: Tables, ballot: Ballot, district: str, bought: Mapping[str, int]
) -> s.Count:
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
        for name, votes in voted.shares.items():
            totals[name] += votes
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
    return s.Count(
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
    tables: Tables, ballot: Ballot, candidates: Mapping[str, s.Candidacy], region: str, counted: int
) -> dict[str, s.BlocCount]:
    """8.14."""
    records = {name: ballot.records[c.unit] for name, c in candidates.items()}
    unsent = {name for name, c in candidates.items() if c.origin == "8.7"}
    blocs: dict[str, s.BlocCount] = {}
    for bloc in tables.blocs if candidates else ():
        if votes := tables.votes[bloc][region]:
            have = {name: record[bloc] for name, record in records.items()}
            own = f"Ind-{bloc}"
            shares, rule = bloc_vote(votes, have, own if own in unsent else "", counted)
            blocs[bloc] = s.BlocCount(votes, have, shares, rule, "")
    return blocs


def _unsent(candidates: Mapping[str, s.Candidacy], bloc: str) -> str:
    """8.7; "" if none."""
    own = candidates.get(f"Ind-{bloc}")
    return f"Ind-{bloc}" if own is not None and own.origin == "8.7" else ""


def too_poor(state: State, tables: Tables, bloc: str, district: str, candidate: str) -> bool:
    """Return whether the bloc refuses them: poorer than 25%, and not its own by 8.7 (8.15, R14)."""
    here = state.candidates.get(district, {})
    if candidate not in here or candidate == _unsent(here, bloc):
        return candidate not in here
    unit = here[candidate].unit
    return 4 * (points(state, tables, unit)[bloc] if unit else 0) < state.counted


def _instructed(
    tables: Tables,
    ballot: Ballot,
    candidates: Mapping[str, s.Candidacy],
    district: str,
    bloc: str,
    voted: s.BlocCount,
    counted: int,
) -> s.BlocCount:
    """8.15, R14, R24. What 8.14 gives a protected independent stays theirs."""
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
    return s.BlocCount(voted.votes, voted.points, shares, "8.15", held.party)


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
    ):  # they have no points themselves, so the best is somebody else's
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


def hold(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Run one period of an election."""
    state = session.resign(state, tables, orders, minutes)
    for seat, order in o.sent(orders, state.seats, o.Expel):  # for the new session (R16)
        waiting = (*state.expelling, f"{seat}-{tables.region_named(order.faction)}")
        state = replace(state, expelling=tuple(dict.fromkeys(waiting)))
    state = lists.settle_payments(state, orders, minutes)
    if state.phase == "withdrawals":
        return _withdraw(state, tables, orders, minutes)
    contested = tables.districts if state.phase == "ballot" else state.runoffs
    # the independents of 8.7 stand already: since the lists, the withdrawals or the scenario,
    # nothing has changed
    state, gained = _spend(state, tables, orders, contested, minutes)
    return _count(state, tables, orders, contested, gained, minutes)


def _withdraw(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """8.19; then 8.7 again (R19)."""
    gone: dict[str, list[str]] = {}
    for seat, order in o.sent(orders, state.seats, o.Withdraw):
        if seat in state.candidates.get(order.district, {}):
            gone.setdefault(order.district, []).append(seat)
    candidates = {
        district: {name: c for name, c in here.items() if name not in gone.get(district, ())}
        for district, here in state.candidates.items()
    }
    minutes.public("withdrawn", "8.19", gone=gone)
    return unsent(
        replace(state, candidates=candidates, phase="runoff"), tables, minutes, state.runoffs
    )


def _spend(
    state: State, tables: Tables, orders: Orders, contested: tuple[str, ...], minutes: Minutes
) -> tuple[State, dict[str, dict[str, int]]]:
    """Buy at most 1000 votes per candidate over both ballots (8.17, 8.21, R18, R26)."""
    cap, told = tables.figures["bought_votes"], dict[str, list[object]]()
    bought = {district: dict(here) for district, here in state.bought.items()}
    entries: list[Payment] = []
    spendings = _purses(state, contested) if state.phase == "ballot" else []
    for seat in sorted(orders, key=tables.parties.__getitem__):
        spendings += _of_player(state, tables, seat, orders[seat], contested, minutes)
    for one in spendings:
        entries.append(
            Payment(
                state.period,
                one.account,
                BANK,
                one.crowns,
                f"{one.candidate} in {one.district} (8.17)",
            )
        )
        here = bought.setdefault(one.district, {})
        gained = min(one.crowns, cap - here.get(one.candidate, 0))
        here[one.candidate] = here.get(one.candidate, 0) + gained
        told.setdefault(one.district, []).append([one.payer, one.candidate, one.crowns, gained])
    if told:
        minutes.public("spent", "8.17", spent=told)
    return (
        replace(state, bought=bought, accounts=pay(state.accounts, entries)) if told else state
    ), bought


class Spending(NamedTuple):
    """Crowns for a candidate, from the payer's account."""

    payer: str
    account: str
    crowns: int
    candidate: str
    district: str


def _purses(state: State, contested: tuple[str, ...]) -> list[Spending]:
    """R18."""
    names = [
        (name, d) for d in contested for name in state.candidates.get(d, {}) if is_independent(name)
    ]
    purses = [
        (name, district, state.accounts.balance(f"{name} {district}")) for name, district in names
    ]
    return [
        Spending(name, f"{name} {district}", purse, name, district)
        for name, district, purse in purses
        if purse > 0
    ]


def _of_player(
    state: State,
    tables: Tables,
    seat: str,
    standing: Standing,
    contested: tuple[str, ...],
    minutes: Minutes,
) -> list[Spending]:
    """Prorate if money is short (R27)."""
    wanted = [
        order
        for order in standing.values()
        if isinstance(order, o.Spend) and order.district in contested
    ]
    means, owed = max(0, state.accounts.balance(seat)), sum(order.amount for order in wanted)
    spendings = []
    for order in wanted:
        candidate = tables.candidate_named(order.candidate)
        crowns = lists.share(order.amount, means, owed)
        if crowns < order.amount:
            minutes.private(
                "prorated",
                "R27",
                [seat],
                district=order.district,
                candidate=candidate,
                promised=order.amount,
                paid=crowns,
            )
        if crowns and candidate in state.candidates.get(order.district, {}):
            spendings.append(Spending(seat, seat, crowns, candidate, order.district))
    return spendings


def _count(
    state: State,
    tables: Tables,
    orders: Orders,
    contested: tuple[str, ...],
    bought: Mapping[str, Mapping[str, int]],
    minutes: Minutes,
) -> State:
    ballot = opened(state, tables, orders, contested)
    counts: dict[str, s.Count] = dict(state.counts)
    elected, runoffs, decided = dict(state.elected), [], dict[str, str]()
    for district in contested:
        here = state.candidates.get(district, {})
        gained = {name: n for name, n in bought.get(district, {}).items() if name in here and n}
        counts[district] = count = count_district(state, tables, ballot, district, gained)
        if count.winner:
            elected[district] = count.winner
            decided[district] = count.rule
        elif state.phase == "ballot":
            runoffs.append(district)
    ordered = {bloc: held.party for bloc, held in ballot.controlled.items()}
    minutes.public(
        "count",
        "8.18" if state.phase == "ballot" else "8.22",
        ballot=state.phase,
        runoffs=runoffs,
        controls=ordered,
        results={
            d: {
                "winner": elected.get(d),
                "rule": decided.get(d, "8.18"),
                "tally": {name: codec.number(n) for name, n in counts[d].tally.items()},
            }
            for d in contested
        },
    )
    phase = "withdrawals" if runoffs else state.phase
    state = replace(state, phase=phase, counts=counts, elected=elected, runoffs=tuple(runoffs))
    return state if runoffs else new_session(state, tables, minutes)


def new_session(state: State, tables: Tables, minutes: Minutes) -> State:
    """Open the new Parlement, or end the game (1.1)."""
    holders = {district: state.elected.get(district) for district in tables.districts}
    sheets = _new_records(state, tables, holders)
    closed = state.session
    state = replace(
        state,
        phase="formation",
        holders=holders,
        sheets=sheets,
        session=closed + 1,
        year=1,
        elected={},
        runoffs=(),
        candidates={},
        bought={},
        bills={},
        budget={},
        budget_year=0,
        budget_passed=False,
        budget_defeats=0,
        counted=0,
        falls=0,
        paid=False,
        call_year=0,
        program=None,
        former=None,
        proposals=(),
        formation_days=0,
        caretaker=False,
        accounts=replace(
            state.accounts,
            balances={
                k: v for k, v in state.accounts.balances.items() if v or not is_independent(k)
            },
        ),
    )
    counts = s.seat_counts(state)
    minutes.public("seats", "8.22", seats=counts, session=closed)
    winner = [seat for seat in state.seats if counts[seat] >= tables.majority]
    last = s.limit(state, "max_sessions")
    if not winner and 0 < last <= closed:
        most = max(counts[seat] for seat in state.seats)
        winner = [seat for seat in state.seats if counts[seat] == most]
        minutes.public("last_session", "R31", sessions=last)
    if winner:
        minutes.public(
            "over",
            "1.1" if counts[winner[0]] >= tables.majority else "R31",
            winners=winner,
            seats=counts,
        )
        return replace(
            state,
            phase="over",
            over=True,
            session=closed,
            winners=tuple(winner),
            cheques=(),
            government=None,
        )
    return _government_goes_on(state, tables, minutes)


def _new_records(
    state: State, tables: Tables, holders: Mapping[str, str | None]
) -> dict[str, dict[str, s.Line]]:
    """Divide points by years, without remainders; a new faction has its candidates' (6.5, R21)."""
    years = max(1, state.year)
    ran_on: dict[str, str] = {}
    for district, holder in holders.items():
        if not holder:
            continue
        unit = faction_of(tables, holder, district)
        candidacy = state.candidates.get(district, {}).get(holder)
        if candidacy is not None:
            ran_on[unit] = candidacy.unit
        elif is_independent(holder):
            ran_on.setdefault(unit, unit)
        else:
            ran_on.setdefault(unit, lists.source(state, tables, holder, tables.region(district)))
    return {
        unit: {"start": s.Line("", {b: n // years for b, n in points(state, tables, old).items()})}
        for unit, old in ran_on.items()
    }


def _government_goes_on(state: State, tables: Tables, minutes: Minutes) -> State:
    """R5, R16."""
    before = state.government
    if before is not None:
        state = replace(
            state,
            government={
                office: member
                if member and state.holders.get(officer(member)[1]) == officer(member)[0]
                else ""
                for office, member in before.items()
            },
        )
    for faction in state.expelling:
        state = replace(expel(state, tables, faction, minutes), expelling=())
    government = state.government
    if before is not None and government is not None:
        lost = {
            tables.offices[x].name: before[x]
            for x in tables.offices
            if before[x] and not government[x]
        }
        if lost:
            minutes.public("unseated", "R5", lost=lost)
    fresh = state.options["new_government_after_election"] == "on"
    if government is None or not government[tables.premier] or fresh:
        minutes.public(
            "no_government", "R5" if fresh or before is not None else "3.2", option=fresh
        )
        return replace(state, government=None)
    minutes.public("session_opens", "R5", session=state.session)
    return lists.pay_ministers(replace(state, phase="program"), tables, minutes)
