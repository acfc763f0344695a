"""Plans (3.9): bids whenever their card is up, whatever others bid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from pbem.games.frame.conditions import Case, WhatIf, figures_now, refusal
from pbem.games.frame.events import Event, Minutes
from pbem.games.frame.plans import (
    NOT_NOW,
    Ended,
    Plan,
    Work,
    filed,
    from_texts,
    kept,
    replaced,
    worked,
)
from pbem.games.politics_1935.check import payable, switched_off, unclear
from pbem.games.politics_1935.figures import known, values
from pbem.games.politics_1935.orders import ANY, Bid
from pbem.games.politics_1935.state import State
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Standing

RULE, CONDITIONS = "3.9", "3.10"


def checked(state: State, seat: str, standing: Standing, order: Plan | Ended) -> Checked:
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


def told_at_start(state: State, language: Language) -> State:
    """Put a scenario's plans into canonical form. Raise ScenarioError for one not to be kept."""
    plans = {
        seat: from_texts(
            language, texts, f"private.{seat}.plans", partial(checked, state, seat, {})
        )
        for seat, texts in state.plans.items()
    }
    return replace(state, plans=plans)


def works(
    state: State, seat: str, standing: Standing, language: Language
) -> tuple[Mapping[str, Order], tuple[Work, ...]]:
    """Return the seat's orders with those of its plans, and each plan's work."""
    plans = filed(kept(language, state.plans.get(seat, ())), standing)
    if not plans or "RESIGN" in standing or seat not in state.alive:
        return standing, ()
    return worked(
        plans, standing, lambda _: values(state, seat), lambda order: _able(state, seat, order)
    )


def _able(state: State, seat: str, order: Order) -> Checked:
    if not isinstance(order, Bid):
        return Checked()
    up = [lot.card for lot in state.lots if order.card in (ANY, lot.card)]
    cash = state.cash(seat) // state.atlas.unit * state.atlas.unit
    if up and not cash:
        return Checked.refused("E_CASH", "You have no money left.", RULE)
    return Checked(tuple(Bid(min(order.amount, cash), card) for card in up))


def carry_out(
    state: State, orders: Mapping[str, Standing], language: Language, minutes: Minutes
) -> tuple[State, Mapping[str, Standing]]:
    """Return the state with plans kept, and all orders with their bids; tell each player his
    own. Conditions read what was public at the opening."""
    plans, all_orders = dict[str, tuple[str, ...]](), dict(orders)
    for seat in state.alive:
        given = orders.get(seat, {})
        mine = filed(kept(language, state.plans.get(seat, ())), given)
        if not mine:
            continue
        all_orders[seat], done = works(state, seat, given, language)
        plans[seat] = tuple(map(str, mine))
        for row in _rows(state, seat, done):
            minutes.private("plan", RULE, [seat], **row)
    return replace(state, plans=plans), all_orders


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


def _rows(state: State, seat: str, done: Iterable[Work]) -> list[dict[str, Any]]:
    return [
        {
            "text": str(one.plan),
            "orders": [str(order) for order in one.orders],
            "why": one.why,
            "figures": figures_now([Case("", one.plan.when)], values(state, seat))
            if one.why == NOT_NOW
            else {},
        }
        for one in done
    ]


def silence(seat: str, done: Iterable[Work]) -> list[Event]:
    """Return a silent seat's bids."""
    return [
        Event("silent_plan", RULE, frozenset([seat]), {"text": str(one.plan), "order": str(order)})
        for one in done
        for order in one.orders
    ]


def advice(state: State, seat: str, standing: Standing, language: Language) -> list[Event]:
    """Return each plan's work this period."""
    plans = filed(kept(language, state.plans.get(seat, ())), standing)
    if not plans or "RESIGN" in standing:
        return []
    now = {
        row["text"]: row for row in _rows(state, seat, works(state, seat, standing, language)[1])
    }
    idle = {"orders": [], "why": "", "figures": {}}
    return [
        Event("told_plan", RULE, frozenset([seat]), now.get(str(plan), {**idle, "text": str(plan)}))
        for plan in plans
    ]
