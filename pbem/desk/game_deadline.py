"""A deadline from the calendar, for the act ``extend``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time

from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.games.frame.length import Days, Elapsed, Length
from pbem.periods import publishing
from pbem.store.games.games import GameAt
from pbem.text import day_words


def chosen(at: GameAt, given: Mapping[str, str]) -> Length:
    """Return the distance to the chosen ``day`` and ``time``. Raise OperatorError."""
    deadline = publishing.deadline_of(at)
    if deadline is None:
        raise OperatorError(f"period {at.period.number} of {at.id} has no deadline to move")
    written = given.get("day", "")
    try:
        day = date.fromisoformat(written)
    except ValueError as error:
        raise OperatorError(f"{written!r} is no day; choose one from the calendar") from error
    if at.house.elapsed:
        moment = datetime.combine(day, _time(given.get("time", "")), at.zone)
        by: Length = Elapsed(round((moment - deadline.due).total_seconds() / 60))
    else:
        by = Days((day - calendar.day_of(deadline.due, at.house.hour, at.zone)).days)
    if not by:
        raise OperatorError(f"the deadline of {at.id} is on {day_words(day)} already")
    return by


def _time(written: str) -> time:
    try:
        return time.fromisoformat(written)
    except ValueError as error:
        raise OperatorError(f"{written!r} is no time of day; write it as 18:30") from error
