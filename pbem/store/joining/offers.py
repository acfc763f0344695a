"""Free seats and their offers, since the vacancy."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from pbem.errors import RefereeError
from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import SeatKey
from pbem.store.schema.states import NEW_OFFER, OFFER, Freed, GameState, OfferState, may_follow
from pbem.store.schema.table_base import columns
from pbem.store.schema.tables import FreeSeat, Game, Offer, Player


class FreeRow(NamedTuple):
    """A vacancy."""

    game_id: str
    seat: Seat
    player_id: int | None
    why: Freed
    since: datetime
    period: int
    told: bool


class OfferRow(NamedTuple):
    """A free seat offered to a person."""

    id: int
    game_id: str
    seat: Seat
    player_id: int
    state: OfferState
    made: datetime
    until: datetime
    address: str
    alone: bool
    name: str
    face: str


class PersonRow(NamedTuple):
    """A person to be asked."""

    player_id: int
    name: str
    address: str
    face: str


# Compiled once, for each pass or letter. Python filters running games.
_FREE = select(*columns(FreeRow, FreeSeat))
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
    select(*columns(OfferRow, Offer, Player))
    .join(Player, Player.id == Offer.player_id)
    .order_by(Offer.id)
)
_OF_CODE = _OFFERS.where(Offer.code_hash == bindparam("code"))


# --- free seats -----------------------------------------------------------------------------------


def free(conn: Connection, row: FreeRow) -> None:
    conn.execute(insert(FreeSeat).values(**row._asdict()))


def free_seat(conn: Connection, game_id: str, seat: Seat) -> FreeRow | None:
    row = _FREE_SEAT.first(conn, {"game": game_id, "seat": seat})
    return FreeRow._make(row) if row else None


def of_game(conn: Connection, game_id: str) -> list[FreeRow]:
    """Return the earliest first."""
    found = _FREE.where(FreeSeat.game_id == game_id).order_by(FreeSeat.since, FreeSeat.seat)
    return [FreeRow._make(row) for row in conn.execute(found)]


def running(conn: Connection) -> list[SeatKey]:
    """Return the earliest first."""
    rows = conn.execute(_RUNNING)
    return [SeatKey(row.game_id, row.seat) for row in rows if row.status == GameState.RUNNING]


def set_told(conn: Connection, game_id: str, seat: Seat, *, told: bool) -> None:
    where = (FreeSeat.game_id == game_id, FreeSeat.seat == seat)
    conn.execute(update(FreeSeat).where(*where).values(told=told))


def close(conn: Connection, game_id: str, seat: Seat) -> bool:
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
    where = (Offer.game_id == free.game_id, Offer.seat == free.seat, Offer.made >= free.since)
    return [OfferRow._make(row) for row in conn.execute(_OFFERS.where(*where))]


def open_offers(conn: Connection, game_id: str) -> list[OfferRow]:
    where = (Offer.game_id == game_id, Offer.state == OfferState.OPEN)
    return [OfferRow._make(row) for row in conn.execute(_OFFERS.where(*where))]


def open_to(conn: Connection, address: str) -> list[OfferRow]:
    where = (Offer.address == address, Offer.state == OfferState.OPEN)
    return [OfferRow._make(row) for row in conn.execute(_OFFERS.where(*where))]


def of_code(conn: Connection, code_hash: str) -> OfferRow | None:
    row = conn.execute(_OF_CODE, {"code": code_hash}).first() if code_hash else None
    return OfferRow._make(row) if row else None


def ripe(conn: Connection, now: datetime) -> bool:
    return conn.execute(_RIPE, {"now": now}).first() is not None


def set_state(conn: Connection, offer: OfferRow, after: OfferState) -> None:
    """Set an offer's state. Raise RefereeError if too late."""
    where = (Offer.id == offer.id, may_follow(Offer.state, OFFER, after))
    if not conn.execute(update(Offer).where(*where).values(state=after)).rowcount:
        raise RefereeError(f"offer {offer.id} is {offer.state}, and does not become {after}")
