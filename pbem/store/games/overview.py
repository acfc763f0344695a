"""Very many games: what waits, what comes next, pages."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, Text, cast, func, select
from sqlalchemy.orm import Mapped

from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.letters.states import LetterState
from pbem.store.engine.among import Among
from pbem.store.games import games
from pbem.store.games.game_rows import GameRow, PeriodKey
from pbem.store.joining.open_tables import APPLICANTS, HERE, OPEN, ApplicantRow
from pbem.store.schema.states import ApplicantState, Freed, GameState, PeriodState
from pbem.store.schema.table_base import columns, many
from pbem.store.schema.tables import Applicant, FreeSeat, Game, Letter, OpenTable, Period, Player
from pbem.store.schema.tables import Seat as SeatRecord

_NOW = (PeriodState.OPEN, PeriodState.CLOSING, PeriodState.REVIEW)
_EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""For SQLite's index, which "not NULL" does not use."""


class ClockRow(NamedTuple):
    """A game and its period (0: not begun)."""

    id: str
    ruleset: str
    status: GameState
    gamesmaster: str
    zone: str
    written: str
    number: int
    stands: PeriodState | None
    due: datetime | None
    opened: datetime | None
    restored_to: datetime | None
    restored_until: datetime | None
    players: int
    """So many seats have one."""

    @property
    def house(self) -> House:
        return games.house_of(self.written)


class OpenSeatRow(NamedTuple):
    """A seat that may need another player."""

    game_id: str
    status: GameState
    seat: Seat
    name: str
    missed: int
    asked_until: datetime | None
    quit: datetime | None
    free: datetime | None
    why: Freed | None


class FillingRow(OpenTable):
    """A table that can be joined."""

    __abstract__ = True
    zone: Mapped[str]
    joined: Mapped[int]
    sure: Mapped[int]
    asking: Mapped[int]


class NewcomerRow(ApplicantRow):
    """An applicant who waits for approval."""

    __abstract__ = True
    table: Mapped[str]
    zone: Mapped[str]


CLOCK = (
    select(
        *columns(
            ClockRow,
            Game,
            Period,
            written=cast(Game.house, Text),
            number=Game.period,
            stands=Period.status,
            players=select(func.count())
            .where(SeatRecord.game_id == Game.id, SeatRecord.player_id.is_not(None))
            .scalar_subquery(),
        )
    )
    .select_from(Game)
    .outerjoin(Period, (Period.game_id == Game.id) & (Period.number == Game.period))
)


def clocks(conn: Connection, ids: Collection[str]) -> dict[str, ClockRow]:
    return {row.id: row for row in many(conn, ClockRow, CLOCK.where(Game.id.in_(ids)))}


def listed(
    conn: Connection, among: Among, state: GameState, most: int, first: int = 0
) -> Sequence[ClockRow]:
    """Return a page of games by deadline; finished ones by id."""
    there = (Game.status == state, among.shown(Game.id))
    page = select(Game.id).where(*there)
    if state in (GameState.RUNNING, GameState.HELD):
        page = page.join(Period, (Period.game_id == Game.id) & Period.status.in_(_NOW))
        page = page.order_by(Period.due.is_(None), Period.due, Game.id)
    else:
        page = page.order_by(Game.created.desc(), Game.id)
    ids = conn.execute(page.limit(most).offset(first)).scalars().all()
    found = clocks(conn, ids)
    return [found[one] for one in ids]


def next_deadlines(conn: Connection, among: Among, now: datetime, most: int) -> Sequence[PeriodKey]:
    running = (Period.status == PeriodState.OPEN, Game.status == GameState.RUNNING)
    found = select(Period.game_id, Period.number).join(Game, Game.id == Period.game_id)
    found = found.where(*running, among.shown(Period.game_id), Period.due > now)
    return many(conn, PeriodKey, found.order_by(Period.due, Period.game_id).limit(most))


def in_review(conn: Connection, among: Among) -> Sequence[PeriodKey]:
    """Return the longest first."""
    found = select(Period.game_id, Period.number).where(
        Period.status == PeriodState.REVIEW, among.game(Period.game_id)
    )
    return many(conn, PeriodKey, found.order_by(Period.opened, Period.game_id))


def held(conn: Connection, among: Among) -> Sequence[GameRow]:
    """Return the longest first."""
    held_ = (Game.status == GameState.HELD, among.game(Game.id))
    found = select(*games.OF_GAME).where(*held_).order_by(Game.held_at, Game.id)
    return many(conn, GameRow, found)


