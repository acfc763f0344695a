"""RETURN, and its default (§4.9.4, R12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.orders import Return, legal_returns
from pbem.games.legislation.state import Clerk, State
from pbem.orders.order import Standing


def by_default(state: State, seat: Seat) -> str:
    """Return the drawn card; with RETURN_DRAWN=OFF a clashing, else the oldest one."""
    legal, drawn = legal_returns(state, seat), state.drawn[seat]
    if drawn in legal and state.on("RETURN_DRAWN"):
        return drawn
    return next((card for card in state.hand[seat] if card in legal), drawn)


def give_back(state: State, orders: Mapping[Seat, Standing], clerk: Clerk) -> State:
    """Put owed cards under the red deck in secret, in table order."""
    hand, deck = dict(state.hand), list(state.red_deck)
    crown = dict(state.crown)
    for seat in (seat for seat in state.order if seat in state.drawn and seat in state.alive):
        order = orders.get(seat, {}).get("RETURN")
        card = order.card if isinstance(order, Return) else by_default(state, seat)
        left = list(hand[seat])
        at = (
            len(left) - 1 - left[::-1].index(card)
            if card == state.drawn[seat]
            else left.index(card)
        )
        hand[seat] = (*left[:at], *left[at + 1 :])
        deck.insert(0, card)
        if card == cards.CROWN:
            crown.pop(seat, None)
        clerk.minutes.private(
            "returned", "3.9", [seat], card=card, drawn=state.drawn[seat], ordered=order is not None
        )
    return replace(state, hand=hand, red_deck=tuple(deck), crown=crown, drawn={})
