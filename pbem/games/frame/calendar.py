"""The life of a period: its deadline, and the moments at which the house looks at it.

A deadline is a date and an hour of the day in the game's zone, never a number of seconds: `base`
(the day the period began plus its length) and a list of moves, each with its reason, add up to the
result, so that it keeps its hour over DST, extensions and pauses, and can always be explained.
Times in and out are aware UTC; days are calendar days in the zone. A game whose periods are counted
in hours and minutes (:class:`~pbem.games.frame.length.Elapsed`) knows no hour, day or holiday.
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
"""When a period closes early: all that is owed is in, everybody has said READY, not at all."""

DEPUTIES = ("public", "private", "none")
"""A player who is away may have a deputy, and all are told that he has one (not who it is), or
nobody is; or he may have none."""
SHOWN, HIDDEN = "shown", "hidden"
NAMES = (SHOWN, HIDDEN)
"""Whether players' names are told: always, or when the game is over."""
AT_ONCE = "at once"
"""The early hour of a game whose periods close as soon as the condition is met."""

OFFERED = Days(3)
"""How long a free seat is offered to somebody where no house rule says it."""
_SPAN = 2  # a holiday is its first and last day; a pause has its reason besides

ABSENCE, BOOKED = "absence", "days of absence that were booked"
"""The kind of a move for the sake of players who are away, and why: not who they are."""
BY_HAND = ("extension", "pause", "holiday")
"""Moves that the gamesmaster or the calendar made; those of all other kinds together are capped."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a deadline ``by`` a length (negative: brought forward); ``kind``: one of
    :data:`BY_HAND`, else what the daemon itself moved it for (a late list, a stand-by player)."""

    kind: str
    by: Length
    why: str

    def json(self) -> dict[str, Any]:
        """As stored with the period."""
        unit = "days" if isinstance(self.by, Days) else "minutes"
        return {"kind": self.kind, unit: self.by.n, "why": self.why}


def moves(stored: Sequence[Mapping[str, Any]]) -> tuple[Move, ...]:
    """The moves that are stored with a period."""
    return tuple(
        Move(m["kind"], Days(m["days"]) if "days" in m else Elapsed(m["minutes"]), m["why"])
        for m in stored
    )


@dataclass(frozen=True, slots=True)
class House:
    """A game's house rules, copied from ``rules/house.toml`` and its options when it is made.

    ``lengths``: by phase ("*" for any other; 0 days: no deadline), all in days or all in hours and
    minutes, as every other figure then is. ``alone``: where the rules ask one seat alone (0: as
    usual). ``hour``: "24:00" is the end of the day, "" the minute itself (in hours and minutes).
    ``reminders``: so long before the deadline, by phase. ``early_hour``: at that hour of each day,
    or each time so many minutes have passed, a period may close early ("": never;
    :data:`AT_ONCE`, in hours and minutes), ``early``: on
    what condition, one of :data:`EARLY` (games made before there was a choice closed when nothing
    was owed). ``holidays``: first and last day of each, and of
    a pause the reason. ``most_automatic``: how far the daemon
    itself may move one deadline. ``max_late``: hours, or a length. ``idle_after``: moves missed in
    a row at which the gamesmaster is told. ``grace``: how long a period waits, once for each player
    in a game, at its deadline for one who owes and has sent nothing (0: not at all). ``names``:
    whether players are told by whom the others' seats are played, one of :data:`NAMES`. ``press``:
    what they may write to each other by the referee, one of
    :data:`pbem.games.frame.pressed.MODES`. ``rules``: figures of the game's own house rules.
    ``deputies``: one of :data:`DEPUTIES`. ``away_days``: so many days of absence each player may
    book in a game, on which no deadline falls. ``least_hours``: no deadline of days falls within so
    many hours of its bulletin. ``pace``: the name of the preset that the game was made with, "" for
    none. ``watch``: whether the game may have observers.
    """

    lengths: Mapping[str, Length]
    reminders: Mapping[str, tuple[Length, ...]]
    hour: str = "24:00"
    alone: Length = NONE
    early_hour: str = ""
    early: str = OWED
    holidays: tuple[tuple[str, ...], ...] = ()
    most_automatic: Length = ONE_WEEK
    max_late: int | Elapsed = 6
    idle_after: int = 3
    grace: Length = NONE
    rules: Mapping[str, Any] = field(default_factory=dict)
    deputies: str = "public"
    away_days: int = 0
    press: str = "all"
    least_hours: int = 0
    pace: str = ""
    names: str = SHOWN
    watch: bool = True

    def length(self, phase: str, asked: int) -> Length:
        """How long a period of this phase lasts in which the rules ask ``asked`` seats for
        anything."""
        if self.alone and asked == 1:
            return self.alone
        return self.lengths.get(phase, self.lengths["*"])

    @property
    def elapsed(self) -> bool:
        """Whether the periods are counted in hours and minutes."""
        return isinstance(self.lengths.get("*"), Elapsed)

    @property
    def latest(self) -> timedelta:
        """How long past its deadline a period is still closed."""
        late = self.max_late
        return timedelta(hours=late) if isinstance(late, int) else late.time

    @property
    def at_once(self) -> bool:
        """Whether a period closes early as soon as the condition is met."""
        return self.early_hour == AT_ONCE

    @property
    def early_when(self) -> str:
        """When a period is looked at for an early end, in words."""
        if self.at_once:
            return AT_ONCE
        return f"within {self.early_hour}" if self.elapsed else f"at {self.early_hour} of any day"

    def reminded(self, phase: str) -> str:
        """How long before the deadline of a phase there are reminders, in words; "" for none."""
        figures = self.reminders.get(phase, ())
        if len(figures) > 1 and all(isinstance(one, Days) for one in figures):
            return f"{listed(one.n for one in figures)} days"
        return listed(figures)

    @property
    def least(self) -> timedelta:
        """How long a period is open at the least before its deadline."""
        return timedelta(hours=self.least_hours)

    @property
    def an_hour(self) -> timedelta:
        """An hour, as what counts the mails of an hour has it: where periods are shorter, one of
        them."""
        hour = timedelta(hours=1)
        return min(hour, self.lengths["*"].time) if self.elapsed else hour

    def rule(self, name: str, default: int) -> Length:
        """A length of the game's own house rules; where it has none of that name the ``default``,
        days of a week."""
        if name in self.rules or not default or not self.elapsed:
            return moved_by(self.rules.get(name, default))
        return whole_minutes(self.share(timedelta(days=default), MINUTE))

    def share(self, usual: timedelta, least: timedelta) -> timedelta:
        """A ``usual`` span of the referee in this game: where periods are counted in hours and
        minutes, the part of one that it is of a week, ``least`` at the least."""
        return max(least, usual * (self.lengths["*"].time / WEEK)) if self.elapsed else usual

    @property
    def offered(self) -> Length:
        """How long a seat that has fallen free is offered to somebody."""
        if "standby_days" in self.rules:
            return self.rule("standby_days", 0)
        if self.elapsed:
            return whole_minutes(self.share(OFFERED.time, 2 * MINUTE))
        return OFFERED


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


