"""Stand-bys, in order of joining. Who is called on leaves the list; who holds a seat is passed
over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import StandbyRow
from pbem.store.letters.letter_rows import StandingRow
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Address, Game, Player, Standby
from pbem.store.schema.tables import Seat as SeatRecord

_PLAYS = exists().where(
    SeatRecord.game_id == Standby.game_id, SeatRecord.player_id == Standby.player_id
)
_ROWS = (
    select(Standby.id, Standby.player_id, Address.address, Player.name, Player.face)
    .join(Player, Player.id == Standby.player_id)
    .join(Address, (Address.player_id == Player.id) & Address.of_record)
    .where(Standby.invited_for == "")
    .order_by(Standby.id)
)
_OF_ADDRESS = Hot(
    select(Standby.player_id, Standby.game_id, Game.status, Address.address)
    .join(Game, Game.id == Standby.game_id)
    .join(Address, Address.player_id == Standby.player_id)
    .where(Address.address == bindparam("address"), Standby.invited_for == "")
    .order_by(Standby.id)
)


def new(conn: Connection, game_id: str, player_id: int) -> None:
    conn.execute(
        insert(Standby).values(game_id=game_id, player_id=player_id, invited_for="", reply_by=None)
    )


def waiting(conn: Connection, game_id: str) -> int:
    where = (Standby.game_id == game_id, Standby.invited_for == "", ~_PLAYS)
    return conn.execute(select(func.count(Standby.id)).where(*where)).scalar_one()


def passed_over(conn: Connection, game_id: str) -> Sequence[StandbyRow]:
    """Return stand-bys who hold a seat."""
    rows = conn.execute(_ROWS.where(Standby.game_id == game_id, _PLAYS))
    return [StandbyRow._make(row) for row in rows]


def of_game(conn: Connection, game_id: str) -> Sequence[StandbyRow]:
    rows = conn.execute(_ROWS.where(Standby.game_id == game_id))
    return [StandbyRow._make(row) for row in rows]


def of_player(conn: Connection, game_id: str, player_id: int) -> StandbyRow | None:
    where = (Standby.game_id == game_id, Standby.player_id == player_id)
    row = conn.execute(_ROWS.where(*where)).first()
    return StandbyRow._make(row) if row else None


def of_address(conn: Connection, address: str) -> Sequence[StandingRow]:
    rows = [StandingRow._make(row) for row in _OF_ADDRESS.all(conn, {"address": address})]
    return [row for row in rows if row.status != GameState.OVER]


def invite(conn: Connection, standby_id: int, seat: Seat, reply_by: datetime | None) -> None:
    """Call a stand-by on to ``seat``. reply_by: None if already placed."""
    conn.execute(
        update(Standby).where(Standby.id == standby_id).values(invited_for=seat, reply_by=reply_by)
    )


def leave(conn: Connection, game_id: str, player_id: int) -> None:
    where = (Standby.game_id == game_id, Standby.player_id == player_id)
    conn.execute(delete(Standby).where(*where, Standby.invited_for == ""))
