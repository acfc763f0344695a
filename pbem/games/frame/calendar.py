"""Deadlines, and when the referee looks at a period.

A deadline is a date and an hour in the game's zone: `base` (first day plus length) plus moves with
reasons. So it keeps its hour over DST and extensions, and can be explained. Times are aware UTC;
days are of the zone. Periods of hours and minutes (:class:`~pbem.games.frame.length.Elapsed`)
ignore hours of the day and holidays.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pbem.errors import OperatorError
from pbem.games.frame.length import (
    LONGEST,
    NONE,
    Days,
    Elapsed,
    Length,
    moved_by,
    read,
    whole_minutes,
)
from pbem.text import WIDTH, day_words, listed

ONE_WEEK = Days(7)
WEEK, MINUTE = ONE_WEEK.time, timedelta(minutes=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

OWED, READY, NEVER = "owed", "ready", "never"
EARLY = (OWED, READY, NEVER)
"""When a period closes early: all owed orders are in, everybody said READY, or never."""

DEPUTIES = ("public", "private", "none")
"""An absent player's deputy: announced without a name, unannounced, or not allowed."""
SHOWN, HIDDEN = "shown", "hidden"
NAMES = (SHOWN, HIDDEN)
"""When players' names are shown: always, or only after the game."""
AT_ONCE = "at once"
"""The ``early_hour`` of a game whose periods close as soon as the condition is met."""

OFFERED = Days(3)
"""How long to offer a free seat if no house rule says so."""
_SPAN = 2  # a holiday is its first and last day; a pause adds its reason

ABSENCE, BOOKED = "absence", "days of absence that were booked"
"""Kind and reason of a move for absent players, without names."""
BY_HAND = ("extension", "pause", "holiday")
"""Moves by the gamesmaster or calendar. ``most_automatic`` limits the others together."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a deadline."""

    kind: str
    """One of :data:`BY_HAND`, or the daemon's reason (a late list, a stand-by player)."""
    by: Length
    """How far; negative moves it forward."""
    why: str

    def json(self) -> dict[str, Any]:
        """Return the move as stored with the period."""
        unit = "days" if isinstance(self.by, Days) else "minutes"
        return {"kind": self.kind, unit: self.by.n, "why": self.why}


def moves(stored: Sequence[Mapping[str, Any]]) -> tuple[Move, ...]:
    """Return the moves stored with a period."""
    return tuple(
        Move(m["kind"], Days(m["days"]) if "days" in m else Elapsed(m["minutes"]), m["why"])
        for m in stored
    )


@dataclass(frozen=True, slots=True)
class House:
    """A game's house rules, from ``rules/house.toml`` and its options at creation."""

    lengths: Mapping[str, Length]
    """By phase, "*" for others; 0 days for no deadline. One unit for the whole game."""
    reminders: Mapping[str, tuple[Length, ...]]
    """Times before the deadline, by phase."""
    hour: str = "24:00"
    """"24:00" ends the day; "" keeps the minute (periods in hours and minutes)."""
    alone: Length = NONE
    """Length if the rules ask a single seat; 0 for the usual length."""
    early_hour: str = ""
    """Hour of day, or interval in minutes, for early closing. "" for never; :data:`AT_ONCE` (hours
    and minutes only)."""
    early: str = OWED
    """One of :data:`EARLY`. Older games close when nothing is owed."""
    holidays: tuple[tuple[str, ...], ...] = ()
    """First and last day of each; a pause adds its reason."""
    most_automatic: Length = ONE_WEEK
    """How far the daemon may move one deadline."""
    max_late: int | Elapsed = 6
    """How late a period still closes: hours, or a length."""
    idle_after: int = 3
    """Missed moves in a row after which the gamesmaster is told."""
    grace: Length = NONE
    """How long a period waits for a player who owes and sent nothing, once a game; 0 for none."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """Figures of the game's own house rules."""
    deputies: str = "public"
    """One of :data:`DEPUTIES`."""
    away_days: int = 0
    """Days of absence each player may book; no deadline falls on them."""
    press: str = "all"
    """Press between players, one of :data:`pbem.games.frame.press_rules.MODES`."""
    least_hours: int = 0
    """Hours at least between a bulletin and a deadline counted in days."""
    pace: str = ""
    """The preset it was made with, or ""."""
    names: str = SHOWN
    """Whether players learn who plays the other seats, one of :data:`NAMES`."""
    watch: bool = True
    """Whether the game may have observers."""

    def length(self, phase: str, asked: int) -> Length:
        """Return the length of a period of this phase if the rules ask ``asked`` seats."""
        if self.alone and asked == 1:
            return self.alone
        return self.lengths.get(phase, self.lengths["*"])

    @property
    def elapsed(self) -> bool:
        """Whether periods are counted in hours and minutes."""
        return isinstance(self.lengths.get("*"), Elapsed)

    @property
    def latest(self) -> timedelta:
        """How long after its deadline a period may still close."""
        late = self.max_late
        return timedelta(hours=late) if isinstance(late, int) else late.time

    @property
    def at_once(self) -> bool:
        """Whether a period closes as soon as the early condition is met."""
        return self.early_hour == AT_ONCE

    @property
    def early_when(self) -> str:
        """Say in words when an early end is considered."""
        if self.at_once:
            return AT_ONCE
        return f"within {self.early_hour}" if self.elapsed else f"at {self.early_hour} of any day"

    def reminded(self, phase: str) -> str:
        """Say how long before a phase's deadline reminders go out; "" for none."""
        figures = self.reminders.get(phase, ())
        if len(figures) > 1 and all(isinstance(one, Days) for one in figures):
            return f"{listed(one.n for one in figures)} days"
        return listed(figures)

    @property
    def least(self) -> timedelta:
        """The least time a period is open before its deadline."""
        return timedelta(hours=self.least_hours)

    @property
    def an_hour(self) -> timedelta:
        """The span for limits on mails per hour: an hour, or one period if that is shorter."""
        hour = timedelta(hours=1)
        return min(hour, self.lengths["*"].time) if self.elapsed else hour

    def rule(self, name: str, default: int) -> Length:
        """Return a length from the game's own house rules, else default days of a week."""
        if name in self.rules or not default or not self.elapsed:
            return moved_by(self.rules.get(name, default))
        return whole_minutes(self.share(timedelta(days=default), MINUTE))

    def share(self, usual: timedelta, least: timedelta) -> timedelta:
        """Scale a usual span: in hours and minutes, the part of a period that it is of a week, at
        least least."""
        return max(least, usual * (self.lengths["*"].time / WEEK)) if self.elapsed else usual

    @property
    def offered(self) -> Length:
        """How long a free seat is offered to a stand-by player."""
        if "standby_days" in self.rules:
            return self.rule("standby_days", 0)
        if self.elapsed:
            return whole_minutes(self.share(OFFERED.time, 2 * MINUTE))
        return OFFERED


