"""Questions of players that wait for a gamesmaster's answer, by the letter that brought them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.store.journal import notes

PREFIX = "inquiry:"
LIVES = timedelta(days=60)
"""How long one waits at most."""


class Inquiry(NamedTuple):
    """A question that waits."""

    letter: int
    game_id: str
    seat: Seat
    player_id: int
    text: str
    since: datetime
    late: bool = False
    """Whether its asker was told that nobody has answered yet."""
    press: bool = False
    """An answer to the gamesmaster's press."""


def of_letter(conn: Connection, letter: int) -> Inquiry | None:
    memo = notes.memo(conn, f"{PREFIX}{letter}")
    return _made(letter, memo) if memo else None


def everywhere(conn: Connection) -> list[Inquiry]:
    """Return the questions of all games, oldest first."""
    found = notes.memos(conn, PREFIX).items()
    made = (_made(int(key.removeprefix(PREFIX)), memo) for key, memo in found)
    return sorted(made, key=lambda one: (one.since, one.letter))


def _made(letter: int, memo: dict[str, Any]) -> Inquiry:
    since = datetime.fromisoformat(memo["since"])
    of = (memo["game"], memo["seat"], memo["player"], memo["text"], since, memo["late"])
    return Inquiry(letter, *of, press=memo.get("press", False))


def put(conn: Connection, one: Inquiry) -> None:
    value = {
        "game": one.game_id,
        "seat": one.seat,
        "player": one.player_id,
        "text": one.text,
        "since": one.since.isoformat(),
        "late": one.late,
        "press": one.press,
        "until": (one.since + LIVES).isoformat(),
    }
    notes.set_memo(conn, f"{PREFIX}{one.letter}", value)


def end(conn: Connection, letter: int) -> None:
    notes.forget_memos(conn, f"{PREFIX}{letter}")
