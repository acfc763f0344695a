"""Free seats and their offers, since the vacancy."""

from collections.abc import Callable
from typing import Concatenate

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.orm import Mapped

from pbem.store.engine.hot import Hot
from pbem.store.games import games
from pbem.store.games.game_rows import SeatKey
from pbem.store.schema.states import OfferState
from pbem.store.schema.table_base import columns, many, one
from pbem.store.schema.tables import FreeSeat, Game, Offer, Player

set_state: Callable[Concatenate[Connection, int, OfferState, ...], None] = Offer.set_state


class OfferRow(Offer):
    """An offer, and who gets it."""

    __abstract__ = True
    name: Mapped[str]
    face: Mapped[str]


# Compiled once, for each pass or letter. Python filters running games.
_RUNNING = Hot(
    select(FreeSeat.game_id, FreeSeat.seat, Game.status)
    .join(Game, Game.id == FreeSeat.game_id)
    .order_by(FreeSeat.since, FreeSeat.game_id, FreeSeat.seat)
)
_OFFERS = (
    select(*columns(OfferRow, Offer, Player))
    .join(Player, Player.id == Offer.player_id)
    .order_by(Offer.id)
)
_OF_CODE = _OFFERS.where(Offer.code_hash == bindparam("code"))


def of_game(conn: Connection, game_id: str) -> list[FreeSeat]:
    """Return its free seats, the earliest first."""
    return sorted(FreeSeat.many(conn, game_id=game_id), key=lambda one: (one.since, one.seat))


def running(conn: Connection) -> list[SeatKey]:
    """Return the free seats of running games, the earliest first."""
    return games.running(_RUNNING.all(conn))


def made(conn: Connection, free: FreeSeat) -> list[OfferRow]:
    where = (Offer.game_id == free.game_id, Offer.seat == free.seat, Offer.made >= free.since)
    return many(conn, OfferRow, _OFFERS.where(*where))


def open_offers(conn: Connection, game_id: str) -> list[OfferRow]:
    where = (Offer.game_id == game_id, Offer.state == OfferState.OPEN)
    return many(conn, OfferRow, _OFFERS.where(*where))


def open_to(conn: Connection, address: str) -> list[OfferRow]:
    where = (Offer.address == address, Offer.state == OfferState.OPEN)
    return many(conn, OfferRow, _OFFERS.where(*where))


def of_code(conn: Connection, code_hash: str) -> OfferRow | None:
    return one(conn, OfferRow, _OF_CODE, code=code_hash) if code_hash else None
