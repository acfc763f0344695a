"""The machine's two clocks: the wall clock, which somebody may set, and the steady one, which only
runs; and whether the wall clock is in doubt, for everything that is no pass of the daemon."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.store.journal import notes

JUMP = timedelta(minutes=2)
"""More than NTP ever slews between two passes: a clock that was set, or a machine that slept."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Both clocks at one moment: the wall clock in UTC, the steady one in seconds."""

    wall: datetime
    steady: float


def read() -> Reading:
    """The clocks now."""
    return Reading(datetime.now(UTC), time.monotonic())


def jump(before: Reading, after: Reading) -> timedelta:
    """By how much the wall clock went further than the steady one (negative: it was set back)."""
    return (after.wall - before.wall) - timedelta(seconds=after.steady - before.steady)


_DOUBT = "clock in doubt"


def in_doubt(conn: Connection) -> str:
    """Return why the machine's clock is in doubt, as the last pass that looked found; "" if it is
    not."""
    return str(notes.memo(conn, _DOUBT).get("why", ""))


def doubt(conn: Connection, why: str) -> None:
    """Remember that the machine's clock is in doubt, or with "" that it is right."""
    if why:
        notes.set_memo(conn, _DOUBT, {"why": why})
    else:
        notes.forget_memos(conn, _DOUBT)


def must_be_sure(conn: Connection) -> None:
    """Raise OperatorError while the clock is in doubt: an act would be dated by it."""
    if why := in_doubt(conn):
        raise OperatorError(
            f"the clock is in doubt: {why}. Nothing was done, for deadlines and holds would be"
            " counted from a wrong time. Set the machine's clock right, then `pbem once` (or the"
            " next pass of `pbem serve`) compares it with the mail server's, and this works again"
        )


def rest(seconds: float) -> None:
    """Do nothing for so long, whatever becomes of the wall clock. Not ``time.sleep``: that names
    the moment of its end, which libfaketime, by which the clock is set in tests of this service,
    does not let pass."""
    select.select([], [], [], seconds)
