"""Cards turned up and sold by sealed bids (4.1, 4.2c, R2, R3, R18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Minutes, seats_from
from pbem.games.frame.treasury import Payment, pay
from pbem.games.politics_1935.orders import Bid
from pbem.games.politics_1935.state import FUND, Lot, State
from pbem.orders.order import Standing

LUCKY = (7, 11)


def turn_up(state: State, seat: str, minutes: Minutes) -> State:
    """Turn up a lot on seven or eleven if the pack has one (4.2c, R15)."""
    if not state.choices.fund or state.total(seat) not in LUCKY:
        return state
    if not state.pack:
        minutes.public("no_lot", "R15", seat=seat, total=state.total(seat))
        return state
    card = state.pack[-1]
    minutes.public("lot", "4.2c", seat=seat, card=card)
    return replace(state, pack=state.pack[:-1], lots=(*state.lots, Lot(card, seat)))


def sell(state: State, orders: Mapping[str, Standing], minutes: Minutes) -> State:
    """Sell the last period's lots in order (4.1)."""
    lots = state.lots
    state = replace(state, lots=())
    for lot in lots:
        state = _sold(state, lot, orders, minutes)
    return state


def _sold(state: State, lot: Lot, orders: Mapping[str, Standing], minutes: Minutes) -> State:
    """Sell to the highest payable bid, of equals the first from the thrower."""
    bids = {}
    for seat in seats_from(state.order, lot.thrower):
        order = orders.get(seat, {}).get(f"BID {lot.card}")
        if (
            isinstance(order, Bid)
            and seat in state.alive
            and (able := min(order.amount, state.cash(seat))) > 0
        ):
            bids[seat] = able
    if not bids:
        minutes.public("lot_unsold", "4.1", card=lot.card, thrower=lot.thrower)
        return replace(state, pack=(lot.card, *state.pack))
    winner = max(bids, key=lambda seat: bids[seat])
    amount = price(state, winner, bids)
    secret = state.choices.secret_holdings
    minutes.public(
        "lot_sold",
        "4.1",
        card=lot.card,
        thrower=lot.thrower,
        seat=winner,
        price=None if secret else amount,
    )
    minutes.private("lot_bought", "4.1", [winner], card=lot.card, price=amount, bid=bids[winner])
    for seat, bid in bids.items():
        if seat != winner:
            minutes.private("lot_lost", "4.1", [seat], card=lot.card, bid=bid)
    return replace(
        state,
        accounts=pay(
            state.accounts, [Payment(state.round, winner, FUND, amount, f"card {lot.card}")]
        ),
        hands={**state.hands, winner: (*state.hands[winner], lot.card)},
    )


def price(state: State, winner: str, bids: Mapping[str, int]) -> int:
    """Return the bid (AUCTION=FIRST), else a note above the second, at most the bid (4.1)."""
    if state.choices.first_price:
        return bids[winner]
    second = max((bid for seat, bid in bids.items() if seat != winner), default=0)
    return min(second + state.atlas.unit, bids[winner])
