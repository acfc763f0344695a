"""Counts of moves, seats, finished games and grace."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, case, func, select

from pbem.games.frame.events import Seat
from pbem.store.games.game_rows import Tally
from pbem.store.schema.states import RecordKind
from pbem.store.schema.tables import PlayerRecord
from pbem.store.schema.tables import Seat as SeatRecord

_OF_PERIOD = (RecordKind.MADE, RecordKind.MISSED, RecordKind.LEFT, RecordKind.FINISHED)
"""Counted each time a period closes."""


def _number(*kinds: RecordKind) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((PlayerRecord.kind.in_(kinds), 1), else_=0)), 0)


_COUNTS = (
    _number(RecordKind.MADE, RecordKind.MISSED),
    _number(RecordKind.MISSED),
    _number(RecordKind.LEFT, RecordKind.GIVEN),
    _number(RecordKind.FINISHED),
)


def add(
    conn: Connection, game_id: str, period: int, seat: Seat, player_id: int, kind: RecordKind
) -> None:
    """Count something, once by period and seat."""
    of = {"game_id": game_id, "period": period, "seat": seat, "player_id": player_id}
    PlayerRecord.try_add(conn, **of, kind=kind.value)


def take_back(conn: Connection, game_id: str, number: int) -> None:
    """Undo the counts from period ``number`` on. Seats given away stay so."""
    counted = PlayerRecord.kind.in_(_OF_PERIOD) & (PlayerRecord.period >= number)
    grace = (PlayerRecord.kind == RecordKind.GRACE) & (PlayerRecord.period > number)
    PlayerRecord.drop(conn, counted | grace, game_id=game_id)


def tally(conn: Connection, player_id: int) -> Tally:
    found = select(*_COUNTS).where(PlayerRecord.player_id == player_id)
    return Tally(*conn.execute(found).one())


def tallies(conn: Connection, ids: Sequence[str]) -> dict[str, dict[Seat, Tally]]:
    query = (
        select(SeatRecord.game_id, SeatRecord.seat, *_COUNTS)
        .join(PlayerRecord, PlayerRecord.player_id == SeatRecord.player_id, isouter=True)
        .where(SeatRecord.game_id.in_(ids), SeatRecord.player_id.is_not(None))
        .group_by(SeatRecord.game_id, SeatRecord.seat, SeatRecord.place)
        .order_by(SeatRecord.game_id, SeatRecord.place)
    )
    of: dict[str, dict[Seat, Tally]] = {one: {} for one in ids}
    for game_id, seat, *counts in conn.execute(query):
        of[game_id][seat] = Tally(*counts)
    return of


def waited_for(conn: Connection, game_id: str, period: int) -> Sequence[Seat]:
    """Return the seats for which a period waits or waited."""
    rows = PlayerRecord.many(conn, game_id=game_id, period=period, kind=RecordKind.GRACE)
    return sorted(row.seat for row in rows)
