"""Where in a session a scenario begins."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.frame.events import Seat
from pbem.games.frame.scenario import of_each, wrong
from pbem.games.legislation.scenario import Amendment as ToldAmendment
from pbem.games.legislation.scenario import Public, Scenario
from pbem.games.legislation.state import (
    AMENDVOTE,
    BILL,
    CAMPAIGN,
    VOTE,
    Amendment,
    Bill,
    Clerk,
    State,
    chair_order,
    moved,
)
from pbem.games.legislation.steps.session import first_chair, take_nextbills
from pbem.orders.spelling import is_number


def scenario_within_session(scenario: Scenario) -> bool:
    public = scenario.public
    flow = (
        public.phase,
        public.docket,
        public.bill,
        public.turns,
        public.chair,
        public.queue,
        public.round,
        public.decided,
        public.failed,
        public.streak,
        public.balancing,
    )
    return any(value is not None for value in flow) or bool(scenario.drawn())


def resume(state: State, told: Scenario, clerk: Clerk) -> State:
    public = told.public
    state = replace(state, first=_first(state, public))
    around = chair_order(state)
    docket = _docket(told, around, state.serial)
    phase = public.phase or (VOTE if docket else BILL)
    if phase not in (BILL, CAMPAIGN) and not docket:
        wrong("public.docket", f"the {phase} period needs a bill")
    numbers = [int(bill.id[1:]) for bill in docket if is_number(bill.id[1:])]
    state = replace(
        state,
        phase=phase,
        docket=docket,
        again=public.again or (),
        missed=public.missed or (),
        filed=max(numbers, default=0) if public.filed is None else public.filed,
        crises=public.crises or {},
        streak=public.streak or 0,
        balancing=bool(public.balancing),
    )
    turns = _turns(state, public)
    rest = (
        around[around.index(turns[-1]) + 1 :]
        if state.serial and turns and turns[-1] in around
        else ()
    )
    state = replace(state, turns=turns, queue=rest if public.queue is None else public.queue)
    fresh = bool(told.drawn()) or (
        phase == BILL and state.round == 1 and (not state.serial or turns == around[:1])
    )
    first = fresh if public.first_period is None else public.first_period
    state = replace(state, first_period=first)
    if phase == AMENDVOTE and not moved(state):
        wrong("public.docket", "the AMENDVOTE period needs a bill with amendments")
    if phase == BILL:
        state = take_nextbills(state, clerk)
        state = replace(
            state, taken={**state.taken, **of_each(told.private, lambda own: own.on_file or None)}
        )
    return state


def _docket(told: Scenario, chairs: tuple[Seat, ...], serial: bool) -> tuple[Bill, ...]:
    """Return the bills; missing numbers and chairs follow chair order. Extended ones are amendable
    only with ``serial``."""
    found: list[Bill] = []
    for index, one in enumerate(told.bills()):
        id = one.id or f"B{index + 1}"
        before = sum(len(bill.amendments) for bill in found)
        found.append(
            Bill(
                id,
                one.chair or chairs[index % len(chairs)],
                one.core,
                one.filed or one.core,
                one.added or (),
                one.removed or (),
                one.dropped or (),
                one.yellow,
                one.extensions or 0,
                _amendments(id, one.amendments or (), before),
                _amendments(id, one.carried or (), 0),
                (serial or not one.extensions) if one.fresh is None else one.fresh,
            )
        )
    return tuple(found)


def _amendments(bill: str, listed: tuple[ToldAmendment, ...], before: int) -> tuple[Amendment, ...]:
    return tuple(
        Amendment(
            one.id or f"A{number}",
            bill,
            one.action,
            one.card,
            one.movers or ((one.mover,) if one.mover else ()),
        )
        for number, one in enumerate(listed, before + 1)
    )


def _first(state: State, public: Public) -> str:
    if public.chair_order:
        return public.chair_order[0]
    if public.first:
        return public.first
    begins = (public.phase or BILL) == BILL and state.round == 1
    if public.chair and public.turns is None and not state.serial and begins:
        return public.chair
    first = first_chair(state, 1)
    for session in range(2, state.session + 1):
        first = first_chair(replace(state, first=first), session)
    return first


def _turns(state: State, public: Public) -> tuple[str, ...]:
    around = chair_order(state)
    if public.turns is not None:
        return public.turns
    if state.phase == CAMPAIGN:
        return ()
    if public.chair and (state.serial or state.phase != BILL or state.round > 1):
        return (public.chair,)
    if state.docket and (state.phase != BILL or state.serial):
        chairs = [bill.chair for bill in state.docket if bill.fresh or state.serial]
        return tuple(seat for seat in around if seat in chairs)
    return around[:1] if state.serial else tuple(seat for seat in around if seat not in state.skip)
