"""Statements about the mails that went out in answer to a letter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from pbem.store.schema.states import MailState
from pbem.store.schema.tables import Deputy, Letter, Outgoing


class AnswerRow(NamedTuple):
    """A mail as it was frozen, and what became of it."""

    id: int
    kind: str
    recipient: str
    raw: bytes
    state: MailState
    created: datetime
    sent: datetime | None
    reply: str


_COLUMNS = [getattr(Outgoing, name) for name in AnswerRow._fields]


def of_letter(conn: Connection, letter_id: int, keys: Sequence[str]) -> Sequence[AnswerRow]:
    """Return those answers of the letter that exist, in the order they were made. Include answers
    sent to a deputy of the letter's seat."""
    same = (Deputy.game_id == Letter.game_id) & (Deputy.seat == Letter.seat)
    found = select(Deputy.id).join(Letter, same).where(Letter.id == letter_id)
    deputies = conn.execute(found).scalars().all()
    wanted = [*keys, *(f"{key}:d{one}" for key in keys for one in deputies)]
    rows = select(*_COLUMNS).where(Outgoing.key.in_(wanted)).order_by(Outgoing.id)
    return [AnswerRow._make(row) for row in conn.execute(rows)]
