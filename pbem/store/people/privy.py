"""Who has seen a seat's private mails, and may take no other."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite has the same syntax

from pbem.games.frame.events import Seat
from pbem.store.schema.tables import Privy

_NEW = upsert(Privy).on_conflict_do_nothing()


def add(conn: Connection, game_id: str, seat: Seat, player_id: int) -> None:
    conn.execute(_NEW, {"game_id": game_id, "seat": seat, "player_id": player_id})


def seats_of(conn: Connection, game_id: str, player_id: int) -> Sequence[Seat]:
    """Return other seats whose mails a player saw."""
    where = (Privy.game_id == game_id, Privy.player_id == player_id)
    return conn.execute(select(Privy.seat).where(*where).order_by(Privy.seat)).scalars().all()
