"""Games, inside the caller's transaction. Nothing is decided here."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, Concatenate, NoReturn
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Select, Text, bindparam, cast, false, func, select

from pbem.errors import OperatorError, RefereeError
from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Seat
from pbem.games.frame.house import HIDDEN, House
from pbem.games.frame.ruleset import Ruleset
from pbem.orders.called import Names, is_number, names, parties
from pbem.store.engine.hot import Hot
from pbem.store.games import positions
from pbem.store.games.game_rows import GameRow, Holder, PeriodRow, SeatKey
from pbem.store.schema.states import GameState
from pbem.store.schema.table_base import Record, columns, many, one
from pbem.store.schema.tables import (
    Address,
    Game,
    Letter,
    Outgoing,
    Period,
    Player,
    Practice,
    Standby,
)
from pbem.store.schema.tables import Seat as SeatRecord
from pbem.text import moment_words, safe

# Made once: building a statement takes SQLAlchemy five times as long as running it.
_BEFORE = Period.__table__.alias("before")

OF_GAME = columns(GameRow, Game, house=cast(Game.house, Text))
_OF_PERIOD = columns(PeriodRow, Period, due_before=_BEFORE.c.due, closed_before=_BEFORE.c.closed)
_GAME = Hot(select(*OF_GAME).where(Game.id == bindparam("game")))


def _at(number: ColumnElement[int]) -> Select[Any]:
    return (
        select(*OF_GAME, *_OF_PERIOD)
        .select_from(Game)
        .outerjoin(Period, (Period.game_id == Game.id) & (Period.number == number))
        .outerjoin(
            _BEFORE, (_BEFORE.c.game_id == Game.id) & (_BEFORE.c.number == Period.number - 1)
        )
    )


_TABLE = Hot(
    _at(func.coalesce(bindparam("number"), Game.period)).where(Game.id == bindparam("game"))
)
_RECEIPTS = select(func.max(Letter.receipt)).where(
    Letter.game_id == SeatRecord.game_id, Letter.seat == SeatRecord.seat
)
_HOLDER = (
    select(
        *columns(
            Holder,
            SeatRecord,
            name=func.coalesce(Player.name, ""),
            address=func.coalesce(Address.address, ""),
            receipts=func.coalesce(_RECEIPTS.scalar_subquery(), 0),
            zone=func.coalesce(Player.zone, ""),
            all_receipts=func.coalesce(Player.all_receipts, false()),
            face=func.coalesce(Player.face, ""),
            calendar=func.coalesce(Player.calendar, false()),
            deputy=sa.null(),
        )
    )
    .select_from(SeatRecord)
    .outerjoin(Player, Player.id == SeatRecord.player_id)
    .outerjoin(Address, (Address.player_id == SeatRecord.player_id) & Address.of_record)
    .order_by(SeatRecord.game_id, SeatRecord.place)
)
_HOLDERS = Hot(_HOLDER.where(SeatRecord.game_id == bindparam("game")))


@dataclass(frozen=True, slots=True)
class GameAt:
    """A game at a moment, for one transaction. ``state``: of ``period``."""

    row: GameRow
    ruleset: Ruleset[Any]
    house: House
    zone: ZoneInfo
    holders: Mapping[Seat, Holder]
    period: PeriodRow
    state: Any

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in joining order."""
        return tuple(self.holders)

    @property
    def result(self) -> Json | None:
        """The contract's ``result``; None while it runs."""
        if self.row.agreed:
            return {"winners": self.row.agreed, "standing": {}}
        found = self.ruleset.result(self.state)
        return found.json() if found else None

    @property
    def practice(self) -> bool:
        return self.house.practice

    @property
    def bots(self) -> tuple[Seat, ...]:
        return tuple(filter(self._is_bot, self.holders))

    def _is_bot(self, seat: Seat) -> bool:
        holder = self.holders[seat]
        return bool(holder.bot) or (holder.player_id is None and self.practice)

    def people(self, besides: Seat) -> list[Seat]:
        """Return the seats ``besides`` one that no house bot plays; all if bots play them all."""
        others = [seat for seat in self.seats if seat != besides]
        return [seat for seat in others if not self._is_bot(seat)] or others

    @property
    def hides_names(self) -> bool:
        """Whether only the gamesmaster knows the names until the end."""
        if self.house.names != HIDDEN:
            return False
        return self.row.status != GameState.OVER and self.result is None

    def minute(self, moment: datetime) -> str:
        """Return a moment in the game's zone; midnight ends its day."""
        return f"{moment_words(moment.astimezone(self.zone))} {self.row.zone}"

    def player(self, seat: Seat, *, over: bool = False) -> str:
        """Return the public name of a seat's player, or "". Names are hidden until the game is
        ``over``. All texts take names from here."""
        if self._is_bot(seat):
            return f"Bot {self.holders[seat].bot}" if self.holders[seat].bot else "a house bot"
        return safe(self.holders[seat].name) if over or not self.hides_names else ""

    @property
    def called(self) -> Names:
        """The seats that go by the name of their player, as far as names are public."""
        return names(dict(self._people)) if any(map(is_number, self.seats)) else ()

    @property
    def named(self) -> Names:
        """All seats that letters may name by their player, as far as names are public."""
        return tuple((seat, name) for seat, name in self._people if name)

    @property
    def led(self) -> Names:
        return parties(dict(self._people))

    @property
    def _people(self) -> Iterator[tuple[Seat, str]]:
        return ((seat, self.player(seat)) for seat, one in self.holders.items() if one.name)

    @property
    def awaits(self) -> bool:
        """Whether orders make the referee look: the deadline has passed, or the period closes
        early."""
        return self.house.at_once or bool(self.period.moves and self.period.due is not None)

    def dice(self) -> Dice:
        return Dice(self.row.seed, self.row.id, self.period.edition)

    @property
    def term(self) -> str:
        """The period in keys of mails, with the edition."""
        number, edition = self.period.number, self.period.edition
        return f"{number}" if edition == 1 else f"{number}.{edition}"