def open_seats(conn: Connection, among: Among, missed: int) -> Sequence[OpenSeatRow]:
    """Return seats that may need a player, by deadline: free, leaving, ``missed`` so many moves, or
    asked whether they play on."""
    free = (FreeSeat.game_id == SeatRecord.game_id) & (FreeSeat.seat == SeatRecord.seat)
    some = (
        _keys(SeatRecord.quits > _EVER)
        .union(
            _keys(SeatRecord.missed >= missed),
            _keys(SeatRecord.asked_until > _EVER),
            select(FreeSeat.game_id, FreeSeat.seat),
        )
        .subquery()
    )
    there = (SeatRecord.game_id == some.c.game_id) & (SeatRecord.seat == some.c.seat)
    going = Game.status.in_((GameState.RUNNING, GameState.HELD))
    query = (
        select(
            *columns(
                OpenSeatRow,
                SeatRecord,
                Game,
                FreeSeat,
                name=func.coalesce(Player.name, ""),
                quit=SeatRecord.quits,
                free=FreeSeat.since,
            )
        )
        .select_from(some)
        .join(SeatRecord, there)
        .join(Game, Game.id == SeatRecord.game_id)
        .outerjoin(FreeSeat, free)
        .outerjoin(Player, Player.id == SeatRecord.player_id)
        .where(going, among.game(SeatRecord.game_id))
        .order_by(SeatRecord.game_id, SeatRecord.place)
    )
    return many(conn, OpenSeatRow, query)


def _keys(where: ColumnElement[bool]) -> Select[str, str]:
    return select(SeatRecord.game_id, SeatRecord.seat).where(where)


def pressing(
    conn: Connection, among: Among, state: LetterState, most: int, newest: int
) -> Sequence[int]:
    """Return the newest letters in a state whose games close next."""
    some = (
        select(Letter.id, Letter.game_id)
        .where(Letter.outcome == state, among.post(Letter.game_id, Letter.sender))
        .order_by(Letter.id.desc())
        .limit(newest)
        .subquery()
    )
    # by game only: with the state SQLite would scan all open periods
    open_ = (Period.game_id == some.c.game_id) & Period.closed.is_(None)
    found = select(some.c.id).outerjoin(Period, open_)
    order = (Period.due.is_(None), Period.due, some.c.id.desc())
    return conn.execute(found.order_by(*order).limit(most)).scalars().all()


def letters(conn: Connection, ids: Collection[int]) -> Sequence[Letter]:
    """Return letters in the order of ``ids``, without their bytes."""
    found = {row.id: row for row in Letter.many(conn, Letter.id.in_(ids), light=True)}
    return [found[one] for one in ids if one in found]


def letter_page(  # noqa: PLR0913  what a list is narrowed to
    conn: Connection,
    among: Among,
    states: Collection[LetterState],
    most: int,
    *,
    game_id: str | None = None,
    sender: str | None = None,
    before: int = 0,
) -> Sequence[int]:
    """Return the newest letters by state (empty: any), game and sender. before: an id, or 0."""
    where = [] if among.whole else [among.post(Letter.game_id, Letter.sender)]
    where += [Letter.outcome.in_(states)] if states else []
    where += [Letter.id < before] if before else []
    of = {"game_id": game_id, "sender": sender}
    given: dict[str, Any] = {name: one for name, one in of.items() if one}
    return Letter.values(conn, Letter.id, *where, order=Letter.id.desc(), most=most, **given)


_ZONE = OpenTable.plan["game"]["zone"].as_string()
_HERE = (Applicant.game_id == OpenTable.id) & Applicant.state.in_(HERE)


def _count(where: ColumnElement[bool]) -> Any:
    found = select(func.count(Applicant.id)).where(_HERE, where)
    return found.correlate(OpenTable).scalar_subquery()


def _led(master: str | None) -> tuple[ColumnElement[bool], ...]:
    open_ = OpenTable.state.in_(OPEN)
    return (open_,) if master is None else (open_, OpenTable.gamesmaster == master)


def filling_number(conn: Connection, master: str | None) -> int:
    """Return the number of joinable tables. master: None for all."""
    return OpenTable.how_many(conn, *_led(master))


def filling(
    conn: Connection, master: str | None, most: int, first: int = 0
) -> Sequence[FillingRow]:
    """Return a page of joinable tables by closing. master: None for all."""
    query = select(
        *columns(
            FillingRow,
            OpenTable,
            zone=_ZONE,
            joined=_count(Applicant.place.is_not(None)),
            sure=_count(Applicant.state == ApplicantState.SURE),
            asking=_count(Applicant.place.is_(None) & OpenTable.approve),
        )
    ).where(*_led(master))
    order = (OpenTable.closes.is_(None), OpenTable.closes, OpenTable.id)
    return many(conn, FillingRow, query.order_by(*order).limit(most).offset(first))


def newcomers(conn: Connection, master: str | None) -> Sequence[NewcomerRow]:
    """Return applicants to be approved, at the address of their mail. master: None for all."""
    waits = (Applicant.place.is_(None), Applicant.state == ApplicantState.SIGNED)
    of_table = (OpenTable.id == Applicant.game_id, OpenTable.approve, *_led(master))
    found = APPLICANTS.add_columns(Applicant.game_id, _ZONE).where(*of_table, *waits)
    order = (Applicant.came, Applicant.id)
    rows = many(conn, NewcomerRow, found.order_by(None).order_by(*order))
    return [row._replace(address=row.mail) for row in rows]
