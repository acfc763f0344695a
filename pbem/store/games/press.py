"""Statements about press."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, insert, select

from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import NewPress, PressRow
from pbem.store.schema.tables import Letter, Press

GAMESMASTER = ""
"""The author of the gamesmaster's own words: no seat is called so."""
TO_GAMESMASTER = "GM"
"""The audience of an answer to those; [] would be all."""


_ROW = (
    Press.id,
    Press.game_id,
    Press.author,
    Press.anonymous,
    Press.audience,
    Press.text,
    Press.letter_id,
    Press.pen_name,
    Press.answers,
    Press.player_id,
)


_OF_PERIOD = Hot(
    select(*_ROW)
    .where(Press.game_id == bindparam("game"), Press.period == bindparam("number"))
    .order_by(Press.id)
)


def add(conn: Connection, period: int, new: NewPress) -> PressRow:
    """Words to others go on file; as they stand there."""
    made = insert(Press).values(period=period, **asdict(new)).returning(*_ROW)
    return PressRow._make(conn.execute(made).one())


def get(conn: Connection, number: int) -> PressRow | None:
    """The press with this number; None if there is none."""
    row = conn.execute(select(*_ROW).where(Press.id == number)).one_or_none()
    return PressRow._make(row) if row else None


def pen_names(conn: Connection, game_id: str, besides: Seat) -> set[str]:
    """Return what the writers of a game have called themselves, ``besides`` one."""
    where = (Press.game_id == game_id, Press.author != besides, Press.pen_name != "")
    return set(conn.execute(select(Press.pen_name).where(*where)).scalars())


def relayed(conn: Connection, game_id: str, author: Seat, since: datetime) -> int:
    """Return how many presses of a seat stand in letters that were decided since then."""
    lately = select(Letter.id).where(Letter.game_id == game_id, Letter.decided > since)
    where = (Press.game_id == game_id, Press.author == author, Press.letter_id.in_(lately))
    return conn.execute(select(func.count(Press.id)).where(*where)).scalar_one()


def of_period(conn: Connection, game_id: str, number: int) -> list[PressRow]:
    """Return what players wrote for all or some others in a period, in the order of writing."""
    rows = _OF_PERIOD.all(conn, {"game": game_id, "number": number})
    return [PressRow._make(row) for row in rows]
