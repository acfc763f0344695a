"""What the referee remembers of games: reading and writing inside somebody else's transaction.

Nothing here decides anything. Every function takes the connection of the one transaction that a letter or a period is,
so that orders, receipt and outcome become true together or not at all.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from pbem import codec, journal, shelf
from pbem.adjudication import canonical, reread
from pbem.dice import Dice
from pbem.errors import OperatorError, RefereeError
from pbem.orders import Order, Standing
from pbem.period import House
from pbem.records import Address, Game, Journal, Memo, OrderSet, Period, Player, Ruling, table_of
from pbem.records import Seat as SeatRecord
from pbem.ruleset import Event, Ruleset, Seat

# The statements of every letter are made once: to build one costs SQLAlchemy five times what it costs to run it.
_GAME = select(Game.__table__).where(Game.id == bindparam("game"))
_AT = (Period.game_id == bindparam("game"), Period.number == bindparam("number"))
_PERIOD = select(*(column for column in Period.__table__.c if column.name != "state")).where(*_AT)
_STATE = select(Period.state).where(*_AT)
_HOLDERS = (
    select(SeatRecord.__table__, Player.name, Address.address)
    .outerjoin(Player, Player.id == SeatRecord.player_id)
    .outerjoin(Address, (Address.player_id == SeatRecord.player_id) & Address.of_record)
    .where(SeatRecord.game_id == bindparam("game"))
    .order_by(SeatRecord.place)
)
_LAST_SET = (
    select(OrderSet.__table__)
    .where(OrderSet.game_id == bindparam("game"), OrderSet.period == bindparam("number"), OrderSet.seat == bindparam("seat"))
    .order_by(OrderSet.ordinal.desc()).limit(1)
)  # fmt: skip
_NEW_SET = insert(table_of(OrderSet))
_LAST_ENTRY = (
    select(Journal.n, Journal.hash).where(Journal.game_id == bindparam("game")).order_by(Journal.n.desc()).limit(1)
)
_NEW_ENTRY = insert(table_of(Journal))


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat: player's name and address of record ("" while nobody does)."""

    seat: Seat
    player_id: int | None
    name: str
    address: str
    token_hash: str
    token_no: int
    missed: int
    asked_until: datetime | None


@dataclass(frozen=True, slots=True)
class Table:
    """One game as it stands: its record, its rule-set on its own tables, its house rules, holders, and open period."""

    game: Row[Any]
    ruleset: Ruleset[Any]
    house: House
    zone: ZoneInfo
    holders: Mapping[Seat, Holder]
    period: Row[Any]
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
    """The game's record; raises OperatorError where there is none."""
    row = conn.execute(_GAME, {"game": game_id}).first()
    if row is None:
        known = conn.execute(select(Game.id).order_by(Game.created.desc()).limit(10)).scalars().all()
        raise OperatorError(f"there is no game {game_id!r}; the newest are: {', '.join(known) or 'none'}")
    return row


def table(conn: Connection, game_id: str, number: int | None = None) -> Table:
    """The game at its open period (or at period ``number``)."""
    return opened(conn, game(conn, game_id), number)


