"""A seat's play and the gap after it (4.2a to 4.2d, 6.1 to 6.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Minutes, seats_from
from pbem.games.frame.treasury import Payment, pay
from pbem.games.politics_1935.orders import SELF, Campaign, Speak
from pbem.games.politics_1935.state import FUND, Item, State
from pbem.games.politics_1935.steps import board
from pbem.games.politics_1935.steps.auction import LUCKY
from pbem.orders.order import Standing


def play(state: State, seat: str, orders: Standing, minutes: Minutes) -> State:
    """Spend the points, or take the card (4.2b, 6.2)."""
    if seat in state.shown:
        if "TAKE" in orders:
            return _take_card(state, seat, minutes)
        state = _put_back(state, seat, minutes)
    done = board.play(state.pins, state.atlas, seat, wanted(state, seat, orders), state.total(seat))
    reached = Counter[str]()
    for code, count in done.taken:
        reached[code] += count
    minutes.public(
        "play",
        "4.2b",
        seat=seat,
        throw=list(state.throws[seat]),
        total=state.total(seat),
        left=done.left,
        taken=[_gain(state, done.pins, seat, code, n) for code, n in reached.items()],
    )
    if done.stopped:
        minutes.private("stopped", "4.2b", [seat], counties=[list(row) for row in done.stopped])
    return replace(state, pins=done.pins)


def _gain(
    state: State, pins: board.Pins, seat: str, code: str, counties: int
) -> list[str | int | bool]:
    level = board.level(pins, code, seat)
    return [code, counties, level, level == state.atlas.states[code].capital]


def wanted(state: State, seat: str, orders: Standing) -> tuple[Item, ...]:
    """Return CAMPAIGN, then the list; silence without one follows NMR (3.1, 3.2, R9)."""
    campaign, kept = orders.get("CAMPAIGN"), state.lists.get(seat, ())
    if isinstance(campaign, Campaign):
        return (*campaign.items, *kept)
    if state.choices.auto and not kept:
        return board.cheapest_pinless(state.pins, state.atlas)
    return kept


def _take_card(state: State, seat: str, minutes: Minutes) -> State:
    """6.2. All points are lost."""
    card = state.shown[seat]
    minutes.public(
        "card_taken", "6.2", seat=seat, throw=list(state.throws[seat]), total=state.total(seat)
    )
    minutes.private("card_yours", "6.2", [seat], card=card)
    return replace(
        state,
        shown=_without(state.shown, seat),
        hands={**state.hands, seat: (*state.hands[seat], card)},
    )


def _put_back(state: State, seat: str, minutes: Minutes) -> State:
    """6.2."""
    minutes.public("card_left", "6.2", seat=seat)
    return replace(state, shown=_without(state.shown, seat), pack=(state.shown[seat], *state.pack))


def _without(shown: Mapping[str, str], seat: str) -> dict[str, str]:
    return {who: card for who, card in shown.items() if who != seat}


def show_cards(state: State, minutes: Minutes, seats: tuple[str, ...]) -> State:
    """Show each seat with seven or eleven a card, while they last (6.1)."""
    if state.choices.fund:
        return state
    for seat in seats:
        if state.total(seat) in LUCKY and seat not in state.shown and state.pack:
            card = state.pack[-1]
            minutes.private("card_shown", "6.1", [seat], card=card)
            state = replace(state, pack=state.pack[:-1], shown={**state.shown, seat: card})
    return state


def gap(state: State, after: str, orders: Mapping[str, Standing], minutes: Minutes) -> State:
    """Hold speeches: the seat or its left neighbour first, then leftward (4.2d, R6)."""
    first = seats_from(state.order, after)
    for seat in (*first[1:], first[0]) if state.choices.slot_next else first:
        for order in orders.get(seat, {}).values():
            if (
                isinstance(order, Speak)
                and seat in state.alive
                and _in_this_gap(state, seat, order, after)
            ):
                state = _speech(state, seat, order.card, after, minutes)
    return state


def _in_this_gap(state: State, seat: str, order: Speak, after: str) -> bool:
    """3.3. MODE=TURN has one gap."""
    return state.choices.turns or (seat if order.after == SELF else order.after) == after


def _speech(state: State, seat: str, key: str, after: str, minutes: Minutes) -> State:
    """Charge the fee, set pins as printed, lay the card open. A failed speech is free."""
    why = _failing(state, seat, key)
    if why:
        minutes.private("speech_failed", "4.2d", [seat], card=key, after=after, why=why)
        return state
    card, fee = state.atlas.cards[key], state.atlas.radio_fee if state.choices.fund else 0
    wholly = sum(state.atlas.states[code].cost * count for code, count in card.counties)
    done = board.play(state.pins, state.atlas, seat, (Item(*row) for row in card.counties), wholly)
    minutes.public(
        "speech",
        "4.2d",
        seat=seat,
        card=key,
        title=card.title,
        after=after,
        fee=fee,
        taken=[_gain(state, done.pins, seat, code, n) for code, n in done.taken],
        stopped=[list(row) for row in done.stopped],
    )
    return replace(
        state,
        pins=done.pins,
        accounts=pay(state.accounts, [Payment(state.round, seat, FUND, fee, f"Radio Fee {key}")]),
        hands={**state.hands, seat: tuple(held for held in state.hands[seat] if held != key)},
        played={**state.played, seat: (*state.played.get(seat, ()), key)},
        spoke=state.spoke | {seat},
    )


def _failing(state: State, seat: str, key: str) -> str:
    """Return "spoke", "card" or "cash"; "" if it succeeds."""
    if seat in state.spoke:
        return "spoke"
    if key not in state.hands[seat]:
        return "card"
    return "cash" if state.choices.fund and state.cash(seat) < state.atlas.radio_fee else ""
