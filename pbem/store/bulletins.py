"""The statements upon bulletins."""

from __future__ import annotations

from sqlalchemy import Connection, select

from pbem.games.frame.events import Seat
from pbem.store.records import Bulletin


def text(conn: Connection, game_id: str, number: int) -> str:
    """The newest edition of the public bulletin of a period."""
    where = (Bulletin.game_id == game_id, Bulletin.number == number, Bulletin.seat == "")
    found = select(Bulletin.text).where(*where).order_by(Bulletin.edition.desc()).limit(1)
    return conn.execute(found).scalar_one()


def newest(conn: Connection, game_id: str) -> int | None:
    """The number of a game's newest bulletin; None before the first."""
    found = select(Bulletin.number).where(Bulletin.game_id == game_id)
    return conn.execute(found.order_by(Bulletin.number.desc()).limit(1)).scalar()


def for_seat(conn: Connection, game_id: str, number: int, seat: Seat) -> list[str]:
    """What a seat has to read of a bulletin, each in its newest edition: the public text and the
    seat's own notice, as far as there are any."""
    where = (
        Bulletin.game_id == game_id,
        Bulletin.number == number,
        Bulletin.seat.in_(("", seat)),
    )
    rows = conn.execute(
        select(Bulletin.seat, Bulletin.text).where(*where).order_by(Bulletin.edition)
    )
    texts = {whose: text for whose, text in rows}  # noqa: C416  rows are no pairs to mypy
    return [text for text in (texts.get(""), texts.get(seat)) if text]
