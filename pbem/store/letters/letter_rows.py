"""Rows that the store returns for letters, mails and their addresses. Each column has its name and
type."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, TypedDict

from pbem.games.frame.events import Seat
from pbem.letters.states import LetterState
from pbem.store.schema.states import GameState, MailState


class PlaceRow(NamedTuple):
    """A letter, and where it lies on the server."""

    id: int
    uid: int
    uidvalidity: int


class MailRow(NamedTuple):
    """A mail as a sender needs it."""

    id: int
    envelope_from: str
    recipient: str
    raw: bytes
    attempts: int
    line: int
    game_id: str


class SentRow(NamedTuple):
    """When a mail was made, and what the server last said of it."""

    created: datetime
    message_id: str
    reply: str


class MailStateRow(NamedTuple):
    """How it stands with a mail; ``purged``: its bytes are gone."""

    state: MailState
    recipient: str
    next_try: datetime
    game_id: str
    purged: bool


class NewRow(NamedTuple):
    """A mail that was just made: of what kind, for which seat ("" for none), to whom."""

    kind: str
    seat: str
    recipient: str
    raw: bytes


class AddressRow(NamedTuple):
    """An address of record, and what came back from it."""

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
    """Whether another letter that it copies is on file."""
    doubted: int | None
    """The newest of the letters that had no effect and came as other bytes."""


class LetterColumns(TypedDict, total=False):
    """The columns of a letter that are set together with its state."""

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
    owed: str


class FiledRow(NamedTuple):
    """A letter as it is on file: its bytes (None once purged), and what became of it."""

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
    """A letter that is in no line yet: when it came, and its first bytes."""

    id: int
    received: datetime
    head: bytes


class AttemptsRow(NamedTuple):
    """A letter that is to be decided, and how often that was tried."""

    id: int
    attempts: int


class RawRow(NamedTuple):
    """A letter's bytes, and how often it was tried to decide it, this time too."""

    id: int
    raw: bytes
    attempts: int


class CopyRow(NamedTuple):
    """A letter of which another is a copy."""

    id: int
    raw_hash: str
    game_id: str
    seat: Seat


class LetterStateRow(NamedTuple):
    """The state of a letter and of its game."""

    id: int
    outcome: LetterState
    game_id: str
    seat: Seat
    sender: str
    authentication: str
    attempts: int
    """Failed attempts to fetch it, if it is unfetchable."""
    decided: bool
    """Whether it was ever decided."""
    purged: bool
    status: GameState | None
    """The game's state; None: no game."""


class QueueRow(NamedTuple):
    """A letter in the gamesmaster's queue, with the state of its game, if it has one."""

    id: int
    outcome: LetterState
    reason: str
    sender: str
    game_id: str
    seat: Seat
    period: int
    """The period that the letter names; 0: none."""
    received: datetime
    status: GameState | None
    restored_to: datetime | None
    """Where the backup ended from which the game came back."""
    restored_until: datetime | None
    """When the game went on."""


class SeatLetterRow(NamedTuple):
    """A letter of a seat, as its player is told of it."""

    received: datetime
    outcome: LetterState


class HeldRow(NamedTuple):
    """A held letter, and the period that it speaks of (0: none)."""

    id: int
    received: datetime
    period: int


class BacklogRow(NamedTuple):
    """How many wait, and since when the oldest (None: nothing waits)."""

    number: int
    oldest: datetime | None


class RegistrationRow(NamedTuple):
    """A seat, and an address of its player; until when statements on its game are taken, which is
    over. ``deputy``: the deputy that the address is of, 0 if it is the player's own."""

    game_id: str
    seat: Seat
    token_hash: str
    address: str
    pgp_key: str
    soft_bounces: int
    trust: str
    status: GameState
    statements_until: datetime | None
    deputy: int = 0


class RolesRow(NamedTuple):
    """Whether there is anything on file of an address as a deputy's (of whatever state), as that
    of somebody who stands by, as a gamesmaster's."""

    deputy: bool
    standby: bool
    gamesmaster: bool


class StandingRow(NamedTuple):
    """A game for which a player stands by, and an address of his."""

    player_id: int
    game_id: str
    status: GameState
    address: str
    pgp_key: str


class MadeRow(NamedTuple):
    """What kind of mail was made, and when."""

    kind: str
    created: datetime


class MailColumns(TypedDict, total=False):
    """The columns of a mail that are set together with its state."""

    next_try: datetime
    attempts: int
    resent: bool
    recipient: str
    reply: str
    sent: datetime


class GoneRow(NamedTuple):
    """A mail in a list of those of a game; ``purged``: its bytes are gone."""

    id: int
    key: str
    kind: str
    seat: Seat
    state: MailState
    created: datetime
    sent: datetime | None
    reply: str
    purged: bool


class WholeMailRow(NamedTuple):
    """A mail with its bytes; b"" if they are purged."""

    kind: str
    game_id: str
    seat: Seat
    raw: bytes


class StuckRow(NamedTuple):
    """A mail that only a person can send again."""

    id: int
    key: str
    game: str
    recipient: str
    state: MailState
    reply: str
    created: datetime


class MergedRow(NamedTuple):
    """A mail that waits to go out with others in one."""

    id: int
    key: str
    kind: str
    game_id: str
    seat: Seat
    recipient: str
    created: datetime
    raw: bytes
