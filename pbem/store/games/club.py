"""The public list of games: no positions, no names."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Text, bindparam, cast, func, select
from sqlalchemy.orm import aliased

from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.store.games import games
from pbem.store.games.overview import CLOCK, ClockRow
from pbem.store.joining import open_tables
from pbem.store.joining.practices import PRACTISED
from pbem.store.journal import notes
from pbem.store.schema.states import GameState
from pbem.store.schema.table_base import columns, many
from pbem.store.schema.tables import (
    Address,
    Bulletin,
    EditorLetter,
    Game,
    Journal,
    Member,
    Period,
    Player,
)
from pbem.store.schema.tables import Seat as SeatRecord

MOST_SPANS = 100
_UNFINISHED = Game.status.in_([one for one in GameState if one != GameState.OVER])
_WATCHED = func.coalesce(Game.house["watch"].as_boolean(), True)
_AGE = (Game.created, Game.id)
_PLAYED = CLOCK.where(_UNFINISHED, ~PRACTISED).order_by(*_AGE)


def played(conn: Connection) -> Sequence[ClockRow]:
    """Return the games in progress, the oldest first."""
    return many(conn, ClockRow, _PLAYED)


def seen(conn: Connection) -> Sequence[str]:
    """Return the games in progress that anybody may watch, the oldest first."""
    return Game.values(conn, Game.id, _UNFINISHED, ~PRACTISED, _WATCHED, order=_AGE)


class Watchable(NamedTuple):
    """An unfinished game or table."""

    id: str
    ruleset: str
    watch: bool


def watchable(conn: Connection, game_id: str) -> Watchable | None:
    game = select(Game.ruleset, cast(Game.house, Text))
    row = conn.execute(game.where(Game.id == game_id, _UNFINISHED, ~PRACTISED)).first()
    if row:
        return Watchable(game_id, row[0], games.house_of(row[1]).watch)
    table = open_tables.joinable(conn, game_id)
    if table is None:
        return None
    return Watchable(game_id, table.ruleset, table.plan["game"]["house"].get("watch", True))


def ended(conn: Connection) -> Sequence[str]:
    """Return the finished games that anybody may watch, the newest first."""
    over = (Game.status == GameState.OVER, Game.period > 0, ~PRACTISED, _WATCHED)
    return Game.values(conn, Game.id, *over, order=(Game.created.desc(), Game.id))


_FIRST, _LAST = aliased(Period), aliased(Period)
_SPANS = (
    select(cast(Game.house, Text), _FIRST.opened, _LAST.opened)
    .join(_FIRST, (_FIRST.game_id == Game.id) & (_FIRST.number == 1))
    .join(_LAST, (_LAST.game_id == Game.id) & (_LAST.number == Game.period))
    .where(Game.ruleset == bindparam("ruleset"), Game.status == GameState.OVER, Game.period > 1)
    .where(~PRACTISED, Game.house["pace"].as_string() == bindparam("pace"))
    .where(select(Journal.kind).where(Journal.game_id == Game.id, Journal.kind == "over").exists())
    .order_by(Game.created.desc(), Game.id)
    .limit(MOST_SPANS)
)


def spans(conn: Connection, ruleset: str, house: House) -> Sequence[timedelta]:
    """Return how long games that ended by rule took, at this pace."""
    usual = house.lengths["*"].time
    found = conn.execute(_SPANS, {"ruleset": ruleset, "pace": house.pace})
    told = ((games.house_of(row[0]).lengths["*"].time, row[1], row[2]) for row in found)
    return [(end - begin) * (usual / one) for one, begin, end in told if one]


class ListRequest(StrEnum):
    """What may be asked for."""

    LISTED = "listed"
    """To stand in the club's table."""
    ZINE = "zine-reader"
    """To be mailed the club's paper."""


class PaperReader(NamedTuple):
    """Somebody who is mailed the paper."""

    player_id: int
    address: str
    face: str


class Listed(NamedTuple):
    """A seat of somebody who stands in the club's table."""

    player_id: int
    name: str
    game_id: str
    seat: Seat


def readers(conn: Connection) -> Sequence[PaperReader]:
    theirs = (Address.player_id == Player.id, Address.of_record, _has_asked(ListRequest.ZINE))
    found = select(*columns(PaperReader, Address, Player)).where(*theirs)
    return many(conn, PaperReader, found.order_by(Player.id))


def listed(conn: Connection) -> Sequence[Listed]:
    """Return the seats of those in the club's table, by name. Practice games are left out."""
    plays = (SeatRecord.player_id == Player.id, Game.id == SeatRecord.game_id, ~PRACTISED)
    there = (_has_asked(ListRequest.LISTED), Game.status != GameState.WAITING)
    order = (Player.name, Player.id, Game.created, Game.id, SeatRecord.place)
    found = select(*columns(Listed, SeatRecord, Player)).where(*plays, *there)
    return many(conn, Listed, found.order_by(*order))


def _has_asked(what: ListRequest) -> ColumnElement[bool]:
    return Player.id.in_(select(Member.player_id).where(Member.what == what))


_COUNTED = "zine-letters"


class Told(NamedTuple):
    """A bulletin that all were told."""

    game_id: str
    number: int
    headline: str
    scores: dict[str, float]


def next_letter(conn: Connection) -> int:
    """Draw an unused number."""
    last = max(EditorLetter.values(conn, EditorLetter.number), default=0)
    number = int(max(last, notes.memo(conn, _COUNTED).get("n", 0))) + 1
    notes.set_memo(conn, _COUNTED, {"n": number})
    return number


def told(conn: Connection, since: datetime, until: datetime) -> Sequence[Told]:
    """Return the valid bulletins published then, oldest first."""
    then = (Bulletin.published > since, Bulletin.published <= until)
    plays = (Game.id == Bulletin.game_id, ~PRACTISED)
    order = (Bulletin.published, Bulletin.game_id, Bulletin.number)
    rows = Bulletin.many(conn, *then, *plays, seat="", voided=None, order=order)
    return [
        Told(row.game_id, row.number, row.frame.get("headline", ""), row.frame.get("scores") or {})
        for row in rows
    ]


def noted(conn: Connection, since: datetime, until: datetime, *kinds: str) -> frozenset[str]:
    """Return the games whose journals have such an entry then."""
    then = (Journal.kind.in_(kinds), Journal.at > since, Journal.at <= until)
    return frozenset(Journal.values(conn, Journal.game_id, *then))
