"""Rows of games, periods, seats and orders. ``schema.tables`` documents their columns."""

from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from sqlalchemy.orm import Mapped

from pbem.games.frame.events import Event, Seat
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Deputy, Game, Period
from pbem.store.schema.tables import Seat as SeatRecord


class GameRow(Game):
    """A game without its tables, which are large."""

    __abstract__ = True
    _without = ("tables", "house")
    house: Mapped[str]  # type: ignore[assignment]
    """JSON text, as stored."""


class PeriodRow(Period):
    """A period without its position, and when the one before it was due and closed."""

    __abstract__ = True
    _without = ("state",)
    due_before: Mapped[datetime | None]
    closed_before: Mapped[datetime | None]


class DeputyRow(Deputy):
    """A deputy, with the person, game and seat."""

    __abstract__ = True
    reaches: Mapped[str]
    """Where the deputy's mail goes."""
    name: Mapped[str]
    zone: Mapped[str]
    face: Mapped[str]
    came_back: Mapped[int]
    status: Mapped[GameState]
    trust: Mapped[str]
    of_holder: Mapped[bool]
    """Whether the holder named the deputy."""


class Holder(SeatRecord):
    """A seat and its player. "" if nobody holds it."""

    __abstract__ = True
    name: Mapped[str]
    address: Mapped[str]
    receipts: Mapped[int]
    """The newest receipt's number."""
    zone: Mapped[str]
    all_receipts: Mapped[bool]
    face: Mapped[str]
    calendar: Mapped[bool]
    deputy: Mapped[DeputyRow | None]
    """Who gets its mail, at ``address``; or None."""


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


class Position(TypedDict):
    """JSON with a schema number, and its hash without."""

    state: dict[str, Any]
    state_hash: str
