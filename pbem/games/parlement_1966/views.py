"""Public facts, and a party's own; what it may know of ballots to come."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

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
    alike: dict[tuple[Any, ...], list[int]] = {}
    for district, ballot in to_be_held(state).items():
        if len(ballot.entrants) < 2:
            continue
        casts = list(count.independents(ballot.entrants))
        own_votes = max(0, local[seat][int(district) - 1]) if seat else 0
        own = count.sent(seat, district, ballot) if seat and own_votes else None
        if seat and own:
            casts.append(Cast(seat, own_votes, (own,)))
        votes = tuple(tally(ballot.entrants, casts).items())
        alike.setdefault((votes, own, own_votes, ballot.free), []).append(int(district))
    return [Forecast(tuple(where), dict(votes), *one) for (votes, *one), where in alike.items()]


def rows(state: State, seat: str, tables: Tables) -> list[Json]:
    return [
        {"districts": spans(one.districts), **one.event_data()}
        for one in forecast(state, seat, tables)
    ]


_TOLD = (
    *("phase", "session", "period", "extensions", "seats", "turn", "election", "crisis"),
    *("bills", "records", "candidates", "ballots", "amendments", "changed"),
)
"""Public fields."""


def public(state: State) -> Json:
    """Return public facts. ``listing``: treasuries as published (34)."""
    government, offices = state.government, state.government and dict(state.government.offices)
    told = codec.plain(codec.dump({name: getattr(state, name) for name in _TOLD}))
    for one, row in zip(state.amendments, told["amendments"], strict=True):
        row["put"] = state.phase == "session" and one.voted_in(state.session, state.period)
    return {
        **told,
        "vacant": DISTRICTS - sum(state.seats.values()),
        "government": {"emergency": True} if government and government.emergency else offices,
        "last_period": state.last,
        "called": [
            {
                "bill": one.bill,
                "by": one.by,
                "signers": list(one.signers),
                "binding": government is not None and one.government == government.number,
            }
            for one in state.called
        ],
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
        "listing": dict(state.listed),
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
