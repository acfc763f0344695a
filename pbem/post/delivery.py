"""Counts returned mails. Nothing is dropped for it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from pbem.letters.bounces import HARD, Failure
from pbem.store.people import players


def count(conn: Connection, address: str, failure: Failure, now: datetime) -> None:
    words = f"{now:%Y-%m-%d} {failure.severity}: {failure.status} {failure.diagnostic}"[:500]
    players.came_back(conn, address, words, hard=failure.severity == HARD)
