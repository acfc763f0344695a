"""The wall clock, the steady clock, and doubt."""

import select
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.store.journal import notes

JUMP = timedelta(minutes=2)
"""Between passes, more than NTP adjusts."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Both clocks at one moment."""

    wall: datetime
    """UTC."""
    steady: float
    """Seconds."""


def read() -> Reading:
    return Reading(datetime.now(UTC), time.monotonic())


def jump(before: Reading, after: Reading) -> timedelta:
    """Return how much the wall clock jumped. Negative: back."""
    return (after.wall - before.wall) - timedelta(seconds=after.steady - before.steady)


_DOUBT = "clock in doubt"


def in_doubt(conn: Connection) -> str | None:
    """Return why the clock is in doubt, or None."""
    why: str | None = notes.memo(conn, _DOUBT).get("why")
    return why


def doubt(conn: Connection, why: str | None) -> None:
    if why:
        notes.set_memo(conn, _DOUBT, {"why": why})
    else:
        notes.forget_memos(conn, _DOUBT)


def must_be_sure(conn: Connection) -> None:
    if why := in_doubt(conn):
        raise OperatorError(
            f"the clock is in doubt: {why}. Nothing was done, for deadlines and holds would be"
            " counted from a wrong time. Set the machine's clock right, then `pbem once` (or the"
            " next pass of `pbem serve`) compares it with the mail server's, and this works again"
        )


def rest(seconds: float) -> None:
    """Sleep, also under libfaketime, where ``time.sleep`` can hang."""
    select.select([], [], [], seconds)
