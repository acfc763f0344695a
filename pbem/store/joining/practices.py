"""Statements on practice games: one person against house bots."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select, update

from pbem.store.joining.open_tables import is_of, mailbox
from pbem.store.schema.tables import Address, Game, Period, Practice

PREFIX = "practice-"
"""Of practice games' ids alone."""
PRACTISED = select(Practice.game_id).where(Practice.game_id == Game.id).exists()


def new(conn: Connection, player_id: int, ruleset: str, now: datetime) -> str:
    """Note that a person wants one. Return its id."""
    there = Game.values(conn, Game.id, Game.id.startswith(PREFIX))
    taken, number = {*there, *ids(conn)}, 1
    while f"{PREFIX}{number}" in taken:
        number += 1
    game_id = f"{PREFIX}{number}"
    Practice.add(conn, game_id=game_id, player_id=player_id, ruleset=ruleset, asked=now)
    return game_id


def begun(conn: Connection, game_id: str, now: datetime) -> bool:
    """Return False if it has begun."""
    own = (Practice.game_id == game_id, Practice.begun.is_(None))
    return conn.execute(update(Practice).where(*own).values(begun=now)).rowcount == 1


def person(conn: Connection, player_id: int) -> Sequence[int]:
    """Return all players of their mailboxes."""
    own = Address.values(conn, Address.address, player_id=player_id)
    found = {player_id}
    for box in set(map(mailbox, own)):
        theirs = is_of(Address.__table__.c.address, box)
        found.update(Address.values(conn, Address.player_id, theirs))
    return sorted(found)


def running_of(conn: Connection, person: Sequence[int]) -> Practice | None:
    return next(iter(Practice.many(conn, Practice.player_id.in_(person), ended=None)), None)


def domains(conn: Connection) -> Sequence[str]:
    of = (Address.player_id == Practice.player_id) & Address.of_record
    found = select(Address.address).select_from(Practice).outerjoin(Address, of)
    rows = conn.execute(found.where(Practice.ended.is_(None))).scalars()
    return [(one or "").rpartition("@")[2] for one in rows]


def closed_since(conn: Connection, since: datetime, game_id: str = "") -> int:
    """game_id: count only its player's."""
    lately = [Practice.game_id == Period.game_id, Period.number > 0, Period.closed > since]
    if game_id:
        theirs = select(Practice.player_id).where(Practice.game_id == game_id).scalar_subquery()
        lately.append(Practice.player_id == theirs)
    return Period.how_many(conn, *lately)


def left(conn: Connection, since: datetime) -> Sequence[str]:
    """Return games whose period has been open since before."""
    own = (Practice.game_id == Game.id, Practice.ended.is_(None))
    now = (Period.game_id == Game.id, Period.number == Game.period, Period.opened < since)
    return Game.values(conn, Game.id, *own, *now, order=Practice.asked)


def ids(conn: Connection) -> frozenset[str]:
    return frozenset(Practice.values(conn, Practice.game_id))