def game(conn: Connection, game_id: str) -> GameRow:
    """Raise OperatorError if there is none."""
    return one(conn, GameRow, _GAME, game=game_id) or _unknown(conn, game_id)


def _unknown(conn: Connection, game_id: str) -> NoReturn:
    known = Game.values(conn, Game.id, order=Game.created.desc(), most=10)
    raise OperatorError(
        f"there is no game {game_id!r}; the newest are: {', '.join(known) or 'none'}"
    )


def game_at(conn: Connection, game_id: str, number: int | None = None) -> GameAt:
    """Return the game at its open period or ``number``. Raise OperatorError."""
    found = begun(conn, game_id, number)
    if found is None and number is not None:
        raise OperatorError(f"game {game_id} has no period {number}")
    if found is None:
        over = game(conn, game_id).status == GameState.OVER
        raise OperatorError(
            f"game {game_id} was ended before it had begun"
            if over
            else f"game {game_id} has not begun; `pbem start {game_id}` begins it"
        )
    return found


def begun(conn: Connection, game_id: str, number: int | None = None) -> GameAt | None:
    """Return None before the start."""
    row = _TABLE.first(conn, {"game": game_id, "number": number}) or _unknown(conn, game_id)
    return _made(conn, *_split(row), holders(conn, game_id))


def as_adjudicated(conn: Connection, game: GameAt) -> GameAt:
    """Return a game without amendments since its bulletin."""
    found = positions.as_adjudicated(conn, game.ruleset, game.row, game.period)
    if found is None:
        return game
    return replace(game, state=found.state, period=game.period._replace(state_hash=found.hash))


def several(
    conn: Connection, ids: Sequence[str]
) -> list[tuple[GameRow, Callable[[], GameAt | None]]]:
    """Return games, each with a function for its :class:`GameAt`: None if not begun. It raises if
    the record is unreadable."""
    seats: dict[str, dict[Seat, Holder]] = {one: {} for one in ids}
    for holder in many(conn, Holder, _HOLDER.where(SeatRecord.game_id.in_(ids))):
        seats[holder.game_id][holder.seat] = holder
    found = {}
    for row in conn.execute(_at(Game.period.expression).where(Game.id.in_(ids))):
        record, period = _split(row)
        found[record.id] = record, partial(_made, conn, record, period, seats[record.id])
    return [found[one] for one in ids if one in found]


