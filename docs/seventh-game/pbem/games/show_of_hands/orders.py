"""The orders of Show of Hands: frozen values with a slot and a canonical text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Raise:
    """RAISE LEFT or RAISE RIGHT: the hand a player shows."""

    hand: str
    slot: str = "RAISE"

    def __str__(self) -> str:
        return f"RAISE {self.hand}"


@dataclass(frozen=True, slots=True)
class Bet:
    """BET n ON seat: n beans that this player will be in the majority."""

    beans: int
    on: str

    @property
    def slot(self) -> str:
        """One bet for each player bet on."""
        return f"BET {self.on}"

    def __str__(self) -> str:
        return f"BET {self.beans} ON {self.on}"
