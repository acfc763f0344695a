"""Journal, rulings and notes, and memos."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    ScalarSelect,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite has the same syntax

from pbem.games.frame import codec
from pbem.store.engine import locks
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import NoteRow
from pbem.store.journal import journal
from pbem.store.journal.journal import JournalEntry
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.store.schema.tables import Game, Journal, Memo, Period, Ruling

_LAST_ENTRY = Hot(
    select(Journal.n, Journal.hash)
    .where(Journal.game_id == bindparam("game"))
    .order_by(Journal.n.desc())
    .limit(1)
)
_NEW_ENTRY = Hot(insert(Journal))
_OF_CLOCKS = (
    "published",
    "deadline",
    "ripe",
    "unripe",
    "hold",
    "resume",
    "rewind",
    "agreed",
    "ended",
    "over",
)
"""Entries that may concern a deadline."""
_UNPRINTED = (Ruling.game_id == bindparam("game"), Ruling.number.is_(None))
_PRINTED = Hot(update(Ruling).where(*_UNPRINTED).values(number=bindparam("bulletin")))
_OF_BULLETIN, _OF_LAST = (
    Hot(
        select(Ruling.__table__)
        .where(Ruling.game_id == bindparam("game"), Ruling.number.is_(None) | printed)
        .order_by(Ruling.id)
    )
    for own, later in (
        (
            Ruling.number == bindparam("bulletin"),
            (Ruling.number > bindparam("bulletin")) & (Ruling.kind != NoteKind.ORDERS),
        ),
    )
    for printed in (own, own | later)
)
_MEMOS = Hot(select(Memo.key, Memo.value).where(Memo.key.startswith(bindparam("prefix"))))
_MEMO = upsert(Memo)
_REMEMBER = _MEMO.on_conflict_do_update(
    index_elements=[Memo.key], set_={"value": _MEMO.excluded.value}
)


_BY = "journal-by"


@contextmanager
def by(conn: Connection, who: str) -> Iterator[None]:
    """Say in the entries made meanwhile whose act it is."""
    before = conn.info.get(_BY)
    conn.info[_BY] = who
    try:
        yield
    finally:
        conn.info[_BY] = before


def note(conn: Connection, game_id: str, now: datetime, kind: str, **data: Any) -> None:
    """Append to the journal. Needs the game's lock."""
    locks.must_hold(conn, game_id)
    last, previous = _LAST_ENTRY.first(conn, {"game": game_id}) or (0, journal.GENESIS)
    n = last + 1
    plain = codec.plain(data)
    if by := conn.info.get(_BY):
        plain["by"] = by
    entry = journal.seal(previous, n, now.isoformat(), kind, plain, secrets.token_hex(16))
    _NEW_ENTRY.count(
        conn,
        {
            "game_id": game_id,
            "n": n,
            "at": now,
            "kind": kind,
            "data": plain,
            "nonce": entry.nonce,
            "hash": entry.hash,
        },
    )


def journal_head(conn: Connection, game_id: str) -> str:
    """Return the last entry's hash. Its number is secret."""
    _, last = _LAST_ENTRY.first(conn, {"game": game_id}) or (0, "")
    return f"head {last[:32]}" if last else ""


def rule(conn: Connection, game_id: str, kind: NoteKind, text: str, now: datetime) -> int:
    """File a note for the next bulletin. Clock and order notes are the running period's."""
    values = {"game_id": game_id, "kind": kind, "text": text, "at": now, "number": None}
    made = insert(Ruling).values(**values, period=_running(game_id)).returning(Ruling.id)
    return conn.execute(made).scalar_one()


def _running(game_id: str) -> ScalarSelect[int]:
    review = case((Period.status == PeriodState.REVIEW, 1), else_=0)
    own = (Period.game_id == Game.id) & (Period.number == Game.period)
    found = select(Game.period - func.coalesce(review, 0)).outerjoin(Period, own)
    return found.where(Game.id == game_id).scalar_subquery()


