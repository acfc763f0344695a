"""All rows about one game."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, select

from pbem.errors import RefereeError
from pbem.store.schema.states import GameState
from pbem.store.schema.table_base import Record
from pbem.store.schema.tables import (
    Address,
    Game,
    Letter,
    Outgoing,
    Player,
    Practice,
    Seat,
    Standby,
)

_KEPT = (Letter.__table__, Outgoing.__table__)


def forget(conn: Connection, game_id: str) -> None:
    """Delete a waiting game and its unknown people. Raise RefereeError if it does not wait."""
    status = conn.execute(select(Game.status).where(Game.id == game_id)).scalar()
    if status != GameState.WAITING:
        raise RefereeError(f"game {game_id} is {status or 'not there'}, and cannot be forgotten")
    seated: list[Any] = [*Seat.many(conn, game_id=game_id), *Standby.many(conn, game_id=game_id)]
    _forget(conn, game_id, {one.player_id for one in seated if one.player_id is not None})


def forget_practice(conn: Connection, game_id: str) -> None:
    """Delete a practice game, the bytes of its letters and mails, and its person if unknown."""
    known = {one.player_id for one in Practice.many(conn, game_id=game_id)}
    Letter.change(conn, {"game_id": game_id}, raw=None)
    Outgoing.change(conn, {"game_id": game_id}, raw=b"")
    _forget(conn, game_id, known)


def _forget(conn: Connection, game_id: str, known: Collection[int]) -> None:
    for table in reversed(Record.metadata.sorted_tables):
        if "game_id" in table.c and table not in _KEPT:
            conn.execute(delete(table).where(table.c.game_id == game_id))
    Game.drop(conn, id=game_id)
    forget_players(conn, known)


def forget_players(conn: Connection, player_ids: Collection[int]) -> None:
    """Delete those players of whom only addresses are on file."""
    left = set(player_ids)
    for table in Record.metadata.sorted_tables:
        for column in (table.c[name] for name in ("player_id", "holder_id") if name in table.c):
            if table is not Address.__table__:
                left -= set(conn.execute(select(column).where(column.in_(left))).scalars())
    conn.execute(delete(Address).where(Address.player_id.in_(left)))
    conn.execute(delete(Player).where(Player.id.in_(left)))
