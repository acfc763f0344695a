"""Bytes of letters that prove nothing. Rows stay."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, func, not_, or_, select, update

from pbem.letters.states import TO_DECIDE, LetterState
from pbem.store.letters import letters
from pbem.store.schema.tables import Letter

_WAITING = (LetterState.UNVERIFIED, LetterState.HELD, LetterState.LATE, LetterState.FAILED)
_UNDECIDED = Letter.outcome.in_(TO_DECIDE)
_THEIRS = and_(
    Letter.raw.is_not(None),
    or_(
        Letter.proven.is_(False),
        and_(Letter.proven.is_(None), Letter.outcome == LetterState.FAILED),
    ),
)
_WAITS = Letter.outcome.in_(_WAITING)
ORDER: Sequence[ColumnElement[bool]] = (
    and_(_THEIRS, not_(_WAITS), not_(_UNDECIDED)),
    and_(_THEIRS, _WAITS),
    and_(_THEIRS, _UNDECIDED),
)
"""Deleted first: what nobody needs; what waits; undecided."""


def last(conn: Connection) -> int:
    return conn.execute(select(func.max(Letter.id))).scalar() or 0


def total(conn: Connection) -> int:
    found = select(func.coalesce(func.sum(func.length(Letter.raw)), 0)).where(_THEIRS)
    return int(conn.execute(found).scalar_one())


def oldest(conn: Connection, which: ColumnElement[bool], most: int) -> Sequence[tuple[int, int]]:
    """Return id and size of the oldest of a kind in :data:`ORDER`."""
    found = select(Letter.id, func.length(Letter.raw)).where(which).order_by(Letter.id).limit(most)
    return [(letter_id, size) for letter_id, size in conn.execute(found)]


def drop(conn: Connection, letter_id: int, reason: str) -> None:
    """Delete its bytes. If undecided, ignore it."""
    state = select(Letter.outcome).where(Letter.id == letter_id)
    if conn.execute(state).scalar() == LetterState.STORED:
        letters.set_state(conn, letter_id, LetterState.IGNORED, reason=reason)
    conn.execute(update(Letter).where(Letter.id == letter_id).values(raw=None))
