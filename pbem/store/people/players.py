"""Who plays: players, their addresses, and what came back from each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    case,
    insert,
    select,
    union,
    update,
)

from pbem.errors import OperatorError
from pbem.letters.reading import headers
from pbem.orders.spelling import is_number
from pbem.store.engine.among import Among
from pbem.store.letters.letter_rows import AddressRow
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Address, Deputy, Game, Player
from pbem.store.schema.tables import Seat as SeatRecord

_NEWCOMER = "Newcomer"
"""How somebody is called, with a number, who has not said how he wants to be."""
HTML, PLAIN = "html", "plain"
"""The faces of a player's mails: with HTML besides the text, or the text alone."""


def mail_address(written: str) -> str:
    """Return an address in the form in which senders are compared. Raise OperatorError if no letter
    could come from it."""
    address = headers.address(written.strip())
    if not address:
        raise OperatorError(f"{written!r} is no mail address; write one like rene@mail.example")
    return address


def player(conn: Connection, address: str, name: str, now: datetime) -> int:
    """Return the id of the player registered under an address. Register one first if there is
    none."""
    address = mail_address(address)
    found = at_address(conn, address)
    if found is not None:
        return found
    made = conn.execute(
        insert(Player)
        .values(name=name or address.partition("@")[0], created=now)
        .returning(Player.id)
    )
    player_id = int(made.scalar_one())
    _register(conn, address, player_id)
    return player_id


def newcomer(conn: Connection, address: str, now: datetime) -> int:
    """Return the id of the player registered under an address. Register a new player if there is
    none, under a name of ours that reveals nothing of the address, until the player chooses one."""
    found = at_address(conn, mail_address(address))
    if found is not None:
        return found
    player_id = player(conn, address, _NEWCOMER, now)
    set_name(conn, player_id, f"{_NEWCOMER} {player_id}")
    return player_id


def is_newcomer(name: str) -> bool:
    """Return whether a player's name is one of ours."""
    word, _, number = name.partition(" ")
    return word == _NEWCOMER and is_number(number)


def set_name(conn: Connection, player_id: int, name: str) -> None:
    """What a player is called from now on."""
    conn.execute(update(Player).where(Player.id == player_id).values(name=name))


def came_back(conn: Connection, address: str, words: str, *, hard: bool) -> None:
    """One more mail to ``address`` came back, with these ``words``; ``hard``: for good."""
    column = Address.hard_bounces if hard else Address.soft_bounces
    values: dict[Any, Any] = {column: column + 1, Address.last_bounce: words}
    conn.execute(update(Address).where(Address.address == address.lower()).values(values))


