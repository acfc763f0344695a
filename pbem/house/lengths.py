"""How long games last, as people or house bots have played them."""

from __future__ import annotations

import statistics
import tomllib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

from pbem.games.frame.house import House
from pbem.games.frame.length import Days, Length
from pbem.house import resources

ENOUGH = 20
"""From so many games of people on, theirs are told instead of the bots'."""
ALONE = "alone"
"""The kind of period in which one player is asked."""
_DAY = timedelta(days=1)
_UNITS = (
    (timedelta(days=75), timedelta(days=30), "month"),
    (timedelta(days=14), timedelta(days=7), "week"),
    (timedelta(days=2), _DAY, "day"),
    (timedelta(minutes=100), timedelta(hours=1), "hour"),
    (timedelta(0), timedelta(minutes=10), "ten minutes"),
)
"""(from this median on, a unit, its name)."""


def kind(own: Mapping[str, Length], phase: str, asked: int) -> str:
    """own: which phases have a length of their own."""
    if asked == 1:
        return ALONE
    return phase if phase in own else "*"


@lru_cache
def _of_bots() -> Mapping[str, Sequence[Mapping[str, int]]]:
    """Return each rule-set's games of bots: {kind: periods}."""
    data = tomllib.loads(resources.text("rules", "lengths.toml"))
    return {
        key: [dict(zip(said["kinds"], game, strict=True)) for game in said["games"]]
        for key, said in data.items()
    }


def by_bots(key: str, house: House) -> Sequence[timedelta]:
    """Return how long the bots' games would take at a pace. () without deadlines."""
    if not house.lengths["*"]:
        return ()
    return [
        sum((number * _one(house, kind) for kind, number in game.items()), timedelta())
        for game in _of_bots().get(key, ())
    ]


def _one(house: House, kind: str) -> timedelta:
    """Return a period's length. One without a deadline counts as long as between two reports."""
    length = house.length("*", 1) if kind == ALONE else house.length(kind, 2)
    return (length or house.rule("report_days", 7) or Days(7)).time


def words(key: str, house: House, people: Sequence[timedelta] = ()) -> str:
    """Return "about 8 weeks (7-9, by bots)", or "" if nobody knows.

    people: how long games of people have taken at this pace.
    """
    enough = len(people) >= ENOUGH
    found = sorted(people if enough else by_bots(key, house))
    if len(found) < 2:
        return ""
    quarters = statistics.quantiles([one.total_seconds() for one in found], method="inclusive")
    low, middle, high = (timedelta(seconds=one) for one in quarters)
    unit, name = next((unit, name) for least, unit, name in _UNITS if middle >= least)
    first, about, last = (max(1, round(one / unit)) for one in (low, middle, high))
    if name == "ten minutes":
        first, about, last, name = 10 * first, 10 * about, 10 * last, "minute"
    said = [f"{first}-{last}"] if first < last else []
    said += [] if enough else ["by bots"]
    return f"about {about} {name}{'s' * (about != 1)}" + (f" ({', '.join(said)})" if said else "")
