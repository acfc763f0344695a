"""How far folders have been read."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from pbem.store.engine.hot import Hot
from pbem.store.journal import notes
from pbem.store.schema.tables import Cursor, Memo

_READ = "read:"


class CursorRow(NamedTuple):
    """The last UID that has a row."""

    uidvalidity: int
    uid: int


_FOLDERS = Hot(select(Cursor.folder, Cursor.uidvalidity, Cursor.uid).order_by(Cursor.folder))


def _of(account: str, folder: str) -> tuple[ColumnElement[bool], ...]:
    return Cursor.account == account, Cursor.folder == folder


def cursor(conn: Connection, account: str, folder: str) -> CursorRow | None:
    found = select(Cursor.uidvalidity, Cursor.uid).where(*_of(account, folder))
    row = conn.execute(found).first()
    return CursorRow._make(row) if row else None


def begin(conn: Connection, account: str, folder: str, uidvalidity: int) -> None:
    conn.execute(
        insert(Cursor).values(account=account, folder=folder, uidvalidity=uidvalidity, uid=0)
    )


def begin_again(conn: Connection, account: str, folder: str, uidvalidity: int) -> None:
    """Read a folder again from its start."""
    again = update(Cursor).where(*_of(account, folder))
    conn.execute(again.values(uidvalidity=uidvalidity, uid=0))


def advance(conn: Connection, account: str, folder: str, uidvalidity: int, uid: int) -> None:
    """Record that a folder is read up to ``uid``, unless another daemon read further."""
    where = (*_of(account, folder), Cursor.uidvalidity == uidvalidity, Cursor.uid < uid)
    conn.execute(update(Cursor).where(*where).values(uid=uid))


def folders(conn: Connection) -> dict[str, CursorRow]:
    return {folder: CursorRow(validity, uid) for folder, validity, uid in _FOLDERS.all(conn)}


def note_read(conn: Connection, account: str, until: datetime) -> None:
    """Note that all letters received by then are on file."""
    notes.set_memo(conn, _read(account), {"account": account, "until": until.isoformat()})


def read_until(conn: Connection, account: str) -> datetime | None:
    until = notes.memo(conn, _read(account)).get("until")
    return datetime.fromisoformat(until) if until else None


def _read(account: str) -> str:
    """Return the memo's key, of limited length."""
    return f"{_READ}{hashlib.sha256(account.encode()).hexdigest()}"


def forget(conn: Connection) -> None:
    conn.execute(delete(Cursor))
    conn.execute(delete(Memo).where(Memo.key.startswith(_READ)))
