"""What silence means for a seat (§3.5, §3.6, §3.9, ruling 4)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.frame.events import Event, Minutes, Seat
from pbem.games.legislation import figures
from pbem.games.legislation.state import State, amendable, moved
from pbem.games.legislation.steps.deciding import file_standing
from pbem.games.legislation.steps.returning import by_default
from pbem.orders.order import Standing

MOST_LINES = 8


def silence(state: State, seat: Seat, standing: Standing) -> tuple[Event, ...]:
    """Return an event per fact, its ``slot`` named, for this seat alone."""
    state = file_standing(state, {seat: standing})
    if seat not in state.alive or state.winners is not None:
        return ()
    minutes = Minutes()
    told, by_if = minutes.private, figures.votes(state, seat, standing)
    match state.phase:
        case "BILL" if seat in state.turns:
            filed = state.taken.get(seat)
            rule = "3.4" if filed else "3.5"
            told("silent_bill", rule, [seat], slot="BILL", filed=list(filed or ()))
        case "AMEND":
            bills = [bill.id for bill in state.docket if amendable(state, bill)]
            _each(minutes, seat, "silent_amend", "3.5", "AMEND", bills)
        case "AMENDVOTE":
            figures.tell(minutes, "silent_if", state, seat, standing)
            ids = [a.id for a in moved(state) if f"VOTE {a.id}" not in by_if]
            _each(minutes, seat, "silent_amendvote", "4.2", "VOTE", ids)
            mine = [bill.id for bill in state.docket if bill.chair == seat and bill.amendments]
            if mine and state.on("BINDING", "OFF"):
                told("silent_accept", "R6", [seat], slot="ACCEPT", bills=mine)
        case "VOTE" if seat in state.standing:
            figures.tell(minutes, "silent_if", state, seat, standing)
            more = {"but": True} if by_if else {}
            told("silent_standing", "3.6", [seat], choice=state.standing[seat], **more)
        case "VOTE":
            figures.tell(minutes, "silent_if", state, seat, standing)
            bills = [bill.id for bill in state.docket if f"VOTE {bill.id}" not in by_if]
            _each(minutes, seat, "silent_vote", "R4", "VOTE", bills)
        case "CAMPAIGN":
            told("silent_campaign", "4.9.3", [seat], slot="SPEND")
    if state.first_period and seat in state.drawn:
        told("silent_return", "3.9", [seat], card=by_default(state, seat), drawn=state.drawn[seat])
    return tuple(minutes.events)


def _each(
    minutes: Minutes, seat: Seat, kind: str, rule: str, word: str, ids: Sequence[str]
) -> None:
    if len(ids) > MOST_LINES:
        minutes.private(kind, rule, [seat], id="")
        return
    for name in ids:
        minutes.private(kind, rule, [seat], slot=f"{word} {name}", id=name)
