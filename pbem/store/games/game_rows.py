"""Rows of games, periods, seats and orders. ``schema.tables`` documents their columns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from sqlalchemy.orm import Mapped

from pbem.games.frame.events import Event, Seat
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Deputy


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


class DeputyRow(Deputy):
    """A deputy, with the person, game and seat."""

    __abstract__ = True
    reaches: Mapped[str]
    """Where her mail goes."""
    name: Mapped[str]
    zone: Mapped[str]
    face: Mapped[str]
    came_back: Mapped[int]
    status: Mapped[GameState]
    trust: Mapped[str]
    of_holder: Mapped[bool]
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


class PeriodKey(NamedTuple):
    game_id: str
    number: int


class SeatKey(NamedTuple):
    game_id: str
    seat: Seat


class ClosedRow(NamedTuple):
    phase: str
    events: tuple[Event, ...]


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


class HandsRow(NamedTuple):
    """A game's gamesmasters. "": the installation's, or no second."""

    id: str
    status: GameState
    gamesmaster: str
    second: str


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
