"""Statements on practice games: one person against house bots."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from pbem.store.engine.hot import Hot
from pbem.store.joining.open_tables import is_of, mailbox
from pbem.store.schema.table_base import many, one
from pbem.store.schema.tables import Address, Game, Period, Practice

PREFIX = "practice-"
"""Of practice games' ids alone."""
PRACTISED = select(Practice.game_id).where(Practice.game_id == Game.id).exists()


_ALL = select(Practice.__table__)
_OPEN = _ALL.where(Practice.ended.is_(None)).order_by(Practice.asked)
_WAITING = Hot(_OPEN.where(Practice.begun.is_(None)))
_RUNNING = Hot(_OPEN.where(Practice.begun.is_not(None)))


def new(conn: Connection, player_id: int, ruleset: str, now: datetime) -> str:
    """Note that a person wants one. Return its id."""
    there = conn.execute(select(Game.id).where(Game.id.startswith(PREFIX))).scalars()
    asked = conn.execute(select(Practice.game_id)).scalars()
    taken, number = {*there, *asked}, 1
    while f"{PREFIX}{number}" in taken:
        number += 1
    game_id = f"{PREFIX}{number}"
    Practice.add(conn, game_id=game_id, player_id=player_id, ruleset=ruleset, asked=now)
    return game_id


def waiting(conn: Connection) -> Sequence[Practice]:
    return many(conn, Practice, _WAITING)


def begun(conn: Connection, game_id: str, now: datetime) -> bool:
    """Return False if it has begun."""
    own = (Practice.game_id == game_id, Practice.begun.is_(None))
    return conn.execute(update(Practice).where(*own).values(begun=now)).rowcount == 1


def person(conn: Connection, player_id: int) -> Sequence[int]:
    """Return all players of his mailboxes."""
    own = conn.execute(select(Address.address).where(Address.player_id == player_id)).scalars()
    found = {player_id}
    for box in set(map(mailbox, own)):
        his = is_of(Address.__table__.c.address, box)
        found.update(conn.execute(select(Address.player_id).where(his)).scalars())
    return sorted(found)


def running_of(conn: Connection, person: Sequence[int]) -> Practice | None:
    own = (Practice.player_id.in_(person), Practice.ended.is_(None))
    return one(conn, Practice, _ALL.where(*own))


def asked_since(conn: Connection, person: Sequence[int], since: datetime) -> int:
    own = (Practice.player_id.in_(person), Practice.asked > since)
    return conn.execute(select(func.count()).select_from(Practice).where(*own)).scalar_one()


def domains(conn: Connection) -> Sequence[str]:
    of = (Address.player_id == Practice.player_id) & Address.of_record
    found = select(Address.address).select_from(Practice).outerjoin(Address, of)
    rows = conn.execute(found.where(Practice.ended.is_(None))).scalars()
    return [(one or "").rpartition("@")[2] for one in rows]


def closed_since(conn: Connection, since: datetime, game_id: str = "") -> int:
    """game_id: count only its player's."""
    found = (
        select(func.count()).select_from(Period).join(Practice, Practice.game_id == Period.game_id)
    )
    found = found.where(Period.number > 0, Period.closed > since)
    if game_id:
        his = select(Practice.player_id).where(Practice.game_id == game_id).scalar_subquery()
        found = found.where(Practice.player_id == his)
    return conn.execute(found).scalar_one()


def running(conn: Connection) -> Sequence[Practice]:
    return many(conn, Practice, _RUNNING)


def ended_before(conn: Connection, until: datetime) -> Sequence[str]:
    return conn.execute(select(Practice.game_id).where(Practice.ended < until)).scalars().all()


def ids(conn: Connection) -> frozenset[str]:
    return frozenset(conn.execute(select(Practice.game_id)).scalars())
