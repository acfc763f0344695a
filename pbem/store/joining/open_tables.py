"""Statements on open tables and applicants."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, exists, func, select, update
from sqlalchemy.orm import Mapped

from pbem.errors import RefereeError
from pbem.store.schema.states import (
    APPLICANT,
    NEW_APPLICANT,
    NEW_TABLE,
    ApplicantState,
    GameState,
    TableState,
)
from pbem.store.schema.table_base import columns, many, one
from pbem.store.schema.tables import Address, Applicant, Game, Invited, OpenTable, Player, Seat

OPEN = (TableState.JOINING, TableState.CALLED)
HERE = (ApplicantState.SIGNED, ApplicantState.CALLED, ApplicantState.SURE)


class ApplicantRow(Applicant):
    """An applicant, and where mail goes; ``address`` is where the letter came from."""

    __abstract__ = True
    mail: Mapped[str]
    face: Mapped[str]


_MAIL = func.coalesce(Address.address, Applicant.address)
APPLICANTS = (
    select(*columns(ApplicantRow, Applicant, mail=_MAIL, face=func.coalesce(Player.face, "")))
    .select_from(Applicant)
    .outerjoin(Player, Player.id == Applicant.player_id)
    .outerjoin(Address, (Address.player_id == Applicant.player_id) & Address.of_record)
    .order_by(Applicant.place.is_(None), Applicant.place, Applicant.id)
)


def new(conn: Connection, table: OpenTable) -> None:
    """Open a table. Forget a former one of this id."""
    if table.state not in NEW_TABLE:
        raise RefereeError(f"table {table.id} cannot begin as {table.state}")
    Applicant.drop(conn, game_id=table.id)
    OpenTable.drop(conn, id=table.id)
    OpenTable.add(conn, table)


def joinable(conn: Connection, game_id: str) -> OpenTable | None:
    found = OpenTable.one(conn, id=game_id)
    return found if found and found.is_open else None


def reserved(conn: Connection, game_id: str) -> OpenTable | None:
    """Return an unfinished game's table, or None if its gamesmaster approves."""
    runs = Game.has(conn, Game.status != GameState.OVER, id=game_id)
    return OpenTable.one(conn, id=game_id, state=TableState.BEGUN, approve=False) if runs else None


def listed(conn: Connection) -> Sequence[OpenTable]:
    """Return joinable tables, first opened first."""
    order = (OpenTable.opened, OpenTable.id)
    return OpenTable.many(conn, OpenTable.state.in_(OPEN), order=order)


def in_hand(conn: Connection, address: str, game_id: str | None = None) -> bool:
    """Return whether a gamesmaster has a joinable table (None: any)."""
    own = {"id": game_id} if game_id else {}
    return OpenTable.has(conn, OpenTable.state.in_(OPEN), gamesmaster=address, **own)


def due(conn: Connection, now: datetime) -> Sequence[str]:
    late = (OpenTable.state.in_(OPEN), OpenTable.next_look <= now)
    return OpenTable.values(conn, OpenTable.id, *late, order=(OpenTable.next_look, OpenTable.id))


# --- who signs on ---------------------------------------------------------------------------------


def applicants(conn: Connection, game_id: str) -> list[ApplicantRow]:
    """Return present applicants by place."""
    where = (Applicant.game_id == game_id, Applicant.state != ApplicantState.GONE)
    return many(conn, ApplicantRow, APPLICANTS.where(*where))


def applicant(conn: Connection, number: int) -> ApplicantRow | None:
    return one(conn, ApplicantRow, APPLICANTS.where(Applicant.id == number))


def _of(address: str, player_id: int | None) -> ColumnElement[bool]:
    theirs = Applicant.address == address
    return theirs if player_id is None else theirs | (Applicant.player_id == player_id)


