"""Where in a session a scenario begins: phase, chairs and docket."""

from __future__ import annotations

from dataclasses import replace

from pbem.errors import ScenarioError
from pbem.games.legislation.scenario import Told
from pbem.games.legislation.state import (
    AMENDVOTE,
    BILL,
    CAMPAIGN,
    PHASES,
    VOTE,
    Clerk,
    State,
    chair_order,
    moved,
)
from pbem.games.legislation.steps.session import first_chair, take_nextbills
from pbem.orders.spelling import is_number

_FLOW = (
    "phase",
    "docket",
    "bill",
    "turns",
    "chair",
    "queue",
    "round",
    "decided",
    "failed",
    "streak",
    "balancing",
)


def told(scenario: Told) -> bool:
    """Whether the scenario begins within a session, rather than at the beginning of one."""
    return any(scenario.has(name) for name in _FLOW) or bool(scenario.drawn())


def resume(state: State, told: Told, clerk: Clerk) -> State:
    """The state in the phase the scenario names, with its chairs and bills."""
    state = replace(state, first=_first(state, told))
    around = chair_order(state)
    docket = told.docket(around, state.serial)
    phase = str(told.public.get("phase") or (VOTE if docket else BILL)).upper()
    if phase not in PHASES:
        raise ScenarioError(f"scenario phase: {phase!r} is none of {', '.join(PHASES)}")
    if phase not in (BILL, CAMPAIGN) and not docket:
        raise ScenarioError(f"scenario public.docket: the {phase} period needs a bill")
    numbers = [int(bill.id[1:]) for bill in docket if is_number(bill.id[1:])]
    state = replace(
        state,
        phase=phase,
        docket=docket,
        again=told.seats("again"),
        missed=told.seats("missed"),
        filed=told.count("filed", max(numbers, default=0)),
        crises=told.counts("crises"),
        streak=told.count("streak", 0),
        balancing=bool(told.public.get("balancing", False)),
    )
    turns = _turns(state, told)
    rest = (
        around[around.index(turns[-1]) + 1 :]
        if state.serial and turns and turns[-1] in around
        else ()
    )
    state = replace(state, turns=turns, queue=told.seats("queue") if told.has("queue") else rest)
    fresh = bool(told.drawn()) or (
        phase == BILL and state.round == 1 and (not state.serial or turns == around[:1])
    )
    state = replace(state, first_period=bool(told.public.get("first_period", fresh)))
    if phase == AMENDVOTE and not moved(state):
        raise ScenarioError(
            "scenario public.docket: the AMENDVOTE period needs a bill with amendments"
        )
    if phase == BILL:
        state = take_nextbills(state, clerk)
        state = replace(state, taken={**state.taken, **told.bills("on_file")})
    return state


def _first(state: State, told: Told) -> str:
    """The session's first chair: as told, else by CHAIR."""
    listed = told.seats("chair_order")
    if listed or told.has("first"):
        return listed[0] if listed else told.seat("scenario public.first", told.public["first"])
    phase = str(told.public.get("phase") or BILL).upper()
    if (
        told.has("chair")
        and not told.has("turns")
        and not state.serial
        and phase == BILL
        and state.round == 1
    ):
        return told.seat("scenario public.chair", told.public["chair"])
    first = first_chair(state, 1)
    for session in range(2, state.session + 1):
        first = first_chair(replace(state, first=first), session)
    return first


def _turns(state: State, told: Told) -> tuple[str, ...]:
    """The chairs of the round: as told, else those whose bills are new, else everybody (SERIAL: the
    one chair)."""
    around = chair_order(state)
    if told.has("turns"):
        return told.seats("turns")
    if state.phase == CAMPAIGN:
        return ()
    if told.has("chair"):
        chair = told.seat("scenario public.chair", told.public["chair"])
        if state.serial or state.phase != BILL or state.round > 1:
            return (chair,)
    if state.docket and (state.phase != BILL or state.serial):
        chairs = [bill.chair for bill in state.docket if bill.fresh or state.serial]
        return tuple(seat for seat in around if seat in chairs)
    return around[:1] if state.serial else tuple(seat for seat in around if seat not in state.skip)
