"""Statements about open tables and those who sign on to them.

A state is set with the former state in the WHERE. So if two try the same, only one succeeds.
"""

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
from pbem.store.schema.tables import Address, Applicant, Game, OpenTable, Player, Seat

OPEN = (TableState.JOINING, TableState.CALLED)
"""The states in which a table can be joined."""
HERE = (ApplicantState.SIGNED, ApplicantState.CALLED, ApplicantState.SURE)
"""The states of those who have signed on."""


class TableRow(NamedTuple):
    """An open table's record."""

    id: str
    ruleset: str
    state: TableState
    places: int
    plan: dict[str, Any]
    seed: str
    gamesmaster: str
    approve: bool
    experience: int
    reliability: int
    opened: datetime
    starts: datetime | None
    closes: datetime | None
    called: datetime | None
    next_look: datetime | None

    @property
    def is_open(self) -> bool:
        """Whether it can be joined."""
        return self.state in OPEN


class ApplicantRow(NamedTuple):
    """A person who signs on."""

    id: int
    game_id: str
    address: str
    """The address the letter came from."""
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
    """Where mail goes: a registered player's address of record."""
    face: str
    """"plain" if mails are to have no HTML."""


_TABLES = select(*(OpenTable.__table__.c[name] for name in TableRow._fields))
_APPLICANTS = (
    select(
        *(Applicant.__table__.c[name] for name in ApplicantRow._fields[:-2]),
        func.coalesce(Address.address, Applicant.address),
        func.coalesce(Player.face, ""),
    )
    .select_from(Applicant)
    .outerjoin(Player, Player.id == Applicant.player_id)
    .outerjoin(Address, (Address.player_id == Applicant.player_id) & Address.of_record)
    .order_by(Applicant.place.is_(None), Applicant.place, Applicant.id)
)


def new(conn: Connection, row: TableRow) -> None:
    """A table is open. One of that id that did not become a game is forgotten."""
    if row.state not in NEW_TABLE:
        raise RefereeError(f"table {row.id} cannot begin as {row.state}")
    conn.execute(delete(Applicant).where(Applicant.game_id == row.id))
    conn.execute(delete(OpenTable).where(OpenTable.id == row.id))
    conn.execute(insert(OpenTable).values(**row._asdict()))


def table(conn: Connection, game_id: str) -> TableRow | None:
    """Return the table of a game that is, or was, to be joined; None if there was none."""
    row = conn.execute(_TABLES.where(OpenTable.id == game_id)).first()
    return TableRow._make(row) if row else None


def joinable(conn: Connection, game_id: str) -> TableRow | None:
    """Return the table of a game that can be joined; None if there is none."""
    found = table(conn, game_id)
    return found if found and found.is_open else None


def reserved(conn: Connection, game_id: str) -> TableRow | None:
    """Return the table of a game that has begun and is not over: a new applicant waits there for a
    seat. Return None if there is none, or if a gamesmaster would have to approve."""
    runs = exists().where(Game.id == game_id, Game.status != GameState.OVER)
    where = (OpenTable.id == game_id, OpenTable.state == TableState.BEGUN, ~OpenTable.approve)
    row = conn.execute(_TABLES.where(*where, runs)).first()
    return TableRow._make(row) if row else None


def listed(conn: Connection) -> Sequence[TableRow]:
    """Return the tables that can be joined, the first opened first."""
    found = _TABLES.where(OpenTable.state.in_(OPEN)).order_by(OpenTable.opened, OpenTable.id)
    return [TableRow._make(row) for row in conn.execute(found)]


def in_hand(conn: Connection, address: str, game_id: str = "") -> bool:
    """Return whether a table that can be joined, this one or any, was opened for a gamesmaster."""
    where = [OpenTable.state.in_(OPEN), OpenTable.gamesmaster == address]
    where += [OpenTable.id == game_id] if game_id else []
    return conn.execute(select(OpenTable.id).where(*where).limit(1)).first() is not None


def due(conn: Connection, now: datetime) -> Sequence[str]:
    """The tables that are to be looked at by now, the longest due first."""
    where = (OpenTable.state.in_(OPEN), OpenTable.next_look <= now)
    found = select(OpenTable.id).where(*where).order_by(OpenTable.next_look, OpenTable.id)
    return conn.execute(found).scalars().all()


