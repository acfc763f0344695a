"""The statements upon players who stand by for a game, in the order of joining."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from pbem.games.frame.events import Seat
from pbem.store.game_rows import StandbyRow
from pbem.store.records import Address, Player, Standby


def new(conn: Connection, game_id: str, player_id: int) -> None:
    """A player stands by, behind the others."""
    conn.execute(
        insert(Standby).values(game_id=game_id, player_id=player_id, invited_for="", reply_by=None)
    )


def waiting(conn: Connection, game_id: str) -> int:
    """How many have not been called on yet."""
    where = (Standby.game_id == game_id, Standby.invited_for == "")
    return conn.execute(select(func.count(Standby.id)).where(*where)).scalar_one()


def first_waiting(conn: Connection, game_id: str) -> StandbyRow | None:
    """The first of them; None where nobody stands by."""
    found = (
        select(Standby.id, Address.address, Player.name)
        .join(Player, Player.id == Standby.player_id)
        .join(Address, (Address.player_id == Player.id) & Address.of_record)
        .where(Standby.game_id == game_id, Standby.invited_for == "")
        .order_by(Standby.id)
    )
    row = conn.execute(found).first()
    return StandbyRow._make(row) if row else None


def invite(conn: Connection, standby_id: int, seat: Seat, reply_by: datetime) -> None:
    """He is called on to play ``seat``, and has until ``reply_by`` to write."""
    conn.execute(
        update(Standby).where(Standby.id == standby_id).values(invited_for=seat, reply_by=reply_by)
    )
