"""The state of Show of Hands: a frozen dataclass of plain values, which pbem.games.frame.codec can
dump and load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

HANDS = ("LEFT", "RIGHT")


@dataclass(frozen=True, slots=True)
class State:
    """``beans`` and ``lucky`` (the hand that doubles a winning bet, known to that seat alone) by
    seat."""

    seats: tuple[str, ...]
    goal: int
    phase: str
    round: int
    beans: Mapping[str, int]
    lucky: Mapping[str, str]
