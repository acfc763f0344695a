"""Order sets: each letter of a seat files a new one."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.orm import Mapped

from pbem.games.frame.adjudication import canonical, reread
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import LastWord
from pbem.orders.order import Order, Standing
from pbem.store.engine.hot import Hot
from pbem.store.games.games import GameAt
from pbem.store.schema.table_base import columns, many, one
from pbem.store.schema.tables import PRESS, Game, KeptOrders, Letter, OrderSet, Suggestion

_LAST_SET = Hot(
    select(OrderSet.__table__)
    .where(
        OrderSet.game_id == bindparam("game"),
        OrderSet.period == bindparam("number"),
        OrderSet.seat == bindparam("seat"),
    )
    .order_by(OrderSet.ordinal.desc())
    .limit(1)
)


class LetterSetRow(OrderSet):
    """An order set with its letter's bytes, or None."""

    __abstract__ = True
    raw: Mapped[bytes | None]


def wrote(row: OrderSet | None) -> bool:
    """Return whether the set came by letter in its period."""
    return row is not None and (row.letter_id is not None or row.ordinal > 1)


def last_set(conn: Connection, game_id: str, period: int, seat: Seat) -> OrderSet | None:
    return one(conn, OrderSet, _LAST_SET, game=game_id, number=period, seat=seat)


def standing(conn: Connection, game: GameAt, seat: Seat) -> dict[str, Order]:
    return orders_of(game, last_set(conn, game.id, game.period.number, seat))


def orders_of(game: GameAt, row: OrderSet | None) -> dict[str, Order]:
    return reread(game.ruleset, row.orders) if row else {}


def all_standing(conn: Connection, game: GameAt) -> dict[Seat, dict[str, Order]]:
    rows = OrderSet.many(conn, game_id=game.id, period=game.period.number)
    newest = {row.seat: row for row in rows}  # they come in order
    return {seat: orders_of(game, newest[seat]) for seat in game.seats if seat in newest}


def newest_sets(conn: Connection, ids: Sequence[str]) -> dict[str, dict[Seat, OrderSet]]:
    found: dict[str, dict[Seat, OrderSet]] = {one: {} for one in ids}
    now = (Game.id == OrderSet.game_id, Game.period == OrderSet.period)
    for row in OrderSet.many(conn, OrderSet.game_id.in_(ids), *now):
        found[row.game_id][row.seat] = row
    return found


def save_orders(  # noqa: PLR0913  the columns of a row
    conn: Connection,
    game: GameAt,
    seat: Seat,
    orders: Standing,
    last: OrderSet | None,
    *,
    said: LastWord = LastWord.NOTHING,
    letter_id: int | None = None,
    now: datetime,
) -> None:
    """File a set on top of ``last``. said: READY, WAIT or neither."""
    of = {"game_id": game.id, "period": game.period.number, "seat": seat}
    words = {"wait": said is LastWord.WAIT, "ready": said is LastWord.READY}
    came = {"ordinal": last.ordinal + 1 if last else 1, "letter_id": letter_id, "at": now}
    OrderSet.add(conn, **of, **came, **words, orders=canonical(orders))


def arrived(conn: Connection, game_id: str, number: int) -> list[OrderSet]:
    """Return a period's sets by arrival."""
    order = (OrderSet.at, OrderSet.letter_id, OrderSet.seat, OrderSet.ordinal)
    return OrderSet.many(conn, game_id=game_id, period=number, order=order)


def take_back(conn: Connection, game_id: str, number: int) -> None:
    """Keep sets of later periods aside."""
    where = (OrderSet.game_id == game_id, OrderSet.period > number)
    names = [column.name for column in KeptOrders.__table__.c]
    found = select(*(OrderSet.__table__.c[name] for name in names)).where(*where)
    conn.execute(insert(KeptOrders).from_select(names, found))
    conn.execute(delete(OrderSet).where(*where))


