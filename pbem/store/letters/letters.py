"""Letters: arrival, fetching, waiting, moving, and the mails that answered them."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Concatenate, NamedTuple

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, and_, func, not_, or_, select, update
from sqlalchemy.orm import aliased

from pbem.errors import RefereeError
from pbem.games.frame.events import Seat
from pbem.letters.states import NEW_LETTER, TO_DECIDE, LetterState
from pbem.store.engine.among import Among
from pbem.store.journal import notes
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import (
    Address,
    Cursor,
    Deputy,
    Game,
    Letter,
    LetterMark,
    Memo,
    Outgoing,
)
from pbem.store.schema.tables import Seat as SeatRecord

UNDECIDED = (LetterState.STORED, LetterState.UNFETCHABLE)
try_state: Callable[Concatenate[Connection, int, LetterState, ...], bool] = Letter.try_state
set_state: Callable[Concatenate[Connection, int, LetterState, ...], None] = Letter.set_state


class FolderNumbering(NamedTuple):
    """A numbering of a folder's letters."""

    account: str
    folder: str
    uidvalidity: int


class Arrival(NamedTuple):
    """A letter as the server gave it."""

    uid: int
    received: datetime
    raw: bytes | None
    outcome: LetterState


class BacklogRow(NamedTuple):
    """How many wait, and the oldest."""

    number: int
    oldest: datetime | None


def digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


# --- coming in ------------------------------------------------------------------------------------


def add(
    conn: Connection,
    place: FolderNumbering,
    arrivals: Iterable[Arrival],
    now: datetime,
    *,
    moved: bool,
) -> None:
    """Insert letters that have no row yet."""
    given = list(arrivals)
    uids = [one.uid for one in given]
    here = select(Letter.uid).filter_by(**place._asdict()).where(Letter.uid.in_(uids))
    known = set(conn.execute(here).scalars())
    rows = [_new(place, one, now, moved=moved) for one in given if one.uid not in known]
    if rows:
        conn.execute(sa.insert(Letter), rows)


def _new(place: FolderNumbering, arrival: Arrival, now: datetime, *, moved: bool) -> dict[str, Any]:
    if arrival.outcome not in NEW_LETTER:
        raise RefereeError(f"no letter comes in as {arrival.outcome}")
    raw_hash = "" if arrival.raw is None else digest(arrival.raw)
    of = {**place._asdict(), "uid": arrival.uid, "received": arrival.received, "seen": now}
    raw = {"raw": arrival.raw, "raw_hash": raw_hash}
    return {**of, **raw, "moved": moved, "outcome": arrival.outcome}


def unknown(conn: Connection, hashes: Mapping[int, str]) -> set[int]:
    """Return the UIDs whose hashes are not on file."""
    known = Letter.values(conn, Letter.raw_hash, Letter.raw_hash.in_(hashes.values()))
    return {uid for uid, one in hashes.items() if one not in known}


def forget_numbers(conn: Connection, place: FolderNumbering) -> None:
    """Forget a numbering: its UIDs will be reused."""
    old = update(Letter).filter_by(**place._asdict()).where(Letter.uid > 0)
    conn.execute(old.values(uid=-Letter.id, moved=True))


def came_again(conn: Connection, letter_id: int) -> bool:
    """Return whether the bytes are on file under another UID of the numbering; else the folder was
    renumbered."""
    first = aliased(Letter)
    same = (
        first.raw_hash == Letter.raw_hash,
        first.account == Letter.account,
        first.folder == Letter.folder,
        first.uidvalidity == Letter.uidvalidity,
        first.uid > 0,
        first.id < Letter.id,
    )
    return Letter.has(conn, *same, id=letter_id)


# --- what the server does not give ----------------------------------------------------------------


def asked_for(
    conn: Connection, account: str, most: int, since: datetime
) -> Sequence[tuple[str, int, int, int]]:
    """Return missing letters with fewer than ``most`` attempts, or seen after ``since``: folder,
    id and number there."""
    lacking = (Letter.account == account, Letter.outcome == LetterState.UNFETCHABLE, ~Letter.moved)
    again = (Letter.attempts < most) | (Letter.seen > since)
    found = select(Letter.folder, Letter.id, Letter.uid, Letter.uidvalidity)
    return conn.execute(found.where(*lacking, again)).all()


def given(conn: Connection, letter_id: int, raw: bytes, received: datetime) -> None:
    """File a letter that came at last. Dismissed ones stay so."""
    fresh = {"raw": raw, "raw_hash": digest(raw), "received": received}
    try_state(conn, letter_id, LetterState.STORED, **fresh, reason="", attempts=0)


