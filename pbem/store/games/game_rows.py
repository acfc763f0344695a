"""Rows of games, periods, seats and orders. ``schema.tables`` documents their columns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from pbem.games.frame.events import Event, Seat
from pbem.store.schema.states import DeputyState, GameState, NoteKind, PeriodState


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game's record without large columns."""

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
    """A game's record with large columns."""

    tables: dict[str, Any]
    scenario: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A period without its position. ``due_before``, ``closed_before``: of the one before."""

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
    id: int
    game_id: str
    seat: Seat
    holder_id: int
    player_id: int | None
    address: str
    state: DeputyState
    first: datetime
    last: datetime | None
    holder_code: str
    deputy_code: str
    token_hash: str
    token_no: int
    asked: datetime
    until: datetime
    troubled: bool
    reaches: str
    """Where her mail goes."""
    name: str
    zone: str
    face: str
    came_back: int
    status: GameState
    trust: str
    of_holder: bool
    """Whether its holder named her."""


class Holder(NamedTuple):
    """A seat's player. "" if nobody holds it."""

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
    """The newest receipt's number."""
    zone: str
    all_receipts: bool
    face: str
    calendar: bool
    bot: str = ""
    """Its house bot, or ""."""
    deputy: DeputyRow | None = None
    """Who gets its mail, at ``address``; or None."""


class OrderSetRow(NamedTuple):
    """A seat's orders after a letter."""

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
    """A vote on ending the game."""

    shared: list[Seat]
    letter_id: int


class StatementRow(NamedTuple):
    """A player's words on a finished game."""

    seat: Seat
    player_id: int
    text: str
    letter_id: int


class NoteRow(NamedTuple):
    id: int
    game_id: str
    kind: NoteKind
    text: str
    number: int | None
    at: datetime
    period: int | None


class BackupRow(NamedTuple):
    """When the backup ended, and the game went on."""

    restored_to: datetime | None
    restored_until: datetime | None


class HeldGameRow(NamedTuple):
    id: str
    period: int
    held_because: str
    held_at: datetime | None


class LetterSetRow(NamedTuple):
    """An order set with its letter's bytes, or None."""

    orders: list[str]
    wait: bool
    ready: bool
    letter_id: int | None
    raw: bytes | None
    at: datetime


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be made. ``house`` is JSON."""

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
    game_id: str
    number: int


class SeatKey(NamedTuple):
    game_id: str
    seat: Seat


class ClosedRow(NamedTuple):
    phase: str
    events: tuple[Event, ...]


class BulletinRow(NamedTuple):
    seat: Seat
    edition: int
    text: str
    frame: dict[str, Any]
    """What the house added."""


class PublicRow(NamedTuple):
    number: int
    edition: int
    published: datetime
    text: str
    frame: dict[str, Any]


class ListedRow(NamedTuple):
    number: int
    edition: int
    published: datetime
    headline: str | None
    voided: datetime | None
    """If set, no bulletin of this number is valid."""


class IssueRow(NamedTuple):
    """A bulletin for a seat."""

    texts: list[str]
    """Public text and notice, if any."""
    voided: datetime | None


@dataclass(frozen=True, slots=True)
class NewPress:
    """Press before it is filed; see :class:`pbem.store.schema.tables.Press`."""

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
    """Words relayed."""

    id: int
    game_id: str
    author: Seat
    anonymous: bool
    audience: list[Seat]
    text: str
    letter_id: int | None
    pen_name: str
    answers: int | None
    player_id: int | None


class HandsRow(NamedTuple):
    """A game's gamesmasters. "": the installation's, or no second."""

    id: str
    status: GameState
    gamesmaster: str
    second: str


class GamesmasterRow(NamedTuple):
    """A person mailed as gamesmaster."""

    address: str
    token_no: int
    token_hash: str
    asked: int
    heard: datetime | None


class Tally(NamedTuple):
    """A person's counts over all games."""

    due: int = 0
    missed: int = 0
    given_up: int = 0
    finished: int = 0


class StandbyRow(NamedTuple):
    id: int
    player_id: int
    address: str
    name: str
    face: str


class DeputyColumns(TypedDict, total=False):
    player_id: int
    first: datetime
    last: datetime | None
    holder_code: str
    deputy_code: str
    token_hash: str
    token_no: int
    troubled: bool


class ObserverRow(NamedTuple):
    game_id: str
    player_id: int
    address: str
    name: str
    face: str


class GameColumns(TypedDict, total=False):
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
    held_because: str
    held_at: datetime | None


class SeatColumns(TypedDict, total=False):
    player_id: int
    token_hash: str
    token_no: int
    link_no: int
    missed: int
    asked_until: datetime | None
    heard: int
    quits: datetime | None
    bot: str


class Position(TypedDict):
    """JSON with a schema number, and its hash without."""

    state: dict[str, Any]
    state_hash: str


class PeriodColumns(TypedDict, total=False):
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
