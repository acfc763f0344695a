"""What the gamesmaster's acts ask first: is it his game, is this the period that is meant, is there
such a seat?

Every act takes the period it is meant for and refuses another, so that a command that was typed
before a deadline never works after it.
"""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.post import masters
from pbem.post.masters import Masters
from pbem.post.postmark import Postmark
from pbem.store import games
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


def may_act(conn: Connection, mark: Postmark, game_id: str, who: str = "") -> None:
    """Whether somebody may do the acts of a game, and look at what is not public in it; raises
    OperatorError where not. ``who``: the address that a gamesmaster writes from, "" for whoever has
    the shell, who is the installation's gamesmaster."""
    hands = masters.of(conn, mark, game_id)
    seat = masters.plays(conn, game_id, who or mark.gamesmaster)
    if seat:
        raise OperatorError(f"you play {seat} in {game_id}: {_whose(hands)}")
    if who and who != hands.acting:
        raise OperatorError(
            f"you are the second gamesmaster of {game_id}: its acts are its gamesmaster's, as long"
            " as he plays no seat of it"
            if who == hands.second
            else f"you are not the gamesmaster of {game_id}"
        )


def _whose(hands: Masters) -> str:
    if hands.acting:
        return (
            f"until it is over its acts, letters and mails are for {hands.acting}, who does"
            " everything by mail"
        )
    return (
        "until it is over it runs without acts, and nobody looks at its letters and mails, for it"
        f" has no second gamesmaster. Its gamesmaster may ask somebody to be it: pbem second"
        f" {hands.game} ADDRESS, by mail the word SECOND"
    )


def may_name(conn: Connection, mark: Postmark, game_id: str, who: str = "") -> None:
    """Whether somebody may say who is to have a game in hand, which he may though he plays in it;
    raises OperatorError where not."""
    hands = masters.of(conn, mark, game_id)
    if who and who != hands.gamesmaster:
        raise OperatorError(f"you are not the gamesmaster of {game_id}")
