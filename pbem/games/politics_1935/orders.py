"""Orders of Politics: frozen values with a slot and a canonical text (3.1 to 3.7)."""

from __future__ import annotations

from dataclasses import dataclass

SELF = "SELF"
ANY = "ANY"
"""In place of a card, in a bid kept as a plan: any card that comes up."""
MOST = 8
"""The most counties of a state in one item (3.1)."""


@dataclass(frozen=True, slots=True)
class Item:
    """``count`` counties of a state. An unknown name stays as written; ``check`` refuses it."""

    state: str
    count: int = 1

    def __str__(self) -> str:
        return f"{self.state} {self.count}"


@dataclass(frozen=True, slots=True)
class Campaign:
    """CAMPAIGN: how to spend this throw, item by item; no items: all goes to the list on file
    (3.1)."""

    items: tuple[Item, ...] = ()
    slot: str = "CAMPAIGN"

    def __str__(self) -> str:
        return " ".join(("CAMPAIGN", ", ".join(map(str, self.items)))).strip()


@dataclass(frozen=True, slots=True)
class StandingList:
    """STANDING: how to spend points left by CAMPAIGN, until changed; no items: NONE (3.2)."""

    items: tuple[Item, ...] = ()
    slot: str = "STANDING"

    def __str__(self) -> str:
        return f"STANDING {', '.join(map(str, self.items)) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class Speak:
    """SPEAK: one card in the gap after a seat's play (3.3)."""

    card: str
    after: str = SELF
    """SELF or a seat."""

    @property
    def slot(self) -> str:
        """Return the slot: one per gap; ``check`` allows one early and one late."""
        return "SPEAK" if self.after == SELF else f"SPEAK AFTER {self.after}"

    def __str__(self) -> str:
        return (
            f"SPEAK {self.card}" if self.after == SELF else f"SPEAK {self.card} AFTER {self.after}"
        )


@dataclass(frozen=True, slots=True)
class Bid:
    """BID: the highest price, in dollars, for a card that was turned up (3.4)."""

    amount: int
    card: str

    @property
    def slot(self) -> str:
        """Return the slot: one per card."""
        return f"BID {self.card}"

    def __str__(self) -> str:
        return f"BID {self.amount:,} ON {self.card}"


@dataclass(frozen=True, slots=True)
class TakeCard:
    """TAKE CARD: the card shown instead of the points (3.5)."""

    slot: str = "TAKE"

    def __str__(self) -> str:
        return "TAKE CARD"
