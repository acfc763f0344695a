"""The bytes of letters that prove nothing: how many there are, and which are deleted first.

A letter's row stays, with outcome and reason.
"""

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
_WAITS = or_(Letter.outcome.in_(_WAITING), Letter.owed != "")
ORDER: Sequence[ColumnElement[bool]] = (
    and_(_THEIRS, not_(_WAITS), not_(_UNDECIDED)),
    and_(_THEIRS, _WAITS),
    and_(_THEIRS, _UNDECIDED),
)
"""The bytes that go first: those nobody needs any more; then those of letters that wait for
somebody's word or for an answer; then those of letters that are not decided yet."""


def last(conn: Connection) -> int:
    """Return the number of the newest letter; 0 if there is none."""
    return conn.execute(select(func.max(Letter.id))).scalar() or 0


def total(conn: Connection) -> int:
    """Return how many bytes there are."""
    found = select(func.coalesce(func.sum(func.length(Letter.raw)), 0)).where(_THEIRS)
    return int(conn.execute(found).scalar_one())


def oldest(conn: Connection, which: ColumnElement[bool], most: int) -> Sequence[tuple[int, int]]:
    """Return the oldest letters of a kind in :data:`ORDER`: number and size of each."""
    found = select(Letter.id, func.length(Letter.raw)).where(which).order_by(Letter.id).limit(most)
    return [(letter_id, size) for letter_id, size in conn.execute(found)]


def drop(conn: Connection, letter_id: int, reason: str) -> None:
    """Drop the bytes of a letter. One that is not decided yet is ignored for this ``reason``."""
    state = select(Letter.outcome).where(Letter.id == letter_id)
    if conn.execute(state).scalar() == LetterState.STORED:
        letters.set_state(conn, letter_id, LetterState.IGNORED, reason=reason)
    conn.execute(update(Letter).where(Letter.id == letter_id).values(raw=None, owed=""))
