"""The rows that the store gives: frozen, and each column by its name and type."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from pbem.games.frame.events import Event, Seat
from pbem.letters.states import LetterState
from pbem.store.states import GameState, MailState, NoteKind, PeriodState


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game's record without its large columns. ``house`` is JSON, as it is written."""

    id: str
    ruleset: str
    schema: int
    status: GameState
    held_because: str
    held_at: datetime | None
    restored_to: datetime | None
    restored_until: datetime | None
    tables_hash: str
    options: dict[str, Any]
    house: str
    seed: str
    zone: str
    trust: str
    late: str
    publish: str
    period: int
    created: datetime


@dataclass(frozen=True, slots=True)
class WholeGameRow(GameRow):
    """A game's whole record."""

    tables: dict[str, Any]
    scenario: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A period's record without its position, and ``due_before`` and ``closed_before`` of the
    period before it."""

    game_id: str
    number: int
    phase: str
    status: PeriodState
    state_hash: str
    events: list[dict[str, Any]]
    draws: list[list[Any]]
    opened: datetime
    base: datetime | None
    moves: list[dict[str, Any]]
    due: datetime | None
    next_look: datetime | None
    closed: datetime | None
    template: str
    due_before: datetime | None
    closed_before: datetime | None


class Holder(NamedTuple):
    """Who holds a seat: player's name and address of record ("" while nobody does). ``receipts``:
    the number of the newest receipt for the seat."""

    seat: Seat
    player_id: int | None
    name: str
    address: str
    token_hash: str
    token_no: int
    missed: int
    asked_until: datetime | None
    heard: int
    quits: datetime | None
    receipts: int


class OrderSetRow(NamedTuple):
    """The orders of a seat in a period after its ``ordinal``-th letter, as canonical texts."""

    game_id: str
    period: int
    seat: Seat
    ordinal: int
    orders: list[str]
    wait: bool
    ready: bool
    letter_id: int | None
    at: datetime


class NoteRow(NamedTuple):
    """A ruling or a note of the house; ``number``: of the bulletin that printed it."""

    id: int
    game_id: str
    kind: NoteKind
    text: str
    number: int | None
    at: datetime


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


class SentRow(NamedTuple):
    """When a mail was made, and what the server last said of it."""

    created: datetime
    message_id: str
    reply: str


class MailStateRow(NamedTuple):
    """How it stands with a mail."""

    state: MailState
    recipient: str
    next_try: datetime
    game_id: str


class AddressRow(NamedTuple):
    """An address of record, and what came back from it."""

    address: str
    soft_bounces: int
    hard_bounces: int
    last_bounce: str
    name: str


class LetterRow(NamedTuple):
    """A letter that is being decided. ``known``: another that it copies is on file; ``doubted``:
    the newest of those that had no effect and came as other bytes; ``had``: how many letters of its
    writer were decided within the hour, up to his share."""

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
    doubted: int | None
    had: int


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
    receipt: int


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
    """How it stands with a letter, and with its game (None: it has none)."""

    id: int
    outcome: LetterState
    game_id: str
    seat: Seat
    purged: bool
    status: GameState | None


class QueueRow(NamedTuple):
    """A letter in the gamesmaster's queue; of its game (if it has one) how it stands, and when it
    came back from which backup."""

    id: int
    outcome: LetterState
    reason: str
    sender: str
    game_id: str
    seat: Seat
    received: datetime
    status: GameState | None
    restored_to: datetime | None
    restored_until: datetime | None


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


class BackupRow(NamedTuple):
    """Where the backup ended that a game came back from, and when it went on."""

    restored_to: datetime | None
    restored_until: datetime | None


class RegistrationRow(NamedTuple):
    """A seat, and an address of its player."""

    game_id: str
    seat: Seat
    token_hash: str
    address: str
    pgp_key: str
    soft_bounces: int
    trust: str
    status: GameState


class LetterSetRow(NamedTuple):
    """An order set, and the bytes of the letter that it is of (None: of none, or purged)."""

    orders: list[str]
    wait: bool
    ready: bool
    letter_id: int | None
    raw: bytes | None


class MadeRow(NamedTuple):
    """What kind of mail was made, and when."""

    kind: str
    created: datetime


class MailColumns(TypedDict, total=False):
    """The columns of a mail that are set together with its state."""

    next_try: datetime
    attempts: int
    resent: bool
    reply: str
    sent: datetime


class StuckRow(NamedTuple):
    """A mail that only a person can send again."""

    id: int
    key: str
    recipient: str
    state: MailState
    reply: str


class MergedRow(NamedTuple):
    """A mail that waits to go out with others in one."""

    id: int
    key: str
    kind: str
    game_id: str
    seat: Seat
    created: datetime
    raw: bytes


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a game begins with: everything that it is played by. ``house``: as plain JSON."""

    id: str
    ruleset: str
    schema: int
    tables: dict[str, Any]
    tables_hash: str
    options: dict[str, Any]
    scenario: dict[str, Any]
    house: dict[str, Any]
    seed: str
    zone: str
    trust: str
    late: str
    publish: str
    created: datetime


class PeriodKey(NamedTuple):
    """A period of a game."""

    game_id: str
    number: int


class SeatKey(NamedTuple):
    """A seat of a game."""

    game_id: str
    seat: Seat


class ClosedRow(NamedTuple):
    """A closed period's phase, and what came to pass when it closed."""

    phase: str
    events: tuple[Event, ...]


class BulletinRow(NamedTuple):
    """An edition of a bulletin, or of a seat's notice; ``frame``: what the house added to it."""

    seat: Seat
    edition: int
    text: str
    frame: dict[str, Any]


class PressRow(NamedTuple):
    """A player's words; ``audience``: the seats they are for, [] for all."""

    author: Seat
    anonymous: bool
    audience: list[Seat]
    text: str
    letter_id: int | None


class StandbyRow(NamedTuple):
    """A player who stands by, with his address of record."""

    id: int
    address: str
    name: str


class GameColumns(TypedDict, total=False):
    """What of a game's row may change, but for its state. ``house``: as plain JSON."""

    house: dict[str, Any]
    period: int
    restored_to: datetime | None
    restored_until: datetime | None


class GameStateColumns(TypedDict, total=False):
    """What of a game's row may change with its state."""

    held_because: str
    held_at: datetime | None


class SeatColumns(TypedDict, total=False):
    """What of a seat's row may change."""

    player_id: int
    token_hash: str
    token_no: int
    missed: int
    asked_until: datetime | None
    heard: int
    quits: datetime | None


class Position(TypedDict):
    """The two columns of a position: its JSON with the number of its schema, and the hash of it
    without that."""

    state: dict[str, Any]
    state_hash: str


class PeriodColumns(TypedDict, total=False):
    """What of a period's row may change, but for its state."""

    events: list[dict[str, Any]]
    draws: list[list[Any]]
    opened: datetime
    base: datetime | None
    moves: list[dict[str, Any]]
    due: datetime | None
    next_look: datetime | None
    closed: datetime | None
    template: str
