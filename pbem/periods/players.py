"""A player's address or key, whatever his games."""

from __future__ import annotations

from pbem.errors import OperatorError
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.tables import Address
from pbem.text import listed


def change_address(work: Work, old: str, new: str) -> None:
    """Set where mail goes; keep the old one, forget the new one's bounces."""
    old, new = old.strip().lower(), players.mail_address(new)
    player_id = _registered(work, old)
    other = players.at_address(work.conn, new)
    if other not in (None, player_id):
        raise OperatorError(_belongs(work, new, other))
    players.set_address(work.conn, player_id, new)
    for game_id in games.games_of(work.conn, player_id):
        notes.note(work.conn, game_id, work.now, "address-changed", player=player_id)


def add_address(work: Work, old: str, new: str) -> None:
    player_id, new = _registered(work, old.strip().lower()), players.mail_address(new)
    other = players.at_address(work.conn, new)
    if other == player_id:
        raise OperatorError(f"{new} is registered for this player already")
    if other is not None:
        raise OperatorError(_belongs(work, new, other))
    Address.add(work.conn, address=new, player_id=player_id, of_record=False)
    for game_id in games.games_of(work.conn, player_id):
        notes.note(work.conn, game_id, work.now, "address-changed", player=player_id)


def _belongs(work: Work, address: str, player_id: int) -> str:
    name = players.name(work.conn, player_id)
    held = [
        f"plays {listed(games.seats_of(work.conn, game_id, player_id))} in {game_id}"
        for game_id in sorted(games.games_of(work.conn, player_id))
    ]
    plays = f", who {listed(held)}" if held else ""
    return (
        f"{address} belongs to another player, {name}{plays}; a letter from there would be of both."
        f" Name another address, or, to give {name} the seat, `pbem replace`"
    )


def address_works(work: Work, address: str) -> None:
    address = address.strip().lower()
    player_id = _registered(work, address)
    players.works(work.conn, address)
    for game_id in games.games_of(work.conn, player_id):
        notes.note(work.conn, game_id, work.now, "address-works", player=player_id)


def _registered(work: Work, address: str) -> int:
    player_id = players.at_address(work.conn, address)
    if player_id is None:
        raise OperatorError(f"nobody is registered under {address}")
    return player_id
