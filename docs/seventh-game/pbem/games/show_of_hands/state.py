"""The state of Show of Hands: a frozen dataclass of plain values, which pbem.games.frame.codec can
dump and load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

HANDS = ("LEFT", "RIGHT")


@dataclass(frozen=True, slots=True)
class State:
    """``beans`` by seat."""

    seats: tuple[str, ...]
    goal: int
    phase: str
    round: int
    beans: Mapping[str, int]
