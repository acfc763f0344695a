"""The gamesmaster's looks at what is secret while a period runs: each is in the journal, and the
next bulletin tells how many there were."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection, insert

from pbem.store import notes
from pbem.store.records import Look


class LookKind(StrEnum):
    """What was looked at: a bulletin as it would be; what a rewind would change; orders entered for
    a seat, whose answer shows what stands; a letter accepted; a letter opened; press read."""

    PREVIEW = "preview"
    DRY_RUN = "dry-run"
    ORDER = "order"
    ACCEPT = "accept"
    LETTER = "letter"
    PRESS = "press"


def looked(conn: Connection, game_id: str, period: int, kind: LookKind, now: datetime) -> None:
    """A look goes on file."""
    row = {"game_id": game_id, "period": period, "kind": kind, "number": None, "at": now}
    conn.execute(insert(Look).values(row))
    notes.note(conn, game_id, now, "look", period=period, at=kind)
