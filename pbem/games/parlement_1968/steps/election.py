"""Ballot, withdrawals, runoff, new Parlement (8.13-8.23, 6.5), by exact votes of a district's
blocs."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import cast

from pbem.games.frame import codec
from pbem.games.frame.events import Orders, grouped
from pbem.games.frame.treasury import BANK, Payment
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import Tables
from pbem.games.parlement_1968.steps import lists, session
from pbem.games.parlement_1968.steps.formation import expel
from pbem.games.parlement_1968.steps.house import Control, House, Period, better, is_independent
from pbem.orders.spelling import is_number

ZERO = cast(Fraction, 0)


class Ballot:
    """What all districts of a ballot share."""

    def __init__(self, house: House, orders: Orders, districts: Iterable[str]) -> None:
        self.house, tables = house, house.tables
        controlled, standing = house.controls(), house.state.candidates
        units = {c.unit for d in districts for c in standing.get(d, {}).values()}
        nobody = dict.fromkeys(tables.blocs, 0)
        self.records = {unit: house.points(unit) if unit else nobody for unit in units}
        self.controlled: Mapping[str, Control] = controlled
        self.told = {
            (bloc, order.where): tables.candidate_named(order.candidate)
            for bloc, held in controlled.items()
            for order in orders.get(held.party, {}).values()
            if isinstance(order, o.Bloc)
            and order.bloc == bloc
            and tables.region_of[order.where] in held.regions
        }
        """{(bloc, district): candidate} (8.15)."""
        self.cabinet = house.cabinet_districts()
        self.alike = dict[tuple[str, ...], dict[str, s.BlocCount]]()
        """Counts of like districts."""

    def count(self, district: str, bought: Mapping[str, int]) -> s.Count:
        """Count a district; the winner is "" if nobody has won."""
        state, tables = self.house.state, self.house.tables
        candidates, region = state.candidates.get(district, {}), tables.region_of[district]
        kind = (region, *candidates, *[c.unit for c in candidates.values()])
        blocs = self.alike.get(kind)
        if blocs is None:
            self.alike[kind] = blocs = self._bloc_votes(candidates, region)
        if self.told:
            blocs = {
                bloc: self._instructed(candidates, district, bloc, voted)
                for bloc, voted in blocs.items()
            }
        totals: dict[str, Fraction] = dict.fromkeys(candidates, ZERO)
        for voted in blocs.values():
            for name, votes in voted.shares.items():
                totals[name] += votes
        incumbency: dict[str, int] = {}
        holder = state.holders[district]
        if holder and holder in candidates and candidates[holder].origin != "8.7":
            office = "cabinet_votes" if district in self.cabinet else "incumbent_votes"
            incumbency[holder] = tables.figures[office]
            totals[holder] += incumbency[holder]
        for name, n in bought.items():
            totals[name] += n
        if state.phase == "ballot":
            winner, rule = absolute(totals), "8.18"
        else:
            winner, rule = plurality(totals, tables, district)
        held = state.phase, state.session, state.period, state.counted
        return s.Count(*held, blocs, incumbency, bought, totals, winner, rule)

    def _bloc_votes(
        self, candidates: Mapping[str, s.Candidacy], region: str
    ) -> dict[str, s.BlocCount]:
        """8.14."""
        blocs: dict[str, s.BlocCount] = {}
        for bloc, by_region in self.house.tables.votes.items():
            if candidates and (votes := by_region[region]):
                have = {name: self.records[c.unit][bloc] for name, c in candidates.items()}
                own = _unsent(candidates, bloc)
                shares, rule = bloc_vote(votes, have, own, self.house.state.counted)
                blocs[bloc] = s.BlocCount(votes, have, shares, rule, "")
        return blocs

    def _instructed(
        self, candidates: Mapping[str, s.Candidacy], district: str, bloc: str, voted: s.BlocCount
    ) -> s.BlocCount:
        """8.15, R14, R24. What 8.14 gives a protected independent stays theirs."""
        wanted, counted = self.told.get((bloc, district), ""), self.house.state.counted
        if wanted not in candidates or (
            4 * voted.points[wanted] < counted and wanted != _unsent(candidates, bloc)
        ):
            return voted
        held, near = self.controlled[bloc], self.house.tables.figures["control_lead"]
        kept = {
            n: v
            for n, v in voted.shares.items()
            if is_independent(n) and held.lowest - voted.points[n] <= near
        }
        shares = {**kept, wanted: kept.get(wanted, ZERO) + voted.votes - sum(kept.values(), ZERO)}
        return s.BlocCount(voted.votes, voted.points, shares, "8.15", held.party)


def _unsent(candidates: Mapping[str, s.Candidacy], bloc: str) -> str:
    """8.7; "" if none."""
    own = candidates.get(f"Ind-{bloc}")
    return f"Ind-{bloc}" if own is not None and own.origin == "8.7" else ""


def too_poor(house: House, bloc: str, district: str, candidate: str) -> bool:
    """Return whether the bloc refuses them: poorer than 25%, and not its own by 8.7 (8.15, R14)."""
    here = house.state.candidates.get(district, {})
    if candidate not in here or candidate == _unsent(here, bloc):
        return candidate not in here
    unit = here[candidate].unit
    return 4 * (house.points(unit)[bloc] if unit else 0) < house.state.counted


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
    # they have no points themselves, so the best is somebody else's
    if own and not better(best, counted):
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


def hold(at: Period) -> None:
    """Run one period of an election."""
    session.resign(at)
    expelling = [at.unit(seat, order.faction) for seat, order in at.sent(at.state.seats, o.Expel)]
    waiting = tuple(dict.fromkeys((*at.state.expelling, *expelling)))
    at.state = replace(at.state, expelling=waiting)  # for the new session (R16)
    lists.settle_payments(at)
    if at.state.phase == "withdrawals":
        _withdraw(at)
        return
    contested = at.tables.districts if at.state.phase == "ballot" else at.state.runoffs
    # the independents of 8.7 stand already: since the lists, the withdrawals or the scenario,
    # nothing has changed
    _count(at, contested, _spend(at, contested))


def _withdraw(at: Period) -> None:
    """8.19; then 8.7 again (R19)."""
    sent, standing = at.sent(at.state.seats, o.Withdraw), at.state.candidates
    gone = grouped((x.district, seat) for seat, x in sent if seat in standing.get(x.district, {}))
    candidates = {
        district: {name: c for name, c in here.items() if name not in gone.get(district, ())}
        for district, here in standing.items()
    }
    at.minutes.public("withdrawn", "8.19", gone=gone)
    at.state = replace(at.state, candidates=candidates, phase="runoff")
    lists.stand_unsent(at, at.state.runoffs)


def _spend(at: Period, contested: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """Buy at most 1000 votes per candidate over both ballots (8.17, 8.21, R18, R26)."""
    cap, told = at.tables.figures["bought_votes"], dict[str, list[object]]()
    bought = {district: dict(here) for district, here in at.state.bought.items()}
    entries: list[Payment] = []
    spendings = _purses(at, contested) if at.state.phase == "ballot" else []
    for seat in sorted(at.orders, key=at.tables.parties.__getitem__):
        spendings += _of_player(at, seat, contested)
    for payer, crowns, candidate, district in spendings:
        account = f"{payer} {district}" if is_independent(payer) else payer
        purpose = f"{candidate} in {district} (8.17)"
        entries.append(Payment(at.state.period, account, BANK, crowns, purpose))
        here = bought.setdefault(district, {})
        gained = min(crowns, cap - here.get(candidate, 0))
        here[candidate] = here.get(candidate, 0) + gained
        told.setdefault(district, []).append([payer, candidate, crowns, gained])
    if told:
        at.minutes.public("spent", "8.17", spent=told)
        at.pay(*entries)
        at.state = replace(at.state, bought=bought)
    return bought


Spending = tuple[str, int, str, str]
"""Payer, crowns, candidate, district."""


def _purses(at: Period, contested: tuple[str, ...]) -> list[Spending]:
    """R18."""
    standing, accounts = at.state.candidates, at.state.accounts
    return [
        (name, purse, name, district)
        for district in contested
        for name in standing.get(district, {})
        if is_independent(name) and (purse := accounts.balance(f"{name} {district}")) > 0
    ]


def _of_player(at: Period, seat: str, contested: tuple[str, ...]) -> list[Spending]:
    """Prorate if money is short (R27)."""
    wanted = [order for _, order in at.sent([seat], o.Spend) if order.district in contested]
    means, owed = max(0, at.state.accounts.balance(seat)), sum(order.amount for order in wanted)
    spendings = []
    for order in wanted:
        candidate, district = at.tables.candidate_named(order.candidate), order.district
        crowns = lists.share(order.amount, means, owed)
        if crowns < order.amount:
            told = {"candidate": candidate, "promised": order.amount, "paid": crowns}
            at.minutes.private("prorated", "R27", [seat], district=district, **told)
        if crowns and candidate in at.state.candidates.get(district, {}):
            spendings.append((seat, crowns, candidate, district))
    return spendings


def _count(at: Period, contested: tuple[str, ...], bought: Mapping[str, Mapping[str, int]]) -> None:
    state, ballot = at.state, Ballot(at, at.orders, contested)
    counts: dict[str, s.Count] = dict(state.counts)
    elected, runoffs, results = dict(state.elected), list[str](), dict[str, object]()
    for district in contested:
        here = state.candidates.get(district, {})
        gained = {name: n for name, n in bought.get(district, {}).items() if name in here and n}
        counts[district] = count = ballot.count(district, gained)
        if count.winner:
            elected[district] = count.winner
        elif state.phase == "ballot":
            runoffs.append(district)
        results[district] = {
            "winner": elected.get(district),
            "rule": count.rule if count.winner else "8.18",
            "tally": {name: codec.number(n) for name, n in count.tally.items()},
        }
    at.minutes.public(
        "count",
        "8.18" if state.phase == "ballot" else "8.22",
        ballot=state.phase,
        runoffs=runoffs,
        controls={bloc: held.party for bloc, held in ballot.controlled.items()},
        results=results,
    )
    at.state = replace(state, counts=counts, elected=elected, runoffs=tuple(runoffs))
    if runoffs:
        at.state = replace(at.state, phase="withdrawals")
    else:
        new_session(at)


def new_session(at: Period) -> None:
    """Open the new Parlement, or end the game (1.1)."""
    before, tables = at.state, at.tables
    holders = {district: before.elected.get(district) for district in tables.districts}
    balances = before.accounts.balances.items()
    kept = {account: n for account, n in balances if n or not is_independent(account)}
    at.state = state = s.State(
        seats=before.seats,
        options=before.options,
        phase="formation",
        period=before.period,
        session=before.session + 1,
        year=1,
        holders=holders,
        sheets=_new_records(at, holders),
        accounts=replace(before.accounts, balances=kept),
        government=before.government,
        proposed=before.proposed,
        standing=before.standing,
        sealed=before.sealed,
        designated=before.designated,
        announced=before.announced,
        cheques=before.cheques,
        expelling=before.expelling,
        counts=before.counts,
    )
    counts = s.seat_counts(state)
    at.minutes.public("seats", "8.22", seats=counts, session=before.session)
    winner = [seat for seat in state.seats if counts[seat] >= tables.majority]
    last = s.limit(state, "max_sessions")
    if not winner and 0 < last <= before.session:
        most = max(counts[seat] for seat in state.seats)
        winner = [seat for seat in state.seats if counts[seat] == most]
        at.minutes.public("last_session", "R31", sessions=last)
    if not winner:
        _government_goes_on(at)
        return
    rule = "1.1" if counts[winner[0]] >= tables.majority else "R31"
    at.minutes.public("over", rule, winners=winner, seats=counts)
    at.state = replace(
        state,
        phase="over",
        over=True,
        session=before.session,
        winners=tuple(winner),
        cheques=(),
        government=None,
    )


def _new_records(house: House, holders: Mapping[str, str | None]) -> dict[str, dict[str, s.Line]]:
    """Divide points by years, without remainders; a new faction has its candidates' (6.5, R21)."""
    years = max(1, house.state.year)
    ran_on: dict[str, str] = {}
    for district, holder in holders.items():
        if not holder:
            continue
        unit = house.faction_of(holder, district)
        candidacy = house.state.candidates.get(district, {}).get(holder)
        if candidacy is not None:
            ran_on[unit] = candidacy.unit
        elif is_independent(holder):
            ran_on.setdefault(unit, unit)
        else:
            ran_on.setdefault(unit, lists.source(house, holder, house.region_of(unit)))
    return {
        unit: {"start": s.Line("", {bloc: n // years for bloc, n in house.points(old).items()})}
        for unit, old in ran_on.items()
    }


def _government_goes_on(at: Period) -> None:
    """R5, R16."""
    before = at.state.government
    if before is not None:
        kept = {office: member if at.sits(member) else "" for office, member in before.items()}
        at.state = replace(at.state, government=kept)
    for faction in at.state.expelling:
        expel(at, faction)
    at.state = replace(at.state, expelling=())
    now = at.state.government
    if before is not None and now is not None:
        offices = at.tables.offices
        lost = {offices[x].name: before[x] for x in offices if before[x] and not now[x]}
        if lost:
            at.minutes.public("unseated", "R5", lost=lost)
    fresh = at.state.options["new_government_after_election"] == "on"
    if not at.premier or fresh:
        rule = "R5" if fresh or before is not None else "3.2"
        at.minutes.public("no_government", rule, option=fresh)
        at.state = replace(at.state, government=None)
        return
    at.minutes.public("session_opens", "R5", session=at.state.session)
    at.state = replace(at.state, phase="program")
    lists.pay_ministers(at)
