"""A game as its gamesmaster's page shows it. :class:`~pbem.referee.gamesmaster.sight.Sight` hides
what he may not see if he plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy.exc import DBAPIError

from pbem.desk.asked import NotThere
from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.house import shelf
from pbem.pages import sheet
from pbem.periods import own_page
from pbem.periods.guards import may_act, may_name
from pbem.referee.acts import word_acts
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games import bulletins, games
from pbem.store.games.game_rows import GameRow
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, NoteKind, PeriodState
from pbem.text import moment_words, short
from pbem.website import public


@dataclass(frozen=True, slots=True)
class Opened:
    """A game's record, and its open period."""

    row: GameRow
    at: GameAt | None
    """None before the start, or if the record cannot be read."""
    fault: str = ""
    """Why the record cannot be read."""


def opened(sight: Sight, game_id: str) -> Opened:
    """Return a game that he may see. Raise NotThere."""
    found = games.several(sight.conn, [game_id])
    if not found or not sight.lists(game_id):
        raise NotThere(f"you have no game {game_id}")
    ((row, load),) = found
    try:
        return Opened(row, load())
    except DBAPIError:
        raise
    except Exception as error:  # what it says may show a secret
        return Opened(row, None, type(error).__name__)


def table(sight: Sight, game_id: str) -> GameAt:
    """Return a game that has begun and can be read. Raise NotThere."""
    found = opened(sight, game_id)
    if found.at is None:
        why = "cannot be read" if found.fault else "has not begun"
        raise NotThere(f"game {game_id} {why}: there is nothing to be seen of it")
    return found.at


def secret_table(sight: Sight, game_id: str) -> GameAt:
    """Return a game whose secrets he may know. Raise OperatorError with the reason."""
    at = table(sight, game_id)
    if why := not_for_him(sight, game_id):
        raise OperatorError(why)
    return at


def not_for_him(sight: Sight, game_id: str) -> str:
    """Return why he sees no more than the players, or ""."""
    if sight.looks_into(game_id):
        return ""
    try:
        may_act(sight.conn, sight.work.mark, game_id, sight.who)
    except OperatorError as error:
        return str(error)
    return "what is not public of it is not for you"


def when(zone: ZoneInfo, moment: datetime | None) -> str:
    return moment_words(moment.astimezone(zone)) if moment else ""


# --- the page -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a bulletin, with its description."""

    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Issue:
    """A bulletin in a list. ``published`` is the last time."""

    number: int
    edition: int
    published: str
    headline: str
    voided: bool


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a game's page."""

    id: str
    ruleset: str
    title: str
    state: GameState
    kept: str
    """Why he does not see all of the game."""
    fault: str
    edition: int
    zone: str
    made: str
    gamesmaster: str
    second: str
    period: int
    phase: str
    deadline: str
    left: str
    review: int | None
    """Waits for release."""
    closing: bool
    held: str
    since: str
    result: Mapping[str, Any] | None
    ended: str
    seed: str
    names: bool

    @property
    def runs(self) -> bool:
        """Whether it is being played, even if held."""
        return self.state in (GameState.RUNNING, GameState.HELD)

    @property
    def whole(self) -> bool:
        return not self.kept

    @property
    def open(self) -> bool:
        """Whether orders for its period are taken."""
        return self.runs and not self.fault and self.review is None and not self.closing


def head(sight: Sight, found: Opened) -> Head:
    row, at = found.row, found.at
    line = public.game_summary(sight.conn, at) if at else None
    review = at.period.number - 1 if at and at.period.status == PeriodState.REVIEW else None
    own = partial(when, ZoneInfo(row.zone))
    return Head(
        row.id,
        row.ruleset,
        shelf.open_ruleset(row.ruleset).about.title,
        row.status,
        not_for_him(sight, row.id),
        found.fault,
        row.edition,
        row.zone,
        own(row.created),
        row.gamesmaster or sight.work.mark.gamesmaster,
        row.second,
        at.period.number if at else 0,
        line.period if line else "",
        line.deadline if line else "",
        own_page.time_left(at, sight.work.now) if at and line and line.deadline else "",
        review,
        at is not None and at.period.status == PeriodState.CLOSING,
        row.held_because,
        own(row.held_at),
        at.result if at and row.status == GameState.OVER else None,
        public.ended(at) if at and row.status == GameState.OVER else "",
        row.seed if row.status == GameState.OVER else "",
        _may_name(sight, row.id),
    )


def _may_name(sight: Sight, game_id: str) -> bool:
    try:
        may_name(sight.conn, sight.work.mark, game_id, sight.who)
    except OperatorError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Board:
    """The newest bulletin's board."""

    number: int
    pictures: Sequence[Picture]
    standing: Sequence[tuple[Seat, str, str]]
    """Seat, player and score; the highest first."""

    @property
    def named(self) -> bool:
        """Whether any player is told."""
        return any(player for _, player, _ in self.standing)


def board(sight: Sight, at: GameAt) -> Board | None:
    number = bulletins.newest(sight.conn, at.id)
    if number is None:
        return None
    row = bulletins.of_period(sight.conn, at.id, number)[""]
    alts = {one.name: one.alt for one in sheet.blocks(row.text) if isinstance(one, sheet.Picture)}
    names = row.frame.get("pictures") or {}
    result = at.result if at.game.status == GameState.OVER else None
    told = public.names(at)
    final = result["standing"] if result else {}
    counts = final or row.frame.get("scores") or {}
    ranked = list(counts) if final else sorted(counts, key=lambda seat: -counts[seat])
    count = public.ranking if final else short
    return Board(
        number,
        [Picture(name, alts.get(name, name)) for name in names],
        [(seat, told.get(seat, ""), count(counts[seat])) for seat in ranked],
    )


def issues(sight: Sight, at: GameAt) -> list[Issue]:
    return [
        Issue(
            one.number,
            one.edition,
            when(at.zone, one.published),
            one.headline or "",
            bool(one.voided),
        )
        for one in bulletins.listed(sight.conn, at.id)
    ]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A ruling or house note for the next bulletin."""

    id: int
    ruling: bool
    text: str
    made: str


def waiting_notes(sight: Sight, at: GameAt) -> list[Waiting]:
    """Return unprinted notes of a game that he may look into."""
    return [
        Waiting(one.id, one.kind == NoteKind.RULING, one.text, when(at.zone, one.at))
        for one in notes.unprinted(sight.conn, at.id)
    ]


class Ruled(NamedTuple):
    """A printed ruling."""

    id: int
    bulletin: int
    text: str
    stands: bool
    """Whether it can be withdrawn."""


def rulings(sight: Sight, at: GameAt) -> list[Ruled]:
    found = reversed(notes.rulings(sight.conn, at.id))
    stand = word_acts.withdrawable(sight.conn, at.id)
    return [Ruled(one.id, one.number or 0, one.text, one.id in stand) for one in found]
