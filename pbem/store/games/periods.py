"""Statements on periods and their states."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Concatenate

from sqlalchemy import Connection, bindparam, func, select

from pbem.errors import RefereeError
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.ruleset import ToldEvent
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import ClosedRow, PeriodKey, Position
from pbem.store.schema.states import NEW_PERIOD, GameState, PeriodState
from pbem.store.schema.table_base import many
from pbem.store.schema.tables import Game, Period

_DUE = Hot(
    select(Period.game_id, Period.number)
    .join(Game, Game.id == Period.game_id)
    .where(
        (Period.status == PeriodState.OPEN) | (Period.status == PeriodState.CLOSING),
        Period.next_look <= bindparam("now"),
        Game.status == GameState.RUNNING,
    )
    .order_by(func.coalesce(Period.due, Period.next_look), Period.next_look, Period.game_id)
)
try_state: Callable[Concatenate[Connection, str, int, PeriodState, ...], bool] = Period.try_state
set_state: Callable[Concatenate[Connection, str, int, PeriodState, ...], None] = Period.set_state


def events(rows: Iterable[Mapping[str, Any]]) -> tuple[Event, ...]:
    return tuple(
        Event(
            e["kind"],
            e["rule"],
            "public" if e["audience"] == "public" else frozenset(e["audience"]),
            e["data"],
        )
        for e in rows
    )


def told_events(conn: Connection, game_id: str, seat: Seat | None) -> list[ToldEvent]:
    """Return what a seat (None: everybody) was told in published periods."""
    rows = conn.execute(
        select(Period.number, Period.events)
        .where(Period.game_id == game_id, Period.template != "")
        .order_by(Period.number)
    )
    return [
        ToldEvent(number, event)
        for number, stored in rows
        for event in events(stored)
        if event.audience == PUBLIC or seat in event.audience
    ]


def new(
    conn: Connection,
    game_id: str,
    number: int,
    phase: str,
    status: PeriodState,
    position: Position,
    **more: Any,
) -> None:
    """Insert a period in REVIEW; period 0 is CLOSED. more: when it opened, and other columns."""
    if status not in NEW_PERIOD:
        raise RefereeError(f"game {game_id}: period {number} cannot begin as {status}")
    of = {"game_id": game_id, "number": number, "phase": phase, **position}
    told: dict[str, Any] = {"events": [], "draws": [], "moves": [], **more}
    Period.add(conn, **of, status=status, **told)


def end(conn: Connection, game_id: str, number: int, **values: Any) -> None:
    """Close the last period of a game that is ended."""
    closed = PeriodState.CLOSED
    set_state(conn, game_id, number, closed, next_look=None, due=None, base=None, **values)


def set_period(conn: Connection, game_id: str, number: int, **values: Any) -> None:
    if Period.change(conn, {"game_id": game_id, "number": number}, **values) != 1:
        raise RefereeError(f"game {game_id} has no period {number}")


def due(conn: Connection, now: datetime) -> list[PeriodKey]:
    """Return running games' periods that need a look."""
    return many(conn, PeriodKey, _DUE, now=now)


def closed(conn: Connection, game_id: str, number: int) -> ClosedRow:
    found = select(Period.phase, Period.events).filter_by(game_id=game_id, number=number)
    phase, happened = conn.execute(found).one()
    return ClosedRow(phase, events(happened))


def opened_by(conn: Connection, game_id: str, moment: datetime) -> int:
    """Return the newest period opened by then, or 0."""
    by_then = Period.opened <= moment
    return Period.scalar(conn, func.max(Period.number), by_then, game_id=game_id) or 0
