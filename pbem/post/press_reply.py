"""Reply-To addresses of press, which hide the writer. A later holder cannot use them."""

from __future__ import annotations

import hashlib
import hmac

from sqlalchemy import Connection

from pbem.letters.addresses import BEGINS, Addressed, secret_of
from pbem.post.postmark import Postmark
from pbem.post.work import Work
from pbem.store.games import games, press
from pbem.store.schema.tables import Press


def of_seat(work: Work, row: Press, seat: str, player_id: int | None) -> str:
    return work.mark.plus(f"{BEGINS}{_secret(work.mark, row, seat, str(player_id))}")


def of_gamesmaster(work: Work, row: Press) -> str:
    return work.mark.plus(f"{BEGINS}{_secret(work.mark, row, press.TO_GAMESMASTER, '')}")


def read(conn: Connection, mark: Postmark, part: str) -> Addressed | None:
    """Return who was mailed this address; None if not ours, or he left."""
    secret = secret_of(part)
    row = Press.one(conn, id=mark.press_number(secret)) if secret else None
    if row is None:
        return None
    holders = games.holders(conn, row.game_id)
    readers = [(seat, str(holder.player_id)) for seat, holder in holders.items()]
    for seat, player in (*readers, (press.TO_GAMESMASTER, "")):
        if hmac.compare_digest(secret, _secret(mark, row, seat, player)):
            return Addressed(part, row.game_id, seat, row.id)
    return None


def _secret(mark: Postmark, row: Press, seat: str, player: str) -> str:
    """Cover the words too: numbers repeat after a restore."""
    words = hashlib.sha256(row.text.encode()).hexdigest()
    said = f"{row.game_id}/{row.author}/{row.answers}/{seat}/{player}/{words}"
    return mark.press(row.id, said)
