"""Counts returned mails. Nothing is dropped for it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from pbem.letters.bounces import HARD, Failure
from pbem.store.engine.among import Among
from pbem.store.people import players


def count(conn: Connection, address: str, failure: Failure, now: datetime) -> None:
    words = f"{now:%Y-%m-%d} {failure.severity}: {failure.status} {failure.diagnostic}"[:500]
    players.came_back(conn, address, words, hard=failure.severity == HARD)


def trouble(
    conn: Connection, game_id: str | None = None, among: Among | None = None
) -> list[dict[str, Any]]:
    """Return addresses whose mail comes back, and the command that clears each. game_id: None for
    all."""
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
