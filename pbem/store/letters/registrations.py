"""Finds a letter's writer by address."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, exists, literal, or_, select

from pbem.store.engine.hot import Hot
from pbem.store.letters.letter_rows import RegistrationRow, RolesRow
from pbem.store.schema.table_base import columns, many
from pbem.store.schema.tables import Address, Deputy, Game, Gamesmaster, Seat, Standby

# compiled once, for every letter
_SEATS = (
    select(*columns(RegistrationRow, Seat, Address, Game, deputy=literal(0)))
    .join(Game, Game.id == Seat.game_id)
    .join(Address, Address.player_id == Seat.player_id)
    .order_by(Seat.game_id, Seat.seat)
)
# two queries: no index helps OR over two tables
_OF_ADDRESS = Hot(_SEATS.where(Address.address == bindparam("address")))
_OF_TOKEN = Hot(
    _SEATS.where(Seat.token_hash == bindparam("token"), Address.address != bindparam("besides"))
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
    """Return a token's seat, by each address ``besides`` one."""
    return many(conn, RegistrationRow, _OF_TOKEN, token=token_hash, besides=besides)
