"""The hour of a deadline by a player's own clock, and when daylight saving moves it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.games.frame.calendar import day_of, moment

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