def unprinted(conn: Connection, game_id: str) -> Sequence[NoteRow]:
    """Return the oldest first."""
    where = (Ruling.game_id == game_id, Ruling.number.is_(None))
    rows = conn.execute(select(Ruling.__table__).where(*where).order_by(Ruling.id))
    return [NoteRow._make(row) for row in rows]


def ruling(conn: Connection, game_id: str, ruling_id: int) -> NoteRow | None:
    where = (Ruling.id == ruling_id, Ruling.game_id == game_id, Ruling.kind == NoteKind.RULING)
    row = conn.execute(select(Ruling.__table__).where(*where)).first()
    return NoteRow._make(row) if row else None


def unrule(conn: Connection, ruling_id: int) -> None:
    conn.execute(delete(Ruling).where(Ruling.id == ruling_id, Ruling.number.is_(None)))


def rulings(conn: Connection, game_id: str) -> Sequence[NoteRow]:
    """Return printed rulings, oldest first."""
    where = (Ruling.game_id == game_id, Ruling.kind == NoteKind.RULING, Ruling.number.is_not(None))
    rows = conn.execute(select(Ruling.__table__).where(*where).order_by(Ruling.id))
    return [NoteRow._make(row) for row in rows]


def notes(conn: Connection, game_id: str, number: int, *, last: bool) -> Sequence[NoteRow]:
    """Return the notes that a bulletin prints, also before a correction. last: include later,
    voided bulletins' notes, except on orders."""
    found = _OF_LAST if last else _OF_BULLETIN
    rows = found.all(conn, {"game": game_id, "bulletin": number})
    return [NoteRow._make(row) for row in rows]


def take_back_notes(conn: Connection, game_id: str, number: int, reached: int) -> None:
    """Delete clock notes of periods after ``number``, up to ``reached``."""
    own = Ruling.game_id == game_id
    conn.execute(
        update(Ruling)
        .where(own, Ruling.number.is_(None), Ruling.kind.in_((NoteKind.CLOCK, NoteKind.ORDERS)))
        .values(number=reached)
    )
    conn.execute(delete(Ruling).where(own, Ruling.kind == NoteKind.CLOCK, Ruling.number > number))


def memo(conn: Connection, key: str) -> dict[str, Any]:
    """Return {} without one."""
    return dict(conn.execute(select(Memo.value).where(Memo.key == key)).scalar() or {})


def set_memo(conn: Connection, key: str, value: Mapping[str, Any]) -> None:
    conn.execute(_REMEMBER, {"key": key, "value": dict(value)})


RESTORED, UNREAD = "restored", "unread"
"""After a restore: the outbox waits; processed letters are unread."""


def installation_key(conn: Connection) -> bytes:
    """Return the secret for tokens, drawn once."""
    if not memo(conn, "key"):
        drawn = {"key": "key", "value": {"hex": secrets.token_hex(32)}}
        conn.execute(_MEMO.on_conflict_do_nothing(index_elements=[Memo.key]), drawn)
    return bytes.fromhex(memo(conn, "key")["hex"])


def printed(conn: Connection, game_id: str, number: int) -> None:
    _PRINTED.count(conn, {"game": game_id, "bulletin": number})


def journal_entries(conn: Connection, game_id: str) -> list[JournalEntry]:
    found = select(Journal.__table__).where(Journal.game_id == game_id).order_by(Journal.n)
    return [_entry(row) for row in conn.execute(found)]


def moments(conn: Connection, game_id: str, kind: str) -> list[tuple[datetime, dict[str, Any]]]:
    table = Journal.__table__
    found = select(table.c.at, table.c.data).where(Journal.game_id == game_id, Journal.kind == kind)
    return [(row.at, dict(row.data)) for row in conn.execute(found.order_by(Journal.n))]


