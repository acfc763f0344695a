"""Telling the gamesmaster: one mail for each trouble and day, whoever finds it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from pbem import outbox
from pbem.mailing import Postmark, compose


def tell(conn: Connection, mark: Postmark, gamesmaster: str, key: str, subject: str, text: str, now: datetime) -> None:
    """Mail the gamesmaster, at most once a day for each ``key``."""
    mail = compose(mark, f"alarm:{key}:{now:%Y%m%d}", "alarm", gamesmaster, f"[pbem] {subject}", f"{text}\n", now)
    outbox.put(conn, mail, now)
