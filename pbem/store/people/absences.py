"""Statements on absences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import Connection, insert, select

from pbem.games.frame.events import Seat
from pbem.store.games.game_rows import AbsenceRow
from pbem.store.schema.tables import Absence

_ROWS = select(Absence.seat, Absence.player_id, Absence.first, Absence.last, Absence.at)


def book(
    conn: Connection,
    game_id: str,
    seat: Seat,
    player_id: int,
    days: tuple[date, date],
    now: datetime,
) -> None:
    """days: first and last."""
    row = {"game_id": game_id, "seat": seat, "player_id": player_id, "at": now}
    conn.execute(insert(Absence).values(**row, first=days[0], last=days[1]))


def of_game(conn: Connection, game_id: str) -> Sequence[AbsenceRow]:
    """Return them by first day."""
    found = _ROWS.where(Absence.game_id == game_id).order_by(Absence.first, Absence.id)
    return [AbsenceRow._make(row) for row in conn.execute(found)]


def of_games(conn: Connection, ids: Sequence[str]) -> dict[str, list[AbsenceRow]]:
    found = _ROWS.add_columns(Absence.game_id).where(Absence.game_id.in_(ids))
    booked: dict[str, list[AbsenceRow]] = {}
    for *row, game_id in conn.execute(found.order_by(Absence.first, Absence.id)):
        booked.setdefault(game_id, []).append(AbsenceRow(*row))
    return booked
