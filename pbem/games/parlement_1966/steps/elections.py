"""Majorities, and the votes of a house; then primary, runoff and third ballots (21 to 25, 28).

Exact: votes may become Fractions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from pbem.games.frame import codec
from pbem.games.frame.events import Orders
from pbem.games.parlement_1966.orders import Bloc, Prefer
from pbem.games.parlement_1966.state import DISTRICTS, PARTIES, Ballot, Instructions, State, Tables
from pbem.games.parlement_1966.steps import Period
from pbem.text import figure

Number = int | Fraction


class Cast(NamedTuple):
    """A bloc's ``votes``, shared evenly among ``to``; if empty, it does not vote."""

    bloc: str
    votes: int
    to: tuple[str, ...]


def share(votes: int, among: int) -> Number:
    """Return an even share; an int if it divides."""
    whole, rest = divmod(votes, among)
    return Fraction(votes, among) if rest else whole


def tally(candidates: Sequence[str], casts: Iterable[Cast]) -> dict[str, Number]:
    """Return votes, in the order of ``candidates``."""
    counted: dict[str, Number] = dict.fromkeys(candidates, 0)
    for cast in casts:
        if cast.to:
            each = share(cast.votes, len(cast.to))
            for candidate in cast.to:
                counted[candidate] += each
    return counted


def majority(counted: Mapping[str, Number]) -> str | None:
    """Return who has more than half of the votes, or None."""
    if not counted:
        return None
    leader = max(counted, key=lambda candidate: counted[candidate])
    return leader if 2 * counted[leader] > sum(counted.values()) else None


def leaders(counted: Mapping[str, Number]) -> tuple[tuple[str, ...], bool]:
    """Return who enters the next ballot, with all tied for second, and whether that is more than
    two."""
    if len(counted) <= 2:
        return tuple(counted), False
    cut = sorted(counted.values(), reverse=True)[1]
    entrants = tuple(candidate for candidate, votes in counted.items() if votes >= cut)
    return entrants, len(entrants) > 2


def best(points: Mapping[str, int], candidates: Sequence[str]) -> tuple[str, ...]:
    most = max((points.get(candidate, 0) for candidate in candidates), default=0)
    return tuple(candidate for candidate in candidates if points.get(candidate, 0) == most)


def strength(seats: Mapping[str, int], parties: Iterable[str]) -> int:
    """Return their seats; a repeated name counts once."""
    return sum(seats.get(party, 0) for party in set(parties))


def largest(seats: Mapping[str, int]) -> tuple[str, ...]:
    most = max(seats.values())
    return tuple(party for party, held in seats.items() if held == most)


@dataclass(frozen=True, slots=True)
class Division:
    """Votes of a house or party."""

    yes: int = 0
    no: int = 0
    abstain: int = 0


def divide(members: int, vote: str, restrained: bool = False) -> Division:
    """Divide a party: a restrained one votes by half (rounded down), the rest abstain."""
    voting = members // 2 if restrained else members
    match vote:
        case "yes":
            return Division(yes=voting, abstain=members - voting)
        case "no":
            return Division(no=voting, abstain=members - voting)
    return Division(abstain=members)


def total(divisions: Iterable[Division]) -> Division:
    listed = tuple(divisions)
    return Division(
        sum(d.yes for d in listed), sum(d.no for d in listed), sum(d.abstain for d in listed)
    )


_SHARES = {2: "half of", 3: "a third of", 4: "a quarter of", 5: "a fifth of"}
_NONE = Instructions()


def instructions(state: State, orders: Orders) -> dict[str, Instructions]:
    """Return the blocs' instructions; BLOC and PREFER last until replaced (ruling 16)."""
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


def paid(
    local: Mapping[str, tuple[int, ...]], payments: Mapping[str, Mapping[int, int]]
) -> dict[str, tuple[int, ...]]:
    """Add a vote per crown (28)."""
    return {
        party: tuple(n + payments.get(party, {}).get(d, 0) for d, n in enumerate(votes, 1))
        for party, votes in local.items()
    }


@dataclass(frozen=True, slots=True)
class Returned:
    """A ballot's result: winner, or who goes on. ``told``: event data."""

    tally: Mapping[str, Fraction]
    winner: str | None
    entrants: tuple[str, ...]
    free: bool
    told: Mapping[str, Any]


@dataclass(slots=True)
class Count:
    """A day at the polls; like districts are counted once."""

    local: Mapping[str, tuple[int, ...]]
    records: Mapping[str, Mapping[str, int]]
    filed: Mapping[str, Instructions]
    tables: Tables
    leads: dict[tuple[str, ...], tuple[Cast, ...]] = field(default_factory=dict)
    known: dict[tuple[tuple[str, ...], tuple[Cast, ...]], Returned] = field(default_factory=dict)

    def poll(self, district: int, ballot: Ballot) -> Returned:
        casts = self.casts(district, ballot)
        returned = self.known.get((ballot.entrants, casts))
        if returned is None:
            returned = self.known[ballot.entrants, casts] = counted(
                ballot.entrants, casts, self.tables.party_bloc
            )
        return returned

    def casts(self, district: int, ballot: Ballot) -> tuple[Cast, ...]:
        """Return each bloc's vote, party blocs first."""
        cast = []
        for party in PARTIES:
            votes = self.local[party][district - 1]
            if votes > 0:
                to = self.sent(party, str(district), ballot)
                cast.append(Cast(party, votes, (to,) if to else ()))
        return (*cast, *self.independents(ballot.entrants))

    def sent(self, party: str, district: str, ballot: Ballot) -> str | None:
        """Return where a party bloc votes (24, 25)."""
        filed = self.filed.get(party, _NONE)
        named = filed.blocs.get(district)
        if party in ballot.entrants:
            turned = ballot.free and (named in ballot.entrants or named == "NONE")
            named = named if turned else party
        elif named is None:
            return next((choice for choice in filed.prefer if choice in ballot.entrants), None)
        return named if named in ballot.entrants else None

    def independents(self, entrants: tuple[str, ...]) -> tuple[Cast, ...]:
        """Return votes for the best record; ties split (23)."""
        known = self.leads.get(entrants)
        if known is None:
            votes = self.tables.independent
            known = tuple(
                Cast(bloc, votes, best(self.records[bloc], entrants)) for bloc in self.tables.blocs
            )
            self.leads[entrants] = known
        return known


