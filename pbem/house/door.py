"""Texts for the door: the phrases of its reader, and each game in few words."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from pbem.games.frame.house import House
from pbem.house import houses, resources
from pbem.orders.door.phrases import Phrases, made


@lru_cache
def phrases() -> Phrases:
    return made(tomllib.loads(resources.text("grammar", "door.toml")))


@lru_cache
def _games() -> dict[str, str]:
    data = tomllib.loads(resources.text("rules", "door.toml"))
    return {key: said["words"] for key, said in data.items()}


def about(key: str) -> str:
    """Return a game in two sentences, or ""."""
    return _games().get(key, "")


def pace(key: str, house: House) -> str:
    """Return how fast a game goes, in few words."""
    told = houses.pace_notes(key, house) if house.pace else None
    usual = house.lengths["*"]
    lasts = f"A period lasts {usual}" if usual else "Its periods have no deadline"
    return f'{lasts}, at the pace "{told.name}"' if told else lasts