def opened(conn: Connection, row: Row[Any], number: int | None = None) -> Table:
    """The game of a record, as :func:`table` gives it."""
    at = row.period if number is None else number
    period = conn.execute(_PERIOD, {"game": row.id, "number": at}).first()
    if period is None:
        raise OperatorError(f"game {row.id} has no period {at}")
    ruleset = _ruleset(row.id, row.ruleset, codec.text(row.tables))
    return Table(
        row, ruleset, codec.load(House, row.house), ZoneInfo(row.zone), holders(conn, row.id), period,
        _STATES.get(conn, ruleset, period),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _ruleset(_game_id: str, key: str, tables: str) -> Ruleset[Any]:
    return shelf.open_ruleset(key, codec.parse(tables))


class _States:
    """Loaded positions by their hash: most letters of a period find theirs here."""

    def __init__(self, most: int = 512) -> None:
        self.most, self.kept = most, dict[str, Any]()

    def get(self, conn: Connection, ruleset: Ruleset[Any], period: Row[Any]) -> Any:
        key = f"{ruleset.about.key}/{period.state_hash}"
        if key not in self.kept:
            dumped = conn.execute(_STATE, {"game": period.game_id, "number": period.number}).scalar_one()
            while len(self.kept) >= self.most:
                del self.kept[next(iter(self.kept))]
            self.kept[key] = ruleset.load(dumped)
        return self.kept[key]


_STATES = _States()


def dumped(ruleset: Ruleset[Any], state: Any) -> dict[str, Any]:
    """The two columns of a position: its JSON and the hash of that."""
    plain = codec.plain(ruleset.dump(state))
    return {"state": plain, "state_hash": hashlib.sha256(codec.text(plain).encode()).hexdigest()}


def holders(conn: Connection, game_id: str) -> dict[Seat, Holder]:
    """Who holds each seat, in joining order."""
    rows = conn.execute(_HOLDERS, {"game": game_id})
    return {
        r.seat: Holder(r.seat, r.player_id, r.name or "", r.address or "", r.token_hash, r.token_no, r.missed, r.asked_until)
        for r in rows
    }  # fmt: skip


def player(conn: Connection, address: str, name: str, now: datetime) -> int:
    """The id of the player registered under an address, who is registered now if he was not."""
    address = address.strip().lower()
    found = conn.execute(select(Address.player_id).where(Address.address == address)).scalar()
    if found is not None:
        return int(found)
    made = conn.execute(insert(Player).values(name=name or address.partition("@")[0], created=now).returning(Player.id))
    player_id = int(made.scalar_one())
    conn.execute(insert(Address).values(
        address=address, player_id=player_id, of_record=True, soft_bounces=0, hard_bounces=0, last_bounce="", pgp_key="",
    ))  # fmt: skip
    return player_id


def delivery_trouble(conn: Connection, game_id: str = "") -> list[dict[str, Any]]:
    """Addresses (of a game's holders, or all) from which mail came back, and how it was told last."""
    where: list[Any] = [(Address.soft_bounces > 0) | (Address.hard_bounces > 0)]
    if game_id:
        where.append(Address.player_id.in_(select(SeatRecord.player_id).where(SeatRecord.game_id == game_id)))
    rows = conn.execute(
        select(Address.address, Address.soft_bounces, Address.hard_bounces, Address.last_bounce, Player.name)
        .join(Player, Player.id == Address.player_id).where(*where).order_by(Address.address)
    ).all()  # fmt: skip
    return [{"address": r.address, "player": r.name, "soft": r.soft_bounces, "hard": r.hard_bounces, "last": r.last_bounce}
            for r in rows]  # fmt: skip


def games_of(conn: Connection, player_id: int) -> Sequence[str]:
    """The ids of the games in which a player holds a seat."""
    return conn.execute(select(SeatRecord.game_id).where(SeatRecord.player_id == player_id).distinct()).scalars().all()


# --- orders -----------------------------------------------------------------------------------------------------


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
    conn: Connection, at: Table, seat: Seat, orders: Standing, *, wait: bool, letter_id: int | None, now: datetime
) -> None:
    """A new order set on top of the seat's earlier ones."""
    last = last_set(conn, at.id, at.period.number, seat)
    conn.execute(_NEW_SET, {
        "game_id": at.id, "period": at.period.number, "seat": seat, "ordinal": last.ordinal + 1 if last else 1,
        "orders": canonical(orders), "wait": wait, "letter_id": letter_id, "at": now,
    })  # fmt: skip


# --- periods ----------------------------------------------------------------------------------------------------


def events(rows: Iterable[Mapping[str, Any]]) -> tuple[Event, ...]:
    """Stored events as events again."""
    return tuple(
        Event(e["kind"], e["rule"], "public" if e["audience"] == "public" else frozenset(e["audience"]), e["data"])
        for e in rows
    )


