"""What a receipt adds: what is staked for certain, and what depends on others."""

from __future__ import annotations

from pbem.games.show_of_hands.orders import Bet
from pbem.games.show_of_hands.state import State

from pbem.games.frame.events import Event, Seat
from pbem.orders.order import Standing


def advice(state: State, seat: Seat, standing: Standing) -> tuple[Event, ...]:
    """The range of beans that one can end with; paragraph 3."""
    staked = sum(order.beans for order in standing.values() if isinstance(order, Bet))
    earned = 1 if "RAISE" in standing else 0
    have = state.beans[seat]
    data = {"staked": staked, "least": have - staked, "most": have + staked + earned}
    return (Event("stake", "3", frozenset([seat]), data),)
