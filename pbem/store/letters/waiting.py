"""Letters that wait for a code or the gamesmaster."""

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Connection, func, select

from pbem.games.frame.events import Seat
from pbem.letters.states import LetterState
from pbem.store.engine.among import Among
from pbem.store.letters.letter_rows import BacklogRow
from pbem.store.schema.table_base import many
from pbem.store.schema.tables import Deputy, Letter, Outgoing


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
    waits = {"outcome": LetterState.STORED}
    oldest = Letter.scalar(conn, func.min(Letter.received), **waits)
    return BacklogRow(Letter.how_many(conn, **waits), oldest)


def of_seat(conn: Connection, game_id: str, seat: Seat, period: int) -> Sequence[Letter]:
    """Return a seat's letters that wait for the gamesmaster or its holder's code."""
    unproven = (Letter.outcome == LetterState.UNVERIFIED) & (Letter.period == period)
    waits = unproven | (Letter.outcome == LetterState.HELD)
    return Letter.many(conn, waits, game_id=game_id, seat=seat)


def newest_orders(conn: Connection, game_id: str, seat: Seat, before: int) -> int:
    """Return the newest letter of a seat, before a given one, that was taken as orders; 0 if
    none."""
    of = {"game_id": game_id, "seat": seat, "outcome": LetterState.ORDERS}
    return Letter.scalar(conn, func.max(Letter.id), Letter.id < before, **of) or 0


def unproven(conn: Connection, ids: Collection[int], period: int) -> set[int]:
    """Return those that wait for a code in a period."""
    waits = (Letter.id.in_(ids), Letter.outcome == LetterState.UNVERIFIED)
    return set(Letter.values(conn, Letter.id, *waits, period=period))


def held(conn: Connection, game_id: str) -> Sequence[Letter]:
    there = (Letter.seat != "", Letter.raw.is_not(None))
    return Letter.many(conn, *there, game_id=game_id, outcome=LetterState.HELD)


# --- mails that answered a letter -----------------------------------------------------------------


def answers(conn: Connection, letter_id: int, keys: Sequence[str]) -> Sequence[Outgoing]:
    """Return a letter's answers in order, also to a deputy."""
    same = (Deputy.game_id == Letter.game_id) & (Deputy.seat == Letter.seat)
    found = select(Deputy.id).join(Letter, same).where(Letter.id == letter_id)
    deputies = conn.execute(found).scalars().all()
    wanted = [*keys, *(f"{key}:d{one}" for key in keys for one in deputies)]
    rows = select(Outgoing.__table__).where(Outgoing.key.in_(wanted)).order_by(Outgoing.id)
    return many(conn, Outgoing, rows)
