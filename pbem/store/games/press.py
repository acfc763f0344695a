"""Press: how much of it, whose a reader mutes, and whose is suspended."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, select

from pbem.games.frame.events import Seat
from pbem.store.games.game_rows import Holder
from pbem.store.schema.tables import Letter, Mute, Press, Warned

GAMESMASTER = ""
"""The author of the gamesmaster's press."""
TO_GAMESMASTER = "GM"
"""Not [], which is all."""


def relayed(conn: Connection, game_id: str, author: Seat, since: datetime) -> int:
    lately = select(Letter.id).where(Letter.game_id == game_id, Letter.decided > since)
    return Press.how_many(conn, Press.letter_id.in_(lately), game_id=game_id, author=author)


def stopped(
    conn: Connection, game_id: str, holders: Mapping[Seat, Holder]
) -> set[tuple[Seat, Seat]]:
    """Return pairs: a reader, and the seat whose press they get no more."""
    return {
        (row.reader, row.seat)
        for row in Mute.many(conn, game_id=game_id)
        if holders[row.reader].player_id == row.reader_id
        and holders[row.seat].player_id == row.player_id
    }


def warned(conn: Connection, game_id: str, holder: Holder) -> Warned:
    """Return the warnings of a player, and until when their press is suspended."""
    found = Warned.one(conn, game_id=game_id, seat=holder.seat)
    if found and found.player_id == holder.player_id:
        return found
    return Warned(game_id, holder.seat, holder.player_id or 0, 0)


def warn(conn: Connection, game_id: str, holder: Holder, until: datetime | None) -> None:
    """Count a warning. until: when a suspension ends; None for no suspension."""
    before = warned(conn, game_id, holder)
    Warned.put(conn, before._replace(times=before.times + 1, until=until))
