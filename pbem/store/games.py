"""What the referee remembers of games: reading and writing inside somebody else's transaction.

Nothing here decides anything. Every function takes the connection of the one transaction that a
letter or a period is, so that orders, receipt and outcome become true together or not at all.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, Text, bindparam, cast, delete, func, insert, select, update

from pbem.errors import OperatorError, RefereeError
from pbem.games.frame import codec
from pbem.games.frame.adjudication import canonical, reread
from pbem.games.frame.calendar import House
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Event, Seat
from pbem.games.frame.readiness import Said
from pbem.games.frame.ruleset import Ruleset, upgraded
from pbem.letters.reading import headers
from pbem.orders.order import Order, Standing
from pbem.store import journal, shelf
from pbem.store.budget import paused
from pbem.store.records import (
    Address,
    Game,
    Journal,
    Letter,
    Memo,
    OrderSet,
    Period,
    Player,
    Ruling,
)
from pbem.store.records import Seat as SeatRecord

# The statements of every letter are made once: to build one costs SQLAlchemy five times what it
# costs to run it.
_GAME = select(Game.__table__).where(Game.id == bindparam("game"))
_LARGE = (
    "tables",
    "scenario",
    "state",
)  # read only where a rule-set or a position is not loaded yet
_BEFORE = Period.__table__.alias("before")
_OF_GAME = [
    cast(c, Text).label(c.name) if c.name == "house" else c
    for c in Game.__table__.c
    if c.name not in _LARGE
]
_OF_PERIOD = [c for c in Period.__table__.c if c.name not in _LARGE]
_TABLE = (
    select(*_OF_GAME, *_OF_PERIOD, _BEFORE.c.due, _BEFORE.c.closed)
    .select_from(Game)
    .outerjoin(
        Period,
        (Period.game_id == Game.id)
        & (Period.number == func.coalesce(bindparam("number"), Game.period)),
    )
    .outerjoin(_BEFORE, (_BEFORE.c.game_id == Game.id) & (_BEFORE.c.number == Period.number - 1))
    .where(Game.id == bindparam("game"))
)


def _row(name: str, *fields: str) -> Any:
    return namedtuple(name, fields)


_GameRow = _row("_GameRow", *(column.name for column in _OF_GAME))
_PeriodRow = _row(
    "_PeriodRow", *(column.name for column in _OF_PERIOD), "due_before", "closed_before"
)
_TABLES = select(Game.tables).where(Game.id == bindparam("game"))
_STATE = select(Period.state).where(
    Period.game_id == bindparam("game"), Period.number == bindparam("number")
)
_RECEIPTS = select(func.max(Letter.receipt)).where(
    Letter.game_id == SeatRecord.game_id, Letter.seat == SeatRecord.seat
)
_HOLDERS = (
    select(
        SeatRecord.seat,
        SeatRecord.player_id,
        func.coalesce(Player.name, ""),
        func.coalesce(Address.address, ""),
        SeatRecord.token_hash,
        SeatRecord.token_no,
        SeatRecord.missed,
        SeatRecord.asked_until,
        SeatRecord.heard,
        SeatRecord.quits,
        func.coalesce(_RECEIPTS.scalar_subquery(), 0),
    )
    .select_from(SeatRecord)
    .outerjoin(Player, Player.id == SeatRecord.player_id)
    .outerjoin(Address, (Address.player_id == SeatRecord.player_id) & Address.of_record)
    .where(SeatRecord.game_id == bindparam("game"))
    .order_by(SeatRecord.place)
)
_LAST_SET = (
    select(OrderSet.__table__)
    .where(
        OrderSet.game_id == bindparam("game"),
        OrderSet.period == bindparam("number"),
        OrderSet.seat == bindparam("seat"),
    )
    .order_by(OrderSet.ordinal.desc())
    .limit(1)
)
_NEW_SET = insert(OrderSet)
_LAST_ENTRY = (
    select(Journal.n, Journal.hash)
    .where(Journal.game_id == bindparam("game"))
    .order_by(Journal.n.desc())
    .limit(1)
)
_NEW_ENTRY = insert(Journal)


class Holder(NamedTuple):
    """Who holds a seat: player's name and address of record ("" while nobody does). ``receipts``:
    the number of the newest receipt for the seat."""

    seat: Seat
    player_id: int | None
    name: str
    address: str
    token_hash: str
    token_no: int
    missed: int
    asked_until: datetime | None
    heard: int
    quits: datetime | None
    receipts: int


@dataclass(frozen=True, slots=True)
class Table:
    """One game as it stands: its record, its rule-set on its own tables, its house rules, holders,
    and open period (with ``due_before`` and ``closed_before`` of the one before)."""

    game: Any
    ruleset: Ruleset[Any]
    house: House
    zone: ZoneInfo
    holders: Mapping[Seat, Holder]
    period: Any
    state: Any

    @property
    def id(self) -> str:
        """The game's id."""
        return str(self.game.id)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in joining order."""
        return tuple(self.holders)

    def dice(self) -> Dice:
        """The game's chance."""
        return Dice(self.game.seed, self.game.id)


