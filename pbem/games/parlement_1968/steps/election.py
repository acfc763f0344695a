"""Ballot, withdrawals, runoff, new Parlement (8.13-8.23, 6.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from pbem.games.frame import codec
from pbem.games.frame.events import Minutes
from pbem.games.frame.treasury import BANK, Accounts, Payment, pay
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Count, Line, State, limit, seat_counts
from pbem.games.parlement_1968.steps.formation import expel
from pbem.games.parlement_1968.steps.house import is_independent, officer, points
from pbem.games.parlement_1968.steps.lists import source, unsent
from pbem.games.parlement_1968.steps.money import pay_ministers, settle_payments, share
from pbem.games.parlement_1968.steps.tally import count_district, opened
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing


def hold(state: State, tables: Tables, orders: Mapping[str, Standing], minutes: Minutes) -> State:
    """Run one period of an election."""
    state = _note_expulsions(_leave_office(state, tables, orders, minutes), tables, orders)
    state = settle_payments(state, orders, minutes)
    if state.phase == "withdrawals":
        return _withdraw(state, tables, orders, minutes)
    contested = tables.districts if state.phase == "ballot" else state.runoffs
    # the independents of 8.7 stand already: since the lists, the withdrawals or the scenario,
    # nothing has changed
    state, gained = _spend(state, tables, orders, contested, minutes)
    return _count(state, tables, orders, contested, gained, minutes)


def _leave_office(
    state: State, tables: Tables, orders: Mapping[str, Standing], minutes: Minutes
) -> State:
    """R5."""
    government = dict(state.government or {})
    for seat, order in o.sent(orders, state.seats, o.Resign):
        if officer(government.get(order.office, ""))[0] == seat:
            minutes.public(
                "resigned",
                "R5",
                party=seat,
                office=tables.offices[order.office].name,
                member=government[order.office],
            )
            government[order.office] = ""
    return (
        replace(state, government=government) if government != (state.government or {}) else state
    )


def _note_expulsions(state: State, tables: Tables, orders: Mapping[str, Standing]) -> State:
    """Keep expulsions for the new session (R16)."""
    waiting = [
        f"{seat}-{tables.region_named(order.faction)}"
        for seat, order in o.sent(orders, state.seats, o.Expel)
    ]
    return (
        replace(state, expelling=tuple(dict.fromkeys((*state.expelling, *waiting))))
        if waiting
        else state
    )


def _withdraw(
    state: State, tables: Tables, orders: Mapping[str, Standing], minutes: Minutes
) -> State:
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
    state: State,
    tables: Tables,
    orders: Mapping[str, Standing],
    contested: tuple[str, ...],
    minutes: Minutes,
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
        candidate, crowns = (
            tables.candidate_named(order.candidate),
            share(order.amount, means, owed),
        )
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
    orders: Mapping[str, Standing],
    contested: tuple[str, ...],
    bought: Mapping[str, Mapping[str, int]],
    minutes: Minutes,
) -> State:
    ballot = opened(state, tables, orders, contested)
    counts: dict[str, Count] = dict(state.counts)
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
        accounts=_without_purses(state.accounts),
    )
    counts = seat_counts(state)
    minutes.public("seats", "8.22", seats=counts, session=closed)
    winner = [seat for seat in state.seats if counts[seat] >= tables.majority]
    last = limit(state, "max_sessions")
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
) -> dict[str, dict[str, Line]]:
    """Divide points by years, without remainders; a new faction has its candidates' (6.5, R21)."""
    years = max(1, state.year)
    ran_on: dict[str, str] = {}
    for district, holder in holders.items():
        if not holder:
            continue
        unit = (
            f"{holder} {district}"
            if is_independent(holder)
            else f"{holder}-{tables.region(district)}"
        )
        candidacy = state.candidates.get(district, {}).get(holder)
        if candidacy is not None:
            ran_on[unit] = candidacy.unit
        elif is_independent(holder):
            ran_on.setdefault(unit, unit)
        else:
            ran_on.setdefault(unit, source(state, tables, holder, tables.region(district)))
    return {
        unit: {"start": Line("", {b: n // years for b, n in points(state, tables, old).items()})}
        for unit, old in ran_on.items()
    }


def _without_purses(accounts: Accounts) -> Accounts:
    return replace(
        accounts,
        balances={k: v for k, v in accounts.balances.items() if v or not is_independent(k)},
    )


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
    return pay_ministers(replace(state, phase="program"), tables, minutes)
