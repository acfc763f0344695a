"""Statements on open tables and applicants."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, exists, func, insert, select, update

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
from pbem.store.schema.table_base import columns
from pbem.store.schema.tables import Address, Applicant, Game, OpenTable, Player, Seat

OPEN = (TableState.JOINING, TableState.CALLED)
HERE = (ApplicantState.SIGNED, ApplicantState.CALLED, ApplicantState.SURE)


class TableRow(NamedTuple):
    """An open table."""

    id: str
    ruleset: str
    state: TableState
    places: int
    plan: dict[str, Any]
    seed: str
    gamesmaster: str
    approve: bool
    reliability: int
    opened: datetime
    starts: datetime | None
    closes: datetime | None
    called: datetime | None
    next_look: datetime | None

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def bots(self) -> int:
        """So many seats at most are played by house bots, if they are empty on its date."""
        return int(self.plan.get("bots", 0))


class ApplicantRow(NamedTuple):
    """A person who signs on."""

    id: int
    game_id: str
    address: str
    """Where the letter came from."""
    name: str
    player_id: int | None
    state: ApplicantState
    place: int | None
    wishes: list[str]
    through: str
    came: datetime
    until: datetime | None
    code_hash: str
    mail: str
    face: str


_TABLES = select(*columns(TableRow, OpenTable))
_MAIL = func.coalesce(Address.address, Applicant.address)
_APPLICANTS = (
    select(*columns(ApplicantRow, Applicant, mail=_MAIL, face=func.coalesce(Player.face, "")))
    .select_from(Applicant)
    .outerjoin(Player, Player.id == Applicant.player_id)
    .outerjoin(Address, (Address.player_id == Applicant.player_id) & Address.of_record)
    .order_by(Applicant.place.is_(None), Applicant.place, Applicant.id)
)


def new(conn: Connection, row: TableRow) -> None:
    """Open a table. Forget a former one of this id."""
    if row.state not in NEW_TABLE:
        raise RefereeError(f"table {row.id} cannot begin as {row.state}")
    conn.execute(delete(Applicant).where(Applicant.game_id == row.id))
    conn.execute(delete(OpenTable).where(OpenTable.id == row.id))
    conn.execute(insert(OpenTable).values(**row._asdict()))


def table(conn: Connection, game_id: str) -> TableRow | None:
    row = conn.execute(_TABLES.where(OpenTable.id == game_id)).first()
    return TableRow._make(row) if row else None


def joinable(conn: Connection, game_id: str) -> TableRow | None:
    found = table(conn, game_id)
    return found if found and found.is_open else None


def reserved(conn: Connection, game_id: str) -> TableRow | None:
    """Return an unfinished game's table, or None if its gamesmaster approves."""
    runs = exists().where(Game.id == game_id, Game.status != GameState.OVER)
    where = (OpenTable.id == game_id, OpenTable.state == TableState.BEGUN, ~OpenTable.approve)
    row = conn.execute(_TABLES.where(*where, runs)).first()
    return TableRow._make(row) if row else None


def listed(conn: Connection) -> Sequence[TableRow]:
    """Return joinable tables, first opened first."""
    found = _TABLES.where(OpenTable.state.in_(OPEN)).order_by(OpenTable.opened, OpenTable.id)
    return [TableRow._make(row) for row in conn.execute(found)]


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


def look_at(conn: Connection, game_id: str, when: datetime | None) -> None:
    conn.execute(update(OpenTable).where(OpenTable.id == game_id).values(next_look=when))


# --- who signs on ---------------------------------------------------------------------------------


def applicants(conn: Connection, game_id: str) -> list[ApplicantRow]:
    """Return present applicants by place."""
    where = (Applicant.game_id == game_id, Applicant.state != ApplicantState.GONE)
    return [ApplicantRow._make(row) for row in conn.execute(_APPLICANTS.where(*where))]


def applicant(conn: Connection, number: int) -> ApplicantRow | None:
    row = conn.execute(_APPLICANTS.where(Applicant.id == number)).first()
    return ApplicantRow._make(row) if row else None


def of_address(
    conn: Connection, game_id: str, address: str, player_id: int | None
) -> ApplicantRow | None:
    """Return an active applicant, preferably signed on, or None."""
    his = Applicant.address == address
    if player_id is not None:
        his |= Applicant.player_id == player_id
    where = (Applicant.game_id == game_id, Applicant.state != ApplicantState.GONE, his)
    rows = [ApplicantRow._make(row) for row in conn.execute(_APPLICANTS.where(*where))]
    return next((one for one in rows if one.state in HERE), rows[0] if rows else None)


def of_person(conn: Connection, address: str, player_id: int | None) -> list[ApplicantRow]:
    """Return a person's accepted applications (:data:`HERE`)."""
    his = Applicant.address == address
    if player_id is not None:
        his |= Applicant.player_id == player_id
    found = _APPLICANTS.where(Applicant.state.in_(HERE), his).order_by(None)
    return [ApplicantRow._make(row) for row in conn.execute(found.order_by(Applicant.game_id))]


def known_of(conn: Connection, address: str, player_id: int | None) -> list[ApplicantRow]:
    """Return what he was asked or signed on to, at open tables and begun games."""
    his = Applicant.address == address
    if player_id is not None:
        his |= Applicant.player_id == player_id
    waits = exists().where(OpenTable.id == Applicant.game_id, OpenTable.state.in_(OPEN))
    runs = exists().where(Game.id == Applicant.game_id, Game.status != GameState.OVER)
    queued = runs & Applicant.state.in_((ApplicantState.SIGNED, ApplicantState.ASKED))
    plays = exists().where(Seat.game_id == Applicant.game_id, Seat.player_id == Applicant.player_id)
    states = (*HERE, ApplicantState.ASKED)
    where = (Applicant.state.in_(states), his, waits | queued, ~plays)
    found = _APPLICANTS.where(*where).order_by(None)
    return [ApplicantRow._make(row) for row in conn.execute(found.order_by(Applicant.game_id))]


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
    row = applicant(conn, number)
    assert row
    return row


def try_applicant(conn: Connection, number: int, after: ApplicantState, **values: Any) -> bool:
    """Return False if it may not follow."""
    where = (Applicant.id == number, may_follow(Applicant.state, APPLICANT, after))
    done = conn.execute(update(Applicant).where(*where).values(state=after, **values))
    return done.rowcount == 1


def set_applicant(conn: Connection, number: int, **values: Any) -> None:
    if "state" in values:
        raise RefereeError("the state of an applicant is set by try_applicant")
    conn.execute(update(Applicant).where(Applicant.id == number).values(**values))


def call(conn: Connection, player_id: int, name: str) -> None:
    conn.execute(update(Applicant).where(Applicant.player_id == player_id).values(name=name))


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
    return [ApplicantRow._make(row) for row in conn.execute(found)]
