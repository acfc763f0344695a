"""What the gamesmaster's acts ask first: is this the period that is meant, is there such a seat,
may he look?

Every act takes the period it is meant for and refuses another, so that a command that was typed
before a deadline never works after it.
"""

from __future__ import annotations

from collections.abc import Collection

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
    if at.game.status == GameState.OVER:
        raise OperatorError(
            f"game {game_id} is over: nothing is done in it any more, unless `pbem rewind"
            f" {game_id} N` takes it back to its period N"
        )
    if number is not None and number != at.period.number:
        raise OperatorError(
            f"game {game_id} is in period {at.period.number}, not {number}; nothing was done"
        )
    if statuses and at.period.status not in statuses:
        raise OperatorError(_NOT_NOW[at.period.status].format(at=at, last=at.period.number - 1))
    return at


_NOT_NOW = {
    PeriodState.REVIEW: (
        "bulletin {last} of game {at.id} waits for its release, and period {at.period.number} is"
        " not open before that: `pbem release {at.id}`"
    ),
    PeriodState.OPEN: (
        "no bulletin of game {at.id} waits for its release; period {at.period.number} is open"
    ),
    PeriodState.CLOSING: (
        "period {at.period.number} of game {at.id} is being closed; look again after the daemon's"
        " next pass"
    ),
    PeriodState.CLOSED: "period {at.period.number} of game {at.id} is closed",
}
"""What is said of a period that is in another state than the act needs."""


def not_over(conn: Connection, game_id: str) -> Table | None:
    """The game at its current period, None while it waits for its start; raises OperatorError where
    it is over."""
    waits = games.game(conn, game_id).status == GameState.WAITING
    return None if waits else guarded(conn, game_id, None)


def known(at: Table, seat: str) -> None:
    """Raises OperatorError where the game has no such seat."""
    known_among(at.id, at.seats, seat)


def known_among(game_id: str, seats: Collection[str], seat: str) -> None:
    """The same of a game whose seats are named."""
    if seat not in seats:
        raise OperatorError(
            f"there is no seat {seat!r} in {game_id}; the seats are {', '.join(seats)}"
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
