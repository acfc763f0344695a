"""Orders, with their slots and canonical texts (3.1 to 3.7)."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.orders.order import Worded, Wording

SELF = "SELF"
ANY = "ANY"
"""A plan's bid on any card that comes up."""
MOST = 8
"""Counties of a state in an item (3.1)."""


@dataclass(frozen=True, slots=True)
class Item(Worded):
    """``count`` counties of a state; an unknown name stays as written."""

    state: str
    count: int = 1
    written = Wording("{state} {count}")


@dataclass(frozen=True, slots=True)
class Campaign:
    """How to spend this throw; no items leave it to the list (3.1)."""

    items: tuple[Item, ...] = ()
    slot: str = "CAMPAIGN"

    def __str__(self) -> str:
        return " ".join(("CAMPAIGN", ", ".join(map(str, self.items)))).strip()


@dataclass(frozen=True, slots=True)
class StandingList:
    """How to spend points that CAMPAIGN leaves, until changed; no items: NONE (3.2)."""

    items: tuple[Item, ...] = ()
    slot: str = "STANDING"

    def __str__(self) -> str:
        return f"STANDING {', '.join(map(str, self.items)) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class Speak:
    """A card spoken after a seat's play (3.3)."""

    card: str
    after: str = SELF
    """SELF or a seat."""

    @property
    def slot(self) -> str:
        """One per gap; ``check`` allows one early, one late."""
        return "SPEAK" if self.after == SELF else f"SPEAK AFTER {self.after}"

    def __str__(self) -> str:
        return (
            f"SPEAK {self.card}" if self.after == SELF else f"SPEAK {self.card} AFTER {self.after}"
        )


@dataclass(frozen=True, slots=True)
class Bid(Worded):
    """The highest price, in dollars, for a card up (3.4)."""

    amount: int
    card: str
    slot = Wording("BID {card}")
    written = Wording("BID {amount:,} ON {card}")


@dataclass(frozen=True, slots=True)
class TakeCard(Worded):
    """The card shown for the points (3.5)."""

    slot: str = "TAKE"
    written = Wording("TAKE CARD")