def game(conn: Connection, game_id: str) -> Row[Any]:
    """The game's whole record; raises OperatorError where there is none."""
    return conn.execute(_GAME, {"game": game_id}).first() or _unknown(conn, game_id)


def _unknown(conn: Connection, game_id: str) -> NoReturn:
    known = conn.execute(select(Game.id).order_by(Game.created.desc()).limit(10)).scalars().all()
    raise OperatorError(
        f"there is no game {game_id!r}; the newest are: {', '.join(known) or 'none'}"
    )


def table(conn: Connection, game_id: str, number: int | None = None) -> Table:
    """The game at its open period (or at period ``number``)."""
    found = begun(conn, game_id, number)
    if found is None:
        begins = (
            f"has not begun; `pbem start {game_id}` begins it"
            if number is None
            else f"has no period {number}"
        )
        raise OperatorError(f"game {game_id} {begins}")
    return found


def begun(conn: Connection, game_id: str, number: int | None = None) -> Table | None:
    """The game as :func:`table` gives it; None while it has no such period (it waits for its
    start)."""
    row = conn.execute(_TABLE, {"game": game_id, "number": number}).first() or _unknown(
        conn, game_id
    )
    record, period = _GameRow(*row[: len(_OF_GAME)]), _PeriodRow(*row[len(_OF_GAME) :])
    if period.number is None:
        return None
    ruleset = _RULESETS.get(record.tables_hash, lambda: _ruleset(conn, record))
    position = _STATES.get(
        f"{record.tables_hash}/{period.state_hash}",
        lambda: _position(conn, ruleset, record, period),
    )
    if position.hash != period.state_hash:
        period = period._replace(state_hash=position.hash)
    house, zone = _house(record.house), ZoneInfo(record.zone)
    return Table(record, ruleset, house, zone, holders(conn, game_id), period, position.state)


class _Loaded:
    """What was loaded from JSON, by the hash of that: most letters of a period find theirs here."""

    def __init__(self, most: int) -> None:
        self.most, self.kept = most, dict[str, Any]()

    def get(self, key: str, load: Callable[[], Any]) -> Any:
        if key not in self.kept:
            while len(self.kept) >= self.most:
                del self.kept[next(iter(self.kept))]
            with paused:  # what is loaded stays for the letters to come
                self.kept[key] = load()
        return self.kept[key]


_RULESETS, _STATES = _Loaded(256), _Loaded(512)


def _ruleset(conn: Connection, record: Any) -> Ruleset[Any]:
    return shelf.open_ruleset(
        record.ruleset, conn.execute(_TABLES, {"game": record.id}).scalar_one()
    )


class _Position(NamedTuple):
    """A period's state, and the hash of its JSON in the rule-set's present schema."""

    state: Any
    hash: str


def _position(conn: Connection, ruleset: Ruleset[Any], record: Any, period: Any) -> _Position:
    """The position of a period; what an older program wrote is upgraded (a row without a number is
    of the schema that its game was made with). The row stays as it is, so that a program that is
    put back finds its own."""
    plain = dict(
        conn.execute(_STATE, {"game": period.game_id, "number": period.number}).scalar_one()
    )
    schema = plain.pop("schema", record.schema)
    if schema == ruleset.about.schema:
        return _Position(ruleset.load(plain), period.state_hash)
    state = ruleset.load(upgraded(ruleset, plain, schema))
    return _Position(state, dumped(ruleset, state)["state_hash"])


@lru_cache(maxsize=256)
def _house(written: str) -> House:
    return codec.load(House, codec.parse(written))


def tables_hash(key: str, tables: Mapping[str, Any]) -> str:
    """The name under which the rule-set of a game is known: SHA-256 over its key and its tables."""
    return hashlib.sha256(f"{key}/{codec.text(tables)}".encode()).hexdigest()


def dumped(ruleset: Ruleset[Any], state: Any) -> dict[str, Any]:
    """The two columns of a position: its JSON with the number of its schema, and the hash of it
    without that."""
    plain = codec.plain(ruleset.dump(state))
    return {
        "state": {"schema": ruleset.about.schema, **plain},
        "state_hash": hashlib.sha256(codec.text(plain).encode()).hexdigest(),
    }


