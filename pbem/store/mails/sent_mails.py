"""Mails of a game as they went out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, Connection, func, select

from pbem.games.frame.events import Seat
from pbem.store.letters.letter_rows import GoneRow, WholeMailRow
from pbem.store.mails import mail_pictures
from pbem.store.schema.table_base import columns
from pbem.store.schema.tables import Outgoing

_PURGED = func.length(Outgoing.raw) == 0
_ROWS = select(*columns(GoneRow, Outgoing, purged=_PURGED)).order_by(Outgoing.id.desc())


def of_seat(conn: Connection, game_id: str, seat: Seat, most: int) -> Sequence[GoneRow]:
    where = (Outgoing.game_id == game_id, Outgoing.seat == seat)
    return [GoneRow._make(row) for row in conn.execute(_ROWS.where(*where).limit(most))]


def of_issue(conn: Connection, game_id: str, kind: str, number: int) -> Sequence[GoneRow]:
    """Return the newest first, notices too."""
    where = (*_keyed(game_id, kind, f"{kind}:{game_id}:{number}:"), Outgoing.seat != "")
    return [GoneRow._make(row) for row in conn.execute(_ROWS.where(*where))]


def edition(conn: Connection, game_id: str, number: int, edition: int) -> Iterator[bytes]:
    where = _keyed(game_id, "bulletin", f"bulletin:{game_id}:{number}:{edition}:")
    for mail_id in conn.execute(select(Outgoing.id).where(*where, ~_PURGED)).scalars().all():
        kept = conn.execute(select(Outgoing.raw).where(Outgoing.id == mail_id)).scalar_one()
        yield mail_pictures.whole(conn, kept)


def _keyed(game_id: str, kind: str, prefix: str) -> tuple[ColumnElement[bool], ...]:
    begins = Outgoing.key.startswith(prefix, autoescape=True)
    return Outgoing.game_id == game_id, Outgoing.kind == kind, begins


def listed(conn: Connection, game_id: str, mail_id: int) -> GoneRow | None:
    where = (Outgoing.id == mail_id, Outgoing.game_id == game_id)
    row = conn.execute(_ROWS.where(*where)).first()
    return GoneRow._make(row) if row else None


def one(conn: Connection, mail_id: int) -> WholeMailRow | None:
    columns = (Outgoing.kind, Outgoing.game_id, Outgoing.seat, Outgoing.raw)
    row = conn.execute(select(*columns).where(Outgoing.id == mail_id)).first()
    if row is None:
        return None
    mail = WholeMailRow._make(row)
    return mail._replace(raw=mail_pictures.whole(conn, mail.raw))
