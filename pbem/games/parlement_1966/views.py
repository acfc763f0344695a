"""Public facts, and a party's own."""

from __future__ import annotations

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.treasury import BANK, Payment
from pbem.games.parlement_1966 import forecast
from pbem.games.parlement_1966.state import DISTRICTS, State
from pbem.games.parlement_1966.tables import Tables


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
        "bills": {
            number: {"yes": vote.yes, "no": vote.no, "abstain": vote.abstain, "passed": vote.passed}
            for number, vote in state.bills.items()
        },
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
            district: {
                "entrants": list(ballot.entrants),
                "free": ballot.free,
                "round": ballot.round,
            }
            for district, ballot in state.ballots.items()
        },
        "amendments": [
            {
                "number": a.number,
                "text": a.text,
                "signers": list(a.signers),
                "stage": a.stage,
                "session": a.session,
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
        "forecast": forecast.rows(state, seat, tables),
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
    return [_line(entry) for entry in state.accounts.entries if entry.payer == seat]


def _line(entry: Payment) -> Json:
    return {
        "period": entry.period,
        "other": "" if entry.payee == BANK else entry.payee,
        "crowns": -entry.amount,
        "purpose": entry.purpose,
    }
