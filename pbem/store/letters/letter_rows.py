"""Rows of letters and mails. ``schema.tables`` documents their columns."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, TypedDict

from pbem.games.frame.events import Seat
from pbem.letters.states import LetterState
from pbem.store.schema.states import GameState


class PlaceRow(NamedTuple):
    """A letter's place on the server."""

    id: int
    uid: int
    uidvalidity: int


class MailRow(NamedTuple):
    id: int
    envelope_from: str
    recipient: str
    raw: bytes
    attempts: int
    line: int
    game_id: str


class AddressRow(NamedTuple):
    address: str
    soft_bounces: int
    hard_bounces: int
    last_bounce: str
    name: str


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


class LetterColumns(TypedDict, total=False):
    raw: bytes
    raw_hash: str
    received: datetime
    message_id: str
    effect: str | None
    reason: str
    sender: str
    authentication: str
    game_id: str
    seat: Seat
    period: int
    attempts: int
    decided: datetime
    code_hash: str
    receipt: int | None
    proven: bool | None


class FiledRow(NamedTuple):
    """A letter on file. ``raw``: None if purged."""

    id: int
    raw: bytes | None
    received: datetime
    outcome: LetterState
    reason: str
    sender: str
    authentication: str
    game_id: str
    seat: Seat
    period: int
    receipt: int | None


class HeadRow(NamedTuple):
    """A letter in no lane, with its first bytes."""

    id: int
    received: datetime
    head: bytes


class AttemptsRow(NamedTuple):
    """An undecided letter."""

    id: int
    attempts: int


class RawRow(NamedTuple):
    """A letter's bytes. This attempt is counted."""

    id: int
    raw: bytes
    attempts: int


class CopyRow(NamedTuple):
    """A letter that another copies."""

    id: int
    raw_hash: str
    game_id: str
    seat: Seat


class LetterStateRow(NamedTuple):
    id: int
    received: datetime
    outcome: LetterState
    game_id: str
    seat: Seat
    sender: str
    authentication: str
    attempts: int
    """Attempts to fetch or decide it."""
    decided: bool
    purged: bool
    status: GameState | None


class SeatLetterRow(NamedTuple):
    """A seat's letter, for its player."""

    received: datetime
    outcome: LetterState


class HeldRow(NamedTuple):
    """A held letter and its period (0: none)."""

    id: int
    received: datetime
    period: int


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


class MailColumns(TypedDict, total=False):
    next_try: datetime
    attempts: int
    resent: bool
    recipient: str
    reply: str
    sent: datetime
