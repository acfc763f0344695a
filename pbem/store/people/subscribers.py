"""What a person has asked for as a member of the club: to stand in its table, to be mailed its
paper."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, select

from pbem.games.frame.events import Seat
from pbem.orders.spelling import is_number
from pbem.store.joining.practices import PRACTISED
from pbem.store.journal import notes
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Address, Game, Player
from pbem.store.schema.tables import Seat as SeatRecord


class Asked(StrEnum):
    """What may be asked for. The value begins its memos."""

    LISTED = "listed"
    """To stand in the club's table."""
    ZINE = "zine-reader"
    """To be mailed the club's paper."""


class Reader(NamedTuple):
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


def ask(conn: Connection, what: Asked, player_id: int, now: datetime) -> None:
    if not has_asked(conn, what, player_id):
        notes.set_memo(conn, _key(what, player_id), {"since": now.isoformat()})


def has_asked(conn: Connection, what: Asked, player_id: int) -> bool:
    return bool(notes.memo(conn, _key(what, player_id)))


def end(conn: Connection, what: Asked, player_id: int) -> bool:
    """Note that a person wants it no more. Return False if he had not asked."""
    return notes.take_memo(conn, _key(what, player_id))


def readers(conn: Connection) -> Sequence[Reader]:
    found = (
        select(Player.id, Address.address, Player.face)
        .join(Address, Address.player_id == Player.id)
        .where(Address.of_record, Player.id.in_(_who(conn, Asked.ZINE)))
        .order_by(Player.id)
    )
    return [Reader._make(row) for row in conn.execute(found)]


def listed(conn: Connection) -> Sequence[Listed]:
    """Return the seats of those in the club's table, by name. Practice games are left out."""
    found = (
        select(Player.id, Player.name, SeatRecord.game_id, SeatRecord.seat)
        .join(SeatRecord, SeatRecord.player_id == Player.id)
        .join(Game, Game.id == SeatRecord.game_id)
        .where(
            Player.id.in_(_who(conn, Asked.LISTED)),
            Game.status != GameState.WAITING,
            ~PRACTISED,
        )
        .order_by(Player.name, Player.id, Game.created, Game.id, SeatRecord.place)
    )
    return [Listed._make(row) for row in conn.execute(found)]


def _who(conn: Connection, what: Asked) -> list[int]:
    ids = (key.rpartition(":")[2] for key in notes.memos(conn, f"{what}:"))
    return [int(one) for one in ids if is_number(one)]


def _key(what: Asked, player_id: int) -> str:
    return f"{what}:{player_id}"