def holders(conn: Connection, game_id: str) -> dict[Seat, Holder]:
    """Who holds each seat, in joining order."""
    return {row[0]: Holder._make(row) for row in conn.execute(_HOLDERS, {"game": game_id})}


def mail_address(written: str) -> str:
    """An address as it is registered, in the form in which senders are compared; raises
    OperatorError where no letter could come from it."""
    address = headers.address(written.strip())
    if not address:
        raise OperatorError(f"{written!r} is no mail address; write one like rene@mail.example")
    return address


def player(conn: Connection, address: str, name: str, now: datetime) -> int:
    """The id of the player registered under an address, who is registered now if he was not."""
    address = mail_address(address)
    found = conn.execute(select(Address.player_id).where(Address.address == address)).scalar()
    if found is not None:
        return int(found)
    made = conn.execute(
        insert(Player)
        .values(name=name or address.partition("@")[0], created=now)
        .returning(Player.id)
    )
    player_id = int(made.scalar_one())
    conn.execute(
        insert(Address).values(
            address=address,
            player_id=player_id,
            of_record=True,
            soft_bounces=0,
            hard_bounces=0,
            last_bounce="",
            pgp_key="",
        )
    )
    return player_id


def games_of(conn: Connection, player_id: int) -> Sequence[str]:
    """The ids of the games in which a player holds a seat."""
    return (
        conn.execute(select(SeatRecord.game_id).where(SeatRecord.player_id == player_id).distinct())
        .scalars()
        .all()
    )


# --- orders ---------------------------------------------------------------------------------------


def last_set(conn: Connection, game_id: str, period: int, seat: Seat) -> Row[Any] | None:
    """The newest order set of a seat in a period; None where it has sent nothing."""
    return conn.execute(_LAST_SET, {"game": game_id, "number": period, "seat": seat}).first()


def standing(conn: Connection, at: Table, seat: Seat) -> dict[str, Order]:
    """The orders that stand for a seat in the table's period."""
    return orders_of(at, last_set(conn, at.id, at.period.number, seat))


def orders_of(at: Table, row: Row[Any] | None) -> dict[str, Order]:
    """The orders of an order set; {} for none."""
    return reread(at.ruleset, row.orders) if row else {}


def all_standing(conn: Connection, at: Table) -> dict[Seat, dict[str, Order]]:
    """The orders of every seat that has sent any."""
    found = {seat: last_set(conn, at.id, at.period.number, seat) for seat in at.seats}
    return {seat: reread(at.ruleset, row.orders) for seat, row in found.items() if row}


def save_orders(
    conn: Connection,
    at: Table,
    seat: Seat,
    orders: Standing,
    last: Row[Any] | None,
    *,
    said: Said,
    letter_id: int | None,
    now: datetime,
) -> None:
    """A new order set on top of the seat's ``last`` one, with what the seat has said about the
    period's end."""
    conn.execute(
        _NEW_SET,
        {
            "game_id": at.id,
            "period": at.period.number,
            "seat": seat,
            "ordinal": last.ordinal + 1 if last else 1,
            "orders": canonical(orders),
            "wait": said is Said.WAIT,
            "ready": said is Said.READY,
            "letter_id": letter_id,
            "at": now,
        },
    )


# --- periods --------------------------------------------------------------------------------------


def events(rows: Iterable[Mapping[str, Any]]) -> tuple[Event, ...]:
    """Stored events as events again."""
    return tuple(
        Event(
            e["kind"],
            e["rule"],
            "public" if e["audience"] == "public" else frozenset(e["audience"]),
            e["data"],
        )
        for e in rows
    )


def claim(conn: Connection, game_id: str, number: int, before: str, after: str) -> bool:
    """Compare-and-set of a period's status; False where somebody else was first."""
    where = (Period.game_id == game_id, Period.number == number, Period.status == before)
    return conn.execute(update(Period).where(*where).values(status=after)).rowcount == 1


def set_period(conn: Connection, game_id: str, number: int, **values: Any) -> None:
    """Change columns of a period's row."""
    done = conn.execute(
        update(Period).where(Period.game_id == game_id, Period.number == number).values(**values)
    )
    if done.rowcount != 1:
        raise RefereeError(f"game {game_id} has no period {number}")


def set_game(conn: Connection, game_id: str, **values: Any) -> None:
    """Change columns of a game's row."""
    conn.execute(update(Game).where(Game.id == game_id).values(**values))


