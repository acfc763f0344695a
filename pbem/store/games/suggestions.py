"""Orders that receipts suggested, and which letter said yes to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.games.games import GameAt
from pbem.store.schema.tables import Suggestion

_PRESS = "PRESS TO "


class SuggestionRow(NamedTuple):
    """One suggestion of a receipt."""

    letter_id: int
    number: int
    game_id: str
    seat: Seat
    edition: int
    period: int
    orders: list[str]
    line: str
    answered: int | None

    @property
    def is_press(self) -> bool:
        """Whether it is press that was held, from PRESS TO to END PRESS."""
        return self.line.startswith(_PRESS)

    @property
    def called(self) -> str:
        return self.line.partition("\n")[0]


_OF_SEAT = (
    select(Suggestion.__table__)
    .where(Suggestion.game_id == bindparam("game"), Suggestion.seat == bindparam("seat"))
    .order_by(Suggestion.letter_id, Suggestion.number)
)
_TAKEN = Hot(
    select(Suggestion.line)
    .where(Suggestion.answered == bindparam("letter"), ~Suggestion.line.startswith(_PRESS))
    .order_by(Suggestion.number)
)


def add(
    conn: Connection,
    at: GameAt,
    seat: Seat,
    letter_id: int,
    lines: Sequence[str],
    orders: Sequence[str],
) -> None:
    """File what the receipt of a letter suggests. orders: the seat's, as they then stand."""
    rows = [
        SuggestionRow(
            letter_id,
            number,
            at.id,
            seat,
            at.game.edition,
            at.period.number,
            list(orders),
            line,
            None,
        )._asdict()
        for number, line in enumerate(lines, 1)
    ]
    known = select(Suggestion.number).where(Suggestion.letter_id == letter_id)
    if rows and not conn.execute(known).first():
        conn.execute(insert(Suggestion), rows)


def of_seat(conn: Connection, game_id: str, seat: Seat) -> list[SuggestionRow]:
    rows = conn.execute(_OF_SEAT, {"game": game_id, "seat": seat})
    return [SuggestionRow._make(row) for row in rows]


def answer(
    conn: Connection, rows: Sequence[SuggestionRow], letter_id: int, orders: Sequence[str]
) -> None:
    """Note that a letter said yes to suggestions of a receipt. orders: the seat's, as they then
    stand; others stay open."""
    of_receipt = update(Suggestion).where(Suggestion.letter_id == rows[0].letter_id)
    conn.execute(of_receipt.values(orders=list(orders)))
    said = of_receipt.where(Suggestion.number.in_([row.number for row in rows]))
    conn.execute(said.values(answered=letter_id))


def said_by(conn: Connection, letter_id: int) -> str:
    """Return the orders that a letter's yes stands for, or ""."""
    return "\n".join(str(line) for (line,) in _TAKEN.all(conn, {"letter": letter_id}))
