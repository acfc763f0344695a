"""Press that players have reported, until the gamesmaster has dealt with it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.store.journal import notes

PREFIX = "report:"
_LIVES = timedelta(days=60)
"""How long one waits at most."""


class Report(NamedTuple):
    """A press that a seat reported. author: the seat that wrote it."""

    game_id: str
    seat: Seat
    press: int
    author: Seat
    text: str
    since: datetime


def everywhere(conn: Connection) -> list[Report]:
    """Return the oldest first."""
    found = map(_made, notes.memos(conn, PREFIX).values())
    return sorted(found, key=lambda one: (one.since, one.game_id, one.press, one.seat))


def _made(memo: dict[str, Any]) -> Report:
    since = datetime.fromisoformat(memo["since"])
    return Report(memo["game"], memo["seat"], memo["press"], memo["author"], memo["text"], since)


def put(conn: Connection, one: Report) -> None:
    value = {
        "game": one.game_id,
        "seat": one.seat,
        "press": one.press,
        "author": one.author,
        "text": one.text,
        "since": one.since.isoformat(),
        "until": (one.since + _LIVES).isoformat(),
    }
    notes.set_memo(conn, _key(one), value)


def end(conn: Connection, game_id: str, author: Seat, press: int | None = None) -> None:
    """Forget what was reported of an author, or of one press of his."""
    for one in everywhere(conn):
        if (one.game_id, one.author) == (game_id, author) and press in (None, one.press):
            notes.forget_memos(conn, _key(one))


def _key(one: Report) -> str:
    return f"{PREFIX}{one.game_id}:{one.press}:{one.seat}"
