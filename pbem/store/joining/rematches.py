"""Who would play again with the same people, by finished game. The memo is ``again:<game>``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from pbem.store.journal import notes

PREFIX = "again:"


@dataclass(frozen=True, slots=True)
class Rematch:
    """Who has said AGAIN after a game."""

    said: Mapping[int, datetime] = field(default_factory=dict)
    """By player."""
    table: str | None = None
    """None before two have said so."""


def of_game(conn: Connection, game_id: str) -> Rematch:
    told = notes.memo(conn, f"{PREFIX}{game_id}")
    said = {int(who): datetime.fromisoformat(when) for who, when in told.get("said", {}).items()}
    return Rematch(said, told.get("table"))


def put(conn: Connection, game_id: str, rematch: Rematch, until: datetime) -> None:
    """Store it. until: when it may be forgotten."""
    said = {str(who): when.isoformat() for who, when in rematch.said.items()}
    told = {"said": said, "table": rematch.table, "until": until.isoformat()}
    notes.set_memo(conn, f"{PREFIX}{game_id}", told)


def forget(conn: Connection, game_id: str) -> None:
    notes.forget_memos(conn, f"{PREFIX}{game_id}")