_TROUBLED = (
    select(
        Address.address,
        Address.soft_bounces,
        Address.hard_bounces,
        Address.last_bounce,
        Player.name,
    )
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
_TROUBLED_IN_GAME = _TROUBLED.where(
    Address.player_id.in_(
        select(SeatRecord.player_id).where(SeatRecord.game_id == bindparam("game"))
    )
)


def troubled(
    conn: Connection, game_id: str = "", among: Among | None = None
) -> Sequence[AddressRow]:
    """Return the addresses of record from which mail came back: of a game's holders, of those
    visible to somebody, or all."""
    found = _TROUBLED_IN_GAME if game_id else _TROUBLED
    if among is not None and (among.hidden or not among.nowhere):
        found = found.where(_known_to(among))
    rows = conn.execute(found, {"game": game_id} if game_id else {})
    return [AddressRow._make(row) for row in rows]


def _known_to(among: Among) -> ColumnElement[bool]:
    """Return players and deputies of the visible games. For the installation's gamesmaster add
    everybody with whom he does not play."""
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
    """Its player has written from there: soft bounces are over. Hard ones (no such mailbox) a
    letter does not disprove."""
    last = case((Address.hard_bounces > 0, Address.last_bounce), else_="")
    values: dict[Any, Any] = {Address.soft_bounces: 0, Address.last_bounce: last}
    conn.execute(update(Address).where(Address.address == address).values(values))


def works(conn: Connection, address: str) -> bool:
    """Mail to ``address`` arrives, says the gamesmaster: all that came back is forgotten. False
    where nobody is registered there."""
    values: dict[Any, Any] = {
        Address.soft_bounces: 0,
        Address.hard_bounces: 0,
        Address.last_bounce: "",
    }
    done = conn.execute(update(Address).where(Address.address == address).values(values))
    return done.rowcount > 0


def at_address(conn: Connection, address: str) -> int | None:
    """The id of the player registered under an address as it is written on file; None if nobody
    is."""
    return conn.execute(select(Address.player_id).where(Address.address == address)).scalar()


def addresses(conn: Connection, player_id: int) -> Sequence[str]:
    """Return all addresses that a player is registered under."""
    return (
        conn.execute(select(Address.address).where(Address.player_id == player_id)).scalars().all()
    )


def around(conn: Connection, games: Collection[str]) -> frozenset[str]:
    """Return all addresses of those who hold a seat of some games, or are or were deputies in
    them."""
    seated = select(SeatRecord.player_id).where(SeatRecord.game_id.in_(games))
    acting = select(Deputy.player_id).where(Deputy.game_id.in_(games))
    there = Address.player_id.in_(seated) | Address.player_id.in_(acting)
    return frozenset(conn.execute(select(Address.address).where(there)).scalars())


def same(conn: Connection, one: str, other: str) -> bool:
    """Return whether two addresses are one, or both registered ones of one player."""
    player_id = at_address(conn, one)
    return one == other or (player_id is not None and player_id == at_address(conn, other))


def address_of_record(conn: Connection, address: str) -> str:
    """Return where the mail of the player registered under ``address`` goes, or ``address`` itself
    if nobody is."""
    his = select(Address.player_id).where(Address.address == address).scalar_subquery()
    found = select(Address.address).where(Address.player_id == his, Address.of_record)
    return conn.execute(found).scalar() or address


def name(conn: Connection, player_id: int) -> str:
    """Return what a player is called."""
    return conn.execute(select(Player.name).where(Player.id == player_id)).scalar_one()


def names(conn: Connection) -> Sequence[str]:
    """Return what all players are called."""
    return conn.execute(select(Player.name)).scalars().all()


def set_zone(conn: Connection, player_id: int, zone: str) -> None:
    """The zone in which a player is told deadlines besides the game's; "" for none."""
    conn.execute(update(Player).where(Player.id == player_id).values(zone=zone))


def set_receipts(conn: Connection, player_id: int, *, every: bool) -> None:
    """Whether a player gets a receipt of every letter, of press alone too."""
    conn.execute(update(Player).where(Player.id == player_id).values(all_receipts=every))


def wants_plain(conn: Connection, address: str) -> bool:
    """Return whether the player of an address wants his mails without HTML."""
    found = select(Player.face).join(Address, Address.player_id == Player.id)
    return conn.execute(found.where(Address.address == address)).scalar() == PLAIN


def set_face(conn: Connection, player_id: int, *, plain: bool) -> None:
    """Whether a player's mails are plain text alone."""
    face = PLAIN if plain else HTML
    conn.execute(update(Player).where(Player.id == player_id).values(face=face))


def set_calendar(conn: Connection, player_id: int, *, on: bool) -> None:
    """Whether a player's mails bring the deadlines for his calendar."""
    conn.execute(update(Player).where(Player.id == player_id).values(calendar=on))


def _register(conn: Connection, address: str, player_id: int) -> None:
    """A new address, of record."""
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


def set_address(conn: Connection, player_id: int, address: str) -> None:
    """Make an address, new or already the player's, the address of record. The others stay
    registered. Forget what once came back from it."""
    conn.execute(update(Address).where(Address.player_id == player_id).values(of_record=False))
    if works(conn, address):
        conn.execute(update(Address).where(Address.address == address).values(of_record=True))
    else:
        _register(conn, address, player_id)


def set_key(conn: Connection, player_id: int, key: str) -> None:
    """The player's OpenPGP public key, at all his addresses."""
    conn.execute(update(Address).where(Address.player_id == player_id).values(pgp_key=key))
