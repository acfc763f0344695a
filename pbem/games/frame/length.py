"""How long something lasts: days of the calendar, or elapsed hours and minutes.

Days keep their hour, whatever the clocks of the zone do, and make way for holidays; elapsed time is
the same everywhere and on every day. A game counts in one of the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from pbem.errors import OperatorError

LONGEST = 366
"""The most days of one length, extension, pause or absence: more is a slip of the pen, and hard to
take back."""

_MINUTES = {"minute": 1, "hour": 60, "h": 60}
_WRITTEN = re.compile(r"([+-]?[0-9]{1,9})(?: ?(?:(minute|hour|day)s?|(h)))?", re.IGNORECASE)
_LEADING = re.compile(r"([+-]?[0-9]{1,9} ?(?:minute|hour)s?)\b *(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, order=True)
class Days:
    """``n`` days of the calendar; negative in a move that brings a deadline forward, 0 for none."""

    n: int

    def __bool__(self) -> bool:
        return self.n != 0

    def __str__(self) -> str:
        return f"{self.n} day{'s' * (self.n != 1)}"

    @property
    def time(self) -> timedelta:
        """About so long: a day on which the clocks change is an hour longer or shorter."""
        return timedelta(days=self.n)

    @property
    def plain(self) -> int | str:
        """As JSON and TOML have it: the number alone."""
        return self.n

    @property
    def signed(self) -> str:
        """As a move is told."""
        return f"{self.n:+d} days"


@dataclass(frozen=True, slots=True, order=True)
class Elapsed:
    """``n`` whole minutes on any clock; negative in a move that brings a deadline forward."""

    n: int

    def __bool__(self) -> bool:
        return self.n != 0

    def __str__(self) -> str:
        n, unit = (self.n // 60, "hour") if self.n and self.n % 60 == 0 else (self.n, "minute")
        return f"{n} {unit}{'s' * (abs(n) != 1)}"

    @property
    def time(self) -> timedelta:
        """Exactly so long."""
        return timedelta(minutes=self.n)

    @property
    def plain(self) -> int | str:
        """As JSON and TOML have it: the number with its unit."""
        return str(self)

    @property
    def signed(self) -> str:
        """As a move is told."""
        return f"{'+' * (self.n > 0)}{self}"


Length = Days | Elapsed
NONE = Days(0)


def read(written: object) -> Length:
    """The length meant by 7, "7 days", "36 hours", "36h" or "90 minutes", 0 days for none; raises
    OperatorError for anything else, and for more than :data:`LONGEST` days."""
    found = moved_by(written)
    if found.n < 0 or (isinstance(found, Elapsed) and not found) or found.time > _MOST:
        raise OperatorError(_WANTED.format(written))
    return found


def moved_by(written: object) -> Length:
    """A length that may be negative, as in an extension, and of any size; raises OperatorError."""
    number = isinstance(written, int) and not isinstance(written, bool)
    match = _WRITTEN.fullmatch(str(written).strip()) if number or isinstance(written, str) else None
    if match is None:
        raise OperatorError(_WANTED.format(written))
    n, unit = int(match[1]), (match[2] or match[3] or "day").lower()
    return Days(n) if unit == "day" else Elapsed(n * _MINUTES[unit])


def leading(text: str) -> tuple[Length, str] | None:
    """The hours or minutes that a text begins with, and the rest of it; None where it begins with
    none."""
    match = _LEADING.match(text)
    return (moved_by(match[1]), match[2]) if match else None


def whole_minutes(time: timedelta) -> Elapsed:
    """A time in whole minutes, rounded up."""
    return Elapsed(-(-time // timedelta(minutes=1)))


_MOST = timedelta(days=LONGEST)
_WANTED = "{!r} is no length of time; write 7 days, 36 hours or 90 minutes, up to " + (
    f"{LONGEST} days"
)
