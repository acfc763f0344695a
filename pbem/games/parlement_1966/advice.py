"""What a receipt adds about the orders that stand."""

from __future__ import annotations

from pbem.games.frame.events import Seat
from pbem.games.frame.treasury import what_is_left
from pbem.games.parlement_1966.orders import Candidates, Cheque, Local, Support
from pbem.games.parlement_1966.state import State
from pbem.games.parlement_1966.tables import Tables
from pbem.orders.order import Standing


def advice(state: State, seat: Seat, standing: Standing, tables: Tables) -> tuple[str, ...]:
    """What a JOIN may come to (ruling 2), and what the seat's own payments leave of its last
    notice; that only with private_treasury_notices (34)."""
    lines = tuple(
        f"Should {order.premier}'s list leave you out, your JOIN counts as an endorsement [R2]."
        for order in standing.values()
        if isinstance(order, Support) and order.form == "join"
    )
    if not state.settings.notices:
        return lines
    crowns = [order.crowns for order in standing.values() if isinstance(order, (Cheque, Local))]
    lists = [order for order in standing.values() if isinstance(order, Candidates)]
    fees = sum(tables.fee * len(order.districts) for order in lists)
    return (*lines, what_is_left(state.accounts.balance(seat), sum(crowns) + fees, "crowns"))
