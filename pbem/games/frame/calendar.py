"""Deadlines, also by a player's own clock, and when the referee looks at a period.

A deadline is ``base``, a day and hour in the game's zone, plus moves with reasons; so it keeps its
hour over DST. Times are aware UTC. Periods of hours and minutes
(:class:`~pbem.games.frame.length.Elapsed`) ignore holidays.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pbem.errors import OperatorError
from pbem.games.frame.house import MINUTE, House
from pbem.games.frame.length import LONGEST, Days, Elapsed, Length, read, whole_minutes
from pbem.text import WIDTH, day_words

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_SPAN = 2  # a holiday is its first and last day; a pause adds its reason

BY_HAND = ("extension", "pause", "holiday")
"""By gamesmaster or calendar; ``most_automatic`` limits all others."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a deadline."""

    kind: str
    """One of :data:`BY_HAND`, or the daemon's reason."""
    by: Length
    """Negative: forward."""
    why: str

    def json(self) -> dict[str, Any]:
        unit = "days" if isinstance(self.by, Days) else "minutes"
        return {"kind": self.kind, unit: self.by.n, "why": self.why}


def moves(stored: Sequence[Mapping[str, Any]]) -> tuple[Move, ...]:
    return tuple(
        Move(m["kind"], Days(m["days"]) if "days" in m else Elapsed(m["minutes"]), m["why"])
        for m in stored
    )


def span(first: str, last: str) -> tuple[date, date]:
    """Read an absence or pause. Raise OperatorError."""
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
    """Parse "HH:MM" into a time and days after ("24:00": midnight, 1)."""
    try:
        hours, minutes = (int(part) for part in hour.split(":"))
        return (time(0, 0), 1) if (hours, minutes) == (24, 0) else (time(hours, minutes), 0)
    except ValueError as error:
        raise OperatorError(f"{hour!r} is not an hour of the day; write 20:00 or 24:00") from error


def moment(day: date, hour: str, zone: ZoneInfo) -> datetime:
    at, later = clock_time(hour)
    return datetime.combine(day + timedelta(days=later), at, zone).astimezone(UTC)


def day_of(due: datetime, hour: str, zone: ZoneInfo) -> date:
    """Return the inverse of :func:`moment`."""
    _, later = clock_time(hour)
    return due.astimezone(zone).date() - timedelta(days=later)


def day_and_hour(due: datetime, hour: str, zone: ZoneInfo) -> tuple[date, str]:
    """Return day and hour: the house's, else the clock's."""
    if hour:
        return day_of(due, hour, zone), hour
    local = due.astimezone(zone)
    return local.date(), f"{local:%H:%M}"


@dataclass(frozen=True, slots=True)
class Deadline:
    """``base`` plus ``moves`` is ``due`` (UTC)."""

    base: datetime
    moves: tuple[Move, ...]
    due: datetime

    def explained(self, hour: str, zone: ZoneInfo) -> list[str]:
        day, at = day_and_hour(self.base, hour, zone)
        lines = [f"{day:%a} {day.day} {day:%b %Y} {at}  as first set"]
        for move in self.moves:
            told = f"  {move.by.signed}  {move.kind}: {move.why}"
            lines += textwrap.wrap(told, WIDTH, subsequent_indent=" " * 6, break_on_hyphens=False)
        day, at = day_and_hour(self.due, hour, zone)
        lines.append(f"{day:%a} {day.day} {day:%b %Y} {at}  now ({self.due:%a %H:%M} UTC)")
        return lines


def opening_day(opened: datetime, last_due: datetime | None, hour: str, zone: ZoneInfo) -> date:
    """Return the day a period counts from: the last deadline's if it opened within half a day of
    that."""
    if last_due is not None and timedelta(0) <= opened - last_due <= timedelta(hours=12):
        return day_of(last_due, hour, zone)
    return opened.astimezone(zone).date()


def first_deadline(
    opened: datetime, last_due: datetime | None, length: Length, house: House, zone: ZoneInfo
) -> Deadline:
    """Return a deadline from now, ``least_hours`` away; hours and minutes count from the next
    full minute."""
    if isinstance(length, Elapsed):
        due = EPOCH + whole_minutes(opened - EPOCH).time + length.time
        return Deadline(due, (), due)
    start = opening_day(opened, last_due, house.hour, zone)
    while moment(start + length.time, house.hour, zone) - opened < house.least:
        start += timedelta(days=1)
    return deadline(start, length.n, (), house, zone)


