"""Undecided letters; what each of them asks is compiled once."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, func, not_, or_, select, update
from sqlalchemy.orm import aliased

from pbem.errors import RefereeError
from pbem.games.frame.events import Seat
from pbem.letters.copies import Likeness
from pbem.letters.states import TO_DECIDE, LetterState
from pbem.store.engine.hot import Hot
from pbem.store.schema.table_base import columns, many, one
from pbem.store.schema.tables import Letter


class LetterRow(NamedTuple):
    """A letter being decided."""

    id: int
    folder: str
    received: datetime
    seen: datetime
    outcome: LetterState
    authentication: str
    period: int
    game_id: str
    seat: Seat
    receipt: int | None
    known: bool
    """Whether it copies another."""
    doubted: int | None
    """The newest copy with other bytes and no effect."""


class RawRow(NamedTuple):
    """A letter's bytes. This attempt is counted."""

    id: int
    raw: bytes
    attempts: int


_UNTAKEN = (
    LetterState.UNVERIFIED,
    LetterState.UNKNOWN_SENDER,
    LetterState.IGNORED,
    LetterState.QUARANTINE,
)
"""After these a copy that has the proof they lacked counts."""
_COPY = aliased(Letter)
_IS_COPY = (
    (_COPY.effect == bindparam("effect"))
    | (_COPY.effect == bindparam("spaced"))
    | ((_COPY.effect == bindparam("former")) & (_COPY.sender == bindparam("writer")))
)
"""Old rows keep their effect (:class:`pbem.letters.copies.Likeness`)."""
_KNOWN = select(_COPY.id).where(_IS_COPY, _COPY.id != Letter.id).exists()
_DOUBTED = (
    select(func.max(_COPY.id))
    .where(
        _IS_COPY,
        or_(*(_COPY.outcome == one for one in _UNTAKEN)),
        _COPY.raw_hash != Letter.raw_hash,
    )
    .scalar_subquery()
)
_FIRST = select(*columns(Letter, _COPY)).where(_IS_COPY).order_by(_COPY.id).limit(1)
_EARLIER = (
    select(Letter.id)
    .where(
        Letter.sender == bindparam("writer"),
        Letter.decided > bindparam("since"),
        Letter.proven == bindparam("proven"),
    )
    .limit(bindparam("share"))
    .subquery()
)
_HAD = Hot(select(func.count()).select_from(_EARLIER))
_LETTER = select(*columns(LetterRow, Letter, known=_KNOWN, doubted=_DOUBTED)).where(
    Letter.id == bindparam("letter")
)
_LOCKED = Hot(_LETTER.with_for_update(of=Letter))
_TO_DECIDE = or_(*(Letter.outcome == one for one in TO_DECIDE))
_OPEN = (_TO_DECIDE, Letter.raw.is_not(None))
_WAITING = (
    select(Letter.id, Letter.attempts)
    .where(*_OPEN, Letter.id > bindparam("after"))
    .order_by(Letter.id)
    .limit(bindparam("most"))
)
_NEXT = Hot(_WAITING)
_FRESH = (
    select(Letter.id, func.substr(Letter.raw, 1, bindparam("bytes")))
    .where(*_OPEN, Letter.attempts == 0)
    .order_by(Letter.id)
    .limit(bindparam("most"))
)


def after(
    conn: Connection, letter_id: int, most: int, without: Sequence[tuple[str, bool]] = ()
) -> Sequence[tuple[int, int]]:
    """Return undecided letters after this one, with attempts; but those known to be of the senders
    and proof in ``without``."""
    given = {"after": letter_id, "most": most}
    if without:
        waits = (and_(Letter.sender == one, Letter.proven.is_(proven)) for one, proven in without)
        return conn.execute(_WAITING.where(not_(or_(*waits))), given).all()
    return [(number, attempts) for number, attempts in _NEXT.all(conn, given)]


def bytes_of(conn: Connection, letter_id: int) -> bytes:
    """Return b"" without any."""
    return Letter.scalar(conn, Letter.raw, id=letter_id) or b""


def fresh(conn: Connection, most: int, head: int) -> Sequence[tuple[int, bytes]]:
    """Return id and first bytes of untried letters."""
    rows = conn.execute(_FRESH, {"most": most, "bytes": head})
    return [(letter_id, bytes(head)) for letter_id, head in rows]


def sated(conn: Connection, since: datetime, share: int) -> Sequence[tuple[str, bool]]:
    """Return senders who used up their ``share``, and whether of letters with proof."""
    waiting = select(Letter.sender).where(_TO_DECIDE, Letter.sender != "")
    had = (Letter.sender.in_(waiting), Letter.decided > since, Letter.proven.is_not(None))
    of = (Letter.sender, Letter.proven)
    found = select(*of).where(*had).group_by(*of).having(func.count() >= share)
    return [(sender, bool(proven)) for sender, proven in conn.execute(found)]


def had(conn: Connection, writer: str, since: datetime, share: int, *, proven: bool) -> int:
    """Return the number of a writer's letters decided with or without proof, up to ``share``."""
    given = {"writer": writer, "since": since, "share": share, "proven": proven}
    ((number,),) = _HAD.all(conn, given)
    return int(number)


def tried(conn: Connection, ids: Sequence[int], *, wait: bool) -> Sequence[RawRow]:
    """Count an attempt and return the bytes. wait: for letters that another daemon decides."""
    found = select(Letter.id, Letter.raw, Letter.attempts).where(Letter.id.in_(ids), *_OPEN)
    # in the order of locking, so that daemons cannot deadlock
    free = found.order_by(Letter.id).with_for_update(key_share=True, skip_locked=not wait)
    rows = many(conn, RawRow, free)
    begun = update(Letter).where(Letter.id.in_([row.id for row in rows]))
    conn.execute(begun.values(attempts=Letter.attempts + 1))
    return rows


def of(conn: Connection, ids: Sequence[int]) -> Sequence[int]:
    """Return the undecided ones."""
    return Letter.values(conn, Letter.id, Letter.id.in_(ids), *_OPEN)


def abandoned(conn: Connection, ids: Sequence[int]) -> bool:
    """Return whether any is undecided and not locked by another daemon."""
    left = select(Letter.id).where(Letter.id.in_(ids), *_OPEN).limit(1)
    free = left.with_for_update(read=True, key_share=True, skip_locked=True)
    return conn.execute(free).first() is not None


def attempts_ended(conn: Connection, ids: Sequence[int]) -> None:
    """Take back the attempt at undecided letters. ids: locked by :func:`tried`."""
    begun = (Letter.id.in_(ids), *_OPEN, Letter.attempts > 0)
    conn.execute(update(Letter).where(*begun).values(attempts=Letter.attempts - 1))


def letter(conn: Connection, letter_id: int, like: Likeness) -> LetterRow:
    """Lock the row."""
    row = one(conn, LetterRow, _LOCKED, letter=letter_id, **like._asdict())
    if row is None:
        raise RefereeError(f"there is no letter {letter_id}")
    return row


def first_copy(conn: Connection, like: Likeness) -> Letter | None:
    return one(conn, Letter, _FIRST, **like._asdict())
