"""What silence means for a party; ``slot`` names what would fill it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.games.frame.events import Event, Minutes, Seat, Tell
from pbem.games.parlement_1966.orders import (
    Candidates,
    Propose,
    Resign,
    Support,
    Vote,
    VoteAmendment,
)
from pbem.games.parlement_1966.state import Instructions, State
from pbem.games.parlement_1966.steps import bills, elections
from pbem.games.parlement_1966.steps.bills import counts_as
from pbem.games.parlement_1966.steps.elections import directed
from pbem.games.parlement_1966.tables import Tables
from pbem.orders.order import Standing
from pbem.text import spans


def silence(state: State, seat: Seat, standing: Standing, tables: Tables) -> tuple[Event, ...]:
    """Return consequences, owed orders first; this period's lasting orders are on file."""
    if state.winners is not None:
        return ()
    state = replace(
        state,
        standing_votes=bills.standing_votes(state, {seat: standing}),
        instructions=elections.instructions(state, {seat: standing}),
    )
    minutes = Minutes()
    tell = minutes.to(seat)
    if state.phase == "session":
        _votes(state, seat, standing, tables, tell)
        _session(state, seat, tell)
    filed = state.instructions.get(seat, Instructions())
    if rows := bloc_rows(state, seat, filed, tables):
        told = bool(filed.blocs or filed.prefer)
        tell("blocs_go", "24" if told else "R14", rows=rows, told=told)
    settings, owes = state.settings, bool(state.called) or state.last
    if settings.first_rulings and settings.house_rules and owes and state.missed.get(seat):
        tell("missed_before", "R21", times=state.missed[seat] + 1)
    return tuple(minutes.events)


def _votes(state: State, seat: Seat, standing: Standing, tables: Tables, tell: Tell) -> None:
    """R10. A party that resigns now is free."""
    if not state.seats[seat]:
        return
    government = None if Resign().slot in standing else state.governing()
    leader = government.leader_of(seat) if government else ""
    for called in state.called:
        bill, vote = called.bill, state.standing_votes.get(seat, {}).get(str(called.bill), "")
        slot = Vote(bill, "").slot
        if leader:
            tell("votes_as_premier", "16", bill=bill, premier=leader, slot=slot)
        elif vote and counts_as(called, government, seat, vote) == vote:
            tell("votes_as_filed", "R21", bill=bill, vote=vote, slot=slot)
        else:
            leads = government is not None and seat == government.premier
            rule = "R10" if leads else "16"
            tell("abstains", rule, bill=bill, leads=leads, slot=slot)
    for one in state.amendments:
        if one.voted_in(state.session, state.period):
            slot = VoteAmendment(one.number, "").slot
            data = {"number": one.number, "text": one.text, "slot": slot}
            tell("abstains_amendment", "35", **data)


def _session(state: State, seat: Seat, tell: Tell) -> None:
    government = state.governing()
    if state.last:
        tell("no_list", "R21", slot=Candidates.slot)
    if government is None:
        if members := state.seats[seat]:
            tell("backs_nobody", "9", members=members, slot=Support.slot)
    elif not state.last and state.turn == "government" and seat == government.premier:
        tell("right_lapses", "14", slot=Propose.slot)


def bloc_rows(
    state: State, seat: Seat, filed: Instructions, tables: Tables
) -> list[dict[str, str | None]]:
    """Return where unbound blocs go now (24)."""
    sent: dict[str | None, list[int]] = {}
    for district, _, to in directed(state, seat, filed, tables):
        sent.setdefault(to, []).append(district)
    rows: Iterator[tuple[str | None, list[int]]] = iter(
        sorted(sent.items(), key=lambda row: row[1])
    )
    return [{"to": to, "districts": spans(districts)} for to, districts in rows]
