"""Players, their addresses and bounces."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, exists, select, union, update
from sqlalchemy.orm import Mapped

from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.letters.reading import headers
from pbem.orders.spelling import is_number
from pbem.store.engine.among import Among
from pbem.store.schema.states import GameState
from pbem.store.schema.table_base import columns, many
from pbem.store.schema.tables import Address, Deputy, Game, Player, Privy
from pbem.store.schema.tables import Seat as SeatRecord

_NEWCOMER = "Newcomer"
HTML, PLAIN = "html", "plain"


def mail_address(written: str) -> str:
    """Return an address for comparing. Raise OperatorError."""
    address = headers.address(written.strip())
    if not address:
        raise OperatorError(f"{written!r} is no mail address; write one like rene@mail.example")
    return address


def player(conn: Connection, address: str, name: str, now: datetime) -> int:
    """Return an address's player, registered if needed."""
    address = mail_address(address)
    found = at_address(conn, address)
    if found is not None:
        return found
    player_id = Player.new(conn, name=name or address.partition("@")[0], created=now)
    Address.add(conn, address=address, player_id=player_id, of_record=True)
    return player_id


def newcomer(conn: Connection, address: str, now: datetime) -> int:
    """Return an address's player. A new one's name does not reveal it."""
    found = at_address(conn, mail_address(address))
    if found is not None:
        return found
    player_id = player(conn, address, _NEWCOMER, now)
    Player.change(conn, {"id": player_id}, name=f"{_NEWCOMER} {player_id}")
    return player_id


def is_newcomer(name: str) -> bool:
    """Return whether we made up a name."""
    word, _, number = name.partition(" ")
    return word == _NEWCOMER and is_number(number)


def came_back(conn: Connection, address: str, words: str, *, hard: bool) -> None:
    """Count a bounce. hard: for good."""
    kind = "hard_bounces" if hard else "soft_bounces"
    values = {kind: Address.__table__.c[kind] + 1, "last_bounce": words}
    conn.execute(update(Address).where(Address.address == address.lower()).values(values))


class AddressRow(Address):
    """An address, and whose it is."""

    __abstract__ = True
    name: Mapped[str]


_TROUBLED = (
    select(*columns(AddressRow, Address, Player))
    .join(Player, Player.id == Address.player_id)
    .where(
        Address.of_record,
        Address.address.in_(
            union(
                select(Address.address).where(Address.soft_bounces > 0),
                select(Address.address).where(Address.hard_bounces > 0),
            )
        ),
    )
    .order_by(Address.address)
)


def troubled(
    conn: Connection, game_id: str | None = None, among: Among | None = None
) -> Sequence[AddressRow]:
    """game_id: None for all."""
    found = _TROUBLED
    if game_id:
        seated = select(SeatRecord.player_id).where(SeatRecord.game_id == game_id)
        found = found.where(Address.player_id.in_(seated))
    if among is not None and (among.hidden or not among.nowhere):
        found = found.where(_known_to(among))
    return many(conn, AddressRow, found)


def _known_to(among: Among) -> ColumnElement[bool]:
    going = Game.status != GameState.OVER
    seated = (
        select(SeatRecord.player_id)
        .join(Game, Game.id == SeatRecord.game_id)
        .where(going, among.game(Game.id))
    )
    acting = (
        select(Deputy.player_id)
        .join(Game, Game.id == Deputy.game_id)
        .where(going, among.game(Game.id), Deputy.player_id.is_not(None))
    )
    known = Address.player_id.in_(seated) | Address.player_id.in_(acting)
    return known | Address.address.not_in(among.hidden) if among.nowhere else known


def writes_again(conn: Connection, address: str) -> None:
    """Clear soft bounces."""
    last = case((Address.hard_bounces > 0, Address.last_bounce), else_="")
    values: dict[Any, Any] = {Address.soft_bounces: 0, Address.last_bounce: last}
    conn.execute(update(Address).where(Address.address == address).values(values))


def works(conn: Connection, address: str) -> bool:
    """Clear all bounces. Return False if nobody is there."""
    none = {"soft_bounces": 0, "hard_bounces": 0, "last_bounce": ""}
    return Address.change(conn, {"address": address}, **none) > 0


def at_address(conn: Connection, address: str) -> int | None:
    found = Address.one(conn, address=address)
    return found.player_id if found else None


def addresses(conn: Connection, player_id: int) -> Sequence[str]:
    return Address.values(conn, Address.address, player_id=player_id)


def around(conn: Connection, games: Collection[str]) -> frozenset[str]:
    """Return addresses of some games' holders and deputies."""
    seated = select(SeatRecord.player_id).where(SeatRecord.game_id.in_(games))
    acting = select(Deputy.player_id).where(Deputy.game_id.in_(games))
    there = Address.player_id.in_(seated) | Address.player_id.in_(acting)
    return frozenset(Address.values(conn, Address.address, there))


def same(conn: Connection, one: str, other: str) -> bool:
    player_id = at_address(conn, one)
    return one == other or (player_id is not None and player_id == at_address(conn, other))


def address_of_record(conn: Connection, address: str) -> str:
    """Return where mail to ``address`` goes."""
    player_id = at_address(conn, address)
    found = [] if player_id is None else Address.many(conn, player_id=player_id, of_record=True)
    return found[0].address if found else address


def name(conn: Connection, player_id: int) -> str:
    return Player.values(conn, Player.name, id=player_id)[0]


def name_at(conn: Connection, address: str) -> str:
    """Return the name of an address's player; "" if nobody has said it."""
    theirs = (Address.player_id == Player.id, Address.address == address)
    found = Player.scalar(conn, Player.name, *theirs) or ""
    return "" if is_newcomer(found) else found


def wants_plain(conn: Connection, address: str) -> bool:
    player_id = at_address(conn, address)
    return player_id is not None and Player.has(conn, id=player_id, face=PLAIN)


def set_address(conn: Connection, player_id: int, address: str) -> None:
    """Set the address of record and clear its bounces."""
    Address.change(conn, {"player_id": player_id}, of_record=False)
    if works(conn, address):
        Address.change(conn, {"address": address}, of_record=True)
    else:
        Address.add(conn, address=address, player_id=player_id, of_record=True)


def privy_to(conn: Connection, game_id: str, player_id: int) -> Sequence[Seat]:
    """Return the seats whose private mails a player saw: they may take no other."""
    return [one.seat for one in Privy.many(conn, game_id=game_id, player_id=player_id)]


def privy_names(conn: Connection, game_id: str) -> tuple[tuple[Seat, str], ...]:
    """Return seats with the names of those who have seen their mails and hold no seat now."""
    plays = exists().where(SeatRecord.game_id == game_id, SeatRecord.player_id == Privy.player_id)
    found = select(Privy.seat, Player.name).where(Player.id == Privy.player_id, ~plays)
    rows = conn.execute(found.where(Privy.game_id == game_id))
    return tuple((seat, name) for seat, name in rows)
