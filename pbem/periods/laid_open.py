"""What is revealed at the end."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from pbem.games.frame.adjudication import canonical
from pbem.periods import own_page
from pbem.store.games import games, order_sets
from pbem.store.games.games import GameAt


def opening(conn: Connection, at: GameAt) -> dict[str, Any]:
    then = games.at_period(conn, at, 1)
    return {seat: at.ruleset.view(then.state, seat) for seat in at.seats}


def orders(conn: Connection, at: GameAt, last: int) -> list[dict[str, Any]]:
    """Return periods' names and orders to ``last``; [] if the rules reveal none."""
    ruleset = at.ruleset
    found = []
    for number in range(1, last + 1):
        then = games.at_period(conn, at, number)
        stood = {
            seat: canonical(ruleset.laid_open(then.state, seat, standing))
            for seat, standing in order_sets.all_standing(conn, then).items()
        }
        told = {seat: orders for seat, orders in stood.items() if orders}
        if told:
            found.append({"name": own_page.name(then), "orders": told})
    return found