def goes_on(conn: Connection, game_id: str, now: datetime) -> None:
    """The game runs (again): letters received from now on are for the period that its players were
    told of."""
    again = (Game.id == game_id, Game.restored_to.is_not(None), Game.restored_until.is_(None))
    conn.execute(update(Game).where(*again).values(restored_until=now))
    set_game(conn, game_id, status="running", held_because="", held_at=None)


def set_seat(conn: Connection, game_id: str, seat: Seat, **values: Any) -> None:
    """Change columns of a seat's row."""
    conn.execute(
        update(SeatRecord)
        .where(SeatRecord.game_id == game_id, SeatRecord.seat == seat)
        .values(**values)
    )


# --- journal, rulings, memos ----------------------------------------------------------------------


def note(conn: Connection, game_id: str, now: datetime, kind: str, **data: Any) -> None:
    """Append to the game's journal."""
    last = conn.execute(_LAST_ENTRY, {"game": game_id}).first()
    n, previous = (last.n + 1, last.hash) if last else (1, journal.GENESIS)
    plain = codec.plain(data)
    entry = journal.seal(previous, n, now.isoformat(), kind, plain, secrets.token_hex(16))
    conn.execute(
        _NEW_ENTRY,
        {
            "game_id": game_id,
            "n": n,
            "at": now,
            "kind": kind,
            "data": plain,
            "nonce": entry.nonce,
            "hash": entry.hash,
        },
    )


def journal_head(conn: Connection, game_id: str) -> str:
    """The hash of the journal's last entry, as the bulletin prints it; not its number, which tells
    how many letters came."""
    last = conn.execute(_LAST_ENTRY, {"game": game_id}).first()
    return f"head {last.hash[:32]}" if last else ""


def rule(conn: Connection, game_id: str, kind: str, text: str, now: datetime) -> None:
    """A ruling (``kind`` "ruling") or a note of the house ("house"; "clock" and "orders": of this
    period only) for the next bulletin."""
    conn.execute(insert(Ruling).values(game_id=game_id, kind=kind, text=text, at=now, number=None))


def unprinted(conn: Connection, game_id: str) -> Sequence[Row[Any]]:
    """Rulings and notes that no bulletin has printed yet, oldest first."""
    where = (Ruling.game_id == game_id, Ruling.number.is_(None))
    return conn.execute(select(Ruling.__table__).where(*where).order_by(Ruling.id)).all()


def notes(conn: Connection, game_id: str, number: int, *, last: bool) -> Sequence[Row[Any]]:
    """What bulletin ``number`` prints of them: those that none has printed, those that it printed
    before it was corrected; the ``last`` of a game also those of later bulletins that were taken
    back."""
    printed = Ruling.number >= number if last else Ruling.number == number
    where = (Ruling.game_id == game_id, Ruling.number.is_(None) | printed)
    return conn.execute(select(Ruling.__table__).where(*where).order_by(Ruling.id)).all()


def take_back_notes(conn: Connection, game_id: str, number: int, reached: int) -> None:
    """The periods after ``number``, up to ``reached``, are taken back: so are the notes about their
    clocks, and about orders that are gone; those of the next period stay on file. All others
    stand."""
    own = Ruling.game_id == game_id
    conn.execute(
        update(Ruling)
        .where(own, Ruling.number.is_(None), Ruling.kind.in_(("clock", "orders")))
        .values(number=reached)
    )
    conn.execute(delete(Ruling).where(own, Ruling.kind == "clock", Ruling.number > number))
    conn.execute(delete(Ruling).where(own, Ruling.kind == "orders", Ruling.number > number + 1))


def memo(conn: Connection, key: str) -> dict[str, Any]:
    """A small fact of the daemon's own; {} where there is none."""
    return dict(conn.execute(select(Memo.value).where(Memo.key == key)).scalar() or {})


def set_memo(conn: Connection, key: str, value: Mapping[str, Any]) -> None:
    """Remember it."""
    if conn.execute(update(Memo).where(Memo.key == key).values(value=dict(value))).rowcount == 0:
        conn.execute(insert(Memo).values(key=key, value=dict(value)))


RESTORED, UNREAD = "restored", "unread"
"""The memos of a restore: that the gamesmaster has not yet looked at it, so that the outbox waits;
and that the folder of processed letters has not been read again."""


def installation_key(conn: Connection) -> bytes:
    """The secret from which reply tokens and bounce addresses are made: 256 random bits, drawn
    once."""
    kept = memo(conn, "key")
    if not kept:
        kept = {"hex": secrets.token_hex(32)}
        set_memo(conn, "key", kept)
    return bytes.fromhex(kept["hex"])


def count(conn: Connection, column: Any, *where: Any) -> int:
    """How many rows."""
    return int(conn.execute(select(func.count(column)).where(*where)).scalar_one())
