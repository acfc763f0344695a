"""Orders, with their slots and canonical texts.

A card is ``STAR+`` or ``STAR-``; the blank one ``CROWN``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.frame.conditions import Case, WhatIf
from pbem.orders.order import Worded, Wording

VOTE_IF = "VOTE IF"
AYE, NAY, PRESENT, NONE, ALL = "AYE", "NAY", "PRESENT", "NONE", "ALL"
CHOICES = (AYE, NAY, PRESENT)
ADD, REMOVE, FOR, AGAINST = "ADD", "REMOVE", "FOR", "AGAINST"
ME, CARRIED = "ME", "CARRIED"


@dataclass(frozen=True, slots=True)
class FileBill:
    """The core of the chair's bill."""

    cards: tuple[str, ...] | None
    """None for NONE: the gavel passes."""
    slot: str = "BILL"

    def __str__(self) -> str:
        return _spelt("BILL", self.cards)


@dataclass(frozen=True, slots=True)
class NextBill:
    """A bill for the next turn as chair; None ends it."""

    cards: tuple[str, ...] | None
    slot: str = "NEXTBILL"

    def __str__(self) -> str:
        return _spelt("NEXTBILL", self.cards)


def _spelt(word: str, cards: tuple[str, ...] | None) -> str:
    return f"{word} {NONE}" if cards is None else " ".join((word, *cards))


@dataclass(frozen=True, slots=True)
class Amend:
    """A motion to ``ADD`` or ``REMOVE`` a card."""

    action: str
    card: str
    bill: str = ""
    slot = Wording("AMEND {bill}")

    def __str__(self) -> str:
        return f"AMEND {self.action} {self.card}" + (f" ON {self.bill}" if self.bill else "")


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote on bills or amendments."""

    choice: str
    on: tuple[str, ...] = ()
    """Empty for the only one; one after the check."""

    @property
    def slot(self) -> str:
        return " ".join(("VOTE", *self.on))

    def __str__(self) -> str:
        return f"VOTE {self.choice}" + (f" ON {' '.join(self.on)}" if self.on else "")


def votes_if(cases: Sequence[Case]) -> WhatIf:
    """Return conditional votes on later bills and amendments; no cases end them."""
    return WhatIf(tuple(cases), "VOTE")


@dataclass(frozen=True, slots=True)
class StandingVote(Worded):
    """The vote on bills without an order; NONE ends it."""

    choice: str
    slot: str = "STANDING"
    written = Wording("STANDING VOTE {choice}")


@dataclass(frozen=True, slots=True)
class Accept:
    """Amendments the chair accepts, or NONE, CARRIED, ALL."""

    words: tuple[str, ...]
    slot: str = "ACCEPT"

    def __str__(self) -> str:
        return f"ACCEPT {', '.join(self.words)}"


@dataclass(frozen=True, slots=True)
class Position(Worded):
    """A public position on a card (TOKEN), without force."""

    card: str
    side: str
    slot = Wording("TOKEN {card}")
    written = Wording("TOKEN {card} {side}")


@dataclass(frozen=True, slots=True)
class Spend:
    """Tokens for points, on ``target`` ME or against another."""

    tokens: int
    against: bool
    target: str
    slot = Wording("SPEND {target}")

    def __str__(self) -> str:
        return f"SPEND {self.tokens} {'AGAINST' if self.against else 'ON'} {self.target}"


@dataclass(frozen=True, slots=True)
class Void(Worded):
    """Voiding an issue of another."""

    target: str
    issue: str
    slot = written = Wording("VOID {target} {issue}")


@dataclass(frozen=True, slots=True)
class Give(Worded):
    """A gift of tokens."""

    tokens: int
    target: str
    slot = Wording("GIVE {target}")
    written = Wording("GIVE {tokens} TO {target}")


@dataclass(frozen=True, slots=True)
class Return(Worded):
    """The red card given back on re-election."""

    card: str
    slot: str = "RETURN"
    written = Wording("RETURN {card}")
