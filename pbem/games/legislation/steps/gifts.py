"""Transfer tokens (§3.8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Seat
from pbem.games.frame.treasury import Payment, listed_anew, pay
from pbem.games.legislation.orders import Give
from pbem.games.legislation.state import Clerk, State
from pbem.orders.order import Standing


def give(state: State, orders: Mapping[Seat, Standing], clerk: Clerk) -> State:
    """Transfer gifts; they cannot be spent this period. Secret votes: publish the total."""
    gifts = [
        (seat, order.target, order.tokens)
        for seat in state.order
        if seat in state.alive
        for order in orders[seat].values()
        if isinstance(order, Give) and order.target in state.alive
    ]
    if gifts and state.secret:
        clerk.minutes.public("gifts_total", "3.8", tokens=sum(tokens for _, _, tokens in gifts))
    for giver, taker, tokens in gifts:
        if state.secret:
            clerk.minutes.private(
                "gift", "3.8", [giver, taker], giver=giver, taker=taker, tokens=tokens
            )
        else:
            clerk.minutes.public("gift", "3.8", giver=giver, taker=taker, tokens=tokens)
    entries = [
        Payment(state.period, giver, taker, tokens, "gift") for giver, taker, tokens in gifts
    ]
    return replace(state, accounts=pay(listed_anew(state.accounts), entries))
