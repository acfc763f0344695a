"""Ballots and players' statements."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite has the same syntax

from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import BallotRow, StatementRow
from pbem.store.schema.tables import Ballot, Game, Statement

# for every letter
_BALLOTS = Hot(
    select(Ballot.seat, Ballot.shared, Ballot.letter_id).where(Ballot.game_id == bindparam("game"))
)


def ballots(conn: Connection, game_id: str) -> dict[Seat, BallotRow]:
    """Return all, withdrawn ones too."""
    return {seat: BallotRow(*rest) for seat, *rest in _BALLOTS.all(conn, {"game": game_id})}


def set_ballot(
    conn: Connection, game_id: str, seat: Seat, ballot: BallotRow, now: datetime
) -> None:
    values = {"shared": ballot.shared, "letter_id": ballot.letter_id, "at": now}
    made = upsert(Ballot).values(game_id=game_id, seat=seat, **values)
    conn.execute(
        made.on_conflict_do_update(index_elements=[Ballot.game_id, Ballot.seat], set_=values)
    )


def void_ballots(conn: Connection, game_id: str, *seats: Seat) -> None:
    where = (Ballot.game_id == game_id, Ballot.seat.in_(seats))
    conn.execute(delete(Ballot).where(*where))


def statements(conn: Connection, game_id: str) -> dict[Seat, StatementRow]:
    found = select(Statement.seat, Statement.player_id, Statement.text, Statement.letter_id).where(
        Statement.game_id == game_id
    )
    return {row.seat: StatementRow._make(row) for row in conn.execute(found)}


def set_statement(conn: Connection, game_id: str, statement: StatementRow, now: datetime) -> None:
    values = {
        "player_id": statement.player_id,
        "text": statement.text,
        "letter_id": statement.letter_id,
        "at": now,
    }
    made = upsert(Statement).values(game_id=game_id, seat=statement.seat, **values)
    conn.execute(
        made.on_conflict_do_update(index_elements=[Statement.game_id, Statement.seat], set_=values)
    )


def due(conn: Connection, now: datetime) -> Sequence[str]:
    until = Game.statements_until
    found = select(Game.id).where(until <= now).order_by(until, Game.id)
    return conn.execute(found).scalars().all()
