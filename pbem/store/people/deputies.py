"""Deputies. Each ends with the player's seat."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Concatenate

from sqlalchemy import Connection, bindparam, func, or_, select

from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import DeputyRow
from pbem.store.schema.states import DeputyState, GameState
from pbem.store.schema.table_base import columns, many, one
from pbem.store.schema.tables import Address, Deputy, Game, Player
from pbem.store.schema.tables import Seat as SeatRecord

set_state: Callable[Concatenate[Connection, int, DeputyState, ...], None] = Deputy.set_state
LATELY = timedelta(days=30)
"""How long a former deputy is told so."""
HOLDS = (
    (SeatRecord.game_id == Deputy.game_id)
    & (SeatRecord.seat == Deputy.seat)
    & (SeatRecord.player_id == Deputy.holder_id)
)
_COLUMNS = columns(
    DeputyRow,
    Deputy,
    Game,
    reaches=func.coalesce(Address.address, Deputy.address),
    name=func.coalesce(Player.name, ""),
    zone=func.coalesce(Player.zone, ""),
    face=func.coalesce(Player.face, "html"),
    came_back=func.coalesce(Address.soft_bounces + Address.hard_bounces, 0),
    of_holder=SeatRecord.seat.is_not(None),
)
_ROWS = (
    select(*_COLUMNS)
    .join(Game, Game.id == Deputy.game_id)
    .outerjoin(SeatRecord, HOLDS)
    .outerjoin(Player, Player.id == Deputy.player_id)
    .outerjoin(Address, (Address.player_id == Deputy.player_id) & Address.of_record)
    .order_by(Deputy.id)
)
_LIVE = _ROWS.where(Deputy.state != DeputyState.ENDED)
_ALL_LIVE = Hot(_LIVE)
_SURE = Deputy.state.in_((DeputyState.CONFIRMED, DeputyState.ACTING))
# compiled once, for every mail and letter
_ACTING = Hot(
    _ROWS.where(
        SeatRecord.seat.is_not(None),
        Deputy.game_id == bindparam("game"),
        Deputy.state == DeputyState.ACTING,
        or_(Deputy.last.is_(None), Deputy.last >= bindparam("now")),
    )
)


def new(conn: Connection, **values: Any) -> int:
    """Insert an unconfirmed deputy. Return the id."""
    return Deputy.new(conn, state=DeputyState.ASKED, **values)


def deputy(conn: Connection, deputy_id: int) -> DeputyRow:
    (found,) = many(conn, DeputyRow, _ROWS.where(Deputy.id == deputy_id))
    return found


def live(conn: Connection) -> Sequence[DeputyRow]:
    """Return all deputies, invited ones included."""
    return many(conn, DeputyRow, _ALL_LIVE)


def of_seat(conn: Connection, game_id: str, seat: Seat) -> DeputyRow | None:
    """Return a seat's deputy, perhaps only invited."""
    where = (Deputy.game_id == game_id, Deputy.seat == seat)
    return one(conn, DeputyRow, _LIVE.where(*where).order_by(Deputy.id.desc()).limit(1))


def acting(conn: Connection, game_id: str, now: datetime) -> dict[Seat, DeputyRow]:
    found = many(conn, DeputyRow, _ACTING, game=game_id, now=now)
    return {row.seat: row for row in reversed(found)}


def by_code(conn: Connection, hashed: str) -> DeputyRow | None:
    code = or_(Deputy.holder_code == hashed, Deputy.deputy_code == hashed)
    return one(conn, DeputyRow, _LIVE.where(Deputy.state == DeputyState.ASKED, code))


def of_player(conn: Connection, game_id: str, player_id: int) -> Sequence[Seat]:
    theirs = Deputy.player_id == player_id
    return Deputy.values(conn, Deputy.seat, _SURE, theirs, order=Deputy.seat, game_id=game_id)


def games_of(conn: Connection, player_id: int) -> Sequence[str]:
    runs = (Game.id == Deputy.game_id, Game.status != GameState.OVER)
    return sorted(set(Deputy.values(conn, Deputy.game_id, *runs, player_id=player_id)))


def known_at(conn: Connection, address: str, now: datetime) -> Sequence[DeputyRow]:
    """Return deputies at an address, also invited and lately former."""
    theirs = or_(Deputy.address == address, Address.address == address)
    lately = or_(Deputy.state != DeputyState.ENDED, Deputy.last >= now - LATELY)
    runs = Game.status.in_((GameState.RUNNING, GameState.HELD))
    return many(conn, DeputyRow, _ROWS.where(theirs, lately, runs, Deputy.holder_code == ""))
