"""All rows about one game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Executable, select

from pbem.store.schema.tables import Bulletin, Game, Journal, Letter, OrderSet, Period

Columns = dict[str, Any]


def _rows(conn: Connection, found: Executable) -> Iterator[Columns]:
    for row in conn.execute(found):
        yield dict(row._mapping)


def game(conn: Connection, game_id: str) -> Columns:
    return next(_rows(conn, select(Game.__table__).where(Game.id == game_id)))


def periods(conn: Connection, game_id: str) -> Iterator[Columns]:
    found = select(Period.__table__).where(Period.game_id == game_id)
    return _rows(conn, found.order_by(Period.number))


def order_sets(conn: Connection, game_id: str) -> Iterator[Columns]:
    """Return its order sets, by arrival within seat and period."""
    order = (OrderSet.period, OrderSet.seat, OrderSet.ordinal)
    found = select(OrderSet.__table__).where(OrderSet.game_id == game_id)
    return _rows(conn, found.order_by(*order))


def bulletins(conn: Connection, game_id: str) -> Iterator[Columns]:
    """Return its bulletins and notices, corrections last."""
    found = select(Bulletin.__table__).where(Bulletin.game_id == game_id)
    return _rows(conn, found.order_by(Bulletin.number, Bulletin.edition))


def letters(conn: Connection, game_id: str) -> Iterator[Columns]:
    columns = (Letter.id, Letter.raw, Letter.seat)
    return _rows(conn, select(*columns).where(Letter.game_id == game_id))


def journal(conn: Connection, game_id: str) -> Iterator[Columns]:
    found = select(Journal.__table__).where(Journal.game_id == game_id)
    return _rows(conn, found.order_by(Journal.n))