def claim(conn: Connection, game_id: str, number: int, before: str, after: str) -> bool:
    """Compare-and-set of a period's status; False where somebody else was first."""
    where = (Period.game_id == game_id, Period.number == number, Period.status == before)
    return conn.execute(update(Period).where(*where).values(status=after)).rowcount == 1


def set_period(conn: Connection, game_id: str, number: int, **values: Any) -> None:
    """Change columns of a period's row."""
    done = conn.execute(update(Period).where(Period.game_id == game_id, Period.number == number).values(**values))
    if done.rowcount != 1:
        raise RefereeError(f"game {game_id} has no period {number}")


def set_game(conn: Connection, game_id: str, **values: Any) -> None:
    """Change columns of a game's row."""
    conn.execute(update(Game).where(Game.id == game_id).values(**values))


def set_seat(conn: Connection, game_id: str, seat: Seat, **values: Any) -> None:
    """Change columns of a seat's row."""
    conn.execute(update(SeatRecord).where(SeatRecord.game_id == game_id, SeatRecord.seat == seat).values(**values))


# --- journal, rulings, memos ------------------------------------------------------------------------------------


def note(conn: Connection, game_id: str, now: datetime, kind: str, **data: Any) -> None:
    """Append to the game's journal."""
    last = conn.execute(_LAST_ENTRY, {"game": game_id}).first()
    n, previous = (last.n + 1, last.hash) if last else (1, journal.GENESIS)
    plain = codec.plain(data)
    entry = journal.seal(previous, n, now.isoformat(), kind, plain, secrets.token_hex(16))
    conn.execute(_NEW_ENTRY, {
        "game_id": game_id, "n": n, "at": now, "kind": kind, "data": plain, "nonce": entry.nonce, "hash": entry.hash
    })  # fmt: skip


def journal_head(conn: Connection, game_id: str) -> str:
    """Number and hash of the journal's last entry, as the bulletin prints them."""
    last = conn.execute(_LAST_ENTRY, {"game": game_id}).first()
    return f"{last.n} entries, head {last.hash[:32]}" if last else ""


def rule(conn: Connection, game_id: str, kind: str, text: str, now: datetime) -> None:
    """A ruling (``kind`` "ruling") or a note of the house ("house") for the next bulletin."""
    conn.execute(insert(Ruling).values(game_id=game_id, kind=kind, text=text, at=now, number=None))


def unprinted(conn: Connection, game_id: str) -> Sequence[Row[Any]]:
    """Rulings and notes that no bulletin has printed yet, oldest first."""
    where = (Ruling.game_id == game_id, Ruling.number.is_(None))
    return conn.execute(select(Ruling.__table__).where(*where).order_by(Ruling.id)).all()


def memo(conn: Connection, key: str) -> dict[str, Any]:
    """A small fact of the daemon's own; {} where there is none."""
    return dict(conn.execute(select(Memo.value).where(Memo.key == key)).scalar() or {})


def set_memo(conn: Connection, key: str, value: Mapping[str, Any]) -> None:
    """Remember it."""
    if conn.execute(update(Memo).where(Memo.key == key).values(value=dict(value))).rowcount == 0:
        conn.execute(insert(Memo).values(key=key, value=dict(value)))


RESTORED = "restored"
"""The memo of a restore that the gamesmaster has not yet looked at: the outbox waits, the processed folder is read."""


def installation_key(conn: Connection) -> bytes:
    """The secret from which reply tokens and bounce addresses are made: 256 random bits, drawn once."""
    kept = memo(conn, "key")
    if not kept:
        kept = {"hex": secrets.token_hex(32)}
        set_memo(conn, "key", kept)
    return bytes.fromhex(kept["hex"])


def count(conn: Connection, column: Any, *where: Any) -> int:
    """How many rows."""
    return int(conn.execute(select(func.count(column)).where(*where)).scalar_one())
