"""Who has seen a seat's private mails, and may take no other."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite has the same syntax

from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.schema.tables import Player, Privy
from pbem.store.schema.tables import Seat as SeatRecord

_NEW = upsert(Privy).on_conflict_do_nothing()
_NAMES = Hot(
    select(Privy.seat, Player.name)
    .join(Player, Player.id == Privy.player_id)
    .outerjoin(
        SeatRecord,
        (SeatRecord.game_id == Privy.game_id) & (SeatRecord.player_id == Privy.player_id),
    )
    .where(Privy.game_id == bindparam("game"), SeatRecord.player_id.is_(None))
)


def add(conn: Connection, game_id: str, seat: Seat, player_id: int) -> None:
    conn.execute(_NEW, {"game_id": game_id, "seat": seat, "player_id": player_id})


def seats_of(conn: Connection, game_id: str, player_id: int) -> Sequence[Seat]:
    """Return other seats whose mails a player saw."""
    where = (Privy.game_id == game_id, Privy.player_id == player_id)
    return conn.execute(select(Privy.seat).where(*where).order_by(Privy.seat)).scalars().all()


def names(conn: Connection, game_id: str) -> tuple[tuple[Seat, str], ...]:
    """Return seats with the names of those who have seen their mails and hold no seat now."""
    return tuple((seat, name) for seat, name in _NAMES.all(conn, {"game": game_id}))
