"""Elections: primary, runoff and third ballots in fifty districts (paragraphs 21 to 25 and 28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from pbem import codec
from pbem.games.parlement_1966.cabinet import Orders
from pbem.games.parlement_1966.orders import Bloc, Prefer
from pbem.games.parlement_1966.reader import PARTIES
from pbem.games.parlement_1966.state import DISTRICTS, Ballot, Instructions, State, Tables
from pbem.parliament.ballots import Cast, best, leaders, majority, tally
from pbem.ruleset import Minutes
from pbem.typeset import figure

_SHARES = {2: "half of", 3: "a third of", 4: "a quarter of", 5: "a fifth of"}
_NONE = Instructions()


def instructions(state: State, orders: Orders) -> dict[str, Instructions]:
    """What stands for each party's blocs: BLOC and PREFER remain until replaced (ruling 16)."""
    result = dict(state.instructions)
    for party in PARTIES:
        filed = result.get(party, _NONE)
        blocs, prefer = dict(filed.blocs), filed.prefer
        for order in orders.get(party, {}).values():
            if isinstance(order, Bloc):
                blocs[str(order.district)] = order.to
            elif isinstance(order, Prefer):
                prefer = order.parties
        if blocs or prefer:
            result[party] = Instructions(blocs, prefer)
    return result


def paid(local: Mapping[str, tuple[int, ...]], payments: Mapping[str, Mapping[int, int]]) -> dict[str, tuple[int, ...]]:
    """The blocs with a vote more for each crown paid (28)."""
    result = dict(local)
    for party, crowns in payments.items():
        if crowns:
            votes = list(local[party])
            for district, amount in crowns.items():
                votes[district - 1] += amount
            result[party] = tuple(votes)
    return result


@dataclass(slots=True)
class Count:
    """One day at the polls: what every district is counted by. ``leads`` remembers the independents' choice for each
    set of candidates, since it is the same in every district."""

    local: Mapping[str, tuple[int, ...]]
    records: Mapping[str, Mapping[str, int]]
    filed: Mapping[str, Instructions]
    tables: Tables
    leads: dict[tuple[str, ...], tuple[Cast, ...]] = field(default_factory=dict)

    def casts(self, district: int, ballot: Ballot) -> list[Cast]:
        """What each bloc of the district does, party blocs first."""
        cast = []
        for party in PARTIES:
            votes = self.local[party][district - 1]
            if votes > 0:
                to = self._party(party, str(district), ballot)
                cast.append(Cast(party, votes, (to,) if to else ()))
        return [*cast, *self._independents(ballot.entrants)]

    def _party(self, party: str, district: str, ballot: Ballot) -> str | None:
        """Where a party bloc votes: for its own candidate, else as told; free blocs go where BLOC says (24, 25)."""
        filed = self.filed.get(party, _NONE)
        named = filed.blocs.get(district)
        if party in ballot.entrants:
            turned = ballot.free and (named in ballot.entrants or named == "NONE")
            named = named if turned else party
        elif named is None:
            return next((choice for choice in filed.prefer if choice in ballot.entrants), None)
        return named if named in ballot.entrants else None

    def _independents(self, entrants: tuple[str, ...]) -> tuple[Cast, ...]:
        """Each independent bloc votes for the best record among the candidates; ties split it (23)."""
        known = self.leads.get(entrants)
        if known is None:
            votes = self.tables.independent
            known = tuple(Cast(bloc, votes, best(self.records[bloc], entrants)) for bloc in self.tables.blocs)
            self.leads[entrants] = known
        return known


