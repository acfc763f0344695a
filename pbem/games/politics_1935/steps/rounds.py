"""A round (4) or turn (4a), and the next one's opening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, seats_from
from pbem.games.politics_1935.orders import StandingList
from pbem.games.politics_1935.state import State
from pbem.games.politics_1935.steps.auction import sell, turn_up
from pbem.games.politics_1935.steps.counting import (
    alone,
    calls_a_count,
    last_count,
    resignations,
    tabulate,
    tell_idle_pair,
    tell_race,
)
from pbem.games.politics_1935.steps.playing import gap, play, show_cards
from pbem.orders.order import Standing

Orders = Mapping[str, Standing]


def adjudicated(state: State, orders: Orders, dice: Dice, minutes: Minutes) -> State:
    gaps, before = (state.turn,) if state.turn else state.alive, state.pins
    leaving = [seat for seat in state.alive if "RESIGN" in orders.get(seat, {})]
    state = resignations(state, leaving, dice, minutes)
    if state.winners is not None:
        return state
    orders = {seat: orders.get(seat, {}) for seat in state.alive}
    state = sell(filed(state, orders), orders, minutes)
    for seat in gaps:
        if not state.choices.turns:
            state = before_play(state, seat, dice, minutes)
        if state.winners is not None:
            return state
        if seat in state.alive:
            state = turn_up(play(state, seat, orders[seat], minutes), seat, minutes)
        state = gap(state, seat, orders, minutes)
    if _silent(state, gaps, minutes):
        minutes.public("no_speech", "4.2d")
    tell_race(before, state, minutes)
    if state.choices.turns:
        return pass_dice(state, dice, minutes)
    if state.round >= state.choices.max_rounds:
        return last_count(state, minutes)
    return open_round(
        replace(state, round=state.round + 1, counts_round=0, throws={}), dice, minutes
    )


def _silent(state: State, gaps: tuple[str, ...], minutes: Minutes) -> bool:
    """4.2d."""
    spoken = any(event.kind == "speech" for event in minutes.events)
    return not spoken and any(state.gap_open(after) for after in gaps)


def filed(state: State, orders: Orders) -> State:
    """File lists (3.2)."""
    new = {
        s: o.items
        for s, given in orders.items()
        if isinstance(o := given.get("STANDING"), StandingList)
    }
    return replace(state, lists={**state.lists, **new})


def before_play(state: State, seat: str, dice: Dice, minutes: Minutes) -> State:
    """Begin the seat's round; a pair on a closed board is counted first (4.2a)."""
    if seat not in state.alive:
        return state
    state = replace(state, spoke=state.spoke - {seat})
    if not calls_a_count(state, seat):
        tell_idle_pair(state, seat, minutes)
        return state
    return alone(tabulate(state, seat, dice, minutes), minutes)


def thrown(state: State, seat: str, dice: Dice) -> State:
    """Throw three dice unless thrown."""
    if seat in state.throws:
        return state
    stream = dice.stream(f"throw/{state.round}/{seat}")
    return replace(state, throws={**state.throws, seat: (stream.d6(), stream.d6(), stream.d6())})


def open_round(state: State, dice: Dice, minutes: Minutes) -> State:
    """Let all living throw in private; FUND=OFF shows cards (4.5, 6.1)."""
    state = replace(state, last_seat=state.alive[-1])
    for seat in state.alive:
        state = thrown(state, seat, dice)
    minutes.public(
        "round_opens",
        "4.5",
        round=state.round,
        throws={s: list(state.throws[s]) for s in state.alive} if state.choices.open_rolls else {},
    )
    for seat in state.alive:
        minutes.private(
            "your_throw", "4.5", [seat], throw=list(state.throws[seat]), total=state.total(seat)
        )
    return show_cards(state, minutes, state.alive)


def pass_dice(state: State, dice: Dice, minutes: Minutes) -> State:
    """Pass to the next living seat that may play (4a.1, 4a.3)."""
    assert state.turn is not None
    before = state.turn
    following = next(seat for seat in seats_from(state.order, before)[1:] if seat in state.alive)
    state = replace(
        state, throws={seat: throw for seat, throw in state.throws.items() if seat != before}
    )
    if state.order.index(following) < state.order.index(before):
        if state.round >= state.choices.max_rounds:
            return last_count(state, minutes)
        state = replace(state, round=state.round + 1, counts_round=0, last_seat=state.alive[-1])
    return give_dice(state, following, dice, minutes)


def give_dice(state: State, seat: str, dice: Dice, minutes: Minutes) -> State:
    """Throw in public; count a pair on a closed board, and pass on if it puts the seat out
    (4a.1)."""
    state = thrown(replace(state, turn=seat), seat, dice)
    minutes.public(
        "turn_opens",
        "4a.1",
        round=state.round,
        seat=seat,
        throw=list(state.throws[seat]),
        total=state.total(seat),
    )
    state = before_play(state, seat, dice, minutes)
    if state.winners is not None:
        return state
    if seat not in state.alive:
        return pass_dice(state, dice, minutes)
    return show_cards(state, minutes, (seat,))
