"""The public list of games: no positions, no names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, Text, cast, func, select
from sqlalchemy.orm import aliased

from pbem.games.frame import codec
from pbem.games.frame.house import House
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.joining.practices import PRACTISED
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Bulletin, Game, Journal, Period, Seat

MOST_SPANS = 100


class PlayedRow(NamedTuple):
    """A game in progress. ``number``, ``due``: None if not begun or without deadline."""

    id: str
    ruleset: str
    status: GameState
    zone: str
    house: House
    players: int
    number: int | None
    due: datetime | None


_UNFINISHED = Game.status.in_([one for one in GameState if one != GameState.OVER])
_PLAYED = (
    select(
        Game.id,
        Game.ruleset,
        Game.status,
        Game.zone,
        cast(Game.house, Text).label("house"),
        select(func.count())
        .where(Seat.game_id == Game.id, Seat.player_id.is_not(None))
        .scalar_subquery()
        .label("players"),
        Period.number,
        Period.due,
        Period.status.label("period"),
    )
    .outerjoin(Period, (Period.game_id == Game.id) & (Period.number == Game.period))
    .where(_UNFINISHED, ~PRACTISED)
    .order_by(Game.created, Game.id)
)


def played(conn: Connection) -> Sequence[PlayedRow]:
    """Return the oldest first."""
    return [
        PlayedRow(
            row.id,
            row.ruleset,
            row.status,
            row.zone,
            codec.load(House, codec.parse(row.house)),
            row.players,
            row.number,
            row.due if row.period == PeriodState.OPEN else None,
        )
        for row in conn.execute(_PLAYED)
    ]


_SEEN = (
    select(Game.id)
    .where(_UNFINISHED, ~PRACTISED, func.coalesce(Game.house["watch"].as_boolean(), True))
    .order_by(Game.created, Game.id)
)


def seen(conn: Connection) -> Sequence[str]:
    """Return the games in progress that anybody may watch, the oldest first."""
    return conn.execute(_SEEN).scalars().all()


class Watchable(NamedTuple):
    """An unfinished game or table."""

    id: str
    ruleset: str
    watch: bool


def watchable(conn: Connection, game_id: str) -> Watchable | None:
    game = select(Game.ruleset, cast(Game.house, Text))
    row = conn.execute(game.where(Game.id == game_id, _UNFINISHED, ~PRACTISED)).first()
    if row:
        return Watchable(game_id, row[0], codec.load(House, codec.parse(row[1])).watch)
    table = open_tables.joinable(conn, game_id)
    if table is None:
        return None
    return Watchable(game_id, table.ruleset, table.plan["game"]["house"].get("watch", True))


class EndedRow(NamedTuple):
    """A finished game in one line."""

    id: str
    ruleset: str
    house: House
    headline: str
    """Of its last bulletin; "" if none."""


_LAST = (
    select(Bulletin.frame["headline"].as_string())
    .where(Bulletin.game_id == Game.id, Bulletin.seat == "", Bulletin.voided.is_(None))
    .order_by(Bulletin.number.desc(), Bulletin.edition.desc())
    .limit(1)
)
_ENDED = (
    select(
        Game.id,
        Game.ruleset,
        cast(Game.house, Text).label("house"),
        func.coalesce(_LAST.scalar_subquery(), "").label("headline"),
    )
    .where(Game.status == GameState.OVER, Game.period > 0, ~PRACTISED)
    .order_by(Game.created.desc(), Game.id)
)


def ended(conn: Connection) -> Sequence[EndedRow]:
    """Return the newest first."""
    return [
        EndedRow(row.id, row.ruleset, games.house_of(row.house), row.headline)
        for row in conn.execute(_ENDED)
    ]


def spans(conn: Connection, ruleset: str, house: House) -> Sequence[timedelta]:
    """Return how long games that ended by rule took, at this pace."""
    usual = house.lengths["*"].time
    first, last = aliased(Period), aliased(Period)
    found = (
        select(cast(Game.house, Text), first.opened, last.opened)
        .join(first, (first.game_id == Game.id) & (first.number == 1))
        .join(last, (last.game_id == Game.id) & (last.number == Game.period))
        .where(Game.ruleset == ruleset, Game.status == GameState.OVER, Game.period > 1, ~PRACTISED)
        .where(Game.house["pace"].as_string() == house.pace)
        .where(
            select(Journal.kind).where(Journal.game_id == Game.id, Journal.kind == "over").exists()
        )
        .order_by(Game.created.desc(), Game.id)
        .limit(MOST_SPANS)
    )
    told = (
        (games.house_of(row[0]).lengths["*"].time, row[1], row[2]) for row in conn.execute(found)
    )
    return [(end - begin) * (usual / one) for one, begin, end in told if one]


def is_there(conn: Connection, game_id: str) -> bool:
    return conn.execute(select(Game.id).where(Game.id == game_id)).first() is not None
