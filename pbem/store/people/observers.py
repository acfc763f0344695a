"""Observers of games and open tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, exists, func, select
from sqlalchemy.dialects.postgresql import insert  # SQLite has the same syntax

from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import ObserverRow
from pbem.store.schema.tables import Address, Observer, Player, Seat

_PLAYS = exists().where(Seat.game_id == Observer.game_id, Seat.player_id == Observer.player_id)
_ROWS = (
    select(Observer.game_id, Observer.player_id, Address.address, Player.name, Player.face)
    .join(Player, Player.id == Observer.player_id)
    .join(Address, (Address.player_id == Player.id) & Address.of_record)
    .order_by(Observer.game_id, Observer.since, Observer.player_id)
)

_OF_GAME = Hot(
    _ROWS.where(Observer.game_id == bindparam("game"), Address.hard_bounces == 0, ~_PLAYS)
)  # compiled once, for each period


def new(conn: Connection, game_id: str, player_id: int, now: datetime) -> bool:
    """Return False if he is one."""
    values = {"game_id": game_id, "player_id": player_id, "since": now}
    return conn.execute(insert(Observer).values(**values).on_conflict_do_nothing()).rowcount == 1


def leave(conn: Connection, game_id: str, player_id: int) -> bool:
    where = (Observer.game_id == game_id, Observer.player_id == player_id)
    return conn.execute(delete(Observer).where(*where)).rowcount == 1


def of_game(conn: Connection, game_id: str) -> Sequence[ObserverRow]:
    """Return observers in order, without players and unreachable ones."""
    rows = _OF_GAME.all(conn, {"game": game_id})
    return [ObserverRow._make(row) for row in rows]


def of_player(conn: Connection, player_id: int) -> Sequence[ObserverRow]:
    rows = conn.execute(_ROWS.where(Observer.player_id == player_id))
    return [ObserverRow._make(row) for row in rows]


def number(conn: Connection, game_id: str) -> int:
    found = select(func.count()).where(Observer.game_id == game_id)
    return conn.execute(found).scalar_one()


def free(conn: Connection, game_id: str) -> None:
    conn.execute(delete(Observer).where(Observer.game_id == game_id))


def watches(conn: Connection, game_id: str, player_id: int) -> bool:
    where = (Observer.game_id == game_id, Observer.player_id == player_id)
    return conn.execute(select(Observer.since).where(*where)).first() is not None
