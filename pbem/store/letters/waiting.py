"""Letters that wait for a code or the gamesmaster."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Select, func, select

from pbem.games.frame.events import Seat
from pbem.letters.addresses import GAMESMASTER
from pbem.letters.states import LetterState
from pbem.store.engine.among import Among
from pbem.store.letters.letter_rows import BacklogRow
from pbem.store.schema.table_base import many, one
from pbem.store.schema.tables import Deputy, Letter, Outgoing


def of_code(conn: Connection, code_hash: str) -> Letter | None:
    found = select(Letter.__table__).where(Letter.code_hash == code_hash)
    return one(conn, Letter, found.order_by(Letter.id.desc()))


def numbers(
    conn: Connection, states: Sequence[LetterState], among: Among, game_id: str | None = None
) -> dict[LetterState, int]:
    """game_id: None for all."""
    found = _seen(among, game_id).where(Letter.outcome.in_(states)).group_by(Letter.outcome)
    counted = conn.execute(found.with_only_columns(Letter.outcome, func.count()))
    return {state: number for state, number in counted}  # noqa: C416  rows are no pairs to mypy


def _seen(among: Among, game_id: str | None) -> Select[int]:
    found = select(Letter.id)
    if not among.whole:
        found = found.where(among.post(Letter.game_id, Letter.sender))
    return found.where(Letter.game_id == game_id) if game_id else found


def stored(conn: Connection) -> BacklogRow:
    found = select(func.count(Letter.id), func.min(Letter.received)).where(
        Letter.outcome == LetterState.STORED
    )
    return BacklogRow(*conn.execute(found).one())


def of_seat(conn: Connection, game_id: str, seat: Seat, period: int) -> Sequence[Letter]:
    """Return a seat's letters that wait for the gamesmaster or its holder's code."""
    unproven = (Letter.outcome == LetterState.UNVERIFIED) & (Letter.period == period)
    found = (
        select(Letter.__table__)
        .where(Letter.game_id == game_id, Letter.seat == seat)
        .where(unproven | (Letter.outcome == LetterState.HELD))
        .order_by(Letter.id)
    )
    return many(conn, Letter, found)


def newest_orders(conn: Connection, game_id: str, seat: Seat, before: int) -> int:
    """Return the newest letter of a seat, before a given one, that was taken as orders; 0 if
    none."""
    found = select(func.max(Letter.id)).where(
        Letter.game_id == game_id,
        Letter.seat == seat,
        Letter.outcome == LetterState.ORDERS,
        Letter.id < before,
    )
    return conn.execute(found).scalar() or 0


def commands_of(conn: Connection, sender: str, most: int) -> Sequence[Letter]:
    """Return a gamesmaster's newest commands that wait for a proof, or since a restore."""
    where = (
        Letter.outcome.in_((LetterState.UNVERIFIED, LetterState.HELD)),
        Letter.seat == GAMESMASTER,
        Letter.sender == sender,
    )
    found = select(Letter.__table__).where(*where).order_by(Letter.id.desc())
    return many(conn, Letter, found.limit(most))


def unproven(conn: Connection, ids: Collection[int], period: int) -> set[int]:
    """Return those that wait for a code in a period."""
    where = (
        Letter.id.in_(ids),
        Letter.outcome == LetterState.UNVERIFIED,
        Letter.period == period,
    )
    return set(conn.execute(select(Letter.id).where(*where)).scalars())


def held(conn: Connection, game_id: str) -> Sequence[Letter]:
    where = (
        Letter.game_id == game_id,
        Letter.outcome == LetterState.HELD,
        Letter.seat != "",
        Letter.raw.is_not(None),
    )
    found = select(Letter.__table__).where(*where).order_by(Letter.id)
    return many(conn, Letter, found)


# --- mails that answered a letter -----------------------------------------------------------------


def answers(conn: Connection, letter_id: int, keys: Sequence[str]) -> Sequence[Outgoing]:
    """Return a letter's answers in order, also to a deputy."""
    same = (Deputy.game_id == Letter.game_id) & (Deputy.seat == Letter.seat)
    found = select(Deputy.id).join(Letter, same).where(Letter.id == letter_id)
    deputies = conn.execute(found).scalars().all()
    wanted = [*keys, *(f"{key}:d{one}" for key in keys for one in deputies)]
    rows = select(Outgoing.__table__).where(Outgoing.key.in_(wanted)).order_by(Outgoing.id)
    return many(conn, Outgoing, rows)
