"""A held letter takes effect in the place of its receipt: orders of a seat are folded in the order of first sight.

What a seat sent after a letter that is believed only now still comes after it, so that an old letter, once confirmed,
never wins over a newer one.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from pbem import sandbox
from pbem.adjudication import take
from pbem.limits import Limits
from pbem.mailwords import peel
from pbem.orders import Order, Standing
from pbem.records import Letter, OrderSet
from pbem.ruleset import Seat
from pbem.store import Table


@dataclass(frozen=True, slots=True)
class Place:
    """What stood before a letter, and the texts that came after it: letters', or the gamesmaster's for the seat."""

    before: dict[str, Order]
    later: tuple[str, ...]


def place(conn: Connection, at: Table, seat: Seat, letter_id: int, limits: Limits) -> Place:
    """The place of a letter among the order sets of its seat and period."""
    rows = conn.execute(
        select(OrderSet.orders, OrderSet.letter_id, Letter.raw).outerjoin(Letter, Letter.id == OrderSet.letter_id)
        .where(OrderSet.game_id == at.id, OrderSet.period == at.period.number, OrderSet.seat == seat)
        .order_by(OrderSet.ordinal)
    ).all()  # fmt: skip
    texts: list[tuple[int, str]] = []
    newest = 0  # orders without a letter (the gamesmaster's) come after every letter seen until then
    for row in rows:
        newest = max(newest, row.letter_id or 0)
        orders = "\n".join(row.orders)
        text = peel(sandbox.read_guarded(row.raw, limits).text).text if row.raw is not None else orders
        texts.append((row.letter_id or newest, text))
    texts.sort(key=lambda one: one[0])
    earlier = tuple(text for number, text in texts if number < letter_id)
    return Place(folded(at, seat, {}, earlier), tuple(text for number, text in texts if number > letter_id))


def folded(at: Table, seat: Seat, standing: Standing, texts: tuple[str, ...]) -> dict[str, Order]:
    """What stands once the texts have been taken on top of ``standing``."""
    now = dict(standing)
    for text in texts:
        now = take(at.ruleset, at.state, seat, text, now).standing
    return now
