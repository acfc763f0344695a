"""Statements about free seats and their offers: which seats need another player, and who was asked.

An offer belongs to the vacancy in which it was made. One older than the vacancy does not count.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from pbem.errors import RefereeError
from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import SeatKey
from pbem.store.schema.states import NEW_OFFER, OFFER, Freed, GameState, OfferState, may_follow
from pbem.store.schema.tables import FreeSeat, Game, Offer, Player


class FreeRow(NamedTuple):
    """A seat that needs another player than ``player_id``: why, since when, and in which period it
    fell free."""

    game_id: str
    seat: Seat
    player_id: int | None
    why: Freed
    since: datetime
    period: int
    told: bool
    """Whether the gamesmaster knows that nobody takes it."""


class OfferRow(NamedTuple):
    """A free seat offered to a person until ``until``."""

    id: int
    game_id: str
    seat: Seat
    player_id: int
    state: OfferState
    made: datetime
    until: datetime
    address: str
    """Where the code went."""
    alone: bool
    """Whether nobody else is asked before ``until``."""
    name: str
    face: str
    """"plain" if mails are to have no HTML."""


class PersonRow(NamedTuple):
    """A person who can be asked to play: his name, address of record and the face of his mails."""

    player_id: int
    name: str
    address: str
    face: str


# Asked at each pass or by each letter, so made once. It is left to Python which games run.
_FREE = select(*(FreeSeat.__table__.c[name] for name in FreeRow._fields))
_FREE_SEAT = Hot(
    _FREE.where(FreeSeat.game_id == bindparam("game"), FreeSeat.seat == bindparam("seat"))
)
_RUNNING = (
    select(FreeSeat.game_id, FreeSeat.seat, Game.status)
    .join(Game, Game.id == FreeSeat.game_id)
    .order_by(FreeSeat.since, FreeSeat.game_id, FreeSeat.seat)
)
_RIPE = (
    select(Offer.id).where(Offer.state == OfferState.OPEN, Offer.until <= bindparam("now")).limit(1)
)
_OFFERS = (
    select(*(Offer.__table__.c[name] for name in OfferRow._fields[:-2]), Player.name, Player.face)
    .join(Player, Player.id == Offer.player_id)
    .order_by(Offer.id)
)
_OF_CODE = _OFFERS.where(Offer.code_hash == bindparam("code"))


# --- free seats -----------------------------------------------------------------------------------


def free(conn: Connection, row: FreeRow) -> None:
    """A seat is to have another player."""
    conn.execute(insert(FreeSeat).values(**row._asdict()))


def free_seat(conn: Connection, game_id: str, seat: Seat) -> FreeRow | None:
    """Return why a seat is to have another player; None if it is not."""
    row = _FREE_SEAT.first(conn, {"game": game_id, "seat": seat})
    return FreeRow._make(row) if row else None


def of_game(conn: Connection, game_id: str) -> list[FreeRow]:
    """Return the free seats of a game, the earliest first."""
    found = _FREE.where(FreeSeat.game_id == game_id).order_by(FreeSeat.since, FreeSeat.seat)
    return [FreeRow._make(row) for row in conn.execute(found)]


def running(conn: Connection) -> list[SeatKey]:
    """Return the free seats of the games that run, the earliest first."""
    rows = conn.execute(_RUNNING)
    return [SeatKey(row.game_id, row.seat) for row in rows if row.status == GameState.RUNNING]


def going(conn: Connection) -> list[FreeRow]:
    """The free seats of all games that are not over."""
    found = _FREE.join(Game, Game.id == FreeSeat.game_id).where(Game.status != GameState.OVER)
    rows = conn.execute(found.order_by(FreeSeat.since, FreeSeat.game_id, FreeSeat.seat))
    return [FreeRow._make(row) for row in rows]


def set_told(conn: Connection, game_id: str, seat: Seat, *, told: bool) -> None:
    """Whether the gamesmaster knows that nobody takes it."""
    where = (FreeSeat.game_id == game_id, FreeSeat.seat == seat)
    conn.execute(update(FreeSeat).where(*where).values(told=told))


def close(conn: Connection, game_id: str, seat: Seat) -> bool:
    """The seat is free no more; whether it was."""
    where = (FreeSeat.game_id == game_id, FreeSeat.seat == seat)
    return conn.execute(delete(FreeSeat).where(*where)).rowcount > 0


# --- offers ---------------------------------------------------------------------------------------


def new(  # noqa: PLR0913  the columns of a row
    conn: Connection,
    free: FreeRow,
    who: PersonRow,
    made: datetime,
    until: datetime,
    code_hash: str,
    *,
    alone: bool,
) -> None:
    """A free seat is offered to somebody."""
    (state,) = NEW_OFFER
    conn.execute(
        insert(Offer).values(
            game_id=free.game_id,
            seat=free.seat,
            player_id=who.player_id,
            state=state,
            made=made,
            until=until,
            address=who.address,
            alone=alone,
            code_hash=code_hash,
        )
    )


def made(conn: Connection, free: FreeRow) -> list[OfferRow]:
    """Return all offers of a seat since it fell free, whatever became of them."""
    where = (Offer.game_id == free.game_id, Offer.seat == free.seat, Offer.made >= free.since)
    return [OfferRow._make(row) for row in conn.execute(_OFFERS.where(*where))]


def open_offers(conn: Connection, game_id: str) -> list[OfferRow]:
    """The offers of a game that may be taken."""
    where = (Offer.game_id == game_id, Offer.state == OfferState.OPEN)
    return [OfferRow._make(row) for row in conn.execute(_OFFERS.where(*where))]


def open_to(conn: Connection, address: str) -> list[OfferRow]:
    """The offers that may be taken from an address."""
    where = (Offer.address == address, Offer.state == OfferState.OPEN)
    return [OfferRow._make(row) for row in conn.execute(_OFFERS.where(*where))]


def of_code(conn: Connection, code_hash: str) -> OfferRow | None:
    """Return the offer that a code takes; None if it is none of these."""
    row = conn.execute(_OF_CODE, {"code": code_hash}).first() if code_hash else None
    return OfferRow._make(row) if row else None


def ripe(conn: Connection, now: datetime) -> bool:
    """Return whether the time of an open offer is over."""
    return conn.execute(_RIPE, {"now": now}).first() is not None


def set_state(conn: Connection, offer: OfferRow, after: OfferState) -> None:
    """Set an offer's next state. Raise RefereeError if another state came first."""
    where = (Offer.id == offer.id, may_follow(Offer.state, OFFER, after))
    if not conn.execute(update(Offer).where(*where).values(state=after)).rowcount:
        raise RefereeError(f"offer {offer.id} is {offer.state}, and does not become {after}")
