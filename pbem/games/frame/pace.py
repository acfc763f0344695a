"""House rules at another pace: figures in days keep their share of a period. Hours and minutes
stay, but for ``max_late``."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.games.frame.house import NEVER, House
from pbem.games.frame.length import Days, Elapsed, Length, read

HOURS_FROM = 240
"""Minutes; from here whole hours, rounded down."""
SHORTEST_REMINDER = 5
"""Minutes."""
LATE_AT_LEAST = 15
"""Minutes: a restarted referee still closes its periods."""


def in_proportion(house: House, usual: Days) -> House:
    """Convert to hours and minutes. ``usual``: days of a period."""
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
        least_hours=0,
        rules={
            name: share(read(figure)).plain if name.endswith("_days") else figure
            for name, figure in house.rules.items()
        },
    )


def in_days(figures: Mapping[str, Any], usual: int, whole: int) -> dict[str, Any]:
    """Scale to ``whole`` days. A figure is at least a day; shorter reminders become hours."""

    def share(days: int) -> int:
        return max(1, days * whole // usual) if days > 0 else days

    def before(days: int) -> int | str:
        hours = days * 24 * whole // usual
        return hours // 24 if hours >= 24 else str(Elapsed(max(1, hours) * 60))

    return {
        **figures,
        "lengths": {phase: share(days) for phase, days in figures["lengths"].items()},
        "alone": share(figures.get("alone", 0)),
        "reminders": {
            phase: [before(days) for days in all_] for phase, all_ in figures["reminders"].items()
        },
        "most_automatic": share(figures["most_automatic"]),
        "rules": {
            name: share(figure) if name.endswith("_days") else figure
            for name, figure in figures.get("rules", {}).items()
        },
    }


@dataclass(frozen=True, slots=True)
class Change:
    """A house rule changed."""

    kind: str
    """"length", "alone", "reminder", "early", "automatic", "least", or a figure."""
    usual: str
    now: str
    phase: str = "*"
    """"*" for others."""


def changes(usual: House, house: House) -> Iterator[Change]:
    """Yield what differs from ``usual``."""
    both = (usual, house)
    for phase in usual.lengths:
        yield from _changed("length", usual.lengths[phase], house.length(phase, 0), phase)
    yield from _changed("alone", usual.alone, house.alone)
    for phase in usual.reminders:
        then, now = (one.reminded(phase) for one in both)
        yield from _changed("reminder", then, now, phase)
    then, now = (one.early_when if one.early_hour and one.early != NEVER else "" for one in both)
    yield from _changed("early", then, now)
    yield from _changed("automatic", usual.most_automatic, house.most_automatic)
    yield from _changed("least", Elapsed(usual.least_hours * 60), Elapsed(house.least_hours * 60))
    for name in usual.rules:
        if name.endswith("_days"):
            yield from _changed(name, usual.rule(name, 0), house.rule(name, 0))


def _changed(kind: str, usual: object, now: object, phase: str = "*") -> Iterator[Change]:
    if usual != now:
        yield Change(kind, str(usual) if usual else "", str(now) if now else "", phase)


def _share(minutes: int, whole: int, usual: int, least: int) -> Elapsed:
    part = max(least, minutes * whole // usual)
    return Elapsed(part - part % 60 if part >= HOURS_FROM else part)
