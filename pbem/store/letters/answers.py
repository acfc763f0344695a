"""Mails that answered a letter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from pbem.store.schema.states import MailState
from pbem.store.schema.table_base import columns
from pbem.store.schema.tables import Deputy, Letter, Outgoing


class AnswerRow(NamedTuple):
    """A frozen mail and its state."""

    id: int
    kind: str
    recipient: str
    raw: bytes
    state: MailState
    created: datetime
    sent: datetime | None
    reply: str


_COLUMNS = columns(AnswerRow, Outgoing)


def of_letter(conn: Connection, letter_id: int, keys: Sequence[str]) -> Sequence[AnswerRow]:
    """Return a letter's answers in order, also to a deputy."""
    same = (Deputy.game_id == Letter.game_id) & (Deputy.seat == Letter.seat)
    found = select(Deputy.id).join(Letter, same).where(Letter.id == letter_id)
    deputies = conn.execute(found).scalars().all()
    wanted = [*keys, *(f"{key}:d{one}" for key in keys for one in deputies)]
    rows = select(*_COLUMNS).where(Outgoing.key.in_(wanted)).order_by(Outgoing.id)
    return [AnswerRow._make(row) for row in conn.execute(rows)]
