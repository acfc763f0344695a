"""The statements upon press."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from pbem.games.frame.events import Seat
from pbem.store.game_rows import PressRow
from pbem.store.records import Letter, Press

GAMESMASTER = ""
"""The author of the gamesmaster's own words: no seat is called so."""


def add(  # noqa: PLR0913  the columns of a row
    conn: Connection,
    game_id: str,
    period: int,
    author: Seat,
    audience: Sequence[Seat],
    text: str,
    *,
    anonymous: bool,
    letter_id: int | None,
) -> int:
    """Words to others go on file (``audience``: [] for all); their number."""
    made = insert(Press).values(
        game_id=game_id,
        period=period,
        author=author,
        anonymous=anonymous,
        audience=list(audience),
        text=text,
        letter_id=letter_id,
    )
    return int(conn.execute(made.returning(Press.id)).scalar_one())


def relayed(conn: Connection, game_id: str, author: Seat, since: datetime) -> int:
    """How many presses of a seat stand in letters that were decided since then."""
    lately = select(Letter.id).where(Letter.game_id == game_id, Letter.decided > since)
    where = (Press.game_id == game_id, Press.author == author, Press.letter_id.in_(lately))
    return conn.execute(select(func.count(Press.id)).where(*where)).scalar_one()


def of_period(conn: Connection, game_id: str, number: int) -> list[PressRow]:
    """What players wrote for all or some others in a period, in the order of writing."""
    found = (
        select(Press.author, Press.anonymous, Press.audience, Press.text, Press.letter_id)
        .where(Press.game_id == game_id, Press.period == number)
        .order_by(Press.id)
    )
    return [PressRow._make(row) for row in conn.execute(found)]
