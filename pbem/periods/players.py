"""Players, whatever games they are in: a new address of record, an address that works again, a
key."""

from __future__ import annotations

from sqlalchemy import insert, select, update

from pbem.errors import OperatorError
from pbem.letters import openpgp
from pbem.post.work import Work
from pbem.store import games, notes, players
from pbem.store.records import Address


def change_address(work: Work, old: str, new: str) -> None:
    """A player's new address of record; the old one stays registered. What once came back from the
    new one is forgotten."""
    old, new = old.strip().lower(), players.mail_address(new)
    row = work.conn.execute(select(Address.__table__).where(Address.address == old)).first()
    if row is None:
        raise OperatorError(f"nobody is registered under {old}")
    if work.conn.execute(
        select(Address.address).where(Address.address == new, Address.player_id != row.player_id)
    ).first():
        raise OperatorError(f"{new} belongs to another player")
    work.conn.execute(
        update(Address).where(Address.player_id == row.player_id).values(of_record=False)
    )
    if players.works(work.conn, new):
        work.conn.execute(update(Address).where(Address.address == new).values(of_record=True))
    else:
        work.conn.execute(
            insert(Address).values(
                address=new,
                player_id=row.player_id,
                of_record=True,
                soft_bounces=0,
                hard_bounces=0,
                last_bounce="",
                pgp_key="",
            )
        )
    for game_id in games.games_of(work.conn, row.player_id):
        notes.note(work.conn, game_id, work.now, "address-changed", player=row.player_id)


def address_works(work: Work, address: str) -> None:
    """Mail to an address arrives again: what came back from it is forgotten."""
    address = address.strip().lower()
    if not players.works(work.conn, address):
        raise OperatorError(f"nobody is registered under {address}")
    player_id = work.conn.execute(
        select(Address.player_id).where(Address.address == address)
    ).scalar_one()
    for game_id in games.games_of(work.conn, player_id):
        notes.note(work.conn, game_id, work.now, "address-works", player=player_id)


def register_key(work: Work, address: str, key: str) -> str:
    """A player's OpenPGP public key; its fingerprint. Raises OperatorError where it is none."""
    fingerprint = openpgp.fingerprint(key)
    player = select(Address.player_id).where(Address.address == address.strip().lower())
    player_id = work.conn.execute(player).scalar()
    if player_id is None:
        raise OperatorError(f"nobody is registered under {address}")
    work.conn.execute(update(Address).where(Address.player_id == player_id).values(pgp_key=key))
    for game_id in games.games_of(work.conn, player_id):
        notes.note(
            work.conn,
            game_id,
            work.now,
            "key-registered",
            player=player_id,
            fingerprint=fingerprint,
        )
    return fingerprint