def _entry(row: Any) -> JournalEntry:
    return JournalEntry(row.n, row.at.isoformat(), row.kind, row.data, row.nonce, row.hash)


def journal_page(
    conn: Connection, game_id: str, most: int, before: int | None = None
) -> list[JournalEntry]:
    """Return the newest entries first. before: a number."""
    where = [Journal.game_id == game_id, *([Journal.n < before] if before else [])]
    found = select(Journal.__table__).where(*where).order_by(Journal.n.desc()).limit(most)
    return [_entry(row) for row in conn.execute(found)]


def revisions(conn: Connection, game_id: str) -> int:
    """Return how many announcements may have moved a deadline. Never falls."""
    where = (Journal.game_id == game_id, Journal.kind.in_(_OF_CLOCKS))
    return conn.execute(select(func.count()).select_from(Journal).where(*where)).scalar_one()


def why_rewound(conn: Connection, game_id: str, moment: datetime) -> dict[str, Any]:
    """Return the journal's data on a rewind, or {}."""
    where = (Journal.game_id == game_id, Journal.kind == "rewind", Journal.at == moment)
    return dict(conn.execute(select(Journal.data).where(*where).limit(1)).scalar() or {})


def forget_memos(conn: Connection, *keys: str) -> None:
    conn.execute(delete(Memo).where(Memo.key.in_(keys)))


def take_memo(conn: Connection, key: str) -> bool:
    """Delete a memo. Return whether it was there: only one of two callers gets True."""
    return conn.execute(delete(Memo).where(Memo.key == key)).rowcount > 0


def memos(conn: Connection, prefix: str) -> dict[str, dict[str, Any]]:
    return {key: dict(value) for key, value in _MEMOS.all(conn, {"prefix": prefix})}


SITE = "site"
_STALE = "stale:"


def stale(conn: Connection, since: datetime, *games: str) -> None:
    for game_id in games:
        mark = {"since": since.isoformat(), "nonce": secrets.token_hex(8)}
        set_memo(conn, f"{_STALE}{game_id}", mark)


def all_stale(conn: Connection) -> dict[str, dict[str, Any]]:
    return {key.removeprefix(_STALE): value for key, value in memos(conn, _STALE).items()}


def written(conn: Connection, marks: Mapping[str, Mapping[str, Any]]) -> None:
    """Clear marks not renewed since. Needs an exclusive transaction."""
    forget_memos(conn, *(f"{_STALE}{game_id}" for game_id in _unchanged(conn, marks)))


def not_written(conn: Connection, now: datetime, marks: Mapping[str, Mapping[str, Any]]) -> None:
    """Note a failure for marks not renewed since. Needs an exclusive transaction."""
    for game_id in _unchanged(conn, marks):
        mark = dict(marks[game_id]) | {"since": now.isoformat(), "failed": True}
        set_memo(conn, f"{_STALE}{game_id}", mark)


def _unchanged(conn: Connection, marks: Mapping[str, Mapping[str, Any]]) -> list[str]:
    keys = [f"{_STALE}{game_id}" for game_id in marks]
    found = conn.execute(select(Memo.key, Memo.value).where(Memo.key.in_(keys)))
    now = {row.key: row.value for row in found}
    return [game_id for game_id, mark in marks.items() if now.get(f"{_STALE}{game_id}") == mark]


def forget_codes(conn: Connection, game_id: str) -> None:
    found = memos(conn, "code:")
    forget_memos(conn, *(key for key, one in found.items() if one.get("game") == game_id))


def forget_old(conn: Connection, until: datetime, *prefixes: str) -> None:
    """Delete memos expired before then."""
    for prefix in prefixes:
        ends = {key: one.get("until", "") for key, one in memos(conn, prefix).items()}
        old = [key for key, end in ends.items() if end and datetime.fromisoformat(end) < until]
        forget_memos(conn, *old)


def last_entry(conn: Connection) -> datetime | None:
    return conn.execute(select(func.max(Journal.at))).scalar()