def of_address(
    conn: Connection, game_id: str, address: str, player_id: int | None
) -> ApplicantRow | None:
    """Return an active applicant, preferably signed on, or None."""
    where = (
        Applicant.game_id == game_id,
        Applicant.state != ApplicantState.GONE,
        _of(address, player_id),
    )
    found = many(conn, ApplicantRow, APPLICANTS.where(*where))
    return next((one for one in found if one.state in HERE), found[0] if found else None)


def of_person(conn: Connection, address: str, player_id: int | None) -> list[ApplicantRow]:
    """Return a person's accepted applications (:data:`HERE`)."""
    found = APPLICANTS.where(Applicant.state.in_(HERE), _of(address, player_id)).order_by(None)
    return many(conn, ApplicantRow, found.order_by(Applicant.game_id))


def known_of(conn: Connection, address: str, player_id: int | None) -> list[ApplicantRow]:
    """Return what they were asked or signed on to, at open tables and begun games."""
    waits = exists().where(OpenTable.id == Applicant.game_id, OpenTable.state.in_(OPEN))
    runs = exists().where(Game.id == Applicant.game_id, Game.status != GameState.OVER)
    queued = runs & Applicant.state.in_((ApplicantState.SIGNED, ApplicantState.ASKED))
    plays = exists().where(Seat.game_id == Applicant.game_id, Seat.player_id == Applicant.player_id)
    states = (*HERE, ApplicantState.ASKED)
    where = (Applicant.state.in_(states), _of(address, player_id), waits | queued, ~plays)
    found = APPLICANTS.where(*where).order_by(None)
    return many(conn, ApplicantRow, found.order_by(Applicant.game_id))


def ask(conn: Connection, state: ApplicantState, **values: Any) -> ApplicantRow:
    """File an application, perhaps again."""
    if state not in NEW_APPLICANT:
        raise RefereeError(f"nobody signs on as {state}")
    row = Applicant.one(conn, game_id=values["game_id"], address=values["address"])
    values = {"state": state, "place": None, **values}
    if row is None:
        number = Applicant.new(conn, **values)
    else:
        number = row.id
        if state not in APPLICANT[row.state]:
            raise RefereeError(f"applicant {number} is {row.state}, and cannot be {state}")
        conn.execute(update(Applicant).where(Applicant.id == number).values(**values))
    filed = applicant(conn, number)
    assert filed
    return filed


try_applicant = Applicant.try_state


def waiting_list(conn: Connection, game_id: str) -> list[ApplicantRow]:
    """Return who waits for a seat, in order."""
    begun = exists().where(OpenTable.id == game_id, OpenTable.state == TableState.BEGUN)
    runs = exists().where(Game.id == game_id, Game.status != GameState.OVER)
    plays = exists().where(Seat.game_id == game_id, Seat.player_id == Applicant.player_id)
    waits = (Applicant.game_id == game_id, Applicant.state == ApplicantState.SIGNED, begun, runs)
    found = APPLICANTS.where(*waits, ~plays, Applicant.place.is_not(None))
    return many(conn, ApplicantRow, found)


# --- invitations, one for each mailbox ------------------------------------------------------------


def mailbox(address: str) -> str:
    """Leave out the plus part."""
    local, _, domain = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def is_of(column: ColumnElement[str], box: str) -> ColumnElement[bool]:
    local, _, domain = box.rpartition("@")
    low = func.lower(column)
    folded = low.startswith(f"{local}+", autoescape=True)
    return (low == box) | (folded & low.endswith(f"@{domain}", autoescape=True))


def refuse_invitations(conn: Connection, address: str, now: datetime) -> None:
    of = {"address": mailbox(address)}
    if not Invited.try_add(conn, **of, at=now, refused=True):
        Invited.change(conn, of, refused=True)


def inviter(conn: Connection, address: str) -> str | None:
    """Return the inviter's address of record."""
    theirs = (Invited.by_player == Address.player_id, Invited.address == mailbox(address))
    return Address.scalar(conn, Address.address, *theirs, of_record=True)
