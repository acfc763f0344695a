"""At which hour players are awake, and when daylight saving moves it for one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.games.frame.calendar import clock_time, day_of, moment

WAKES, SLEEPS = time(8), time(23)
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)
_HOURS = tuple(f"{hour:02}:00" for hour in range(1, 25))


@dataclass(frozen=True, slots=True)
class Offer:
    """An hour at which more players are awake."""

    hour: str
    awake: int
    now: str
    """The hour of today."""
    before: int
    """How many are awake then."""
    of: int

    def text(self, zone: str) -> str:
        """Return it in a sentence."""
        return (
            f"At {self.hour} {zone} {_some(self.awake, self.of)} awake; at {self.now}, the hour of"
            f" its deadlines, {_some(self.before, self.of)}."
        )


def _some(awake: int, of: int) -> str:
    """Return "all 5 players are" or "2 of 5 players are"."""
    said = f"all {of}" if awake == of else f"{awake} of {of}" if awake else f"none of {of}"
    return f"{said} players {'is' if awake == 1 else 'are'}"


def best(day: date, hour: str, zone: ZoneInfo, zones: Sequence[ZoneInfo]) -> Offer | None:
    """Return the hour at which most are awake on a day, of equals that nearest to ``hour``; None
    if no more are than at ``hour``."""
    found = {one: awake(day, one, zone, zones) for one in (hour, *_HOURS)}
    most = max(found.values())
    near = min((one for one in found if found[one] == most), key=lambda one: _far(one, hour))
    if most == found[hour]:
        return None
    return Offer(near, most, hour, found[hour], len(zones))


def awake(day: date, hour: str, zone: ZoneInfo, zones: Sequence[ZoneInfo]) -> int:
    """Return how many are awake at an hour of a day."""
    when = moment(day, hour, zone)
    return sum(WAKES <= when.astimezone(one).time() <= SLEEPS for one in zones)


def _far(one: str, other: str) -> timedelta:
    """Return how far two hours of the day are apart."""
    apart = abs(_since_midnight(one) - _since_midnight(other))
    return min(apart, _DAY - apart)


def _since_midnight(hour: str) -> timedelta:
    at, days = clock_time(hour)
    return timedelta(days=days, hours=at.hour, minutes=at.minute)


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
