"""Plans (3.9): bids whenever their card is up."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.frame.conditions import Case, WhatIf, refusal
from pbem.games.frame.plans import Ended, Plan, Plans, kept, replaced
from pbem.games.politics_1935.check import payable, switched_off, unclear
from pbem.games.politics_1935.figures import known, values
from pbem.games.politics_1935.orders import ANY, Bid
from pbem.games.politics_1935.state import State
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Standing

RULE, CONDITIONS = "3.9", "3.10"


def _checked(state: State, seat: str, standing: Standing, order: Plan | Ended) -> Checked:
    """Check a plan; its card need not be up."""
    if seat not in state.alive:
        note = "you can still send PRESS to the others"
        return Checked.refused("E_OUT", "You are no longer in the game.", "3.8", note)
    if not state.choices.fund:
        return switched_off("BID", "OFF", "3.4")
    if isinstance(order, Ended):
        return Checked((order,), replaces=replaced(standing, order))
    bid = order.order
    assert isinstance(bid, Bid)
    if doubt := unclear(state, bid.card):
        return doubt
    if bid.card != ANY and bid.card not in state.atlas.cards:
        note = f"name one of the cards S01 to S{len(state.atlas.cards):02d}, or {ANY}"
        return Checked.refused("E_LOT", f"{bid.card} is not up for auction.", RULE, note)
    refused = refusal(WhatIf((Case("", order.when),), "BID"), known(state), CONDITIONS)
    return (order.when and refused) or payable(state, seat, bid) or Checked((order,))


def _able(state: State, seat: str, order: Order) -> Checked:
    if not isinstance(order, Bid):
        return Checked()
    up = [lot.card for lot in state.lots if order.card in (ANY, lot.card)]
    cash = state.cash(seat) // state.atlas.unit * state.atlas.unit
    if up and not cash:
        return Checked.refused("E_CASH", "You have no money left.", RULE)
    return Checked(tuple(Bid(min(order.amount, cash), card) for card in up))


def settled(state: State, language: Language) -> State:
    """Drop plans of seats out, and for cards bought."""
    plans = {
        seat: tuple(
            str(plan) for plan in kept(language, texts) if not _has(state, seat, plan.order)
        )
        for seat, texts in state.plans.items()
        if seat in state.alive
    }
    return replace(state, plans={seat: texts for seat, texts in plans.items() if texts})


def _has(state: State, seat: str, order: Order) -> bool:
    mine = (*state.hands[seat], *state.played[seat])
    return isinstance(order, Bid) and order.card in mine


PLANS = Plans(
    RULE, _checked, _able, lambda state, seat, _: values(state, seat), lambda state: state.alive
)
