"""Which addresses our mail reaches: what came back from each is counted, shown, and in time
forgotten.

It never drops orders or replaces a player.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, case, select, update

from pbem.letters.bounces import HARD, Failure
from pbem.store.records import Address, Player, Seat


def count(conn: Connection, address: str, failure: Failure, now: datetime) -> None:
    """One more mail to ``address`` came back."""
    column = Address.hard_bounces if failure.severity == HARD else Address.soft_bounces
    words = f"{now:%Y-%m-%d} {failure.severity}: {failure.status} {failure.diagnostic}"[:500]
    values: dict[Any, Any] = {column: column + 1, Address.last_bounce: words}
    conn.execute(update(Address).where(Address.address == address.lower()).values(values))


def trouble(conn: Connection, game_id: str = "") -> list[dict[str, Any]]:
    """Addresses of record (of a game's holders, or all) from which mail came back, how it was told
    last, and the command that ends it: a player's next letter ends what was for now, the rest needs
    a person."""
    where: list[Any] = [Address.of_record, (Address.soft_bounces > 0) | (Address.hard_bounces > 0)]
    if game_id:
        where.append(Address.player_id.in_(select(Seat.player_id).where(Seat.game_id == game_id)))
    rows = conn.execute(
        select(
            Address.address,
            Address.soft_bounces,
            Address.hard_bounces,
            Address.last_bounce,
            Player.name,
        )
        .join(Player, Player.id == Address.player_id)
        .where(*where)
        .order_by(Address.address)
    ).all()
    return [
        {
            "address": r.address,
            "player": r.name,
            "soft": r.soft_bounces,
            "hard": r.hard_bounces,
            "last": r.last_bounce,
            "release": f"pbem address {r.address} NEW   or  pbem address {r.address} --works",
        }
        for r in rows
    ]


def writes_again(conn: Connection, address: str) -> None:
    """Its player has written from there: soft bounces are over. Hard ones (no such mailbox) a
    letter does not disprove."""
    last = case((Address.hard_bounces > 0, Address.last_bounce), else_="")
    values: dict[Any, Any] = {Address.soft_bounces: 0, Address.last_bounce: last}
    conn.execute(update(Address).where(Address.address == address).values(values))


def works(conn: Connection, address: str) -> bool:
    """Mail to ``address`` arrives, says the gamesmaster: all is forgotten. False where nobody is
    registered there."""
    values: dict[Any, Any] = {
        Address.soft_bounces: 0,
        Address.hard_bounces: 0,
        Address.last_bounce: "",
    }
    return (
        conn.execute(update(Address).where(Address.address == address).values(values)).rowcount > 0
    )
