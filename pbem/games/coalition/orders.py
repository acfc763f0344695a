"""The orders of Coalition: frozen values with a slot and a canonical text, made from parsed
trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.frame.conditions import Case, WhatIf

NONE = "NONE"
VOTE_IF = "VOTE IF"
"""The slot of votes with IF."""


@dataclass(frozen=True, slots=True)
class Special:
    """SPECIAL AGR, ENV: the junior ministries that count double for the party; SPECIAL NONE clears
    the list (3.1)."""

    codes: tuple[str, ...]
    slot: str = "SPECIAL"

    @property
    def chosen(self) -> tuple[str, ...]:
        """The codes; () for NONE."""
        return () if self.codes == (NONE,) else self.codes

    def __str__(self) -> str:
        return f"SPECIAL {', '.join(self.codes)}".rstrip()


@dataclass(frozen=True, slots=True)
class Propose:
    """PROPOSE PM A, DEF B, ...: a slate as (ministry, party) pairs; party "" for an optional one
    not named (3.2)."""

    items: tuple[tuple[str, str], ...]
    slot: str = "DRAFT"

    @property
    def slate(self) -> dict[str, str]:
        """{ministry: party} of those named."""
        return {code: party for code, party in self.items if party}

    def __str__(self) -> str:
        named = ", ".join(f"{code} {party}" for code, party in self.items if party)
        return f"PROPOSE {named}".rstrip()


@dataclass(frozen=True, slots=True)
class Withdraw:
    """WITHDRAW: takes the draft out of the docket (3.3)."""

    slot: str = "DRAFT"

    def __str__(self) -> str:
        return "WITHDRAW"


@dataclass(frozen=True, slots=True)
class Vote:
    """VOTE AYE, NAY or ABSTAIN; ``on`` is the motion's id where the player named it (3.4)."""

    ballot: str
    on: str | None = None
    slot: str = "VOTE"

    def __str__(self) -> str:
        return f"VOTE {self.ballot}" + (f" ON {self.on}" if self.on else "")


def votes_if(cases: Sequence[Case]) -> WhatIf:
    """VOTE AYE IF POINTS >= 30: votes on motions to come; no cases end them (3.9)."""
    return WhatIf(tuple(cases), "VOTE")


@dataclass(frozen=True, slots=True)
class StandingVote:
    """STANDING AYE, NAY or NONE: the vote when none is sent, until it is changed (3.5)."""

    stance: str
    slot: str = "STANDING"

    @property
    def vote(self) -> str | None:
        """AYE, NAY or None."""
        return None if self.stance == NONE else self.stance

    def __str__(self) -> str:
        return f"STANDING {self.stance}"


@dataclass(frozen=True, slots=True)
class Name:
    """NAME "Harbour Liberals": what the party is called (3.6)."""

    text: str
    slot: str = "NAME"

    def __str__(self) -> str:
        return f'NAME "{self.text}"'
