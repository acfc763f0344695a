"""Orders of Legislation: frozen values with a slot and a canonical text.

A card is its text, ``STAR+`` or ``STAR-``; the blank red card is ``CROWN``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.frame.conditions import Case, WhatIf

VOTE_IF = "VOTE IF"
"""Slot of conditional votes."""
AYE, NAY, PRESENT, NONE, ALL = "AYE", "NAY", "PRESENT", "NONE", "ALL"
CHOICES = (AYE, NAY, PRESENT)
ADD, REMOVE, FOR, AGAINST = "ADD", "REMOVE", "FOR", "AGAINST"
ME, CARRIED = "ME", "CARRIED"


@dataclass(frozen=True, slots=True)
class FileBill:
    """BILL: the core of the chair's bill."""

    cards: tuple[str, ...] | None
    """None for BILL NONE: the gavel passes."""
    slot: str = "BILL"

    def __str__(self) -> str:
        return _spelt("BILL", self.cards)


@dataclass(frozen=True, slots=True)
class NextBill:
    """NEXTBILL: the bill for the player's next turn as chair; None ends it."""

    cards: tuple[str, ...] | None
    slot: str = "NEXTBILL"

    def __str__(self) -> str:
        return _spelt("NEXTBILL", self.cards)


def _spelt(word: str, cards: tuple[str, ...] | None) -> str:
    return f"{word} {NONE}" if cards is None else " ".join((word, *cards))


@dataclass(frozen=True, slots=True)
class Amend:
    """AMEND: a motion to ``ADD`` or ``REMOVE`` a card."""

    action: str
    card: str
    bill: str = ""
    """Empty ("") until the check fills it in."""

    @property
    def slot(self) -> str:
        """Return the slot: one motion per bill."""
        return f"AMEND {self.bill}".rstrip()

    def __str__(self) -> str:
        return f"AMEND {self.action} {self.card}" + (f" ON {self.bill}" if self.bill else "")


@dataclass(frozen=True, slots=True)
class Vote:
    """VOTE on bills or amendments."""

    choice: str
    on: tuple[str, ...] = ()
    """Empty if there is only one; exactly one after the check."""

    @property
    def slot(self) -> str:
        """Return the slot: one vote per bill or amendment."""
        return " ".join(("VOTE", *self.on))

    def __str__(self) -> str:
        return f"VOTE {self.choice}" + (f" ON {' '.join(self.on)}" if self.on else "")


def votes_if(cases: Sequence[Case]) -> WhatIf:
    """VOTE AYE IF HEART+: votes on later bills and amendments; no cases end them."""
    return WhatIf(tuple(cases), "VOTE")


@dataclass(frozen=True, slots=True)
class StandingVote:
    """STANDING VOTE: the vote on every bill without an order; NONE ends it."""

    choice: str
    slot: str = "STANDING"

    def __str__(self) -> str:
        return f"STANDING VOTE {self.choice}"


@dataclass(frozen=True, slots=True)
class Accept:
    """ACCEPT: amendments the chair accepts, or the single word NONE, CARRIED or ALL."""

    words: tuple[str, ...]
    slot: str = "ACCEPT"

    def __str__(self) -> str:
        return f"ACCEPT {', '.join(self.words)}"


@dataclass(frozen=True, slots=True)
class Position:
    """TOKEN: a public position FOR or AGAINST a card, without force."""

    card: str
    side: str

    @property
    def slot(self) -> str:
        """Return the slot: one position per card."""
        return f"TOKEN {self.card}"

    def __str__(self) -> str:
        return f"TOKEN {self.card} {self.side}"


@dataclass(frozen=True, slots=True)
class Spend:
    """SPEND: ``tokens`` for points, on oneself (``target`` ME) or against another."""

    tokens: int
    against: bool
    target: str

    @property
    def slot(self) -> str:
        """Return the slot: one sum per target."""
        return f"SPEND {self.target}"

    def __str__(self) -> str:
        return f"SPEND {self.tokens} {'AGAINST' if self.against else 'ON'} {self.target}"


@dataclass(frozen=True, slots=True)
class Void:
    """VOID: one issue of another player."""

    target: str
    issue: str

    @property
    def slot(self) -> str:
        """Return the slot: one per player and issue."""
        return f"VOID {self.target} {self.issue}"

    def __str__(self) -> str:
        return self.slot


@dataclass(frozen=True, slots=True)
class Give:
    """GIVE: tokens to another player."""

    tokens: int
    target: str

    @property
    def slot(self) -> str:
        """Return the slot: one gift per player."""
        return f"GIVE {self.target}"

    def __str__(self) -> str:
        return f"GIVE {self.tokens} TO {self.target}"


@dataclass(frozen=True, slots=True)
class Return:
    """RETURN: the red card given back after re-election."""

    card: str
    slot: str = "RETURN"

    def __str__(self) -> str:
        return f"RETURN {self.card}"
