"""Texts for the door: the phrases of its reader, and each game in few words."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from pbem.games.frame.calendar import House
from pbem.house import houses, resources
from pbem.orders.door.phrases import Phrases, made
from pbem.text import counted

_DAY = timedelta(days=1)
_WEEKS, _MONTHS = 14, 75
"""Days from which a game is told in weeks, and in months."""


@dataclass(frozen=True, slots=True)
class GameWords:
    """A game in two sentences."""

    words: str
    periods: int
    """As a rule; 0: unknown."""


@lru_cache
def phrases() -> Phrases:
    """Return the phrases of ``grammar/door.toml``."""
    return made(tomllib.loads(resources.text("grammar", "door.toml")))


@lru_cache
def _games() -> dict[str, GameWords]:
    data = tomllib.loads(resources.text("rules", "door.toml"))
    return {key: GameWords(said["words"], said["periods"]) for key, said in data.items()}


def about(key: str) -> str:
    """Return a game in two sentences, or ""."""
    found = _games().get(key)
    return found.words if found else ""


def pace(key: str, house: House) -> str:
    """Return how fast a game goes, in few words."""
    told = houses.pace_notes(key, house) if house.pace else None
    usual = house.lengths["*"]
    lasts = f"A period lasts {usual}" if usual else "Its periods have no deadline"
    return f'{lasts}, at the pace "{told.name}"' if told else lasts


def lasts(key: str, house: House) -> str:
    """Return how long a game usually lasts: "about 8 weeks", or ""."""
    found, usual = _games().get(key), house.lengths["*"]
    if found is None or not (found.periods and usual):
        return ""
    whole = usual.time * found.periods
    days = whole // _DAY
    if days >= _MONTHS:
        return f"about {counted(round(days / 30), 'month')}"
    if days >= _WEEKS:
        return f"about {counted(round(days / 7), 'week')}"
    hours = max(1, whole // timedelta(hours=1))
    return f"about {counted(days, 'day')}" if days > 1 else f"about {counted(hours, 'hour')}"
