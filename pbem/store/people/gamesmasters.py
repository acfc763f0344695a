"""Gamesmasters: games, reply tokens, last letters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, case, select, union, update

from pbem.letters.states import LetterState
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import HandsRow
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.table_base import columns, many, one
from pbem.store.schema.tables import Address, Away, Game, Gamesmaster, Letter, Period, Seat

# compiled once, for every letter and mail
_HANDS = select(*columns(HandsRow, Game))
_OF_GAME = Hot(_HANDS.where(Game.id == bindparam("game")))
_LED = _HANDS.where(Game.gamesmaster == bindparam("address")).union_all(
    _HANDS.where(Game.second == bindparam("address"))
)
_UNNAMED = _HANDS.where(Game.gamesmaster == "")
TO_BE_RULED_ON = (
    LetterState.HELD,
    LetterState.FAILED,
    LetterState.LATE,
    LetterState.UNANSWERED,
    LetterState.QUARANTINE,
)
"""Only a gamesmaster can decide them."""


def hands(conn: Connection, game_id: str) -> HandsRow | None:
    return one(conn, HandsRow, _OF_GAME, game=game_id)


def hands_of(conn: Connection, address: str, *, unnamed: bool) -> list[HandsRow]:
    """Return games of a gamesmaster or second. unnamed: and those that name none."""
    led = many(conn, HandsRow, _LED, address=address)
    return led + many(conn, HandsRow, _UNNAMED) if unnamed else led


def seconded(conn: Connection, address: str, owner: str) -> frozenset[str]:
    """Return unfinished games of this second in which the gamesmaster plays. owner: of games that
    name none."""
    first = case((Game.gamesmaster == "", owner), else_=Game.gamesmaster)
    plays = (Seat.game_id == Game.id, Address.player_id == Seat.player_id, Address.address == first)
    runs = (Game.status != GameState.OVER, first != address)
    return frozenset(Game.values(conn, Game.id, *plays, *runs, second=address))


def everybody(conn: Connection) -> set[str]:
    """Return unfinished games' gamesmasters; "" for the installation's."""
    going = Game.status != GameState.OVER
    return {*Game.values(conn, Game.gamesmaster, going), *Game.values(conn, Game.second, going)}


def count_asked(conn: Connection, address: str, more: int) -> None:
    values = {"asked": Gamesmaster.asked + more}
    conn.execute(update(Gamesmaster).where(Gamesmaster.address == address).values(**values))


def waiting_since(conn: Connection, until: datetime) -> Sequence[str]:
    """Return unfinished games where something has waited for the gamesmaster: a letter, a review, a
    leaving player, or a held game."""
    letters = select(Letter.game_id).where(Letter.outcome.in_(TO_BE_RULED_ON))
    letters = letters.where(Letter.decided <= until)
    reviews = select(Period.game_id).where(Period.status == PeriodState.REVIEW)
    reviews = reviews.where(Period.opened <= until)
    leaving = select(Seat.game_id).where(Seat.quits <= until)
    held = select(Game.id).where(Game.status == GameState.HELD, Game.held_at <= until)
    waits: list[Any] = [letters, reviews, leaving, held]
    running = (GameState.RUNNING, GameState.HELD)
    there = (Game.id.in_(union(*waits)), Game.status.in_(running))
    return Game.values(conn, Game.id, *there, order=Game.id)


def seats_waiting(conn: Connection, game_id: str, until: datetime) -> dict[str, datetime]:
    own = (Letter.game_id == game_id, Letter.seat != "", Letter.decided <= until)
    letters = select(Letter.seat, Letter.decided).where(*own, Letter.outcome.in_(TO_BE_RULED_ON))
    leaving = select(Seat.seat, Seat.quits).where(Seat.game_id == game_id, Seat.quits <= until)
    found: dict[str, datetime] = {}
    for seat, since in (*conn.execute(letters), *conn.execute(leaving)):
        found[seat] = min(since, found.get(seat, since))
    return dict(sorted(found.items()))


def away_now(conn: Connection) -> frozenset[str]:
    """Return the games whose gamesmaster is away."""
    return frozenset(Away.values(conn, Away.game_id, begun=True))
