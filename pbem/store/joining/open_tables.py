"""Statements on open tables and applicants."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, exists, func, insert, select, update
from sqlalchemy.orm import Mapped

from pbem.errors import RefereeError
from pbem.store.schema.states import (
    APPLICANT,
    NEW_APPLICANT,
    NEW_TABLE,
    TABLE,
    ApplicantState,
    GameState,
    TableState,
    may_follow,
)
from pbem.store.schema.table_base import columns, row, rows
from pbem.store.schema.tables import Address, Applicant, Game, OpenTable, Player, Seat

OPEN = (TableState.JOINING, TableState.CALLED)
HERE = (ApplicantState.SIGNED, ApplicantState.CALLED, ApplicantState.SURE)


class ApplicantRow(Applicant):
    """An applicant, and where mail goes; ``address`` is where the letter came from."""

    __abstract__ = True
    mail: Mapped[str]
    face: Mapped[str]


_TABLES = select(OpenTable.__table__)
_MAIL = func.coalesce(Address.address, Applicant.address)
_APPLICANTS = (
    select(*columns(ApplicantRow, Applicant, mail=_MAIL, face=func.coalesce(Player.face, "")))
    .select_from(Applicant)
    .outerjoin(Player, Player.id == Applicant.player_id)
    .outerjoin(Address, (Address.player_id == Applicant.player_id) & Address.of_record)
    .order_by(Applicant.place.is_(None), Applicant.place, Applicant.id)
)


def new(conn: Connection, one: OpenTable) -> None:
    """Open a table. Forget a former one of this id."""
    if one.state not in NEW_TABLE:
        raise RefereeError(f"table {one.id} cannot begin as {one.state}")
    Applicant.drop(conn, game_id=one.id)
    OpenTable.drop(conn, id=one.id)
    OpenTable.add(conn, one)


def joinable(conn: Connection, game_id: str) -> OpenTable | None:
    found = OpenTable.one(conn, id=game_id)
    return found if found and found.is_open else None


def reserved(conn: Connection, game_id: str) -> OpenTable | None:
    """Return an unfinished game's table, or None if its gamesmaster approves."""
    runs = exists().where(Game.id == game_id, Game.status != GameState.OVER)
    where = (OpenTable.id == game_id, OpenTable.state == TableState.BEGUN, ~OpenTable.approve)
    return row(conn, OpenTable, _TABLES.where(*where, runs))


def listed(conn: Connection) -> Sequence[OpenTable]:
    """Return joinable tables, first opened first."""
    found = _TABLES.where(OpenTable.state.in_(OPEN)).order_by(OpenTable.opened, OpenTable.id)
    return rows(conn, OpenTable, found)


def in_hand(conn: Connection, address: str, game_id: str | None = None) -> bool:
    """Return whether a gamesmaster has a joinable table (None: any)."""
    where = [OpenTable.state.in_(OPEN), OpenTable.gamesmaster == address]
    where += [OpenTable.id == game_id] if game_id else []
    return conn.execute(select(OpenTable.id).where(*where).limit(1)).first() is not None


def due(conn: Connection, now: datetime) -> Sequence[str]:
    where = (OpenTable.state.in_(OPEN), OpenTable.next_look <= now)
    found = select(OpenTable.id).where(*where).order_by(OpenTable.next_look, OpenTable.id)
    return conn.execute(found).scalars().all()


def try_state(
    conn: Connection, game_id: str, before: TableState, after: TableState, **values: Any
) -> bool:
    """Return False if the table was not ``before``."""
    if after not in TABLE[before]:
        raise RefereeError(f"table {game_id}: no table that is {before} becomes {after}")
    where = (OpenTable.id == game_id, OpenTable.state == before)
    done = conn.execute(update(OpenTable).where(*where).values(state=after, **values))
    return done.rowcount == 1


# --- who signs on ---------------------------------------------------------------------------------


def applicants(conn: Connection, game_id: str) -> list[ApplicantRow]:
    """Return present applicants by place."""
    where = (Applicant.game_id == game_id, Applicant.state != ApplicantState.GONE)
    return rows(conn, ApplicantRow, _APPLICANTS.where(*where))


