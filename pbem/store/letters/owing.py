"""Letters whose answers had no room."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from pbem.letters.states import LetterState
from pbem.store.letters import letters
from pbem.store.schema.tables import Letter


def number(conn: Connection, sender: str) -> int:
    owed = (Letter.owed != "", Letter.sender == sender)
    return conn.execute(select(func.count()).select_from(Letter).where(*owed)).scalar_one()


def oldest(conn: Connection, kind: str, most: int) -> Sequence[tuple[int, str]]:
    """Return id and sender of the oldest letters owed this kind."""
    owed = (Letter.owed != "", Letter.owed == kind)  # the first, so that the index counts
    found = select(Letter.id, Letter.sender).where(*owed, Letter.raw.is_not(None))
    rows = conn.execute(found.order_by(Letter.id).limit(most))
    return [(letter_id, sender) for letter_id, sender in rows]


def decide_again(conn: Connection, letter_id: int) -> None:
    letters.set_state(conn, letter_id, LetterState.STORED, owed="", effect=None, proven=None)


def lapse(conn: Connection, until: datetime) -> None:
    old = (Letter.owed != "", Letter.decided < until)
    conn.execute(update(Letter).where(*old).values(owed=""))