def at_hour(due: Deadline, before: House, house: House, zone: ZoneInfo) -> Deadline:
    """Return a first deadline by ``before`` at the hour of ``house``, and no sooner."""
    day = day_of(due.base, before.hour, zone)
    later = moment(day, house.hour, zone) < due.base
    return deadline(day + timedelta(days=later), 0, (), house, zone)


def by_when(start: datetime, length: Length, house: House, zone: ZoneInfo) -> datetime:
    """Return ``start`` + ``length`` at the house's hour. Holidays are ignored."""
    if isinstance(length, Elapsed):
        return first_deadline(start, None, length, house, zone).due
    return moment(start.astimezone(zone).date() + length.time, house.hour, zone)


def deadline(
    start: date, days: int, moves: Sequence[Move], house: House, zone: ZoneInfo
) -> Deadline:
    """Return the deadline ``days`` after ``start``, moved off holidays."""
    base = start + timedelta(days=days)
    kept = list(moves)
    day = base + timedelta(days=sum(move.by.n for move in kept))
    for hop in off_holidays(day, house.holidays):
        kept.append(hop)
        day += hop.by.time
    return Deadline(moment(base, house.hour, zone), tuple(kept), moment(day, house.hour, zone))


def moved(due: Deadline, more: Sequence[Move], house: House, zone: ZoneInfo) -> Deadline:
    if house.elapsed:
        kept = (*due.moves, *more)
        return Deadline(due.base, kept, due.base + sum((m.by.time for m in kept), timedelta(0)))
    return deadline(day_of(due.base, house.hour, zone), 0, (*due.moves, *more), house, zone)


def automatic(moves: Sequence[Move], wanted: Length, house: House) -> Length:
    """Return what ``most_automatic`` leaves of ``wanted``."""
    used = sum(move.by.n for move in moves if move.kind not in BY_HAND)
    return replace(wanted, n=max(0, min(wanted.n, house.most_automatic.n - used)))


def after_hold(
    due: datetime, held: datetime, now: datetime, house: House, zone: ZoneInfo
) -> Length:
    """Return the move after a hold: the whole days or minutes held, never forward. A deadline in
    the past comes a day (or ``least_hours``) from now at most, or that part of a period."""
    held = min(held, now)
    if house.elapsed:
        minutes = whole_minutes(now - held).n
        if due <= now:
            again = house.share(timedelta(days=1), MINUTE)
            minutes = max(minutes, whole_minutes(now - due + again).n)
        return Elapsed(minutes)
    today = now.astimezone(zone).date()
    days = (today - held.astimezone(zone).date()).days
    if due <= now:
        day = day_of(due, house.hour, zone)
        days = max(days, (today - day).days + 1)
        while moment(day + timedelta(days=days), house.hour, zone) - now < house.least:
            days += 1
    return Days(days)


def kept_free(holiday: Sequence[str]) -> str:
    *_, why = holiday
    if len(holiday) > _SPAN:
        return f"no deadline falls {days_of(holiday)} ({why})"
    return "no deadline falls on a holiday"


def days_of(holiday: Sequence[str]) -> str:
    first, last = (date.fromisoformat(day) for day in holiday[:_SPAN])
    alone = first == last
    begins = day_words(first)
    return f"on {begins}" if alone else f"from {begins} to {day_words(last)}"


def off_holidays(day: date, holidays: Sequence[Sequence[str]]) -> Iterator[Move]:
    spans = [
        (date.fromisoformat(last), date.fromisoformat(first), one)
        for one in holidays
        for first, last in [one[:_SPAN]]
    ]
    while inside := [span for span in spans if span[1] <= day <= span[0]]:
        last, _, longest = max(inside)
        free = last + timedelta(days=1)
        kind = "pause" if len(longest) > _SPAN else "holiday"
        yield Move(kind, Days((free - day).days), kept_free(longest))
        day = free


def least_that_moves(
    due: Deadline, by: Length, house: House, zone: ZoneInfo, after: datetime
) -> Length | None:
    """Return the least length, signed as ``by``, that moves it and stays beyond ``after``; or
    None."""
    sign = 1 if by.n > 0 else -1
    for n in range(1, LONGEST + 1):
        tried = replace(by, n=sign * n)
        at = moved(due, [Move("extension", tried, "")], house, zone).due
        if at <= after:
            return None
        if at != due.due:
            return tried
    return None


