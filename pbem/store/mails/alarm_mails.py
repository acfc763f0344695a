"""Alarms to gamesmasters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from pbem.letters.states import LetterState
from pbem.store.schema.tables import Letter, Outgoing

_MOST_ALARMS = 1_000
"""The most looked at."""


_MOST_TIMED = 100


class AlarmKey(NamedTuple):
    """An alarm."""

    id: int
    key: str
    created: datetime


class AlarmRow(NamedTuple):
    """An alarm's mail."""

    id: int
    raw: bytes
    created: datetime


def since(conn: Connection, address: str, moment: datetime) -> Sequence[AlarmKey]:
    """Return the alarms mailed to an address since then, newest first."""
    ours = (Outgoing.kind == "alarm", Outgoing.recipient == address, Outgoing.created > moment)
    found = select(Outgoing.id, Outgoing.key, Outgoing.created).where(*ours)
    rows = conn.execute(found.order_by(Outgoing.id.desc()).limit(_MOST_ALARMS))
    return [AlarmKey._make(row) for row in rows]


def mails(conn: Connection, ids: Sequence[int]) -> Sequence[AlarmRow]:
    """Return these mails, newest first."""
    found = select(Outgoing.id, Outgoing.raw, Outgoing.created).where(Outgoing.id.in_(ids))
    return [AlarmRow._make(row) for row in conn.execute(found.order_by(Outgoing.id.desc()))]


def outcomes(conn: Connection, letters: Collection[int]) -> Mapping[int, LetterState]:
    found = select(Letter.id, Letter.outcome).where(Letter.id.in_(letters))
    return {row.id: LetterState(row.outcome) for row in conn.execute(found)}


def timed(conn: Connection, moment: datetime) -> Sequence[tuple[datetime, datetime]]:
    """Return when letters seen since then were received, and seen; newest first."""
    found = select(Letter.received, Letter.seen).where(Letter.seen > moment)
    rows = conn.execute(found.order_by(Letter.id.desc()).limit(_MOST_TIMED))
    return [(row.received, row.seen) for row in rows]


def canary_came(conn: Connection, moment: datetime) -> bool:
    """Return whether a letter to ourselves, sent since then, has come."""
    sent = select(Outgoing.id).join(Letter, Letter.message_id == Outgoing.message_id)
    return (
        conn.execute(sent.where(Outgoing.kind == "canary", Outgoing.created >= moment)).first()
        is not None
    )
