"""Public facts, and a party's own; what it may know of ballots to come."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.treasury import BANK
from pbem.games.parlement_1966.state import DISTRICTS, Instructions, State, Tables
from pbem.games.parlement_1966.steps.elections import Cast, Count, tally, to_be_held
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


def public(state: State) -> Json:
    """Return public facts. ``listing``: treasuries as published (34)."""
    government = state.government
    return {
        "phase": state.phase,
        "session": state.session,
        "period": state.period,
        "extensions": state.extensions,
        "seats": dict(state.seats),
        "vacant": DISTRICTS - sum(state.seats.values()),
        "government": None
        if government is None
        else {"emergency": True}
        if government.emergency
        else dict(government.offices),
        "turn": state.turn,
        "election": state.election,
        "last_period": state.last,
        "crisis": state.crisis,
        "called": [
            {
                "bill": one.bill,
                "by": one.by,
                "signers": list(one.signers),
                "binding": government is not None and one.government == government.number,
            }
            for one in state.called
        ],
        "bills": {number: asdict(vote) for number, vote in state.bills.items()},
        "records": {bloc: dict(points) for bloc, points in state.records.items()},
        "candidates": {party: list(districts) for party, districts in state.candidates.items()},
        "districts": {
            str(district): {
                "holder": state.holders[district - 1],
                "tally": {
                    c: codec.number(votes)
                    for c, votes in state.tallies.get(str(district), {}).items()
                },
            }
            for district in range(1, DISTRICTS + 1)
        },
        "ballots": {
            district: {**asdict(ballot), "entrants": list(ballot.entrants)}
            for district, ballot in state.ballots.items()
        },
        "amendments": [
            {
                **asdict(a),
                "signers": list(a.signers),
                "done": list(a.done),
                "put": state.phase == "session" and a.voted_in(state.session, state.period),
            }
            for a in state.amendments
        ],
        "listing": dict(state.listed),
        "changed": dict(state.changed),
        "private_treasury_notices": state.settings.notices,
        "first_rulings": state.settings.first_rulings,
    }


def own(state: State, seat: str, tables: Tables) -> Json:
    """Return the party's file; its treasury with private_treasury_notices (34)."""
    filed = state.instructions.get(seat)
    own: dict[str, Json] = {
        "prefer": list(filed.prefer) if filed else [],
        "blocs": dict(filed.blocs) if filed else {},
        "standing_votes": dict(state.standing_votes.get(seat, {})),
        "waiting": list(state.waiting.get(seat, ())),
        "votes": {str(place): votes for place, votes in enumerate(state.local[seat], 1)},
        "paid": paid(state, seat),
        "forecast": rows(state, seat, tables),
    }
    if state.settings.cheques:
        own["cheques"] = [
            {"number": one.number, "payee": one.payee, "crowns": one.crowns}
            for one in state.cheques
            if one.payer == seat
        ]
    if state.settings.notices:
        own["treasury"] = state.accounts.balance(seat)
    return own


def paid(state: State, seat: str) -> list[Json]:
    """Return own payments since the last listing (34)."""
    return [
        {
            "period": entry.period,
            "other": "" if entry.payee == BANK else entry.payee,
            "crowns": -entry.amount,
            "purpose": entry.purpose,
        }
        for entry in state.accounts.entries
        if entry.payer == seat
    ]
