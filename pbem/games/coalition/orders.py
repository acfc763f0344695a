"""Orders, with their slots and canonical texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.frame.conditions import Case, WhatIf
from pbem.orders.order import Worded, Wording

NONE = "NONE"
VOTE_IF = "VOTE IF"


@dataclass(frozen=True, slots=True)
class Special:
    """Junior ministries that count double; NONE clears them (3.1)."""

    codes: tuple[str, ...]
    slot: str = "SPECIAL"

    @property
    def chosen(self) -> tuple[str, ...]:
        """Codes; () for NONE."""
        return () if self.codes == (NONE,) else self.codes

    def __str__(self) -> str:
        return f"SPECIAL {', '.join(self.codes)}".rstrip()


@dataclass(frozen=True, slots=True)
class Propose:
    """A slate of (ministry, party); "" for an optional one left open (3.2)."""

    items: tuple[tuple[str, str], ...]
    slot: str = "DRAFT"

    @property
    def slate(self) -> dict[str, str]:
        """Without open ones."""
        return {code: party for code, party in self.items if party}

    def __str__(self) -> str:
        named = ", ".join(f"{code} {party}" for code, party in self.items if party)
        return f"PROPOSE {named}".rstrip()


@dataclass(frozen=True, slots=True)
class Withdraw(Worded):
    """The draft leaves the docket (3.3)."""

    slot: str = "DRAFT"
    written = Wording("WITHDRAW")


@dataclass(frozen=True, slots=True)
class Vote:
    """AYE, NAY or ABSTAIN (3.4)."""

    ballot: str
    on: str | None = None
    """The motion's id, if named."""
    slot: str = "VOTE"

    def __str__(self) -> str:
        return f"VOTE {self.ballot}" + (f" ON {self.on}" if self.on else "")


def votes_if(cases: Sequence[Case]) -> WhatIf:
    """Return conditional votes on later motions; no cases end them (3.9)."""
    return WhatIf(tuple(cases), "VOTE")


@dataclass(frozen=True, slots=True)
class StandingVote(Worded):
    """The vote if none is sent, until changed (3.5)."""

    stance: str
    slot: str = "STANDING"

    @property
    def vote(self) -> str | None:
        """AYE, NAY or None."""
        return None if self.stance == NONE else self.stance

    written = Wording("STANDING {stance}")


@dataclass(frozen=True, slots=True)
class Name(Worded):
    """The party's name (3.6)."""

    text: str
    slot: str = "NAME"
    written = Wording('NAME "{text}"')
