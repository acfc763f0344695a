"""The statements upon bulletins."""

from __future__ import annotations

from sqlalchemy import Connection, select

from pbem.store.records import Bulletin


def text(conn: Connection, game_id: str, number: int) -> str:
    """The newest edition of the public bulletin of a period."""
    where = (Bulletin.game_id == game_id, Bulletin.number == number, Bulletin.seat == "")
    found = select(Bulletin.text).where(*where).order_by(Bulletin.edition.desc()).limit(1)
    return conn.execute(found).scalar_one()
