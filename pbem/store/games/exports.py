"""All rows about one game."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import Connection, Executable, delete, select, update

from pbem.errors import RefereeError
from pbem.store.schema.states import GameState
from pbem.store.schema.table_base import Record
from pbem.store.schema.tables import (
    Address,
    Bulletin,
    Game,
    Letter,
    Outgoing,
    Player,
    Practice,
    Seat,
    Standby,
)

Columns = dict[str, Any]


def _rows(conn: Connection, found: Executable) -> Iterator[Columns]:
    for row in conn.execute(found):
        yield dict(row._mapping)


def game(conn: Connection, game_id: str) -> Columns:
    return next(_rows(conn, select(Game.__table__).where(Game.id == game_id)))


def bulletins(conn: Connection, game_id: str) -> Iterator[Columns]:
    """Return its bulletins and notices, corrections last."""
    found = select(Bulletin.__table__).where(Bulletin.game_id == game_id)
    return _rows(conn, found.order_by(Bulletin.number, Bulletin.edition))


def letters(conn: Connection, game_id: str) -> Iterator[Columns]:
    columns = (Letter.id, Letter.raw, Letter.seat)
    return _rows(conn, select(*columns).where(Letter.game_id == game_id))


_KEPT = (Letter.__table__, Outgoing.__table__)


def forget(conn: Connection, game_id: str) -> None:
    """Delete a waiting game and its unknown people. Raise RefereeError if it does not wait."""
    status = conn.execute(select(Game.status).where(Game.id == game_id)).scalar()
    if status != GameState.WAITING:
        raise RefereeError(f"game {game_id} is {status or 'not there'}, and cannot be forgotten")
    both = (
        select(Seat.player_id).where(Seat.game_id == game_id),
        select(Standby.player_id).where(Standby.game_id == game_id),
    )
    known = {one for found in both for one in conn.execute(found).scalars() if one is not None}
    for table in reversed(Record.metadata.sorted_tables):
        if "game_id" in table.c and table not in _KEPT:
            conn.execute(delete(table).where(table.c.game_id == game_id))
    conn.execute(delete(Game).where(Game.id == game_id))
    forget_players(conn, known)


def forget_practice(conn: Connection, game_id: str) -> None:
    """Delete a practice game, the bytes of its letters and mails, and its person if unknown."""
    mine = select(Practice.player_id).where(Practice.game_id == game_id)
    known = set(conn.execute(mine).scalars())
    conn.execute(update(Letter).where(Letter.game_id == game_id).values(raw=None))
    conn.execute(update(Outgoing).where(Outgoing.game_id == game_id).values(raw=b""))
    for table in reversed(Record.metadata.sorted_tables):
        if "game_id" in table.c and table not in _KEPT:
            conn.execute(delete(table).where(table.c.game_id == game_id))
    conn.execute(delete(Game).where(Game.id == game_id))
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
