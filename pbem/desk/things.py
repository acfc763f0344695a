"""What waits, as the desk shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.desk.times import Moment
from pbem.store.games.overview import ClockRow


@dataclass(frozen=True, slots=True)
class Way:
    """An act that settles a thing, with the known arguments."""

    act: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that waits."""

    what: str
    key: str
    of: Any
    ways: Sequence[Way] = ()
    since: Moment | None = None
    game: ClockRow | None = None
    closes: Moment | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pile:
    """The number of things of a kind, and a page from ``first``."""

    kind: str
    number: int
    things: Sequence[Thing]
    first: int = 0
