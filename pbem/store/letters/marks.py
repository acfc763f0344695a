"""Marks of signatures that counted (:mod:`pbem.letters.copies`)."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, insert, select

from pbem.store.letters.letter_rows import CopyRow
from pbem.store.schema.tables import Letter, LetterMark


def first(conn: Connection, marks: Collection[str], besides: int) -> CopyRow | None:
    """Return the first letter that counted by a mark, ``besides`` one."""
    found = (
        select(Letter.id, Letter.raw_hash, Letter.game_id, Letter.seat)
        .join(LetterMark, LetterMark.letter_id == Letter.id)
        .where(LetterMark.mark.in_(marks), Letter.id != besides)
        .order_by(Letter.id)
        .limit(1)
    )
    row = conn.execute(found).first()
    return CopyRow._make(row) if row else None


def add(conn: Connection, letter_id: int, marks: Collection[str]) -> None:
    """File marks. A known mark stays."""
    if not marks:
        return
    known = select(LetterMark.mark).where(LetterMark.mark.in_(marks))
    new = sorted(set(marks).difference(conn.execute(known).scalars()))
    if new:
        conn.execute(insert(LetterMark), [{"mark": one, "letter_id": letter_id} for one in new])