def span(first: str, last: str) -> tuple[date, date]:
    """Return the first and last day of an absence or pause. Raise OperatorError if invalid."""
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
    """Parse "HH:MM" into a time and the days after its date ("24:00": midnight, 1)."""
    try:
        hours, minutes = (int(part) for part in hour.split(":"))
        return (time(0, 0), 1) if (hours, minutes) == (24, 0) else (time(hours, minutes), 0)
    except ValueError as error:
        raise OperatorError(f"{hour!r} is not an hour of the day; write 20:00 or 24:00") from error


def moment(day: date, hour: str, zone: ZoneInfo) -> datetime:
    """Return that day and hour in the zone, as UTC."""
    at, later = clock_time(hour)
    return datetime.combine(day + timedelta(days=later), at, zone).astimezone(UTC)


def day_of(due: datetime, hour: str, zone: ZoneInfo) -> date:
    """Return the day a deadline is named after: the inverse of :func:`moment`."""
    _, later = clock_time(hour)
    return due.astimezone(zone).date() - timedelta(days=later)


def day_and_hour(due: datetime, hour: str, zone: ZoneInfo) -> tuple[date, str]:
    """Return the day and hour that name a deadline: the house's hour, else the clock's."""
    if hour:
        return day_of(due, hour, zone), hour
    local = due.astimezone(zone)
    return local.date(), f"{local:%H:%M}"


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline: ``base`` plus ``moves`` gives ``due`` (UTC)."""

    base: datetime
    moves: tuple[Move, ...]
    due: datetime

    def explained(self, hour: str, zone: ZoneInfo) -> list[str]:
        """Return lines for the base, each move and the result."""
        day, at = day_and_hour(self.base, hour, zone)
        lines = [f"{day:%a} {day.day} {day:%b %Y} {at}  as first set"]
        for move in self.moves:
            told = f"  {move.by.signed}  {move.kind}: {move.why}"
            lines += textwrap.wrap(told, WIDTH, subsequent_indent=" " * 6, break_on_hyphens=False)
        day, at = day_and_hour(self.due, hour, zone)
        lines.append(f"{day:%a} {day.day} {day:%b %Y} {at}  now ({self.due:%Y-%m-%d %H:%M} UTC)")
        return lines


def opening_day(opened: datetime, last_due: datetime | None, hour: str, zone: ZoneInfo) -> date:
    """Return the day a period counts from: that of the last deadline if it opened within half a day
    of it (a bulletin after midnight costs no day), else of its opening."""
    if last_due is not None and timedelta(0) <= opened - last_due <= timedelta(hours=12):
        return day_of(last_due, hour, zone)
    return opened.astimezone(zone).date()


def first_deadline(
    opened: datetime, last_due: datetime | None, length: Length, house: House, zone: ZoneInfo
) -> Deadline:
    """Return the deadline of a period that opens now, at least ``least_hours`` away.

    Hours and minutes count from the next full minute.
    """
    if isinstance(length, Elapsed):
        due = EPOCH + whole_minutes(opened - EPOCH).time + length.time
        return Deadline(due, (), due)
    start = opening_day(opened, last_due, house.hour, zone)
    while moment(start + length.time, house.hour, zone) - opened < house.least:
        start += timedelta(days=1)
    return deadline(start, length.n, (), house, zone)


def by_when(start: datetime, length: Length, house: House, zone: ZoneInfo) -> datetime:
    """Return ``start`` + ``length`` at the house's hour. Ignore holidays."""
    if isinstance(length, Elapsed):
        return first_deadline(start, None, length, house, zone).due
    return moment(start.astimezone(zone).date() + length.time, house.hour, zone)


