"""The house rules of a game whose periods are counted in hours and minutes: in proportion.

Whatever the house rules give in days (and ``max_late`` in hours) is the share of a usual period
that it would be there; what they give in hours or minutes stays as it is written.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.games.frame.calendar import House
from pbem.games.frame.length import Days, Elapsed, Length, read

HOURS_FROM = 240
"""A share of so many minutes or more is rounded down to whole hours."""
SHORTEST_REMINDER = 5
"""Minutes: a reminder that would come later than that before its deadline is not sent."""
LATE_AT_LEAST = 15
"""Minutes: a referee that is started again after a while closes its periods all the same."""


def in_proportion(house: House, usual: Days) -> House:
    """The house rules with every figure in hours and minutes; ``usual``: days of a period, of which
    the others are shares."""
    whole = house.lengths["*"]

    def share(figure: Length, least: int = 1) -> Length:
        if figure.n <= 0 or isinstance(figure, Elapsed):
            return figure
        return _share(figure.n * 1440, whole.n, usual.n * 1440, least)

    late = house.max_late
    if isinstance(late, int) and late > 0:
        late = _share(late * 60, whole.n, usual.n * 1440, LATE_AT_LEAST)
    reminders = {
        phase: tuple(one for one in map(share, figures) if one.n >= SHORTEST_REMINDER)
        for phase, figures in house.reminders.items()
    }
    return replace(
        house,
        hour="",
        lengths={phase: share(figure) for phase, figure in house.lengths.items()},
        alone=share(house.alone),
        reminders={phase: figures for phase, figures in reminders.items() if figures},
        early_hour=str(share(Days(1))) if ":" in house.early_hour else house.early_hour,
        most_automatic=share(house.most_automatic),
        max_late=late,
        rules={
            name: share(read(figure)).plain if name.endswith("_days") else figure
            for name, figure in house.rules.items()
        },
    )


def _share(minutes: int, whole: int, usual: int, least: int) -> Elapsed:
    """What ``minutes`` of a ``usual`` period come to in a ``whole`` one."""
    part = max(least, minutes * whole // usual)
    return Elapsed(part - part % 60 if part >= HOURS_FROM else part)
