"""What a receipt adds about the orders that stand."""

from __future__ import annotations

from pbem.games.frame.events import Seat
from pbem.games.frame.treasury import what_is_left
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import State
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing


def advice(state: State, seat: Seat, standing: Standing, tables: Tables) -> tuple[str, ...]:
    """What the seat's own payments of this period leave of its last notice (R30)."""
    if state.options["private_treasury_notices"] != "on":
        return ()
    orders = standing.values()
    paid = sum(
        one.amount
        for one in orders
        if isinstance(one, o.Spend) or (isinstance(one, o.Pay) and not one.period)
    )
    lists = (
        [one for one in orders if isinstance(one, o.Candidates)]
        if state.phase == "candidates"
        else []
    )
    fees = sum(tables.figures["filing_fee"] * len(one.districts) for one in lists)
    return (what_is_left(state.accounts.balance(seat), paid + fees, "crowns"),)
