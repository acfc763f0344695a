"""Whose a letter may be, by its address or the token it came to."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, exists, literal, or_, select

from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.people.deputies import HOLDS
from pbem.store.schema.states import DeputyState, GameState
from pbem.store.schema.table_base import columns, many
from pbem.store.schema.tables import Address, Deputy, Game, Gamesmaster, Standby
from pbem.store.schema.tables import Seat as SeatRecord


class RegistrationRow(NamedTuple):
    """A seat, and an address of it. ``deputy``: 0 for the player."""

    game_id: str
    seat: Seat
    token_hash: str
    address: str
    soft_bounces: int
    trust: str
    status: GameState
    statements_until: datetime | None
    """For statements on a finished game."""
    deputy: int = 0


class RolesRow(NamedTuple):
    """Whether an address is a deputy's, stand-by's or gamesmaster's."""

    deputy: bool
    standby: bool
    gamesmaster: bool


class StandingRow(NamedTuple):
    """A game for which somebody stands by, and an address of theirs."""

    player_id: int
    game_id: str
    status: GameState
    address: str


# compiled once, for every letter
_SEATS = (
    select(*columns(RegistrationRow, SeatRecord, Address, Game, deputy=literal(0)))
    .join(Game, Game.id == SeatRecord.game_id)
    .join(Address, Address.player_id == SeatRecord.player_id)
    .order_by(SeatRecord.game_id, SeatRecord.seat)
)
# two queries: no index helps OR over two tables
_OF_ADDRESS = Hot(_SEATS.where(Address.address == bindparam("address")))
_OF_TOKEN = Hot(
    _SEATS.where(
        SeatRecord.token_hash == bindparam("token"), Address.address != bindparam("besides")
    )
)
_DEPUTIES = (
    select(
        *columns(RegistrationRow, Deputy, Address, Game, address=Address.address, deputy=Deputy.id)
    )
    .join(Game, Game.id == Deputy.game_id)
    .join(Address, Address.player_id == Deputy.player_id)
    .join(SeatRecord, HOLDS)
    .where(Deputy.state != DeputyState.ASKED)
    .order_by(Deputy.id)
)
_DEPUTY_OF_TOKEN = Hot(
    _DEPUTIES.where(
        Deputy.token_hash == bindparam("token"),
        Deputy.state != DeputyState.ENDED,
        Address.address != bindparam("besides"),
    )
)
_PLAYER = select(Address.player_id).where(Address.address == bindparam("address"))
_ROLES = Hot(
    select(
        or_(
            exists().where(Deputy.address == bindparam("address")),
            exists().where(Deputy.player_id == _PLAYER.scalar_subquery()),
        ),
        exists().where(Standby.player_id == _PLAYER.scalar_subquery()),
        exists().where(Gamesmaster.address == bindparam("address")),
    )
)


def roles(conn: Connection, address: str) -> RolesRow:
    (found,) = many(conn, RolesRow, _ROLES, address=address)
    return found


def of_address(conn: Connection, address: str) -> Sequence[RegistrationRow]:
    return many(conn, RegistrationRow, _OF_ADDRESS, address=address)


def of_token(conn: Connection, token_hash: str, besides: str) -> Sequence[RegistrationRow]:
    """Return the seat of a token, or a deputy's, by each address ``besides`` one."""
    given = {"token": token_hash, "besides": besides}
    found = many(conn, RegistrationRow, _OF_TOKEN, **given)
    return found + many(conn, RegistrationRow, _DEPUTY_OF_TOKEN, **given)


def of_deputy(conn: Connection, address: str, received: datetime) -> Sequence[RegistrationRow]:
    """Return the seats whose deputy an address was when a letter was received."""
    theirs = _DEPUTIES.where(Address.address == address, Deputy.first <= received)
    still = or_(Deputy.last.is_(None), Deputy.last >= received)
    return many(conn, RegistrationRow, theirs.where(still))


def standing_by(conn: Connection, address: str) -> Sequence[StandingRow]:
    """Return unfinished games for which an address stands by."""
    stands = (Address.player_id == Standby.player_id, Standby.invited_for == "")
    runs = (Game.id == Standby.game_id, Game.status != GameState.OVER)
    found = select(*columns(StandingRow, Standby, Game, Address)).where(*stands, *runs)
    return many(conn, StandingRow, found.where(Address.address == address).order_by(Standby.id))