def day_and_hour(due: datetime, hour: str, zone: ZoneInfo) -> tuple[date, str]:
    """What a deadline is called: its day, and the hour of the house or else of the clock."""
    if hour:
        return day_of(due, hour, zone), hour
    local = due.astimezone(zone)
    return local.date(), f"{local:%H:%M}"


@dataclass(frozen=True, slots=True)
class Deadline:
    """``base`` + ``moves`` = ``due`` (UTC); :meth:`explained` says so in words."""

    base: datetime
    moves: tuple[Move, ...]
    due: datetime

    def explained(self, hour: str, zone: ZoneInfo) -> list[str]:
        """A line for the base, one for each move (more where it is long), one for the result."""
        day, at = day_and_hour(self.base, hour, zone)
        lines = [f"{day:%a} {day.day} {day:%b %Y} {at}  as first set"]
        for move in self.moves:
            told = f"  {move.by.signed}  {move.kind}: {move.why}"
            lines += textwrap.wrap(told, WIDTH, subsequent_indent=" " * 6, break_on_hyphens=False)
        day, at = day_and_hour(self.due, hour, zone)
        lines.append(f"{day:%a} {day.day} {day:%b %Y} {at}  now ({self.due:%Y-%m-%d %H:%M} UTC)")
        return lines


def opening_day(opened: datetime, last_due: datetime | None, hour: str, zone: ZoneInfo) -> date:
    """The day a period counts from: that of the last deadline where it was kept within half a day,
    so that a bulletin sent some minutes after midnight costs nobody a day; else the day it was
    opened."""
    if last_due is not None and timedelta(0) <= opened - last_due <= timedelta(hours=12):
        return day_of(last_due, hour, zone)
    return opened.astimezone(zone).date()


def first_deadline(
    opened: datetime, last_due: datetime | None, length: Length, house: House, zone: ZoneInfo
) -> Deadline:
    """The deadline of a period that opens now; hours and minutes count from the next full minute,
    days so that the players have those of ``least_hours``."""
    if isinstance(length, Elapsed):
        due = EPOCH + whole_minutes(opened - EPOCH).time + length.time
        return Deadline(due, (), due)
    start = opening_day(opened, last_due, house.hour, zone)
    while moment(start + length.time, house.hour, zone) - opened < house.least:
        start += timedelta(days=1)
    return deadline(start, length.n, (), house, zone)


