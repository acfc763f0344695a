"""Moments by the clock of their game, and how long ago."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.games.frame.calendar import day_and_hour, left
from pbem.store.games.overview import ClockRow
from pbem.text import day_words, moment_words


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in UTC, in ``words`` by the game's clock, and its distance: "2 days 3 hours"."""

    iso: str
    words: str
    far: str


def moment(when: datetime, zone: str, now: datetime) -> Moment:
    local = moment_words(when.astimezone(ZoneInfo(zone)))
    return Moment(when.isoformat(), f"{local} {zone}", _far(when, now))


def deadline(row: ClockRow, when: datetime, now: datetime) -> Moment:
    day, hour = day_and_hour(when, row.house.hour, ZoneInfo(row.zone))
    words = f"{day_words(day, weekday=True)}, {hour} {row.zone}"
    return Moment(when.isoformat(), words, _far(when, now))


def _far(when: datetime, now: datetime) -> str:
    rest = abs(when - now)
    return left(rest, exact=rest < timedelta(days=1))