def try_state(
    conn: Connection, game_id: str, before: TableState, after: TableState, **values: Any
) -> bool:
    """Set a table's next state and other columns if its state is ``before``. Return whether it
    was."""
    if after not in TABLE[before]:
        raise RefereeError(f"table {game_id}: no table that is {before} becomes {after}")
    where = (OpenTable.id == game_id, OpenTable.state == before)
    done = conn.execute(update(OpenTable).where(*where).values(state=after, **values))
    return done.rowcount == 1


def look_at(conn: Connection, game_id: str, when: datetime | None) -> None:
    """When it is looked at next; None: no more."""
    conn.execute(update(OpenTable).where(OpenTable.id == game_id).values(next_look=when))


# --- who signs on ---------------------------------------------------------------------------------


def applicants(conn: Connection, game_id: str) -> list[ApplicantRow]:
    """Return all who are not gone, those who have a place first, by it."""
    where = (Applicant.game_id == game_id, Applicant.state != ApplicantState.GONE)
    return [ApplicantRow._make(row) for row in conn.execute(_APPLICANTS.where(*where))]


def applicant(conn: Connection, number: int) -> ApplicantRow | None:
    """One of them, by his number."""
    row = conn.execute(_APPLICANTS.where(Applicant.id == number)).first()
    return ApplicantRow._make(row) if row else None


def of_address(
    conn: Connection, game_id: str, address: str, player_id: int | None
) -> ApplicantRow | None:
    """Return the active applicant with this address or player id. Prefer one who has signed on to
    one who is still asked."""
    his = Applicant.address == address
    if player_id is not None:
        his |= Applicant.player_id == player_id
    where = (Applicant.game_id == game_id, Applicant.state != ApplicantState.GONE, his)
    rows = [ApplicantRow._make(row) for row in conn.execute(_APPLICANTS.where(*where))]
    return next((one for one in rows if one.state in HERE), rows[0] if rows else None)


def of_person(conn: Connection, address: str, player_id: int | None) -> list[ApplicantRow]:
    """Return all that somebody has signed on to, and not left: tables, and games that he waits for
    or plays in."""
    his = Applicant.address == address
    if player_id is not None:
        his |= Applicant.player_id == player_id
    found = _APPLICANTS.where(Applicant.state.in_(HERE), his).order_by(None)
    return [ApplicantRow._make(row) for row in conn.execute(found.order_by(Applicant.game_id))]


def known_of(conn: Connection, address: str, player_id: int | None) -> list[ApplicantRow]:
    """Return all that somebody was asked or has signed on to, at tables that are open and games
    that have begun without him."""
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
    """Somebody signs on, with these columns: for the first time, or again."""
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
    """Set an applicant's next state and other columns if that may follow. Return whether it did."""
    where = (Applicant.id == number, may_follow(Applicant.state, APPLICANT, after))
    done = conn.execute(update(Applicant).where(*where).values(state=after, **values))
    return done.rowcount == 1


def set_applicant(conn: Connection, number: int, **values: Any) -> None:
    """Change columns of his row; his state has a function of its own."""
    if "state" in values:
        raise RefereeError("the state of an applicant is set by try_applicant")
    conn.execute(update(Applicant).where(Applicant.id == number).values(**values))


def next_place(conn: Connection, game_id: str) -> int:
    """Return the next place number, behind every one ever given at a table."""
    found = select(func.max(Applicant.place)).where(Applicant.game_id == game_id)
    return (conn.execute(found).scalar() or 0) + 1


def waiting_list(conn: Connection, game_id: str) -> list[ApplicantRow]:
    """Return those who wait for a seat of a game that has begun and is not over, the first come
    first."""
    begun = exists().where(OpenTable.id == game_id, OpenTable.state == TableState.BEGUN)
    runs = exists().where(Game.id == game_id, Game.status != GameState.OVER)
    plays = exists().where(Seat.game_id == game_id, Seat.player_id == Applicant.player_id)
    waits = (Applicant.game_id == game_id, Applicant.state == ApplicantState.SIGNED, begun, runs)
    found = _APPLICANTS.where(*waits, ~plays, Applicant.place.is_not(None))
    return [ApplicantRow._make(row) for row in conn.execute(found)]