def kept(conn: Connection, game_id: str, after: int) -> list[OrderSet]:
    """Return the sets kept aside, by arrival, without READY and WAIT."""
    names = ("period", "at", "letter_id", "seat", "ordinal")
    order = tuple(KeptOrders.__table__.c[name] for name in names)
    rows = KeptOrders.many(conn, KeptOrders.period > after, game_id=game_id, order=order)
    return [OrderSet(**row._asdict()) for row in rows]


def with_letters(conn: Connection, game_id: str, period: int, seat: Seat) -> Sequence[LetterSetRow]:
    """Return a seat's sets with their letters' bytes, oldest first."""
    query = (
        select(*columns(LetterSetRow, OrderSet, Letter))
        .outerjoin(Letter, Letter.id == OrderSet.letter_id)
        .where(OrderSet.game_id == game_id, OrderSet.period == period, OrderSet.seat == seat)
        .order_by(OrderSet.ordinal)
    )
    return many(conn, LetterSetRow, query)


def suggest(
    conn: Connection,
    game: GameAt,
    seat: Seat,
    letter_id: int,
    lines: Sequence[tuple[str, int]],
    orders: Sequence[str],
) -> None:
    """File what the receipt of a letter suggests, each with the letter that said it, or 0.

    lines: first a slate that lacks some offices, or "". orders: the seat's, as they then stand.
    """
    if Suggestion.many(conn, letter_id=letter_id):
        return
    now = {"edition": game.row.edition, "period": game.period.number, "orders": list(orders)}
    of = {"letter_id": letter_id, "game_id": game.id, "seat": seat, **now}
    for number, (line, said_by) in enumerate(lines):
        if line:
            Suggestion.add(conn, **of, number=number, line=line, answered=said_by or None)


def _unanswered(conn: Connection, game: GameAt, seat: Seat) -> list[Suggestion]:
    rows, now = Suggestion.many(conn, game_id=game.id, seat=seat, answered=None), game.period
    return [row for row in rows if (row.edition, row.period) == (game.row.edition, now.number)]


def unanswered(
    conn: Connection, game: GameAt, seat: Seat, before: int
) -> list[tuple[str, Sequence[str]]]:
    """Return what this period's receipts suggested once, and nobody said yes to, with the orders
    that stood. before: a letter; what came after it is left out."""
    rows = [row for row in _unanswered(conn, game, seat) if row.number and not row.is_press]
    often = Counter(row.line for row in rows)
    return [(r.line, r.orders) for r in rows if r.letter_id < before and often[r.line] == 1]


def begun(conn: Connection, game: GameAt, seat: Seat, word: str, orders: Sequence[str]) -> str:
    """Return the newest order with a word that this period's receipts suggested or showed begun,
    and nobody said yes to, or "". orders: the seat's; what came before one of that word is past."""
    own = f"{word} "
    stands = [one for one in orders if one.startswith(own)]
    lines = {
        row.letter_id: row.line
        for row in _unanswered(conn, game, seat)
        if row.line.startswith(own) and [one for one in row.orders if one.startswith(own)] == stands
    }
    return lines[max(lines)] if lines else ""


def answer_suggestions(
    conn: Connection, rows: Sequence[Suggestion], letter_id: int, orders: Sequence[str]
) -> None:
    """Note that a letter said yes to suggestions of a receipt. orders: the seat's, as they then
    stand; others stay open."""
    of_receipt = update(Suggestion).where(Suggestion.letter_id == rows[0].letter_id)
    conn.execute(of_receipt.values(orders=list(orders)))
    said = of_receipt.where(Suggestion.number.in_([row.number for row in rows]))
    conn.execute(said.values(answered=letter_id))


def said_by(conn: Connection, letter_id: int) -> str:
    """Return the orders that a letter's yes stands for, or ""."""
    own, order = ~Suggestion.line.startswith(PRESS), Suggestion.number
    return "\n".join(Suggestion.values(conn, Suggestion.line, own, order=order, answered=letter_id))
