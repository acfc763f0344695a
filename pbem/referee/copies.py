"""What makes two letters one: the same writer, Message-ID and body."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.orm import aliased

from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.store.records import Letter as LetterRow

_WITHOUT_EFFECT = (
    LetterState.UNVERIFIED,
    LetterState.UNKNOWN_SENDER,
    LetterState.IGNORED,
    LetterState.QUARANTINE,
)
"""What became of these did nothing, and a copy with the proof that they lacked is no second
letter."""
_COPY = aliased(LetterRow)
_IS_COPY = (_COPY.effect == bindparam("effect")) | (
    (_COPY.effect == bindparam("former")) & (_COPY.sender == bindparam("writer"))
)
"""Rows of the time before the writer was in the effect keep the former one, and are told apart by
their sender."""
KNOWN = select(_COPY.id).where(_IS_COPY, _COPY.id != LetterRow.id).exists().label("known")
DOUBTED = (
    select(func.max(_COPY.id))
    .where(_IS_COPY, _COPY.outcome.in_(_WITHOUT_EFFECT), _COPY.raw_hash != LetterRow.raw_hash)
    .scalar_subquery()
    .label("doubted")
)
"""Whether a letter has come before, and as which one without effect, by other bytes; columns for a
query with :func:`copied`."""
FIRST = (
    select(_COPY.id, _COPY.raw_hash, _COPY.game_id, _COPY.seat)
    .where(_IS_COPY)
    .order_by(_COPY.id)
    .limit(1)
)


def effect(letter: Letter) -> str:
    """What makes two letters one: writer, Message-ID and body; without a Message-ID the whole
    bytes."""
    return _digest(letter, f"{letter.sender or ''}\n")


def _digest(letter: Letter, writer: str) -> str:
    seed = (
        f"{writer}{letter.message_id}\n{letter.body_hash}" if letter.message_id else letter.raw_hash
    )
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()


def copied(letter: Letter) -> dict[str, str]:
    """By what the copies of a letter are found."""
    return {
        "effect": effect(letter),
        "former": _digest(letter, ""),
        "writer": (letter.sender or "")[:254],
    }


def on_file(conn: Connection, letter: Letter) -> bool:
    """Whether a letter is a copy of one that is stored."""
    return conn.execute(FIRST, copied(letter)).first() is not None