def deadline(
    start: date, days: int, moves: Sequence[Move], house: House, zone: ZoneInfo
) -> Deadline:
    """Return the deadline ``days`` after ``start``, with ``moves``, and moved off the holidays."""
    base = start + timedelta(days=days)
    kept = list(moves)
    day = base + timedelta(days=sum(move.by.n for move in kept))
    for hop in off_holidays(day, house.holidays):
        kept.append(hop)
        day += hop.by.time
    return Deadline(moment(base, house.hour, zone), tuple(kept), moment(day, house.hour, zone))


def moved(due: Deadline, more: Sequence[Move], house: House, zone: ZoneInfo) -> Deadline:
    """Return the deadline with more moves."""
    if house.elapsed:
        kept = (*due.moves, *more)
        return Deadline(due.base, kept, due.base + sum((m.by.time for m in kept), timedelta(0)))
    return deadline(day_of(due.base, house.hour, zone), 0, (*due.moves, *more), house, zone)


def automatic(moves: Sequence[Move], wanted: Length, house: House) -> Length:
    """Return how much of ``wanted`` the daemon may still add within ``most_automatic``."""
    used = sum(move.by.n for move in moves if move.kind not in BY_HAND)
    return replace(wanted, n=max(0, min(wanted.n, house.most_automatic.n - used)))


def after_absences(
    due: Deadline, away: Sequence[tuple[date, date]], house: House, zone: ZoneInfo
) -> Deadline:
    """Move a deadline behind all days in away, as one move within the daemon's limit."""
    found = due
    while inside := [
        last for first, last in away if first <= day_of(found.due, house.hour, zone) <= last
    ]:
        had = found.moves[len(due.moves)].by.n if found is not due else 0
        more = max(inside) + timedelta(days=1) - day_of(found.due, house.hour, zone)
        by = automatic(due.moves, Days(had + more.days), house)
        if by.n <= had:
            break
        found = moved(due, [Move(ABSENCE, by, BOOKED)], house, zone)
    return found


def after_hold(
    due: datetime, held: datetime, now: datetime, house: House, zone: ZoneInfo
) -> Length:
    """Return how far to move a resumed game's deadline: the whole days or minutes held.

    If it has passed, put it into the future by at most a day (or ``least_hours``), or that part of
    a period. Never move it forward.
    """
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
    """Say what a pause or holiday means for deadlines."""
    *_, why = holiday
    return (
        f"no deadline falls {days_of(holiday)} ({why})"
        if len(holiday) > _SPAN
        else "no deadline falls on a holiday"
    )


def days_of(holiday: Sequence[str]) -> str:
    """Name the days of a holiday or pause."""
    first, last = (date.fromisoformat(day) for day in holiday[:_SPAN])
    alone = first == last
    begins = day_words(first)
    return f"on {begins}" if alone else f"from {begins} to {day_words(last)}"


def off_holidays(day: date, holidays: Sequence[Sequence[str]]) -> Iterator[Move]:
    """Yield the moves that bring a day off the holidays, each with its reason."""
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
    """Return the smallest length with by's sign that moves a deadline and leaves it beyond after;
    or None."""
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
    """Return the deadline without pause's days. house no longer has the pause."""
    kept = tuple(move for move in due.moves if move.why != kept_free(pause))
    return moved(replace(due, moves=kept), (), house, zone)


def reminders(
    due: datetime, phase: str, house: House, zone: ZoneInfo
) -> list[tuple[Length, datetime]]:
    """Return (time before, moment) of a phase's reminders, earliest first."""
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
    """Return the first early hour beyond after; None if periods never close early.

    Intervals are aligned with the clock. If periods close at once, look within a minute for what no
    letter triggers.
    """
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
    """Return the last early hour not later than ``now``."""
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
    """Return the next moment that may need action: a reminder, early hour or deadline."""
    if due is None:
        return early_look(now, house, zone)
    looks = [due, *(at for _, at in reminders(due, phase, house, zone))]
    if early := early_look(now, house, zone):
        looks.append(early)
    later = [look for look in looks if look > now]
    return min(later) if later else due


def left(rest: timedelta, *, exact: bool = False) -> str:
    """Return a span in words ("3 days 4 hours"), rounded to a minute; exact adds minutes."""
    if rest < timedelta(minutes=1):
        return "less than a minute"
    minutes = int((rest + timedelta(seconds=30)).total_seconds() // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    units = [(days, "day"), (hours, "hour"), *([(minutes, "minute")] if exact else [])]
    words = [f"{n} {unit}{'s' * (n != 1)}" for n, unit in units if n]
    return " ".join(words) or f"{minutes} minute{'s' * (minutes != 1)}"