def without_pause(due: Deadline, pause: Sequence[str], house: House, zone: ZoneInfo) -> Deadline:
    """Return the deadline without a pause that ``house`` has lost."""
    kept = tuple(move for move in due.moves if move.why != kept_free(pause))
    return moved(replace(due, moves=kept), (), house, zone)


def reminders(
    due: datetime, phase: str, house: House, zone: ZoneInfo
) -> list[tuple[Length, datetime]]:
    """Return (time before, moment), earliest first."""
    lengths = {
        *house.reminders.get(phase, house.reminders.get("*", ())),
        *house.reminders.get("lists", ()),
    }
    before = sorted(lengths, key=lambda length: length.time, reverse=True)

    def at(length: Length) -> datetime:
        if isinstance(length, Elapsed):
            return due - length.time
        return moment(day_of(due, house.hour, zone) - length.time, house.hour, zone)

    return [(length, at(length)) for length in before]


def early_look(after: datetime, house: House, zone: ZoneInfo) -> datetime | None:
    """Return the first early hour beyond ``after``; None for never. Intervals align with the clock.
    "At once" looks each minute."""
    if not house.early_hour:
        return None
    if house.elapsed:
        every = MINUTE if house.at_once else read(house.early_hour).time
        return EPOCH + ((after - EPOCH) // every + 1) * every
    day = after.astimezone(zone).date() - timedelta(days=1)
    while (look := moment(day, house.early_hour, zone)) <= after:
        day += timedelta(days=1)
    return look


def last_early_look(now: datetime, house: House, zone: ZoneInfo) -> datetime | None:
    if house.at_once:
        return now
    back = read(house.early_hour).time if house.elapsed and house.early_hour else timedelta(days=2)
    look, after = None, early_look(now - back, house, zone)
    while after is not None and after <= now:
        look, after = after, early_look(after, house, zone)
    return look


def next_look(
    now: datetime, due: datetime | None, phase: str, house: House, zone: ZoneInfo
) -> datetime | None:
    """Return the next reminder, early hour or deadline."""
    if due is None:
        return early_look(now, house, zone)
    looks = [due, *(at for _, at in reminders(due, phase, house, zone))]
    if early := early_look(now, house, zone):
        looks.append(early)
    later = [look for look in looks if look > now]
    return min(later) if later else due


def left(rest: timedelta, *, exact: bool = False) -> str:
    """Return "3 days 4 hours", rounded to minutes; ``exact`` adds them on the last day."""
    if rest < timedelta(minutes=1):
        return "less than a minute"
    minutes = int((rest + timedelta(seconds=30)).total_seconds() // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    units = [(days, "day"), (hours, "hour"), *([(minutes, "minute")] if exact and not days else [])]
    words = [f"{n} {unit}{'s' * (n != 1)}" for n, unit in units if n]
    return " ".join(words) or f"{minutes} minute{'s' * (minutes != 1)}"


_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)


def local(day: date, hour: str, zone: ZoneInfo, own: ZoneInfo) -> tuple[date, str]:
    """Return day and hour of a deadline by another clock; midnight is 24:00."""
    when = moment(day, hour, zone).astimezone(own)
    if (when.hour, when.minute) == (0, 0):
        return when.date() - _DAY, "24:00"
    return when.date(), f"{when:%H:%M}"


def shift(opened: datetime, due: datetime, hour: str, zone: ZoneInfo, own: ZoneInfo) -> str:
    """Return a sentence on how daylight saving moves a player's hour by a deadline, or within a
    week of its period's opening; "" if it does not."""
    first, last = opened.astimezone(zone).date(), day_of(due, hour, zone)
    stands = local(last, hour, zone, own)[1]
    if local(first, hour, zone, own)[1] != stands:
        day = last
        while local(day - _DAY, hour, zone, own)[1] == stands:
            day -= _DAY
        return _says(local(day, hour, zone, own), local(first, hour, zone, own)[1])
    day, until = last + _DAY, (opened + _WEEK).astimezone(zone).date()
    while day <= until:
        found = local(day, hour, zone, own)
        if found[1] != stands:
            return _says(found, stands)
        day += _DAY
    return ""


def _says(since: tuple[date, str], before: str) -> str:
    day, hour = since
    return f"From {day.day} {day:%B} your deadline is at {hour} your time, not {before}"
