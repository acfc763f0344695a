"""What a scenario of Show of Hands may say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat
from pbem.games.frame.scenario import (
    At,
    Name,
    Part,
    Table,
    Whole,
    Word,
    entry,
    exact,
    read,
)


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know."""

    phase: str = entry(Word("show"), "the only phase", default="show")
    round: int = entry(Whole(1, 999), "number of the round", default=1)
    beans: dict[str, int] | None = entry(
        Table(Name("seat"), Whole()), "beans of each seat", "as the tables have it"
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that a scenario may say."""

    public: Public = entry(Part(Public), "what everybody may know", default=Public())


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables that a scenario may replace."""

    beans: int | None = entry(Whole(), "beans of each seat at the start")


def reading(scenario: Json, seats: Sequence[Seat]) -> Scenario:
    """A scenario with typed values; raises ScenarioError."""
    return read(Scenario, scenario, At("", {"seat": exact(seats)}))
