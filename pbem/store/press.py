"""The statements upon press."""

from __future__ import annotations

from sqlalchemy import Connection, select

from pbem.store.records import Press
from pbem.store.rows import PressRow


def of_period(conn: Connection, game_id: str, number: int) -> list[PressRow]:
    """What players wrote for all or some others in a period, in the order of writing."""
    found = (
        select(Press.author, Press.anonymous, Press.audience, Press.text, Press.letter_id)
        .where(Press.game_id == game_id, Press.period == number)
        .order_by(Press.id)
    )
    return [PressRow._make(row) for row in conn.execute(found)]
