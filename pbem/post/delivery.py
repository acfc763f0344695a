"""Which addresses our mail reaches: what came back from each is counted, shown, and in time
forgotten.

It never drops orders or replaces a player.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from pbem.letters.failures import HARD, Failure
from pbem.store.engine.among import Among
from pbem.store.people import players


def count(conn: Connection, address: str, failure: Failure, now: datetime) -> None:
    """One more mail to ``address`` came back."""
    words = f"{now:%Y-%m-%d} {failure.severity}: {failure.status} {failure.diagnostic}"[:500]
    players.came_back(conn, address, words, hard=failure.severity == HARD)


def trouble(
    conn: Connection, game_id: str = "", among: Among | None = None
) -> list[dict[str, Any]]:
    """Addresses of record (of a game's holders, of those whom somebody may know of, or all) from
    which mail came back, how it was told last, and the command that ends it: a player's next letter
    ends what was for now, the rest needs a person."""
    return [
        {
            "address": r.address,
            "player": r.name,
            "soft": r.soft_bounces,
            "hard": r.hard_bounces,
            "last": r.last_bounce,
            "release": f"pbem address {r.address} NEW   or  pbem address {r.address} --works",
        }
        for r in players.troubled(conn, game_id, among)
    ]
