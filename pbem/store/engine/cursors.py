"""How far each folder has been read, and up to when each account."""

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
    """The last UID of a folder that has a row, in its numbering."""

    uidvalidity: int
    uid: int


_FOLDERS = Hot(select(Cursor.folder, Cursor.uidvalidity, Cursor.uid).order_by(Cursor.folder))


def _of(account: str, folder: str) -> tuple[ColumnElement[bool], ...]:
    return Cursor.account == account, Cursor.folder == folder


def cursor(conn: Connection, account: str, folder: str) -> CursorRow | None:
    """Return how far a folder has been read; None if it is new."""
    found = select(Cursor.uidvalidity, Cursor.uid).where(*_of(account, folder))
    row = conn.execute(found).first()
    return CursorRow._make(row) if row else None


def begin(conn: Connection, account: str, folder: str, uidvalidity: int) -> None:
    """A new folder, of which nothing has been read."""
    conn.execute(
        insert(Cursor).values(account=account, folder=folder, uidvalidity=uidvalidity, uid=0)
    )


def begin_again(conn: Connection, account: str, folder: str, uidvalidity: int) -> None:
    """The folder is read from its beginning."""
    again = update(Cursor).where(*_of(account, folder))
    conn.execute(again.values(uidvalidity=uidvalidity, uid=0))


def advance(conn: Connection, account: str, folder: str, uidvalidity: int, uid: int) -> None:
    """Record that the folder is read up to ``uid``. Another daemon may have read further, or seen
    the folder renumbered, in the meantime."""
    where = (*_of(account, folder), Cursor.uidvalidity == uidvalidity, Cursor.uid < uid)
    conn.execute(update(Cursor).where(*where).values(uid=uid))


def folders(conn: Connection) -> dict[str, CursorRow]:
    """Return how far each folder has been read, by its name."""
    return {folder: CursorRow(validity, uid) for folder, validity, uid in _FOLDERS.all(conn)}


def note_read(conn: Connection, account: str, until: datetime) -> None:
    """Record that every letter that ``account`` had received by then is on file, and that the mail
    server's clock agrees with ours. What is due by then need not wait for that account."""
    notes.set_memo(conn, _read(account), {"account": account, "until": until.isoformat()})


def read_until(conn: Connection, account: str) -> datetime | None:
    """Return the newest such moment, by whichever daemon; None if none is known."""
    until = notes.memo(conn, _read(account)).get("until")
    return datetime.fromisoformat(until) if until else None


def _read(account: str) -> str:
    """Return the memo's key, however long the account's name is."""
    return f"{_READ}{hashlib.sha256(account.encode()).hexdigest()}"


def forget(conn: Connection) -> None:
    """Every folder is as good as new."""
    conn.execute(delete(Cursor))
    conn.execute(delete(Memo).where(Memo.key.startswith(_READ)))