def _split(row: Sequence[Any]) -> tuple[GameRow, PeriodRow | None]:
    of_game, of_period = row[: len(OF_GAME)], row[len(OF_GAME) :]
    return GameRow(*of_game), None if of_period[0] is None else PeriodRow(*of_period)


def _made(
    conn: Connection, record: GameRow, period: PeriodRow | None, seats: Mapping[Seat, Holder]
) -> GameAt | None:
    if period is None:
        return None
    ruleset = positions.ruleset(conn, record)
    position = positions.position(conn, ruleset, record, period)
    if position.hash != period.state_hash:
        period = period._replace(state_hash=position.hash)
    house, zone = house_of(record.house), ZoneInfo(record.zone)
    return GameAt(record, ruleset, house, zone, seats, period, position.state)


def house(conn: Connection, game_id: str) -> House:
    return house_of(Game.values(conn, cast(Game.house, Text), id=game_id)[0])


@lru_cache(maxsize=256)
def house_of(written: str) -> House:
    return codec.load(House, codec.parse(written))


def holders(conn: Connection, game_id: str) -> dict[Seat, Holder]:
    return {one.seat: one for one in many(conn, Holder, _HOLDERS, game=game_id)}


# --- changes --------------------------------------------------------------------------------------


def in_state(conn: Connection, *states: GameState) -> Sequence[str]:
    return Game.values(conn, Game.id, Game.status.in_(states), order=Game.id)


def games_of(conn: Connection, player_id: int) -> set[str]:
    return set(SeatRecord.values(conn, SeatRecord.game_id, player_id=player_id))


def running_of(conn: Connection, player_id: int) -> Sequence[str]:
    runs = (Game.id == SeatRecord.game_id, Game.status != GameState.OVER)
    return sorted(set(SeatRecord.values(conn, SeatRecord.game_id, *runs, player_id=player_id)))


set_state: Callable[Concatenate[Connection, str, GameState, ...], None] = Game.set_state


def set_game(conn: Connection, game_id: str, **values: Any) -> None:
    Game.change(conn, {"id": game_id}, **values)


def hold(conn: Connection, game_id: str, why: str, since: datetime) -> None:
    set_state(conn, game_id, GameState.HELD, held_because=why, held_at=since)


def goes_on(conn: Connection, game_id: str, now: datetime) -> None:
    """Let a game run: letters from now on know its period."""
    again = (Game.id == game_id, Game.restored_to.is_not(None), Game.restored_until.is_(None))
    conn.execute(sa.update(Game).where(*again).values(restored_until=now))
    set_state(conn, game_id, GameState.RUNNING, held_because="", held_at=None)


def set_seat(conn: Connection, game_id: str, seat: Seat, **values: Any) -> None:
    SeatRecord.change(conn, {"game_id": game_id, "seat": seat}, **values)


def exists(conn: Connection, game_id: str) -> bool:
    return Game.has(conn, id=game_id)


# --- a game is forgotten --------------------------------------------------------------------------


def forget(conn: Connection, game_id: str) -> None:
    """Delete a waiting game and its unknown people. Raise RefereeError if it does not wait."""
    status = Game.scalar(conn, Game.status, id=game_id)
    if status != GameState.WAITING:
        raise RefereeError(f"game {game_id} is {status or 'not there'}, and cannot be forgotten")
    seated: list[Any] = [*SeatRecord.many(conn, game_id=game_id)]
    seated += Standby.many(conn, game_id=game_id)
    _forget(conn, game_id, {one.player_id for one in seated if one.player_id is not None})


def forget_practice(conn: Connection, game_id: str) -> None:
    """Delete a practice game, the bytes of its letters and mails, and its person if unknown."""
    known = {one.player_id for one in Practice.many(conn, game_id=game_id)}
    Letter.change(conn, {"game_id": game_id}, raw=None)
    Outgoing.change(conn, {"game_id": game_id}, raw=b"")
    _forget(conn, game_id, known)