def applicant(conn: Connection, number: int) -> ApplicantRow | None:
    return row(conn, ApplicantRow, _APPLICANTS.where(Applicant.id == number))


def _his(address: str, player_id: int | None) -> ColumnElement[bool]:
    his = Applicant.address == address
    return his if player_id is None else his | (Applicant.player_id == player_id)


def of_address(
    conn: Connection, game_id: str, address: str, player_id: int | None
) -> ApplicantRow | None:
    """Return an active applicant, preferably signed on, or None."""
    where = (
        Applicant.game_id == game_id,
        Applicant.state != ApplicantState.GONE,
        _his(address, player_id),
    )
    found = rows(conn, ApplicantRow, _APPLICANTS.where(*where))
    return next((one for one in found if one.state in HERE), found[0] if found else None)


def of_person(conn: Connection, address: str, player_id: int | None) -> list[ApplicantRow]:
    """Return a person's accepted applications (:data:`HERE`)."""
    found = _APPLICANTS.where(Applicant.state.in_(HERE), _his(address, player_id)).order_by(None)
    return rows(conn, ApplicantRow, found.order_by(Applicant.game_id))


def known_of(conn: Connection, address: str, player_id: int | None) -> list[ApplicantRow]:
    """Return what he was asked or signed on to, at open tables and begun games."""
    waits = exists().where(OpenTable.id == Applicant.game_id, OpenTable.state.in_(OPEN))
    runs = exists().where(Game.id == Applicant.game_id, Game.status != GameState.OVER)
    queued = runs & Applicant.state.in_((ApplicantState.SIGNED, ApplicantState.ASKED))
    plays = exists().where(Seat.game_id == Applicant.game_id, Seat.player_id == Applicant.player_id)
    states = (*HERE, ApplicantState.ASKED)
    where = (Applicant.state.in_(states), _his(address, player_id), waits | queued, ~plays)
    found = _APPLICANTS.where(*where).order_by(None)
    return rows(conn, ApplicantRow, found.order_by(Applicant.game_id))


def ask(conn: Connection, state: ApplicantState, **values: Any) -> ApplicantRow:
    """File an application, perhaps again."""
    if state not in NEW_APPLICANT:
        raise RefereeError(f"nobody signs on as {state}")
    of = (Applicant.game_id == values["game_id"], Applicant.address == values["address"])
    found = conn.execute(select(Applicant.id, Applicant.state).where(*of)).first()
    values = {"state": state, "place": None, **values}
    if found is None:
        made = conn.execute(insert(Applicant).values(**values).returning(Applicant.id))
        number = int(made.scalar_one())
    else:
        number = found.id
        if state not in APPLICANT[found.state]:
            raise RefereeError(f"applicant {number} is {found.state}, and cannot be {state}")
        conn.execute(update(Applicant).where(Applicant.id == number).values(**values))
    filed = applicant(conn, number)
    assert filed
    return filed


def try_applicant(conn: Connection, number: int, after: ApplicantState, **values: Any) -> bool:
    """Return False if it may not follow."""
    where = (Applicant.id == number, may_follow(Applicant.state, APPLICANT, after))
    done = conn.execute(update(Applicant).where(*where).values(state=after, **values))
    return done.rowcount == 1


def next_place(conn: Connection, game_id: str) -> int:
    """Return the place after all ever given."""
    found = select(func.max(Applicant.place)).where(Applicant.game_id == game_id)
    return (conn.execute(found).scalar() or 0) + 1


def waiting_list(conn: Connection, game_id: str) -> list[ApplicantRow]:
    """Return who waits for a seat, in order."""
    begun = exists().where(OpenTable.id == game_id, OpenTable.state == TableState.BEGUN)
    runs = exists().where(Game.id == game_id, Game.status != GameState.OVER)
    plays = exists().where(Seat.game_id == game_id, Seat.player_id == Applicant.player_id)
    waits = (Applicant.game_id == game_id, Applicant.state == ApplicantState.SIGNED, begun, runs)
    found = _APPLICANTS.where(*waits, ~plays, Applicant.place.is_not(None))
    return rows(conn, ApplicantRow, found)