def by_when(start: datetime, length: Length, house: House, zone: ZoneInfo) -> datetime:
    """The moment so long after ``start``, at the hour of the house; a holiday moves it not."""
    if isinstance(length, Elapsed):
        return first_deadline(start, None, length, house, zone).due
    return moment(start.astimezone(zone).date() + length.time, house.hour, zone)


def deadline(
    start: date, days: int, moves: Sequence[Move], house: House, zone: ZoneInfo
) -> Deadline:
    """The deadline ``days`` after ``start``, moved, and off the holidays (which add a move of their
    own)."""
    base = start + timedelta(days=days)
    kept = list(moves)
    day = base + timedelta(days=sum(move.by.n for move in kept))
    for hop in off_holidays(day, house.holidays):
        kept.append(hop)
        day += hop.by.time
    return Deadline(moment(base, house.hour, zone), tuple(kept), moment(day, house.hour, zone))


def moved(due: Deadline, more: Sequence[Move], house: House, zone: ZoneInfo) -> Deadline:
    """The same deadline with more moves."""
    if house.elapsed:
        kept = (*due.moves, *more)
        return Deadline(due.base, kept, due.base + sum((m.by.time for m in kept), timedelta(0)))
    return deadline(day_of(due.base, house.hour, zone), 0, (*due.moves, *more), house, zone)


def automatic(moves: Sequence[Move], wanted: Length, house: House) -> Length:
    """How much of the ``wanted`` length the daemon may still add on its own (``most_automatic`` in
    all)."""
    used = sum(move.by.n for move in moves if move.kind not in BY_HAND)
    return replace(wanted, n=max(0, min(wanted.n, house.most_automatic.n - used)))


def after_absences(
    due: Deadline, away: Sequence[tuple[date, date]], house: House, zone: ZoneInfo
) -> Deadline:
    """The deadline after all days on which somebody is ``away`` (first and last of each), as one
    move, as far as the daemon may move one."""
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
    """By how much the deadline of a game that was held moves when it goes on ``now``: the whole
    days, or minutes, it was held; one that has passed lies in the future again, by a day at the
    most (or as ``least_hours`` has it) or by the part of a period that this is of a week. It never
    comes nearer: a hold that began later than ``now`` took no time."""
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
    """What a pause (a holiday with its reason) means for deadlines, in words; of any other holiday
    that it is one."""
    *_, why = holiday
    return (
        f"no deadline falls {days_of(holiday)} ({why})"
        if len(holiday) > _SPAN
        else "no deadline falls on a holiday"
    )


def days_of(holiday: Sequence[str]) -> str:
    """The days of a holiday or pause, in words."""
    first, last = (date.fromisoformat(day) for day in holiday[:_SPAN])
    alone = first == last
    begins = day_words(first)
    return f"on {begins}" if alone else f"from {begins} to {day_words(last)}"


def off_holidays(day: date, holidays: Sequence[Sequence[str]]) -> Iterator[Move]:
    """The moves that bring a day off the holidays, each with its reason."""
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
    """The smallest length, with the sign of ``by``, that moves a deadline and leaves it later than
    ``after``; None where none does."""
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
    """The same deadline without what a pause moved it, by ``house`` rules that have that pause no
    more."""
    kept = tuple(move for move in due.moves if move.why != kept_free(pause))
    return moved(replace(due, moves=kept), (), house, zone)


def reminders(
    due: datetime, phase: str, house: House, zone: ZoneInfo
) -> list[tuple[Length, datetime]]:
    """(how long before, moment) of each reminder of a phase, earliest first; those of candidate
    lists come besides."""
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
    """The first early hour later than ``after``; None where periods never close early. Looks that
    come every so many minutes lie on the clock, whenever a period was opened. Where periods close
    at once, letters are looked at as they come, and whatever else may be the last that was wanted
    within a minute."""
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
    """The last early hour that is not later than ``now``."""
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
    """The next moment after ``now`` at which something may have to be done: a reminder, an early
    hour, the deadline."""
    if due is None:
        return early_look(now, house, zone)
    looks = [due, *(at for _, at in reminders(due, phase, house, zone))]
    if early := early_look(now, house, zone):
        looks.append(early)
    later = [look for look in looks if look > now]
    return min(later) if later else due


def left(rest: timedelta, *, exact: bool = False) -> str:
    """A length of time in words: "3 days 4 hours", ``exact`` with minutes besides. It is told to
    the nearest minute, since some seconds have gone by whenever somebody says "ten minutes"."""
    if rest < timedelta(minutes=1):
        return "less than a minute"
    minutes = int((rest + timedelta(seconds=30)).total_seconds() // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    units = [(days, "day"), (hours, "hour"), *([(minutes, "minute")] if exact else [])]
    words = [f"{n} {unit}{'s' * (n != 1)}" for n, unit in units if n]
    return " ".join(words) or f"{minutes} minute{'s' * (minutes != 1)}"
