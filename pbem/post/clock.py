"""The machine's two clocks: the wall clock, which somebody may set, and the steady one, which only
runs."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

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


def rest(seconds: float) -> None:
    """Do nothing for so long, whatever becomes of the wall clock. Not ``time.sleep``: that names
    the moment of its end, which libfaketime, by which the clock is set in tests of this service,
    does not let pass."""
    select.select([], [], [], seconds)
