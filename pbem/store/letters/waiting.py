"""Statements about letters that wait for a person: for the code of their writer, or for the
gamesmaster."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection, Select, func, select, update

from pbem.games.frame.events import Seat
from pbem.letters.registered import GAMESMASTER
from pbem.letters.states import LetterState
from pbem.store.engine.among import Among
from pbem.store.letters.letter_rows import (
    BacklogRow,
    HeldRow,
    LetterStateRow,
    QueueRow,
    SeatLetterRow,
)
from pbem.store.schema.tables import Game, Letter

_STATE = select(
    Letter.id,
    Letter.outcome,
    Letter.game_id,
    Letter.seat,
    Letter.sender,
    Letter.authentication,
    Letter.attempts,
    Letter.decided.is_not(None),
    Letter.raw.is_(None),
    Game.status,
).outerjoin(Game, Game.id == Letter.game_id)


def state_of(conn: Connection, letter_id: int) -> LetterStateRow | None:
    """Return how it stands with a letter; None if there is none."""
    row = conn.execute(_STATE.where(Letter.id == letter_id)).first()
    return LetterStateRow._make(row) if row else None


def of_code(conn: Connection, code_hash: str) -> LetterStateRow | None:
    """Return how it stands with the newest letter that has ever waited for a code; None if none
    did."""
    found = _STATE.where(Letter.code_hash == code_hash).order_by(Letter.id.desc())
    row = conn.execute(found).first()
    return LetterStateRow._make(row) if row else None


def newest(
    conn: Connection, states: Sequence[LetterState], among: Among, most: int, game_id: str = ""
) -> Sequence[QueueRow]:
    """The newest letters in one of the states that somebody may see, newest first; of one game, or
    of all ("")."""
    chosen = _seen(among, game_id).where(Letter.outcome.in_(states))
    found = (
        select(
            Letter.id,
            Letter.outcome,
            Letter.reason,
            Letter.sender,
            Letter.game_id,
            Letter.seat,
            Letter.period,
            Letter.received,
            Game.status,
            Game.restored_to,
            Game.restored_until,
        )
        .outerjoin(Game, Game.id == Letter.game_id)
        .where(Letter.id.in_(chosen.order_by(Letter.id.desc()).limit(most)))
        .order_by(Letter.id.desc())
    )
    return [QueueRow._make(row) for row in conn.execute(found)]


def numbers(
    conn: Connection, states: Sequence[LetterState], among: Among, game_id: str = ""
) -> dict[LetterState, int]:
    """Return how many letters of each of the states somebody may see; of one game, or of all
    ("")."""
    found = _seen(among, game_id).where(Letter.outcome.in_(states)).group_by(Letter.outcome)
    counted = conn.execute(found.with_only_columns(Letter.outcome, func.count()))
    return {state: number for state, number in counted}  # noqa: C416  rows are no pairs to mypy


def _seen(among: Among, game_id: str) -> Select[int]:
    found = select(Letter.id)
    if not among.whole:
        found = found.where(among.post(Letter.game_id, Letter.sender))
    return found.where(Letter.game_id == game_id) if game_id else found


def stored(conn: Connection) -> BacklogRow:
    """The letters that are stored and not decided."""
    found = select(func.count(Letter.id), func.min(Letter.received)).where(
        Letter.outcome == LetterState.STORED
    )
    return BacklogRow._make(conn.execute(found).one())


def of_seat(conn: Connection, game_id: str, seat: Seat, period: int) -> Sequence[SeatLetterRow]:
    """Return the seat's waiting letters in the order first seen: those for the gamesmaster, and
    those for the code of the seat's holder in this period."""
    unproven = (Letter.outcome == LetterState.UNVERIFIED) & (Letter.period == period)
    found = (
        select(Letter.received, Letter.outcome)
        .where(Letter.game_id == game_id, Letter.seat == seat)
        .where(unproven | (Letter.outcome == LetterState.HELD))
        .order_by(Letter.id)
    )
    return [SeatLetterRow._make(row) for row in conn.execute(found)]


def set_code(conn: Connection, letter_id: int, code_hash: str) -> None:
    """The code that confirms a letter."""
    conn.execute(update(Letter).where(Letter.id == letter_id).values(code_hash=code_hash))


def by_code(conn: Connection, code_hash: str) -> int | None:
    """Return the letter that waits for a code; None if none does."""
    where = (
        Letter.code_hash == code_hash,
        Letter.outcome.in_((LetterState.UNVERIFIED, LetterState.HELD)),
        Letter.raw.is_not(None),
    )
    return conn.execute(select(Letter.id).where(*where)).scalar()


def commands_by_code(conn: Connection, code_hash: str) -> datetime | None:
    """Return when the gamesmaster's letter came that waits for a code; None if none does."""
    where = (
        Letter.code_hash == code_hash,
        Letter.outcome == LetterState.UNVERIFIED,
        Letter.seat == GAMESMASTER,
    )
    return conn.execute(select(Letter.received).where(*where)).scalar()


def unproven(conn: Connection, ids: Collection[int], period: int) -> set[int]:
    """Of some letters those that still wait for a code, in a period."""
    where = (
        Letter.id.in_(ids),
        Letter.outcome == LetterState.UNVERIFIED,
        Letter.period == period,
    )
    return set(conn.execute(select(Letter.id).where(*where)).scalars())


def held(conn: Connection, game_id: str) -> Sequence[HeldRow]:
    """Return the letters of a game's seats that the gamesmaster is to look at, in the order of
    first sight."""
    where = (
        Letter.game_id == game_id,
        Letter.outcome == LetterState.HELD,
        Letter.seat != "",
        Letter.raw.is_not(None),
    )
    found = select(Letter.id, Letter.received, Letter.period).where(*where).order_by(Letter.id)
    return [HeldRow._make(row) for row in conn.execute(found)]
