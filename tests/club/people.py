"""Who is in the club, and what each is like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

NAMES = (
    *("Anna", "Boris", "Clara", "David", "Elena", "Felix", "Greta", "Henry", "Ingrid", "Jakob"),
    *("Karla", "Leopold", "Marta", "Nikolai", "Olga", "Paul", "Quentin", "Rosa", "Stefan", "Tilda"),
    *("Ulrich", "Vera", "Walter", "Xenia", "Yvonne", "Zacharias", "Agathe", "Bruno", "Cecily", "Dora"),
)


@dataclass(slots=True)
class Person:
    """One of the club. ``letters``: what he writes of himself, to the referee's plain address, by
    the minute of the evening; ``away``: the minutes from and to which he reads nothing and writes
    nothing; ``heeds``: whether he answers when a code is asked back; ``orders``: whether he plays
    his seats."""

    name: str
    letters: Mapping[int, str] = field(default_factory=dict)
    away: tuple[int, int] = (0, 0)
    heeds: bool = True
    orders: bool = True

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@club.example"

    def is_away(self, minute: int) -> bool:
        first, last = self.away
        return first <= minute < last
