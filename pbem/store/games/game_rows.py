"""Frozen rows that the store returns for games, periods, seats and orders. Each column has its name
and type."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple, TypedDict

from pbem.games.frame.events import Event, Seat
from pbem.store.schema.states import DeputyState, GameState, NoteKind, PeriodState


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game's record without its large columns."""

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
    """JSON text, as stored."""
    seed: str
    zone: str
    trust: str
    late: str
    publish: str
    period: int
    created: datetime
    gamesmaster: str
    second: str
    edition: int
    agreed: list[Seat] | None
    statements_until: datetime | None
    attended: datetime | None


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
    edition: int
    close_asked: datetime | None
    due_before: datetime | None
    closed_before: datetime | None


class DeputyRow(NamedTuple):
    """A person who may write for a seat while its player is away."""

    id: int
    game_id: str
    seat: Seat
    holder_id: int
    """The player who is away."""
    player_id: int | None
    """The deputy, once confirmed, as are ``name``, ``zone`` and ``face``."""
    address: str
    state: DeputyState
    first: datetime
    last: datetime | None
    """None: until one of them ends it."""
    holder_code: str
    deputy_code: str
    token_hash: str
    token_no: int
    asked: datetime
    until: datetime
    troubled: bool
    reaches: str
    """Where the deputy's mail goes."""
    name: str
    zone: str
    face: str
    came_back: int
    """How many mails came back from there."""
    status: GameState
    """The game's state."""
    trust: str
    """The game's trust level."""
    of_holder: bool
    """Whether the player who named the deputy still holds the seat."""


class Holder(NamedTuple):
    """The player of a seat. Name and address of record are "" while nobody holds it."""

    seat: Seat
    player_id: int | None
    name: str
    address: str
    token_hash: str
    token_no: int
    link_no: int
    missed: int
    asked_until: datetime | None
    heard: int
    quits: datetime | None
    receipts: int
    """Number of the newest receipt for the seat."""
    zone: str
    """The player's own time zone; "" for none."""
    all_receipts: bool
    """Whether every letter gets a receipt."""
    face: str
    """"plain" if mails are to have no HTML."""
    calendar: bool
    """Whether mails bring the deadlines as a calendar file."""
    deputy: DeputyRow | None = None
    """The deputy, if mail goes to the deputy. Then ``address`` is the deputy's."""


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


class BallotRow(NamedTuple):
    """A seat's ballot for the end of its game: the seats that are to share it, [] for none."""

    shared: list[Seat]
    letter_id: int


class StatementRow(NamedTuple):
    """What a seat's player says about a game that is over, as it is printed."""

    seat: Seat
    player_id: int
    text: str
    letter_id: int


class NoteRow(NamedTuple):
    """A ruling or a house note."""

    id: int
    game_id: str
    kind: NoteKind
    text: str
    number: int | None
    """The bulletin that printed it."""
    at: datetime
    period: int | None
    """The period that ran when it was made; None: unknown."""


class BackupRow(NamedTuple):
    """Where the backup ended that a game came back from, and when it went on."""

    restored_to: datetime | None
    restored_until: datetime | None


class HeldGameRow(NamedTuple):
    """A game whose clock stands, and since when."""

    id: str
    period: int
    held_because: str
    held_at: datetime | None


class LeavingRow(NamedTuple):
    """A seat whose player has asked to be relieved, and since when."""

    game_id: str
    seat: Seat
    since: datetime


class SilentRow(NamedTuple):
    """A seat that has missed moves in a row; ``asked_until``: by when its player was asked to
    write."""

    game_id: str
    seat: Seat
    missed: int
    asked_until: datetime | None


class LetterSetRow(NamedTuple):
    """An order set, and the bytes of the letter that it is of (None: of none, or purged)."""

    orders: list[str]
    wait: bool
    ready: bool
    letter_id: int | None
    raw: bytes | None
    at: datetime


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
    gamesmaster: str = ""
    second: str = ""


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


class PublicRow(NamedTuple):
    """A public bulletin in its newest edition."""

    number: int
    edition: int
    published: datetime
    text: str
    frame: dict[str, Any]


class ListedRow(NamedTuple):
    """A public bulletin in a list, in its newest edition."""

    number: int
    edition: int
    published: datetime
    headline: str | None
    voided: datetime | None
    """When a rewind took it back; no bulletin of this number counts then."""


class IssueRow(NamedTuple):
    """What a seat can read of a bulletin."""

    texts: list[str]
    """The public text and the seat's notice, if they exist."""
    voided: datetime | None
    """When a rewind took it back."""


@dataclass(frozen=True, slots=True)
class NewPress:
    """Words to others, before they are on file: see :class:`pbem.store.schema.tables.Press`."""

    game_id: str
    author: Seat
    audience: list[Seat]
    text: str
    player_id: int | None = None
    letter_id: int | None = None
    anonymous: bool = False
    pen_name: str = ""
    answers: int | None = None


class PressRow(NamedTuple):
    """A player's words."""

    id: int
    game_id: str
    author: Seat
    anonymous: bool
    audience: list[Seat]
    """The seats addressed; [] for all."""
    text: str
    letter_id: int | None
    pen_name: str
    answers: int | None
    """The press that this answers."""
    player_id: int | None
    """Who held the author's seat then."""


class HandsRow(NamedTuple):
    """Who has a game in hand, as it is on file ("": the installation's gamesmaster; no second)."""

    id: str
    status: GameState
    gamesmaster: str
    second: str


class GamesmasterRow(NamedTuple):
    """A person who is written to as a gamesmaster."""

    address: str
    token_no: int
    token_hash: str
    asked: int
    heard: datetime | None


class Tally(NamedTuple):
    """What is counted of a person over all games."""

    due: int = 0
    """Moves that were due."""
    missed: int = 0
    """Due moves that were missed."""
    given_up: int = 0
    """Seats given up."""
    finished: int = 0
    """Games finished."""


class StandbyRow(NamedTuple):
    """A player who stands by, with his address of record; ``face``: "plain" where his mails are to
    have no HTML."""

    id: int
    player_id: int
    address: str
    name: str
    face: str


class AbsenceRow(NamedTuple):
    """Days of absence that a player has booked."""

    seat: Seat
    player_id: int
    first: date
    last: date
    at: datetime


class DeputyColumns(TypedDict, total=False):
    """What of a deputy's row may change, but for its state."""

    player_id: int
    first: datetime
    last: datetime | None
    holder_code: str
    deputy_code: str
    token_hash: str
    token_no: int
    troubled: bool


class ObserverRow(NamedTuple):
    """A player who watches a game, with his address of record."""

    game_id: str
    player_id: int
    address: str
    name: str
    face: str


class GameColumns(TypedDict, total=False):
    """What of a game's row may change, but for its state. ``house``: as plain JSON."""

    house: dict[str, Any]
    period: int
    gamesmaster: str
    second: str
    edition: int
    attended: datetime | None
    restored_to: datetime | None
    restored_until: datetime | None
    agreed: list[Seat] | None
    statements_until: datetime | None


class GameStateColumns(TypedDict, total=False):
    """What of a game's row may change with its state."""

    held_because: str
    held_at: datetime | None


class SeatColumns(TypedDict, total=False):
    """What of a seat's row may change."""

    player_id: int
    token_hash: str
    token_no: int
    link_no: int
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
    edition: int
    close_asked: datetime | None
