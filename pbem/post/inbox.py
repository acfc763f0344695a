"""Files each letter with its raw bytes, before anything else.

A crash resumes by cursor, outcome and ``moved``. A renumbered folder is read again, and processed
letters after a restore; hashes find duplicates.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine

from pbem.errors import OutsideError
from pbem.letters.states import LetterState
from pbem.post.imap import Fetched, Folder, Mailbox
from pbem.post.work import no_crash
from pbem.store.engine.database import exclusive_transaction, shared_transaction
from pbem.store.letters import letters
from pbem.store.letters.letters import Arrival, FolderNumbering
from pbem.store.schema.tables import Cursor

BATCH = 200
MOST_ATTEMPTS = 5
PATIENCE = timedelta(hours=1)
_HEAD = 65_536


@dataclass(frozen=True, slots=True)
class Intake:
    """Reads one mail account."""

    engine: Engine
    mailbox: Mailbox
    account: str
    crash: Callable[[str], None] = no_crash


def take_in(
    intake: Intake, folder: str, now: datetime, most_bytes: int, *, processed: bool = False
) -> int:
    """Store each new letter. Return how many. A letter over ``most_bytes`` is cut to 64 KB.
    processed: skip known bytes."""
    engine, mailbox, account = intake.engine, intake.mailbox, intake.account
    found, after = _opened(intake, folder)
    intake.crash("inbox.cursor")
    place = FolderNumbering(account, found.name, found.uidvalidity)
    uids, stored = mailbox.uids(after), 0
    for start in range(0, len(uids), BATCH):
        chunk = uids[start : start + BATCH]
        sizes = mailbox.sizes(chunk)
        small = [uid for uid in chunk if sizes.get(uid, 0) <= most_bytes]
        fetched = {one.uid: one for one in _fetched(mailbox, folder, small, sizes)}
        huge = [uid for uid in chunk if sizes.get(uid, 0) > most_bytes]
        fetched |= {one.uid: one for one in _fetched(mailbox, folder, huge, sizes, _HEAD)}
        intake.crash("inbox.fetched")
        lacking = [uid for uid in chunk if uid not in fetched] if processed else []
        gone = set(lacking).difference(mailbox.sizes(lacking)) if lacking else set[int]()
        with exclusive_transaction(engine) as conn:
            if processed:
                hashes = {uid: letters.digest(fetched[uid].raw) for uid in chunk if uid in fetched}
                new = letters.unknown(conn, hashes)
                chunk = [uid for uid in chunk if uid in new or uid not in hashes.keys() | gone]
            arrivals = [_arrival(uid, fetched.get(uid), uid in huge, now) for uid in chunk]
            letters.add(conn, place, arrivals, now, moved=processed)
            last = uids[min(start + BATCH, len(uids)) - 1]
            letters.advance_folder(conn, place, last)
        intake.crash("inbox.stored")
        stored += len(chunk)
    return stored


def _arrival(uid: int, letter: Fetched | None, huge: bool, now: datetime) -> Arrival:
    if letter is None:
        return Arrival(uid, now, None, LetterState.UNFETCHABLE)
    state = LetterState.OVERSIZE if huge else LetterState.STORED
    return Arrival(uid, letter.received, letter.raw, state)


def _opened(intake: Intake, folder: str) -> tuple[Folder, int]:
    """Select a folder. Return it and its last UID on file; 0 if new or renumbered."""
    engine, mailbox, account = intake.engine, intake.mailbox, intake.account
    of = {"account": account, "folder": folder}
    while True:
        with shared_transaction(engine) as conn:
            row = Cursor.one(conn, **of)
        selected = mailbox.select(folder)
        if row and row.uidvalidity == selected.uidvalidity and row.uid < selected.uidnext:
            return selected, row.uid
        with exclusive_transaction(engine) as conn:
            if Cursor.one(conn, **of) != row:
                continue
            if row is None:
                Cursor.add(conn, **of, uidvalidity=selected.uidvalidity, uid=0)
                return selected, 0
            Cursor.change(conn, of, uidvalidity=selected.uidvalidity, uid=0)
            if row.uidvalidity == selected.uidvalidity:
                # The mailbox was restored with its old UIDVALIDITY: UIDs will be used again.
                letters.forget_numbers(conn, FolderNumbering(account, folder, selected.uidvalidity))
            return selected, 0


def _fetched(
    mailbox: Mailbox,
    folder: str,
    uids: Sequence[int],
    sizes: Mapping[int, int],
    most: int | None = None,
) -> Iterator[Fetched]:
    """Yield a batch; if it fails, one by one on new connections. Raise OutsideError."""
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


def missing(engine: Engine, account: str, now: datetime) -> bool:
    """Return whether to fetch again: five attempts, at least an hour."""
    with shared_transaction(engine) as conn:
        return bool(letters.asked_for(conn, account, MOST_ATTEMPTS, now - PATIENCE))


def retry_unfetchable(intake: Intake, folder: str, now: datetime) -> list[int]:
    """Fetch again. Return the ids still missing."""
    engine, mailbox, account = intake.engine, intake.mailbox, intake.account
    with shared_transaction(engine) as conn:
        asked = letters.asked_for(conn, account, MOST_ATTEMPTS, now - PATIENCE)
    rows = [row for of, *row in asked if of == folder]
    lacking: list[int] = []
    if not rows:
        return lacking
    found = mailbox.select(folder)
    for letter_id, uid, uidvalidity in rows:
        known = uidvalidity == found.uidvalidity
        got = list(_fetched(mailbox, folder, [uid], {})) if known else []
        with exclusive_transaction(engine) as conn:
            if got:
                letters.given(conn, letter_id, got[0].raw, got[0].received)
            elif letters.not_given(conn, letter_id, "the server lists it but does not give it"):
                lacking.append(letter_id)  # else another daemon got it and moved it
        intake.crash("inbox.retried")
    return lacking


def folder_gone(engine: Engine, account: str, folder: str) -> None:
    with exclusive_transaction(engine) as conn:
        letters.folder_gone(conn, account, folder, MOST_ATTEMPTS)


def move_decided(intake: Intake, folder: str, processed: str) -> int:
    engine, mailbox, account = intake.engine, intake.mailbox, intake.account
    with shared_transaction(engine) as conn:
        rows = letters.to_move(conn, account, folder)
    if not rows:
        return 0
    found = mailbox.select(folder)
    current = [(letter, uid) for letter, uid, of in rows if of == found.uidvalidity]
    if stale := [letter for letter, _, of in rows if of != found.uidvalidity]:
        # the folder was renumbered: these letters were stored again, as duplicates
        with exclusive_transaction(engine) as conn:
            letters.note_moved(conn, stale)
    for start in range(0, len(current), BATCH):
        chunk = current[start : start + BATCH]
        mailbox.move([uid for _, uid in chunk], processed)
        intake.crash("inbox.moved")
        with exclusive_transaction(engine) as conn:
            letters.note_moved(conn, [number for number, _ in chunk])
        intake.crash("inbox.move_noted")
    return len(current)