def not_given(conn: Connection, letter_id: int, reason: str) -> bool:
    """Count a failure. Return False if another daemon got it."""
    lacking = (Letter.id == letter_id, Letter.outcome == LetterState.UNFETCHABLE)
    values = {"attempts": Letter.attempts + 1, "reason": reason}
    return conn.execute(update(Letter).where(*lacking).values(**values)).rowcount == 1


def folder_gone(conn: Connection, account: str, folder: str, most: int) -> None:
    """Count an attempt for a lost folder's letters."""
    where = (
        Letter.account == account,
        Letter.folder == folder,
        Letter.outcome == LetterState.UNFETCHABLE,
        ~Letter.moved,
        Letter.attempts < most,
    )
    values = {"attempts": Letter.attempts + 1, "reason": "its folder is gone"}
    conn.execute(update(Letter).where(*where).values(**values))


# --- afterwards -----------------------------------------------------------------------------------


def to_move(conn: Connection, account: str, folder: str) -> Sequence[tuple[int, int, int]]:
    """Return decided letters that are still there: id, and number there."""
    there = (Letter.account == account, Letter.folder == folder, ~Letter.moved)
    found = select(Letter.id, Letter.uid, Letter.uidvalidity)
    found = found.where(*there, Letter.outcome.not_in(UNDECIDED))
    return conn.execute(found.order_by(Letter.uid)).all()


def note_moved(conn: Connection, ids: Sequence[int]) -> None:
    conn.execute(update(Letter).where(Letter.id.in_(ids)).values(moved=True))


def purge(conn: Connection, until: datetime) -> None:
    """Delete bytes of letters decided before then, of no game or a published one."""
    running = select(Game.id).where(
        (Game.status != GameState.OVER) | Game.statements_until.is_not(None)
    )
    old = (Letter.decided < until, Letter.raw.is_not(None), Letter.game_id.not_in(running))
    conn.execute(update(Letter).where(*old).values(raw=None))


# --- one letter as it is on file, and what answered it --------------------------------------------


def by_receipt(conn: Connection, game_id: str, seat: str, number: int) -> int | None:
    of_seat = func.upper(Letter.seat) == seat.upper()
    return Letter.scalar(conn, Letter.id, of_seat, game_id=game_id, receipt=number)


def writers(conn: Connection, game_id: str, period: int, until: datetime) -> set[Seat]:
    """Return seats that sent a proven letter for the period by then."""
    deputy = sa.exists().where(
        Deputy.game_id == Letter.game_id,
        Deputy.seat == Letter.seat,
        Deputy.holder_id == SeatRecord.player_id,
        Deputy.player_id == Address.player_id,
    )
    counts = (
        SeatRecord.game_id == Letter.game_id,
        SeatRecord.seat == Letter.seat,
        Address.address == Letter.sender,
        (Address.player_id == SeatRecord.player_id) | deputy,
        Letter.received <= until,
        Letter.outcome.in_((LetterState.ORDERS, LetterState.COMMAND)),
    )
    found = Letter.values(conn, Letter.seat, *counts, game_id=game_id, period=period, proven=True)
    return set(found)


def answers(conn: Connection, letter_id: int, keys: Sequence[str]) -> Sequence[Outgoing]:
    """Return a letter's answers in order, also to a deputy."""
    same = (Deputy.game_id == Letter.game_id) & (Deputy.seat == Letter.seat)
    deputies = Deputy.values(conn, Deputy.id, same, Letter.id == letter_id)
    wanted = [*keys, *(f"{key}:d{one}" for key in keys for one in deputies)]
    return Outgoing.many(conn, Outgoing.key.in_(wanted))


# --- those that wait for a code or the gamesmaster ------------------------------------------------


def of_code(conn: Connection, code_hash: str) -> Letter | None:
    found = Letter.many(conn, code_hash=code_hash, order=Letter.id.desc(), most=1)
    return found[0] if found else None


def numbers(
    conn: Connection, states: Sequence[LetterState], among: Among, game_id: str | None = None
) -> dict[LetterState, int]:
    """game_id: None for all."""
    where: list[ColumnElement[bool]] = [Letter.outcome.in_(states)]
    where += [] if among.whole else [among.post(Letter.game_id, Letter.sender)]
    where += [Letter.game_id == game_id] if game_id else []
    return Letter.by(conn, Letter.outcome, *where)


def stored(conn: Connection) -> BacklogRow:
    waits = Letter.outcome == LetterState.STORED
    oldest = Letter.scalar(conn, func.min(Letter.received), waits)
    return BacklogRow(Letter.how_many(conn, waits), oldest)


