"""Stand-bys, in order of joining. Who is called on leaves the list; who holds a seat is passed
over."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, exists, select

from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import ObserverRow, StandbyRow
from pbem.store.letters.letter_rows import StandingRow
from pbem.store.schema.states import GameState
from pbem.store.schema.table_base import columns, many, one
from pbem.store.schema.tables import Address, Game, Observer, Player, Standby
from pbem.store.schema.tables import Seat as SeatRecord

_PLAYS = exists().where(
    SeatRecord.game_id == Standby.game_id, SeatRecord.player_id == Standby.player_id
)
_ROWS = (
    select(*columns(StandbyRow, Standby, Address, Player))
    .join(Player, Player.id == Standby.player_id)
    .join(Address, (Address.player_id == Player.id) & Address.of_record)
    .where(Standby.invited_for == "")
    .order_by(Standby.id)
)
_OF_ADDRESS = Hot(
    select(*columns(StandingRow, Standby, Game, Address))
    .join(Game, Game.id == Standby.game_id)
    .join(Address, Address.player_id == Standby.player_id)
    .where(Address.address == bindparam("address"), Standby.invited_for == "")
    .order_by(Standby.id)
)


def waiting(conn: Connection, game_id: str) -> int:
    return Standby.how_many(conn, ~_PLAYS, game_id=game_id, invited_for="")


def of_game(conn: Connection, game_id: str) -> Sequence[StandbyRow]:
    return many(conn, StandbyRow, _ROWS.where(Standby.game_id == game_id))


def of_player(conn: Connection, game_id: str, player_id: int) -> StandbyRow | None:
    where = (Standby.game_id == game_id, Standby.player_id == player_id)
    return one(conn, StandbyRow, _ROWS.where(*where))


def of_address(conn: Connection, address: str) -> Sequence[StandingRow]:
    made = many(conn, StandingRow, _OF_ADDRESS, address=address)
    return [row for row in made if row.status != GameState.OVER]


# --- observers of games and open tables -----------------------------------------------------------


_WATCHER_PLAYS = exists().where(
    SeatRecord.game_id == Observer.game_id, SeatRecord.player_id == Observer.player_id
)
_WATCHING = (
    select(*columns(ObserverRow, Observer, Address, Player))
    .join(Player, Player.id == Observer.player_id)
    .join(Address, (Address.player_id == Player.id) & Address.of_record)
    .order_by(Observer.game_id, Observer.since, Observer.player_id)
)

_OF_GAME = Hot(
    _WATCHING.where(
        Observer.game_id == bindparam("game"), Address.hard_bounces == 0, ~_WATCHER_PLAYS
    )
)  # compiled once, for each period


def watching(conn: Connection, game_id: str) -> Sequence[ObserverRow]:
    """Return observers in order, without players and unreachable ones."""
    return many(conn, ObserverRow, _OF_GAME, game=game_id)


def watched_by(conn: Connection, player_id: int) -> Sequence[ObserverRow]:
    return many(conn, ObserverRow, _WATCHING.where(Observer.player_id == player_id))
