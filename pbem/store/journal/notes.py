"""The journal (``note``); notes and rulings that bulletins print (``rule``, ``notes``); memos."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, func, select, update

from pbem.games.frame import codec
from pbem.store.engine import locks
from pbem.store.engine.hot import Hot
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.store.schema.tables import Game, Journal, Look, Memo, Period, Ruling

_LAST_ENTRY = Hot(
    select(Journal.n, Journal.hash)
    .where(Journal.game_id == bindparam("game"))
    .order_by(Journal.n.desc())
    .limit(1)
)
_MEMOS = Hot(select(Memo.key, Memo.value).where(Memo.key.startswith(bindparam("prefix"))))

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
    last, previous = _LAST_ENTRY.first(conn, {"game": game_id}) or (0, GENESIS)
    plain = codec.plain(data)
    if by := conn.info.get(_BY):
        plain["by"] = by
    entry = Journal(game_id, last + 1, now, kind, plain, secrets.token_hex(16), "")
    Journal.add(conn, entry._replace(hash=seal(previous, entry)))


def journal_head(conn: Connection, game_id: str) -> str:
    """Return the last entry's hash. Its number is secret."""
    _, last = _LAST_ENTRY.first(conn, {"game": game_id}) or (0, "")
    return f"head {last[:32]}" if last else ""


def rule(conn: Connection, game_id: str, kind: NoteKind, text: str, now: datetime) -> int:
    """File a note for the next bulletin. Clock and order notes are the running period's."""
    review = case((Period.status == PeriodState.REVIEW, 1), else_=0)
    own = (Period.game_id == Game.id) & (Period.number == Game.period)
    found = select(Game.period - func.coalesce(review, 0)).outerjoin(Period, own)
    period = found.where(Game.id == game_id).scalar_subquery()
    return Ruling.new(conn, game_id=game_id, kind=kind, text=text, at=now, period=period)


def unprinted(conn: Connection, game_id: str) -> Sequence[Ruling]:
    """Return the oldest first."""
    return Ruling.many(conn, Ruling.number.is_(None), game_id=game_id)


def rulings(conn: Connection, game_id: str) -> Sequence[Ruling]:
    """Return printed rulings, oldest first."""
    printed = Ruling.number.is_not(None)
    return Ruling.many(conn, printed, game_id=game_id, kind=NoteKind.RULING)


def notes(conn: Connection, game_id: str, number: int, *, last: bool) -> Sequence[Ruling]:
    """Return the notes that a bulletin prints, also before a correction. last: include later,
    voided bulletins' notes, except on orders."""
    printed = Ruling.number.is_(None) | (Ruling.number == number)
    if last:
        printed |= (Ruling.number > number) & (Ruling.kind != NoteKind.ORDERS)
    return Ruling.many(conn, printed, game_id=game_id)


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
    found = Memo.one(conn, key=key)
    return dict(found.value) if found else {}


def set_memo(conn: Connection, key: str, value: Mapping[str, Any]) -> None:
    Memo.put(conn, key=key, value=dict(value))


RESTORED, UNREAD = "restored", "unread"
"""After a restore: the outbox waits; processed letters are unread."""


def installation_key(conn: Connection) -> bytes:
    """Return the secret for tokens, drawn once."""
    if not memo(conn, "key"):
        Memo.try_add(conn, key="key", value={"hex": secrets.token_hex(32)})
    return bytes.fromhex(memo(conn, "key")["hex"])


def printed(conn: Connection, game_id: str, number: int) -> None:
    own = (Ruling.game_id == game_id, Ruling.number.is_(None))
    conn.execute(update(Ruling).where(*own).values(number=number))


def moments(conn: Connection, game_id: str, kind: str) -> list[tuple[datetime, dict[str, Any]]]:
    return [(row.at, dict(row.data)) for row in Journal.many(conn, game_id=game_id, kind=kind)]


def forget_memos(conn: Connection, *keys: str) -> None:
    conn.execute(delete(Memo).where(Memo.key.in_(keys)))


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


GENESIS = "0" * 64


def seal(previous: str, entry: Journal) -> str:
    """Return an entry's hash after hash ``previous`` (:data:`GENESIS`)."""
    plain = {"n": entry.n, "at": entry.at.isoformat(), "kind": entry.kind, "data": entry.data}
    text = codec.text(plain)
    return hashlib.sha256(f"{previous}{entry.nonce}{text}".encode()).hexdigest()


def broken_at(entries: Iterable[Journal]) -> int | None:
    """Return the first wrong entry, or None."""
    previous = GENESIS
    for entry in entries:
        if seal(previous, entry) != entry.hash:
            return entry.n
        previous = entry.hash
    return None


class LookKind(StrEnum):
    """What secret a gamesmaster looked at. ORDER: orders entered for a seat. MAIL: to one seat."""

    PREVIEW = "preview"
    DRY_RUN = "dry-run"
    ORDER = "order"
    ACCEPT = "accept"
    LETTER = "letter"
    PRESS = "press"
    EXPORT = "export"
    MAIL = "mail"


def looks(conn: Connection, game_id: str, number: int, *, last: bool) -> list[Look]:
    """Return the looks that a bulletin reports, also before a correction. last: include later,
    voided bulletins' looks."""
    told = Look.number >= number if last else Look.number == number
    return Look.many(conn, Look.number.is_(None) | told, game_id=game_id)


def mark_reported(conn: Connection, game_id: str, number: int) -> None:
    own = (Look.game_id == game_id, Look.number.is_(None))
    conn.execute(update(Look).where(*own).values(number=number))
