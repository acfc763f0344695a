"""The life of a period: its deadline, and the moments at which the house looks at it.

A deadline is a date and an hour of the day in the game's zone, never a number of seconds: `base`
(the day the period began plus its length) and a list of moves, each with its reason, add up to the
result, so that it keeps its hour over DST, extensions and pauses, and can always be explained.
Times in and out are aware UTC; days are calendar days in the zone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pbem.errors import OperatorError

LONGEST = 366
"""The most days of one extension, pause or absence: more is a slip of the pen, and hard to take
back."""

OWED, READY, NEVER = "owed", "ready", "never"
EARLY = (OWED, READY, NEVER)
"""When a period closes early: all that is owed is in, everybody has said READY, not at all."""

BY_HAND = ("extension", "pause", "holiday")
"""Moves that the gamesmaster or the calendar made; those of all other kinds together are capped."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a deadline by ``days`` (negative: brought forward); ``kind``: one of
    :data:`BY_HAND`, else what the daemon itself moved it for (a late list, a stand-by player)."""

    kind: str
    days: int
    why: str

    def json(self) -> dict[str, Any]:
        """As stored with the period."""
        return {"kind": self.kind, "days": self.days, "why": self.why}


@dataclass(frozen=True, slots=True)
class House:
    """A game's house rules, copied from ``rules/house.toml`` and its options when it is made.

    ``lengths``: days by phase ("*" for any other; 0: no deadline). ``alone``: days where the rules
    ask one seat alone (0: as usual). ``hour``: "24:00" is the end of the day. ``reminders``: days
    before the deadline, by phase. ``early_hour``: at that hour of each day a period may close early
    ("": never), ``early``: on what condition, one of :data:`EARLY` (games made before there was a
    choice closed when nothing was owed). ``holidays``: first and last day of each.
    ``most_automatic``: days by which the daemon itself may move one deadline. ``max_late``: hours.
    ``idle_after``: moves missed in a row at which the gamesmaster is told. ``rules``: figures of
    the game's own house rules.
    """

    lengths: Mapping[str, int]
    reminders: Mapping[str, tuple[int, ...]]
    hour: str = "24:00"
    alone: int = 0
    early_hour: str = ""
    early: str = OWED
    holidays: tuple[tuple[str, str], ...] = ()
    most_automatic: int = 7
    max_late: int = 6
    idle_after: int = 3
    rules: Mapping[str, Any] = field(default_factory=dict)

    def length(self, phase: str, asked: int) -> int:
        """Days for a period of this phase in which the rules ask ``asked`` seats for anything."""
        if self.alone and asked == 1:
            return self.alone
        return int(self.lengths.get(phase, self.lengths["*"]))


def span(first: str, last: str) -> tuple[date, date]:
    """The first and last day of an absence or pause; raises OperatorError where they are none."""
    try:
        days = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError as error:
        raise OperatorError(f"{first} to {last}: write days like 2026-12-24") from error
    if days[1] < days[0]:
        raise OperatorError(f"{last} lies before {first}")
    if (days[1] - days[0]).days >= LONGEST:
        raise OperatorError(f"{first} to {last} is more than a year")
    return days


def clock_time(hour: str) -> tuple[time, int]:
    """The time of day meant by "HH:MM" and the days it lies after its date ("24:00": midnight,
    1)."""
    try:
        hours, minutes = (int(part) for part in hour.split(":"))
        return (time(0, 0), 1) if (hours, minutes) == (24, 0) else (time(hours, minutes), 0)
    except ValueError as error:
        raise OperatorError(f"{hour!r} is not an hour of the day; write 20:00 or 24:00") from error


def moment(day: date, hour: str, zone: ZoneInfo) -> datetime:
    """That hour of that day in the zone, as UTC."""
    at, later = clock_time(hour)
    return datetime.combine(day + timedelta(days=later), at, zone).astimezone(UTC)


def day_of(due: datetime, hour: str, zone: ZoneInfo) -> date:
    """The day a deadline is named after: the inverse of :func:`moment`."""
    _, later = clock_time(hour)
    return due.astimezone(zone).date() - timedelta(days=later)


@dataclass(frozen=True, slots=True)
class Deadline:
    """``base`` + ``moves`` = ``due`` (UTC); :meth:`explained` says so in words."""

    base: datetime
    moves: tuple[Move, ...]
    due: datetime

    def explained(self, hour: str, zone: ZoneInfo) -> list[str]:
        """One line for the base, one for each move, one for the result."""
        lines = [f"{day_of(self.base, hour, zone):%a %d %b %Y} {hour}  base"]
        for move in self.moves:
            lines.append(f"  {move.days:+d} days  {move.kind}: {move.why}")
        lines.append(
            f"{day_of(self.due, hour, zone):%a %d %b %Y} {hour}  deadline"
            f" ({self.due:%Y-%m-%d %H:%M} UTC)"
        )
        return lines


def opening_day(opened: datetime, last_due: datetime | None, hour: str, zone: ZoneInfo) -> date:
    """The day a period counts from: that of the last deadline where it was kept within half a day,
    so that a bulletin sent some minutes after midnight costs nobody a day; else the day it was
    opened."""
    if last_due is not None and timedelta(0) <= opened - last_due <= timedelta(hours=12):
        return day_of(last_due, hour, zone)
    return opened.astimezone(zone).date()


def deadline(
    start: date, days: int, moves: Sequence[Move], house: House, zone: ZoneInfo
) -> Deadline:
    """The deadline ``days`` after ``start``, moved, and off the holidays (which add a move of their
    own)."""
    base = start + timedelta(days=days)
    kept = list(moves)
    day = base + timedelta(days=sum(move.days for move in kept))
    free = _after_holidays(day, house.holidays)
    if free != day:
        kept.append(Move("holiday", (free - day).days, "no deadline falls on a holiday"))
    return Deadline(moment(base, house.hour, zone), tuple(kept), moment(free, house.hour, zone))


def moved(due: Deadline, more: Sequence[Move], house: House, zone: ZoneInfo) -> Deadline:
    """The same deadline with more moves."""
    return deadline(day_of(due.base, house.hour, zone), 0, (*due.moves, *more), house, zone)


def automatic_days(moves: Sequence[Move], wanted: int, house: House) -> int:
    """How many of the ``wanted`` days the daemon may still add on its own (``most_automatic`` in
    all)."""
    used = sum(move.days for move in moves if move.kind not in BY_HAND)
    return max(0, min(wanted, house.most_automatic - used))


def _after_holidays(day: date, holidays: Sequence[tuple[str, str]]) -> date:
    spans = [(date.fromisoformat(first), date.fromisoformat(last)) for first, last in holidays]
    while inside := [last for first, last in spans if first <= day <= last]:
        day = max(inside) + timedelta(days=1)
    return day


def reminders(
    due: datetime, phase: str, house: House, zone: ZoneInfo
) -> list[tuple[int, datetime]]:
    """(days before, moment) of each reminder of a phase, earliest first; those of candidate lists
    come besides."""
    days = {
        *house.reminders.get(phase, house.reminders.get("*", ())),
        *house.reminders.get("lists", ()),
    }
    day = day_of(due, house.hour, zone)
    return [
        (n, moment(day - timedelta(days=n), house.hour, zone)) for n in sorted(days, reverse=True)
    ]


def early_look(after: datetime, house: House, zone: ZoneInfo) -> datetime | None:
    """The first early hour later than ``after``; None where periods never close early."""
    if not house.early_hour:
        return None
    day = after.astimezone(zone).date() - timedelta(days=1)
    while (look := moment(day, house.early_hour, zone)) <= after:
        day += timedelta(days=1)
    return look


def next_look(
    now: datetime, due: datetime | None, phase: str, house: House, zone: ZoneInfo
) -> datetime | None:
    """The next moment after ``now`` at which something may have to be done: a reminder, an early
    hour, the deadline."""
    if due is None:
        return early_look(now, house, zone)
    looks = [due, *(at for _, at in reminders(due, phase, house, zone))]
    if early := early_look(now, house, zone):
        looks.append(early)
    later = [look for look in looks if look > now]
    return min(later) if later else due


def left(rest: timedelta) -> str:
    """A length of time in words: "3 days 4 hours"."""
    minutes = max(0, int(rest.total_seconds() // 60))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    words = [f"{n} {unit}{'s' * (n != 1)}" for n, unit in ((days, "day"), (hours, "hour")) if n]
    return " ".join(words) or f"{minutes} minute{'s' * (minutes != 1)}"
