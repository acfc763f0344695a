"""What a party may know of ballots to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pbem.games.frame import codec
from pbem.games.frame.ballots import Cast, tally
from pbem.games.frame.codec import Json
from pbem.games.parlement_1966.state import Instructions, State
from pbem.games.parlement_1966.steps.elections import Count, to_be_held
from pbem.games.parlement_1966.tables import Tables
from pbem.text import spans


@dataclass(frozen=True, slots=True)
class Forecast:
    """Like contested districts. ``votes`` are sure, ``own_votes`` of them for ``own``. ``free``:
    paragraph 25."""

    districts: tuple[int, ...]
    votes: Mapping[str, Fraction | int]
    own: str | None
    own_votes: int
    free: bool

    def event_data(self) -> dict[str, Json]:
        votes = {party: codec.number(n) for party, n in self.votes.items()}
        return {"votes": votes, "own": self.own, "own_votes": self.own_votes, "free": self.free}


def forecast(state: State, seat: str | None, tables: Tables) -> list[Forecast]:
    """Return this period's contested ballots as ``seat`` (None: anybody) may know."""
    filed = {seat: state.instructions.get(seat, Instructions())} if seat else {}
    local = {seat: state.local[seat]} if seat else {}
    count = Count(local, state.records, filed, tables)
    alike: dict[tuple[object, ...], list[int]] = {}
    found: dict[tuple[object, ...], tuple[Mapping[str, Fraction | int], str | None, int, bool]] = {}
    for district, ballot in to_be_held(state).items():
        if len(ballot.entrants) < 2:
            continue
        casts = list(count.independents(ballot.entrants))
        own_votes = max(0, local[seat][int(district) - 1]) if seat else 0
        own = count.sent(seat, district, ballot) if seat and own_votes else None
        if seat and own:
            casts.append(Cast(seat, own_votes, (own,)))
        votes = tally(ballot.entrants, casts)
        key = (ballot.entrants, tuple(votes.items()), own, own_votes, ballot.free)
        alike.setdefault(key, []).append(int(district))
        found[key] = (votes, own, own_votes, ballot.free)
    return [Forecast(tuple(alike[key]), *one) for key, one in found.items()]


def rows(state: State, seat: str, tables: Tables) -> list[Json]:
    return [
        {"districts": spans(one.districts), **one.event_data()}
        for one in forecast(state, seat, tables)
    ]