def _forget(conn: Connection, game_id: str, known: Collection[int]) -> None:
    for table in reversed(Record.metadata.sorted_tables):
        if "game_id" in table.c and table not in (Letter.__table__, Outgoing.__table__):
            conn.execute(sa.delete(table).where(table.c.game_id == game_id))
    Game.drop(conn, id=game_id)
    forget_players(conn, known)


def forget_players(conn: Connection, player_ids: Collection[int]) -> None:
    """Delete those players of whom only addresses are on file."""
    left = set(player_ids)
    for table in Record.metadata.sorted_tables:
        for column in (table.c[name] for name in ("player_id", "holder_id") if name in table.c):
            if table is not Address.__table__:
                left -= set(conn.execute(select(column).where(column.in_(left))).scalars())
    Address.drop(conn, Address.player_id.in_(left))
    Player.drop(conn, Player.id.in_(left))


_BY_DEADLINE = (
    select(Game.id)
    .outerjoin(Period, (Period.game_id == Game.id) & (Period.number == Game.period))
    .order_by(Period.due.is_(None), Period.due, Game.id)
)


def by_deadline(conn: Connection, *states: GameState) -> Sequence[str]:
    return conn.execute(_BY_DEADLINE.where(Game.status.in_(states))).scalars().all()


def with_amendments(conn: Connection) -> Sequence[str]:
    """Return games in play whose position holds amendments, by deadline."""
    some = Period.state["amendments"].as_string() != "[]"
    found = _BY_DEADLINE.where(Game.status.in_((GameState.RUNNING, GameState.HELD)), some)
    return conn.execute(found).scalars().all()


def not_over(conn: Connection) -> Sequence[GameRow]:
    found = select(*OF_GAME).where(Game.status != GameState.OVER).order_by(Game.id)
    return many(conn, GameRow, found)


def backups(conn: Connection, game_id: str) -> Sequence[tuple[datetime | None, datetime | None]]:
    """Return when a game's backup ended, and when it went on; "": of each unfinished game."""
    own = Game.id == game_id if game_id else Game.status != GameState.OVER
    found = select(Game.restored_to, Game.restored_until).where(own, Game.restored_to.is_not(None))
    return conn.execute(found.distinct()).all()


# --- seats ----------------------------------------------------------------------------------------


# Compiled once, for each pass. Python filters running games: SQLite would scan all games.
_SEATS = select(SeatRecord.game_id, SeatRecord.seat, Game.status).join(
    Game, Game.id == SeatRecord.game_id
)
_ASKED = Hot(_SEATS.where(SeatRecord.asked_until <= bindparam("now")))
_QUITTING = Hot(_SEATS.where(SeatRecord.quits.is_not(None)).order_by(SeatRecord.quits))


def overdue(conn: Connection, now: datetime) -> list[SeatKey]:
    """Return seats whose players did not answer in time."""
    return sorted(running(_ASKED.all(conn, {"now": now})))


def quitting(conn: Connection) -> list[SeatKey]:
    """Return running games' leaving seats, first to ask first."""
    return running(_QUITTING.all(conn))


def running(rows: Iterable[tuple[Any, ...]]) -> list[SeatKey]:
    return [SeatKey(game, seat) for game, seat, status in rows if status == GameState.RUNNING]


_OF_ADDRESS = Hot(
    select(SeatRecord.seat)
    .join(Address, Address.player_id == SeatRecord.player_id)
    .where(SeatRecord.game_id == bindparam("game"), Address.address == bindparam("address"))
)


def seat_of_address(conn: Connection, game_id: str, address: str) -> Seat | None:
    row = _OF_ADDRESS.first(conn, {"game": game_id, "address": address})
    return str(row[0]) if row else None


def played_from(conn: Connection, address: str) -> frozenset[str]:
    theirs = (Address.player_id == SeatRecord.player_id, Address.address == address)
    return frozenset(SeatRecord.values(conn, SeatRecord.game_id, *theirs))


def seats_of(conn: Connection, game_id: str, player_id: int) -> Sequence[Seat]:
    """Return them in joining order."""
    theirs, order = SeatRecord.player_id == player_id, SeatRecord.place
    return SeatRecord.values(conn, SeatRecord.seat, theirs, game_id=game_id, order=order)