def counted(candidates: tuple[str, ...], casts: Sequence[Cast], home: int) -> Returned:
    """Return who has more than half, else the leaders (25, rulings 13 to 15)."""
    votes = tally(candidates, casts)
    winner = majority(votes)
    entrants, free = leaders(votes) if winner is None else ((), False)
    order = sorted(votes, key=lambda candidate: -votes[candidate])
    sides = ", ".join(f"{c} {_plain(votes[c])} ({_supporters(c, casts, home)})" for c in order)
    head = winner or f"{''.join(entrants)} runoff"
    told = {
        "winner": winner,
        "runoff": list(entrants),
        "free": free,
        "form": f"{head}: {sides}" if votes else "vacant: no candidates",
        "tally": {c: v if isinstance(v, int) else codec.number(v) for c, v in votes.items()},
        "blocs": {
            cast.bloc: {"votes": cast.votes, "to": list(cast.to)} for cast in casts if cast.to
        },
    }
    return Returned({c: Fraction(v) for c, v in votes.items()}, winner, entrants, free, told)


def _supporters(candidate: str, casts: Sequence[Cast], home: int) -> str:
    """Return blocs as "R C B, L 3000"; ``home`` votes need no figure."""
    mine = [cast for cast in casts if candidate in cast.to]
    plain = " ".join(c.bloc for c in mine if len(c.to) == 1 and c.votes == home)
    shared = [
        f"{_SHARES.get(len(c.to), f'1/{len(c.to)} of')} {c.bloc}" for c in mine if len(c.to) > 1
    ]
    figured = [f"{c.bloc} {c.votes}" for c in mine if len(c.to) == 1 and c.votes != home]
    return ", ".join(part for part in (plain, *shared, *figured) if part)


def _plain(votes: Fraction | int) -> str:
    return str(votes) if isinstance(votes, int) else figure(votes).replace(",", "")


def primary(state: State) -> dict[str, Ballot]:
    standing: dict[int, list[str]] = {district: [] for district in range(1, DISTRICTS + 1)}
    for party in PARTIES:
        for district in state.candidates.get(party, ()):
            standing[district].append(party)
    return {
        str(district): Ballot(tuple(parties), round=1) for district, parties in standing.items()
    }


def to_be_held(state: State) -> Mapping[str, Ballot]:
    return primary(state) if state.phase == "primary" else state.ballots


def directed(
    state: State, party: str, filed: Instructions, tables: Tables
) -> list[tuple[int, Ballot, str | None]]:
    """Return (district, ballot, candidate) of blocs that the leader can send (24)."""
    count = Count(state.local, state.records, {party: filed}, tables)
    return [
        (int(district), ballot, count.sent(party, district, ballot))
        for district, ballot in to_be_held(state).items()
        if state.local[party][int(district) - 1] > 0
        and ballot.entrants
        and (ballot.free or party not in ballot.entrants)
    ]


def held(at: Period, ballots: Mapping[str, Ballot], kind: str) -> None:
    """Count the ballots; decided districts change hands and lose bloc votes (28)."""
    state = at.state
    count = Count(state.local, state.records, state.instructions, at.tables)
    holders, tallies, seats = list(state.holders), dict(state.tallies), dict(state.seats)
    waiting = {
        district: ballot for district, ballot in state.ballots.items() if district not in ballots
    }
    settled, told = [], []
    for district in sorted(map(int, ballots)):
        ballot = ballots[str(district)]
        one = count.poll(district, ballot)
        tallies[str(district)] = one.tally
        holders[district - 1] = one.winner
        if one.entrants:
            waiting[str(district)] = Ballot(one.entrants, one.free, ballot.round + 1)
        else:
            settled.append(district)
        if one.winner:
            seats[one.winner] += 1
        told.append({"district": district, **one.told})
    at.minutes.public("returns", "25", ballot=kind, districts=told)
    _came_to_nothing(at, ballots)
    at.state = replace(
        state,
        holders=tuple(holders),
        tallies=tallies,
        ballots=waiting,
        seats=seats,
        local=lowered(state.local, settled, at.tables.loss),
    )


def _came_to_nothing(at: Period, ballots: Mapping[str, Ballot]) -> None:
    """Paragraphs 28, R16."""
    paid_for = {entry.payee for entry in at.state.accounts.entries}
    for party in PARTIES:
        places = sorted(
            int(district)
            for district, ballot in ballots.items()
            if ballot.entrants
            and at.state.local[party][int(district) - 1] <= 0
            and f"district {district} {party}" in paid_for
        )
        if places:
            told = {"districts": places, "loss": at.tables.loss}
            at.minutes.private("blocs_none", "28", [party], **told)


def lowered(
    local: Mapping[str, tuple[int, ...]], districts: Sequence[int], loss: int
) -> dict[str, tuple[int, ...]]:
    """Lower bloc votes by the loss, debts from 0 (28)."""
    return {
        party: tuple(max(0, n) - loss if d in districts else n for d, n in enumerate(votes, 1))
        for party, votes in local.items()
    }


def chamber(holders: Sequence[str | None]) -> dict[str, int]:
    return {party: sum(holder == party for holder in holders) for party in PARTIES}
