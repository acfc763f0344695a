"""Lengths: calendar days, which keep their hour, or elapsed minutes. A game uses one."""

import re
from dataclasses import dataclass
from datetime import timedelta

from pbem.errors import OperatorError

LONGEST = 366
"""Days; more is a slip."""

_MINUTES = {"minute": 1, "hour": 60, "h": 60}
_WRITTEN = re.compile(r"([+-]?[0-9]{1,9})(?: ?(?:(minute|hour|day)s?|(h)))?", re.IGNORECASE)
_LEADING = re.compile(r"([+-]?[0-9]{1,9} ?(?:minute|hour)s?)\b *(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, order=True)
class _Span:
    """Negative: forward."""

    n: int

    def __bool__(self) -> bool:
        return self.n != 0

    @property
    def signed(self) -> str:
        """A move's form."""
        return f"{'+' * (self.n >= 0)}{self}"


class Days(_Span):
    """Calendar days; 0: none."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.n} day{'s' * (abs(self.n) != 1)}"

    @property
    def time(self) -> timedelta:
        """The span; a clock change makes it an hour longer or shorter."""
        return timedelta(days=self.n)

    @property
    def plain(self) -> int | str:
        """The number, for JSON and TOML."""
        return self.n


class Elapsed(_Span):
    """Whole minutes."""

    __slots__ = ()

    def __str__(self) -> str:
        n, unit = (self.n // 60, "hour") if self.n and self.n % 60 == 0 else (self.n, "minute")
        return f"{n} {unit}{'s' * (abs(n) != 1)}"

    @property
    def time(self) -> timedelta:
        return timedelta(minutes=self.n)

    @property
    def plain(self) -> int | str:
        """Number and unit, for JSON and TOML."""
        return str(self)


Length = Days | Elapsed
NONE = Days(0)


def read(written: object) -> Length:
    """Read 7, "7 days", "36 hours", "36h" or "90 minutes". Raise OperatorError."""
    found = moved_by(written)
    if found.n < 0 or (isinstance(found, Elapsed) and not found) or found.time > _MOST:
        raise OperatorError(_WANTED.format(written))
    return found


def moved_by(written: object) -> Length:
    """Read any sign and size. Raise OperatorError."""
    number = isinstance(written, int) and not isinstance(written, bool)
    match = _WRITTEN.fullmatch(str(written).strip()) if number or isinstance(written, str) else None
    if match is None:
        raise OperatorError(_WANTED.format(written))
    n, unit = int(match[1]), (match[2] or match[3] or "day").lower()
    return Days(n) if unit == "day" else Elapsed(n * _MINUTES[unit])


def leading(text: str) -> tuple[Length, str] | None:
    """Return hours or minutes at the beginning, and the rest; or None."""
    match = _LEADING.match(text)
    return (moved_by(match[1]), match[2]) if match else None


def whole_minutes(time: timedelta) -> Elapsed:
    """Round up."""
    return Elapsed(-(-time // timedelta(minutes=1)))


_MOST = timedelta(days=LONGEST)
_WANTED = f"{{!r}} is no length of time; write 7 days, 36 hours or 90 minutes, up to {LONGEST} days"
