"""Statements on press."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, insert, select

from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import NewPress, PressRow
from pbem.store.schema.table_base import columns
from pbem.store.schema.tables import Letter, Press

GAMESMASTER = ""
"""The author of the gamesmaster's press."""
TO_GAMESMASTER = "GM"
"""Not [], which is all."""


_ROW = columns(PressRow, Press)


_OF_PERIOD = Hot(
    select(*_ROW)
    .where(Press.game_id == bindparam("game"), Press.period == bindparam("number"))
    .order_by(Press.id)
)


def add(conn: Connection, period: int, new: NewPress) -> PressRow:
    made = insert(Press).values(period=period, **asdict(new)).returning(*_ROW)
    return PressRow._make(conn.execute(made).one())


def get(conn: Connection, number: int) -> PressRow | None:
    row = conn.execute(select(*_ROW).where(Press.id == number)).one_or_none()
    return PressRow._make(row) if row else None


def relayed(conn: Connection, game_id: str, author: Seat, since: datetime) -> int:
    lately = select(Letter.id).where(Letter.game_id == game_id, Letter.decided > since)
    where = (Press.game_id == game_id, Press.author == author, Press.letter_id.in_(lately))
    return conn.execute(select(func.count(Press.id)).where(*where)).scalar_one()


def of_period(conn: Connection, game_id: str, number: int) -> list[PressRow]:
    rows = _OF_PERIOD.all(conn, {"game": game_id, "number": number})
    return [PressRow._make(row) for row in rows]
