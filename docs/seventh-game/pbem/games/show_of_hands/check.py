"""May an order be given? From public facts and from the sender's own orders, nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.show_of_hands.orders import Bet, Raise
from pbem.games.show_of_hands.state import HANDS, State

from pbem.games.frame.events import Seat
from pbem.orders.order import Checked, Order, Standing


def check(state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
    """The order to put on file, or the refusal by paragraph 2 or 3."""
    match order:
        case Raise(hand=hand) if hand not in HANDS:
            return Checked.refused("E_HAND", f'"{hand}" is not a hand: LEFT or RIGHT.', "2")
        case Bet(on=on) if on not in state.seats:
            return Checked.refused("E_PLAYER", f'There is no player "{on}" in this game.')
        case Bet() if (need := _staked({**standing, order.slot: order})) > state.beans[seat]:
            return Checked.refused(
                "E_BEANS", f"You have {state.beans[seat]} beans; these bets need {need}.", "3"
            )
    return Checked((order,))


def _staked(standing: Mapping[str, Order]) -> int:
    return sum(order.beans for order in standing.values() if isinstance(order, Bet))
