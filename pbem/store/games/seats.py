"""Statements on seats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select

from pbem.games.frame.events import Seat
from pbem.store.games.game_rows import SeatKey
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Address, Game
from pbem.store.schema.tables import Seat as SeatRecord

# Compiled once, for each pass. Python filters running games: SQLite would scan all games.
_SEATS = select(SeatRecord.game_id, SeatRecord.seat, Game.status).join(
    Game, Game.id == SeatRecord.game_id
)
_ASKED = _SEATS.where(SeatRecord.asked_until <= bindparam("now"))
_QUITTING = _SEATS.where(SeatRecord.quits.is_not(None)).order_by(SeatRecord.quits)


def new(
    conn: Connection,
    game_id: str,
    seat: Seat,
    place: int,
    player_id: int | None,
    bot: str | None = None,
) -> None:
    """Seat a player, or a house bot (None). place: in joining order."""
    conn.execute(
        insert(SeatRecord).values(
            game_id=game_id,
            seat=seat,
            place=place,
            player_id=player_id,
            token_hash="",
            token_no=1,
            link_no=1,
            missed=0,
            asked_until=None,
            heard=0,
            quits=None,
            bot=bot or "",
        )
    )


def overdue(conn: Connection, now: datetime) -> list[SeatKey]:
    """Return seats whose players did not answer in time."""
    rows = conn.execute(_ASKED, {"now": now})
    running = (row for row in rows if row.status == GameState.RUNNING)
    return sorted(SeatKey(row.game_id, row.seat) for row in running)


def quitting(conn: Connection) -> list[SeatKey]:
    """Return running games' leaving seats, first to ask first."""
    rows = conn.execute(_QUITTING)
    return [SeatKey(row.game_id, row.seat) for row in rows if row.status == GameState.RUNNING]


def plays(conn: Connection, game_id: str, player_id: int) -> bool:
    where = (SeatRecord.game_id == game_id, SeatRecord.player_id == player_id)
    return conn.execute(select(SeatRecord.seat).where(*where)).first() is not None


_OF_ADDRESS = (
    select(SeatRecord.seat)
    .join(Address, Address.player_id == SeatRecord.player_id)
    .where(SeatRecord.game_id == bindparam("game"), Address.address == bindparam("address"))
)


def of_address(conn: Connection, game_id: str, address: str) -> Seat | None:
    return conn.execute(_OF_ADDRESS, {"game": game_id, "address": address}).scalar()


def played_from(conn: Connection, address: str) -> frozenset[str]:
    found = (
        select(SeatRecord.game_id)
        .join(Address, Address.player_id == SeatRecord.player_id)
        .where(Address.address == address)
    )
    return frozenset(conn.execute(found).scalars())


def of_player(conn: Connection, game_id: str, player_id: int) -> Sequence[Seat]:
    """Return them in joining order."""
    where = (SeatRecord.game_id == game_id, SeatRecord.player_id == player_id)
    found = select(SeatRecord.seat).where(*where).order_by(SeatRecord.place)
    return conn.execute(found).scalars().all()
