"""Who may get a seat: free seats and their offers, who stands by, and who watches."""

from collections.abc import Callable, Iterator, Sequence
from typing import Concatenate, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, exists, literal, select
from sqlalchemy.orm import Mapped

from pbem.store.engine.hot import Hot
from pbem.store.games import games
from pbem.store.games.game_rows import SeatKey
from pbem.store.joining import open_tables
from pbem.store.schema.states import OfferState
from pbem.store.schema.table_base import columns, many, one
from pbem.store.schema.tables import Address, FreeSeat, Game, Observer, Offer, Player, Seat, Standby

set_offer: Callable[Concatenate[Connection, int, OfferState, ...], None] = Offer.set_state


class Claimant(NamedTuple):
    """A person who may be asked for a seat."""

    player_id: int
    name: str
    address: str
    face: str
    stands_by: bool


class OfferRow(Offer):
    """An offer, and who gets it."""

    __abstract__ = True
    name: Mapped[str]


def _people(of: type[Standby] | type[Observer]) -> Select[*tuple[object, ...]]:
    return (
        select(*columns(Claimant, of, Address, Player, stands_by=literal(of is Standby)))
        .join(Player, Player.id == of.player_id)
        .join(Address, (Address.player_id == Player.id) & Address.of_record)
    )


def _plays(of: type[Standby] | type[Observer]) -> ColumnElement[bool]:
    return exists().where(Seat.game_id == of.game_id, Seat.player_id == of.player_id)


_STANDING = _people(Standby).where(Standby.invited_for == "").order_by(Standby.id)
# compiled once, for each pass; Python filters running games
_FREE = Hot(
    select(FreeSeat.game_id, FreeSeat.seat, Game.status)
    .join(Game, Game.id == FreeSeat.game_id)
    .order_by(FreeSeat.since, FreeSeat.game_id, FreeSeat.seat)
)
_OFFERS = (
    select(*columns(OfferRow, Offer, Player))
    .join(Player, Player.id == Offer.player_id)
    .order_by(Offer.id)
)


def in_turn(conn: Connection, game_id: str, *, watching: bool) -> Iterator[Claimant]:
    """Yield claimants, best first; last, perhaps, those who only watch."""
    yield from standing_by(conn, game_id)
    for row in open_tables.waiting_list(conn, game_id):
        if row.player_id is not None:
            yield Claimant(row.player_id, row.name, row.mail, row.face, stands_by=False)
    if watching:
        yield from observers(conn, game_id)


def standing_by(conn: Connection, game_id: str) -> Sequence[Claimant]:
    """Return them as they came."""
    return many(conn, Claimant, _STANDING.where(Standby.game_id == game_id))


def person(conn: Connection, game_id: str, player_id: int) -> Claimant:
    (player,) = Player.many(conn, id=player_id)
    (address,) = Address.values(conn, Address.address, player_id=player_id, of_record=True)
    stands_by = Standby.has(conn, game_id=game_id, player_id=player_id, invited_for="")
    return Claimant(player_id, player.name, address, player.face, stands_by)


def can_be_called(conn: Connection, game_id: str) -> int:
    """Return how many stand by and play no seat yet."""
    return Standby.how_many(conn, ~_plays(Standby), game_id=game_id, invited_for="")


def observers(conn: Connection, game_id: str) -> Sequence[Claimant]:
    """Return observers in order, without players and unreachable ones."""
    reached = (Observer.game_id == game_id, Address.hard_bounces == 0, ~_plays(Observer))
    found = _people(Observer).where(*reached).order_by(Observer.since, Observer.player_id)
    return many(conn, Claimant, found)


def watched_by(conn: Connection, player_id: int | None) -> list[str]:
    if player_id is None:
        return []
    return Observer.values(conn, Observer.game_id, order=Observer.game_id, player_id=player_id)


def free_seats(conn: Connection, game_id: str) -> list[FreeSeat]:
    """Return the earliest first."""
    return sorted(FreeSeat.many(conn, game_id=game_id), key=lambda free: (free.since, free.seat))


def running(conn: Connection) -> list[SeatKey]:
    """Return the free seats of running games, the earliest first."""
    return games.running(_FREE.all(conn))


def made(conn: Connection, free: FreeSeat) -> list[OfferRow]:
    where = (Offer.game_id == free.game_id, Offer.seat == free.seat, Offer.made >= free.since)
    return many(conn, OfferRow, _OFFERS.where(*where))


def open_offers(conn: Connection, game_id: str, *where: ColumnElement[bool]) -> list[OfferRow]:
    """Return the offers of a game that stand, the earliest first."""
    of_game = (Offer.game_id == game_id, Offer.state == OfferState.OPEN)
    return many(conn, OfferRow, _OFFERS.where(*of_game, *where))


def open_of_seat(conn: Connection, game_id: str, seat: str) -> list[OfferRow]:
    return open_offers(conn, game_id, Offer.seat == seat)


def open_to(conn: Connection, address: str) -> list[OfferRow]:
    where = (Offer.address == address, Offer.state == OfferState.OPEN)
    return many(conn, OfferRow, _OFFERS.where(*where))


def of_code(conn: Connection, code_hash: str) -> OfferRow | None:
    found = _OFFERS.where(Offer.code_hash == code_hash)
    return one(conn, OfferRow, found) if code_hash else None
