"""What the gamesmaster's acts ask first: is this the period that is meant, is there such a seat,
may he look?

Every act takes the period it is meant for and refuses another, so that a command that was typed
before a deadline never works after it.
"""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.post.postmark import Postmark
from pbem.store import games, seats
from pbem.store.games import Table
from pbem.store.states import GameState, PeriodState


def guarded(conn: Connection, game_id: str, number: int | None, *statuses: PeriodState) -> Table:
    """The game at its current period; raises OperatorError if that is another than ``number``, or
    in another status."""
    at = games.table(conn, game_id)
    if at.game.status not in (GameState.RUNNING, GameState.HELD):
        raise OperatorError(f"game {game_id} is {at.game.status}")
    if number is not None and number != at.period.number:
        raise OperatorError(
            f"game {game_id} is in period {at.period.number}, not {number}; nothing was done"
        )
    if statuses and at.period.status not in statuses:
        raise OperatorError(
            f"period {at.period.number} of {game_id} is {at.period.status}; this needs"
            f" {' or '.join(statuses)}"
        )
    return at


def known(at: Table, seat: str) -> None:
    """Raises OperatorError where the game has no such seat."""
    if seat not in at.seats:
        raise OperatorError(
            f"there is no seat {seat!r} in {at.id}; the seats are {', '.join(at.seats)}"
        )


def fair(conn: Connection, mark: Postmark, game_id: str) -> None:
    """A gamesmaster who plays looks at nothing his seat may not see; raises OperatorError where he
    would."""
    seat = seats.of_address(conn, game_id, mark.gamesmaster.lower())
    if seat is not None and games.game(conn, game_id).status != GameState.OVER:
        raise OperatorError(
            f"you play {seat} in {game_id}: no preview and no look at others' orders until it is"
            " over"
        )
