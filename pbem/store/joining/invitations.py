"""Invitations, one for each mailbox."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, select
from sqlalchemy.dialects.postgresql import insert  # SQLite reads the same words

from pbem.store.schema.tables import Address, Invited


def mailbox(address: str) -> str:
    """Leave out the plus part."""
    local, _, domain = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def is_of(column: ColumnElement[str], box: str) -> ColumnElement[bool]:
    local, _, domain = box.rpartition("@")
    low = func.lower(column)
    folded = low.startswith(f"{local}+", autoescape=True)
    return (low == box) | (folded & low.endswith(f"@{domain}", autoescape=True))


def new(conn: Connection, address: str, player_id: int, game_id: str, now: datetime) -> bool:
    """Return False if invited or refused before."""
    values = {
        "address": mailbox(address),
        "by_player": player_id,
        "game_id": game_id,
        "at": now,
        "refused": False,
    }
    return conn.execute(insert(Invited).values(**values).on_conflict_do_nothing()).rowcount == 1


def refuse(conn: Connection, address: str, now: datetime) -> None:
    made = insert(Invited).values(
        address=mailbox(address), by_player=None, game_id="", at=now, refused=True
    )
    again = made.on_conflict_do_update(index_elements=[Invited.address], set_={"refused": True})
    conn.execute(again)


def by(conn: Connection, address: str) -> str | None:
    """Return the inviter's address of record."""
    found = (
        select(Address.address)
        .join(Invited, Invited.by_player == Address.player_id)
        .where(Invited.address == mailbox(address), Address.of_record)
    )
    return conn.execute(found).scalar()


def number(conn: Connection, player_id: int, since: datetime) -> int:
    where = (Invited.by_player == player_id, Invited.at > since)
    return conn.execute(select(func.count()).where(*where)).scalar_one()
