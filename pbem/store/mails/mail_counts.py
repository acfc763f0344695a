"""Counts of mails."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache

from sqlalchemy import ColumnElement, Connection, bindparam, func, or_, select

from pbem.games.frame.events import Seat
from pbem.store.engine.among import Among
from pbem.store.engine.hot import Hot
from pbem.store.joining import invitations
from pbem.store.letters.letter_rows import BacklogRow, StuckRow
from pbem.store.mails.mails import PURGED
from pbem.store.schema.states import MailState
from pbem.store.schema.table_base import columns
from pbem.store.schema.tables import Outgoing


def waiting(conn: Connection, without: Collection[str] = ()) -> dict[MailState, BacklogRow]:
    """Return unsent mails by state, ``without`` some games."""
    states = (
        MailState.READY,
        MailState.LEASED,
        MailState.UNKNOWN,
        MailState.HELD,
        MailState.REFUSED,
    )
    found = (
        select(Outgoing.state, func.count(Outgoing.id), func.min(Outgoing.created))
        .where(Outgoing.state.in_(states), Outgoing.game_id.not_in(without))
        .group_by(Outgoing.state)
    )
    return {state: BacklogRow(number, oldest) for state, number, oldest in conn.execute(found)}


_IN_DOUBT_STILL = Outgoing.state.in_((MailState.UNKNOWN, MailState.LEASED)) & Outgoing.resent
_STUCK = (Outgoing.state == MailState.REFUSED) & ~PURGED | _IN_DOUBT_STILL


def stuck_number(conn: Connection, among: Among) -> int:
    return _number(conn, _STUCK, among.post(Outgoing.game_id, Outgoing.recipient))


def stuck(conn: Connection, among: Among, most: int, first: int = 0) -> Sequence[StuckRow]:
    """Return mails that only a person can send again, newest first: refused, or in doubt twice."""
    found = (
        select(*columns(StuckRow, Outgoing, game=Outgoing.game_id))
        .where(_STUCK, among.post(Outgoing.game_id, Outgoing.recipient))
        .order_by(Outgoing.id.desc())
        .limit(most)
        .offset(first)
    )
    return [StuckRow._make(row) for row in conn.execute(found)]


def _number(conn: Connection, *where: ColumnElement[bool]) -> int:
    return conn.execute(select(func.count(Outgoing.id)).where(*where)).scalar_one()


def made_for(conn: Connection, game_id: str, seat: Seat, kind: str, since: datetime) -> int:
    """Return how many mails were made for a seat, merged ones included."""
    return _number(conn, *_for(game_id, seat, kind, since))


def asked_alone(conn: Connection, game_id: str, seat: Seat, kind: str, since: datetime) -> int:
    """Return how many mails were made for a seat, without merged ones."""
    alone = Outgoing.state.not_in((MailState.MERGED, MailState.LISTED))
    return _number(conn, *_for(game_id, seat, kind, since), alone)


def _for(game_id: str, seat: Seat, kind: str, since: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        Outgoing.game_id == game_id,
        Outgoing.seat == seat,
        Outgoing.kind == kind,
        Outgoing.created > since,
    )


def made_to(conn: Connection, address: str, kinds: Sequence[str], since: datetime) -> int:
    to, of_kind = Outgoing.recipient == address, Outgoing.kind.in_(kinds)
    return _number(conn, to, of_kind, Outgoing.created > since)


def bytes_to(conn: Connection, address: str, kinds: tuple[str, ...], since: datetime) -> int:
    row = _bytes_of(kinds).first(conn, {"address": address, "since": since})
    return int(row[0]) if row else 0


@lru_cache
def _bytes_of(kinds: tuple[str, ...]) -> Hot:
    where = (Outgoing.recipient == bindparam("address"), Outgoing.created > bindparam("since"))
    of_kind = or_(*(Outgoing.kind == kind for kind in kinds))
    return Hot(select(func.coalesce(func.sum(func.length(Outgoing.raw)), 0)).where(*where, of_kind))


def made_to_mailbox(conn: Connection, box: str, kinds: Sequence[str], since: datetime) -> int:
    """Count mails to a mailbox, whatever follows a plus sign in it."""
    to = invitations.is_of(Outgoing.__table__.c.recipient, box)
    return _number(conn, Outgoing.kind.in_(kinds), Outgoing.created > since, to)


def made(conn: Connection, kind: str, since: datetime) -> int:
    alone = Outgoing.state.not_in((MailState.MERGED, MailState.LISTED))
    return _number(conn, Outgoing.kind == kind, Outgoing.created > since, alone)
