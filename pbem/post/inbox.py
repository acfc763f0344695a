"""The inbox: every letter that a watched folder ever held gets a row with its raw bytes, before
anything else is done.

Order of work: fetch by UID with PEEK -> commit the raw bytes and the cursor -> (the referee
decides, elsewhere) -> move the letter on the server. A crash anywhere resumes: the cursor says how
far the folder was read, the letters' outcomes say what is still to be decided, ``moved`` what is
still to be moved. A changed UIDVALIDITY means a rescan, which doubles nothing, since the same bytes
are known by their hash. The same is done when UIDNEXT has gone back (the mailbox was restored from
a backup), and with the folder of processed letters when our own database was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, and_, insert, select, update
from sqlalchemy.orm import aliased

from pbem.errors import OutsideError
from pbem.post.crash_points import no_crash
from pbem.post.imap import Fetched, Folder, Mailbox
from pbem.store.database import transaction
from pbem.store.records import Cursor, Letter

BATCH = 200
MOST_ATTEMPTS = 5
PATIENCE = timedelta(hours=1)
STORED, UNFETCHABLE, OVERSIZE = "stored", "unfetchable", "oversize"
UNDECIDED = (STORED, UNFETCHABLE)
_HEAD = 65_536


@dataclass(frozen=True, slots=True)
class Intake:
    """The way in of one mail account: from its ``mailbox`` on the server into the database."""

    engine: Engine
    mailbox: Mailbox
    account: str
    crash: Callable[[str], None] = no_crash


def take_in(
    intake: Intake, folder: str, now: datetime, most_bytes: int, *, processed: bool = False
) -> int:
    """Store every letter of a folder that has no row yet; the number stored. A letter larger than
    ``most_bytes`` is stored as its first 64 KB, with the outcome oversize. In the folder of
    ``processed`` letters only those count whose bytes are not on file."""
    engine, mailbox, account = intake.engine, intake.mailbox, intake.account
    found = mailbox.select(folder)
    after = _cursor(engine, account, found)
    intake.crash("inbox.cursor")
    uids, stored = mailbox.uids(after), 0
    for start in range(0, len(uids), BATCH):
        chunk = uids[start : start + BATCH]
        sizes = mailbox.sizes(chunk)
        small = [uid for uid in chunk if sizes.get(uid, 0) <= most_bytes]
        letters = {one.uid: one for one in _fetched(mailbox, folder, small, sizes)}
        huge = [uid for uid in chunk if sizes.get(uid, 0) > most_bytes]
        letters |= {one.uid: one for one in _fetched(mailbox, folder, huge, sizes, _HEAD)}
        intake.crash("inbox.fetched")
        with transaction(engine) as conn:
            if processed:
                chunk = _unknown(conn, chunk, letters)
            _store(
                conn,
                account,
                found,
                [(uid, letters.get(uid), sizes.get(uid, 0) > most_bytes) for uid in chunk],
                now,
                moved=processed,
            )
            _advance(conn, account, found, uids[min(start + BATCH, len(uids)) - 1])
        intake.crash("inbox.stored")
        stored += len(chunk)
    return stored


def _cursor(engine: Engine, account: str, found: Folder) -> int:
    """The last UID of the folder that has a row; 0 where the folder is new or has been
    renumbered."""
    with transaction(engine) as conn:
        where = (Cursor.account == account, Cursor.folder == found.name)
        row = conn.execute(select(Cursor.uidvalidity, Cursor.uid).where(*where)).first()
        if row is None:
            conn.execute(
                insert(Cursor).values(
                    account=account, folder=found.name, uidvalidity=found.uidvalidity, uid=0
                )
            )
        elif row.uidvalidity != found.uidvalidity:
            conn.execute(update(Cursor).where(*where).values(uidvalidity=found.uidvalidity, uid=0))
        elif row.uid >= found.uidnext:
            # The mailbox came back from a backup under its old UIDVALIDITY: its numbers will be
            # given out a second time.
            conn.execute(update(Cursor).where(*where).values(uid=0))
            old = (
                Letter.account == account,
                Letter.folder == found.name,
                Letter.uidvalidity == found.uidvalidity,
            )
            conn.execute(
                update(Letter).where(*old, Letter.uid > 0).values(uid=-Letter.id, moved=True)
            )
        else:
            return int(row.uid)
    return 0


def _unknown(conn: Connection, uids: Sequence[int], letters: Mapping[int, Fetched]) -> list[int]:
    """Those whose bytes are on file nowhere."""
    hashes = {uid: hashlib.sha256(letters[uid].raw).hexdigest() for uid in uids if uid in letters}
    on_file = set(
        conn.execute(select(Letter.raw_hash).where(Letter.raw_hash.in_(hashes.values()))).scalars()
    )
    return [uid for uid in uids if hashes.get(uid) not in on_file]


def _advance(conn: Connection, account: str, found: Folder, uid: int) -> None:
    # Another daemon may have read on, or seen the folder renumbered, in the meantime.
    where = (
        Cursor.account == account,
        Cursor.folder == found.name,
        Cursor.uidvalidity == found.uidvalidity,
    )
    conn.execute(update(Cursor).where(*where, Cursor.uid < uid).values(uid=uid))


def _fetched(
    mailbox: Mailbox,
    folder: str,
    uids: Sequence[int],
    sizes: Mapping[int, int],
    most: int | None = None,
) -> Iterator[Fetched]:
    """A batch; where the batch fails, one by one on connections of their own, so that one poisoned
    letter never stops the others. Raises OutsideError where the server does not even let us in:
    then nothing is said about any letter."""
    try:
        yield from list(mailbox.fetch(uids, most, sizes)) if uids else ()
    except OutsideError:
        for uid in uids:
            _anew(mailbox, folder)
            try:
                yield from list(mailbox.fetch([uid], most, sizes))
            except OutsideError:
                continue
        _anew(mailbox, folder)


def _anew(mailbox: Mailbox, folder: str) -> None:
    mailbox.close()
    mailbox.connect()
    mailbox.select(folder)


def _store(
    conn: Connection,
    account: str,
    found: Folder,
    letters: Sequence[tuple[int, Fetched | None, bool]],
    now: datetime,
    *,
    moved: bool,
) -> None:
    place = {"account": account, "folder": found.name, "uidvalidity": found.uidvalidity}
    where = (
        Letter.account == account,
        Letter.folder == found.name,
        Letter.uidvalidity == found.uidvalidity,
    )
    known = set(
        conn.execute(
            select(Letter.uid).where(*where, Letter.uid.in_([uid for uid, _, _ in letters]))
        ).scalars()
    )
    rows: list[dict[str, Any]] = []
    for uid, letter, huge in letters:
        if uid in known:
            continue
        row = place | {
            "uid": uid,
            "received": letter.received if letter else now,
            "seen": now,
            "raw": letter.raw if letter else None,
            "raw_hash": hashlib.sha256(letter.raw).hexdigest() if letter else "",
            "reason": "",
            "attempts": 0,
            "message_id": "",
            "sender": "",
            "authentication": "none",
            "game_id": "",
            "seat": "",
            "period": 0,
            "moved": moved,
            "code_hash": "",
            "effect": None,
            "decided": None,
            "outcome": UNFETCHABLE if letter is None else OVERSIZE if huge else STORED,
        }
        rows.append(row)
    if rows:
        conn.execute(insert(Letter), rows)


def came_again(conn: Connection, letter_id: int) -> bool:
    """Whether the bytes of a letter had come before, under another number of the same numbering of
    its folder. Else the folder was renumbered, and the letter is the one of old that is read once
    more."""
    one, first = aliased(Letter), aliased(Letter)
    same = (
        first.raw_hash == one.raw_hash,
        first.account == one.account,
        first.folder == one.folder,
        first.uidvalidity == one.uidvalidity,
        first.uid > 0,
        first.id < one.id,
    )
    found = select(first.id).join(one, and_(*same)).where(one.id == letter_id).limit(1)
    return conn.execute(found).first() is not None


def _asked_for(account: str, now: datetime) -> tuple[ColumnElement[bool], ...]:
    """What the server lists and does not give is asked for five times, and for an hour, whichever
    lasts longer."""
    hopeful = (Letter.attempts < MOST_ATTEMPTS) | (Letter.seen > now - PATIENCE)
    return Letter.account == account, Letter.outcome == UNFETCHABLE, ~Letter.moved, hopeful


def missing(engine: Engine, account: str, now: datetime) -> bool:
    """Whether a letter that the server lists has not been given yet, and is still asked for."""
    with transaction(engine) as conn:
        return (
            conn.execute(select(Letter.id).where(*_asked_for(account, now)).limit(1)).first()
            is not None
        )


def retry_unfetchable(intake: Intake, folder: str, now: datetime) -> list[int]:
    """Try again to fetch what the server would not give; the numbers of the letters that it still
    does not."""
    engine, mailbox, account = intake.engine, intake.mailbox, intake.account
    with transaction(engine) as conn:
        where = (*_asked_for(account, now), Letter.folder == folder)
        rows = conn.execute(select(Letter.id, Letter.uid, Letter.uidvalidity).where(*where)).all()
    lacking: list[int] = []
    if not rows:
        return lacking
    found = mailbox.select(folder)
    for row in rows:
        got = (
            list(_fetched(mailbox, folder, [row.uid], {}))
            if row.uidvalidity == found.uidvalidity
            else []
        )
        values: dict[str, Any] = {
            "attempts": Letter.attempts + 1,
            "reason": "the server lists it but does not give it",
        }
        if got:
            values = {
                "outcome": STORED,
                "raw": got[0].raw,
                "received": got[0].received,
                "reason": "",
                "attempts": 0,
                "raw_hash": hashlib.sha256(got[0].raw).hexdigest(),
            }
        else:
            lacking.append(row.id)
        with transaction(engine) as conn:
            conn.execute(update(Letter).where(Letter.id == row.id).values(**values))
        intake.crash("inbox.retried")
    return lacking


def folder_gone(engine: Engine, account: str, folder: str) -> None:
    """The letters that a folder did not give, and that went away with it: one of their five
    attempts is over."""
    with transaction(engine) as conn:
        where = (
            Letter.account == account,
            Letter.folder == folder,
            Letter.outcome == UNFETCHABLE,
            ~Letter.moved,
        )
        values = {"attempts": Letter.attempts + 1, "reason": "its folder is gone"}
        conn.execute(update(Letter).where(*where, Letter.attempts < MOST_ATTEMPTS).values(**values))


def move_decided(intake: Intake, folder: str, processed: str) -> int:
    """Move what has an outcome out of the folder, batch by batch; the number moved."""
    engine, mailbox, account = intake.engine, intake.mailbox, intake.account
    with transaction(engine) as conn:
        where = (
            Letter.account == account,
            Letter.folder == folder,
            ~Letter.moved,
            Letter.outcome.not_in(UNDECIDED),
        )
        rows = conn.execute(
            select(Letter.id, Letter.uid, Letter.uidvalidity).where(*where).order_by(Letter.uid)
        ).all()
    if not rows:
        return 0
    found = mailbox.select(folder)
    current = [row for row in rows if row.uidvalidity == found.uidvalidity]
    if stale := [row.id for row in rows if row.uidvalidity != found.uidvalidity]:
        with transaction(
            engine
        ) as conn:  # the folder was renumbered: these letters were stored anew, as duplicates
            conn.execute(update(Letter).where(Letter.id.in_(stale)).values(moved=True))
    for start in range(0, len(current), BATCH):
        chunk = current[start : start + BATCH]
        mailbox.move([row.uid for row in chunk], processed)
        intake.crash("inbox.moved")
        with transaction(engine) as conn:
            conn.execute(
                update(Letter).where(Letter.id.in_([row.id for row in chunk])).values(moved=True)
            )
        intake.crash("inbox.move_noted")
    return len(current)