@dataclass(frozen=True, slots=True)
class Polled:
    """A ballot counted in one district: the winner, or who enters the next ballot."""

    district: int
    tally: Mapping[str, Fraction | int]
    casts: Sequence[Cast]
    winner: str | None
    following: Ballot | None

    def json(self, home: int) -> dict[str, Any]:
        """For the event; ``form`` as the printed results give it."""
        return {
            "district": self.district, "winner": self.winner,
            "tally": {candidate: codec.number(votes) for candidate, votes in self.tally.items()},
            "runoff": list(self.following.entrants) if self.following else [],
            "free": bool(self.following and self.following.free), "form": self.form(home),
        }  # fmt: skip

    def form(self, home: int) -> str:
        """ "L: L 9000 (R C B, L 3000), M 6000 (M W K)": blocs of ``home`` votes without a figure."""
        order = sorted(self.tally, key=lambda candidate: -self.tally[candidate])
        sides = ", ".join(f"{c} {_plain(self.tally[c])} ({self._supporters(c, home)})" for c in order)
        if self.winner:
            return f"{self.winner}: {sides}"
        names = "".join(self.following.entrants) if self.following else ""
        return f"{names} runoff: {sides}" if names else "vacant: no candidates"

    def _supporters(self, candidate: str, home: int) -> str:
        mine = [cast for cast in self.casts if candidate in cast.to]
        plain = " ".join(c.bloc for c in mine if len(c.to) == 1 and c.votes == home)
        shared = [f"{_SHARES.get(len(c.to), f'1/{len(c.to)} of')} {c.bloc}" for c in mine if len(c.to) > 1]
        figured = [f"{c.bloc} {c.votes}" for c in mine if len(c.to) == 1 and c.votes != home]
        return ", ".join(part for part in (plain, *shared, *figured) if part)


def _plain(votes: Fraction | int) -> str:
    return figure(votes).replace(",", "")


def poll(count: Count, district: int, ballot: Ballot) -> Polled:
    """One ballot in one district: more than half of the votes cast wins, else the leaders go on (25)."""
    casts = count.casts(district, ballot)
    counted = tally(ballot.entrants, casts)
    winner = majority(counted)
    following = None
    if winner is None and counted:
        entrants, free = leaders(counted)
        following = Ballot(entrants, free, ballot.round + 1)
    return Polled(district, counted, casts, winner, following)


def primary(state: State) -> dict[str, Ballot]:
    """The first ballot in every district: the candidates put up there."""
    standing: dict[int, list[str]] = {district: [] for district in range(1, DISTRICTS + 1)}
    for party in PARTIES:
        for district in state.candidates.get(party, ()):
            standing[district].append(party)
    return {str(district): Ballot(tuple(parties), round=1) for district, parties in standing.items()}


def _by_number(item: tuple[str, Ballot]) -> int:
    return int(item[0])


def held(state: State, ballots: Mapping[str, Ballot], tables: Tables, kind: str, minutes: Minutes) -> State:
    """Count these ballots; decided districts change hands and the bloc votes there fall by the loss (28)."""
    count = Count(state.local, state.records, state.instructions, tables)
    polled = [poll(count, int(district), ballot) for district, ballot in sorted(ballots.items(), key=_by_number)]
    holders, tallies = list(state.holders), dict(state.tallies)
    waiting = {d: ballot for d, ballot in state.ballots.items() if d not in ballots}
    for one in polled:
        holders[one.district - 1] = one.winner
        tallies[str(one.district)] = {candidate: Fraction(votes) for candidate, votes in one.tally.items()}
        if one.following:
            waiting[str(one.district)] = one.following
    settled = [one.district for one in polled if not one.following]
    won = chamber([one.winner for one in polled])
    seats = {party: state.seats[party] + won[party] for party in PARTIES}
    minutes.public("returns", "25", ballot=kind, districts=[one.json(tables.party_bloc) for one in polled])
    return replace(
        state, holders=tuple(holders), tallies=tallies, ballots=waiting,
        local=lowered(state.local, settled, tables.loss), seats=seats,
    )  # fmt: skip


def lowered(local: Mapping[str, tuple[int, ...]], districts: Sequence[int], loss: int) -> dict[str, tuple[int, ...]]:
    """The bloc votes of these districts after an election: never counted below 0, then less the loss (28)."""
    result = {}
    for party, votes in local.items():
        changed = list(votes)
        for district in districts:
            changed[district - 1] = max(0, changed[district - 1]) - loss
        result[party] = tuple(changed)
    return result


def chamber(holders: Sequence[str | None]) -> dict[str, int]:
    """Seats by party."""
    return {party: sum(holder == party for holder in holders) for party in PARTIES}
