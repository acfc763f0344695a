"""A seat's form."""

from __future__ import annotations

from pbem.games.show_of_hands.state import HANDS, State

from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Offer


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """A hand, which is owed, and a bet while there are beans: what can be put in each blank comes
    with it."""
    hand = Offer("hand", (HANDS,), {})
    others = tuple(other for other in state.seats if other != seat)
    bet = Offer("bet", (("1", str(state.beans[seat])), others), {"beans": state.beans[seat]})
    return (hand, bet) if state.beans[seat] else (hand,)
