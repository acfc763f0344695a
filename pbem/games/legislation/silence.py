"""What it means for a seat if it sends nothing in a period (§3.5, §3.6, §3.9, ruling 4)."""

from __future__ import annotations

from pbem.games.frame.events import Event, Minutes, Seat
from pbem.games.legislation.state import State, amendable, moved
from pbem.games.legislation.steps.returning import by_default


def silence(state: State, seat: Seat) -> tuple[Event, ...]:
    """Each an event for this seat alone."""
    if seat not in state.alive or state.winners is not None:
        return ()
    minutes = Minutes()
    told = minutes.private
    match state.phase:
        case "BILL" if seat in state.turns:
            filed = state.taken.get(seat)
            told("silent_bill", "3.4" if filed else "3.5", [seat], filed=list(filed or ()))
        case "AMEND":
            bills = [bill.id for bill in state.docket if amendable(state, bill)]
            told("silent_amend", "3.5", [seat], bills=bills)
        case "AMENDVOTE":
            told("silent_amendvote", "4.2", [seat], ids=[one.id for one in moved(state)])
            mine = [b.id for b in state.docket if b.chair == seat and b.amendments]
            if mine and state.on("BINDING", "OFF"):
                told("silent_accept", "R6", [seat], bills=mine)
        case "VOTE":
            filed_vote = state.standing.get(seat)
            ids = [bill.id for bill in state.docket]
            rule = "3.6" if filed_vote else "R4"
            told("silent_vote", rule, [seat], choice=filed_vote, bills=ids)
        case "CAMPAIGN":
            told("silent_campaign", "4.9.3", [seat])
    if state.first_period and seat in state.drawn:
        told("silent_return", "3.9", [seat], card=by_default(state, seat), drawn=state.drawn[seat])
    return tuple(minutes.events)
