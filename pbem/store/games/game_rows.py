"""Rows of games, periods, seats and orders. ``schema.tables`` documents their columns."""

from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from sqlalchemy.orm import Mapped

from pbem.games.frame.events import Event, Seat
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Deputy, Game, Period


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