def of_seat(conn: Connection, game_id: str, seat: Seat, period: int) -> Sequence[Letter]:
    """Return a seat's letters that wait for the gamesmaster or its holder's code."""
    unproven = (Letter.outcome == LetterState.UNVERIFIED) & (Letter.period == period)
    waits = unproven | (Letter.outcome == LetterState.HELD)
    return Letter.many(conn, waits, game_id=game_id, seat=seat)


def newest_orders(conn: Connection, game_id: str, seat: Seat, before: int) -> int:
    """Return the newest letter of a seat, before a given one, that was taken as orders; 0 if
    none."""
    taken = (Letter.id < before, Letter.outcome == LetterState.ORDERS)
    return Letter.scalar(conn, func.max(Letter.id), *taken, game_id=game_id, seat=seat) or 0


def held(conn: Connection, game_id: str) -> Sequence[Letter]:
    there = (Letter.seat != "", Letter.raw.is_not(None))
    return Letter.many(conn, *there, game_id=game_id, outcome=LetterState.HELD)


# --- marks of signatures that counted (:mod:`pbem.letters.copies`) --------------------------------


def first_marked(conn: Connection, marks: Collection[str], besides: int) -> Letter | None:
    """Return the first letter that counted by a mark, ``besides`` one."""
    marked = select(LetterMark.letter_id).where(LetterMark.mark.in_(marks))
    found = Letter.many(conn, Letter.id.in_(marked), Letter.id != besides, most=1)
    return found[0] if found else None


def add_marks(conn: Connection, letter_id: int, marks: Collection[str]) -> None:
    """File marks. A known mark stays."""
    for mark in sorted(set(marks)):
        LetterMark.try_add(conn, mark=mark, letter_id=letter_id)


# --- bytes of letters that prove nothing ----------------------------------------------------------


_WAITS = Letter.outcome.in_(
    (LetterState.UNVERIFIED, LetterState.HELD, LetterState.LATE, LetterState.FAILED)
)
_UNDECIDED = Letter.outcome.in_(TO_DECIDE)
_THEIRS = and_(
    Letter.raw.is_not(None),
    or_(
        Letter.proven.is_(False),
        and_(Letter.proven.is_(None), Letter.outcome == LetterState.FAILED),
    ),
)
ORDER: Sequence[ColumnElement[bool]] = (
    and_(_THEIRS, not_(_WAITS), not_(_UNDECIDED)),
    and_(_THEIRS, _WAITS),
    and_(_THEIRS, _UNDECIDED),
)
"""Deleted first: what nobody needs; what waits; undecided."""


def last_id(conn: Connection) -> int:
    return Letter.scalar(conn, func.max(Letter.id)) or 0


def unproven_bytes(conn: Connection) -> int:
    return Letter.scalar(conn, func.sum(func.length(Letter.raw)), _THEIRS) or 0


def oldest_unproven(
    conn: Connection, which: ColumnElement[bool], most: int
) -> Sequence[tuple[int, int]]:
    """Return id and size of the oldest of a kind in :data:`ORDER`."""
    found = select(Letter.id, func.length(Letter.raw)).where(which).order_by(Letter.id).limit(most)
    return [(letter_id, size) for letter_id, size in conn.execute(found)]


def drop_bytes(conn: Connection, letter_id: int, reason: str) -> None:
    """Delete its bytes. If undecided, ignore it."""
    if Letter.has(conn, id=letter_id, outcome=LetterState.STORED):
        set_state(conn, letter_id, LetterState.IGNORED, reason=reason)
    Letter.change(conn, {"id": letter_id}, raw=None)


# --- how far folders have been read ---------------------------------------------------------------


_READ = "read:"


def advance_folder(conn: Connection, place: FolderNumbering, uid: int) -> None:
    """Record that a folder is read up to ``uid``, unless another daemon read further."""
    here = update(Cursor).filter_by(**place._asdict()).where(Cursor.uid < uid)
    conn.execute(here.values(uid=uid))


def note_read(conn: Connection, account: str, until: datetime) -> None:
    """Note that all letters received by then are on file."""
    notes.set_memo(conn, _read(account), {"account": account, "until": until.isoformat()})


def read_until(conn: Connection, account: str) -> datetime | None:
    until = notes.memo(conn, _read(account)).get("until")
    return datetime.fromisoformat(until) if until else None


def _read(account: str) -> str:
    """Return the memo's key, of limited length."""
    return f"{_READ}{hashlib.sha256(account.encode()).hexdigest()}"


def forget_folders(conn: Connection) -> None:
    Cursor.drop(conn)
    conn.execute(sa.delete(Memo).where(Memo.key.startswith(_READ)))
