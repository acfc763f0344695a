"""Rows of letters and mails. ``schema.tables`` documents their columns."""

from datetime import datetime
from typing import NamedTuple

from pbem.games.frame.events import Seat
from pbem.letters.states import LetterState
from pbem.store.schema.states import GameState


class LetterRow(NamedTuple):
    """A letter being decided."""

    id: int
    folder: str
    received: datetime
    seen: datetime
    outcome: LetterState
    authentication: str
    period: int
    game_id: str
    seat: Seat
    receipt: int | None
    known: bool
    """Whether it copies another."""
    doubted: int | None
    """The newest copy with other bytes and no effect."""


class RawRow(NamedTuple):
    """A letter's bytes. This attempt is counted."""

    id: int
    raw: bytes
    attempts: int


class BacklogRow(NamedTuple):
    """How many wait, and the oldest."""

    number: int
    oldest: datetime | None


class RegistrationRow(NamedTuple):
    """A seat, and an address of it. ``deputy``: 0 for the player."""

    game_id: str
    seat: Seat
    token_hash: str
    address: str
    soft_bounces: int
    trust: str
    status: GameState
    statements_until: datetime | None
    """For statements on a finished game."""
    deputy: int = 0


class RolesRow(NamedTuple):
    """Whether an address is a deputy's, stand-by's or gamesmaster's."""

    deputy: bool
    standby: bool
    gamesmaster: bool


class StandingRow(NamedTuple):
    player_id: int
    game_id: str
    status: GameState
    address: str
