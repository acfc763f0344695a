"""The orders of Politics: frozen values with a slot and a canonical text (3.1 to 3.7)."""

from __future__ import annotations

from dataclasses import dataclass

SELF = "SELF"
ANY = "ANY"
"""In place of a card, in a bid for what may come: every card that comes up."""
MOST = 8
"""Counties of a state in one item, at most (3.1)."""


@dataclass(frozen=True, slots=True)
class Item:
    """``count`` counties of a state; a name that is no state stays as it was written, and ``check``
    refuses it."""

    state: str
    count: int = 1

    def __str__(self) -> str:
        return f"{self.state} {self.count}"


@dataclass(frozen=True, slots=True)
class Campaign:
    """CAMPAIGN: how this throw is spent, item by item; none: all of it goes to the list on file
    (3.1)."""

    items: tuple[Item, ...] = ()
    slot: str = "CAMPAIGN"

    def __str__(self) -> str:
        return " ".join(("CAMPAIGN", ", ".join(map(str, self.items)))).strip()


@dataclass(frozen=True, slots=True)
class StandingList:
    """STANDING: what becomes of points that CAMPAIGN leaves, kept until changed; no item: NONE
    (3.2)."""

    items: tuple[Item, ...] = ()
    slot: str = "STANDING"

    def __str__(self) -> str:
        return f"STANDING {', '.join(map(str, self.items)) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class Speak:
    """SPEAK: one card in the gap after a seat's play, ``after`` SELF or a seat (3.3)."""

    card: str
    after: str = SELF

    @property
    def slot(self) -> str:
        """One for each gap; ``check`` lets only one early and one late stand."""
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
        """One for each card."""
        return f"BID {self.card}"

    def __str__(self) -> str:
        return f"BID {self.amount:,} ON {self.card}"


@dataclass(frozen=True, slots=True)
class TakeCard:
    """TAKE CARD: the card shown instead of the points (3.5)."""

    slot: str = "TAKE"

    def __str__(self) -> str:
        return "TAKE CARD"
