"""Days on which the gamesmaster of a game is away."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection

from pbem.store.journal import notes

_KEY = "master-away:"


class Away(NamedTuple):
    """First and last day, in the game's zone."""

    game_id: str
    first: date
    last: date
    begun: bool = False


def of_game(conn: Connection, game_id: str) -> Away | None:
    memo = notes.memo(conn, f"{_KEY}{game_id}")
    return _made(game_id, memo) if memo else None


def everywhere(conn: Connection) -> list[Away]:
    found = sorted(notes.memos(conn, _KEY).items())
    return [_made(key.removeprefix(_KEY), value) for key, value in found]


def _made(game_id: str, memo: dict[str, str]) -> Away:
    first, last = (date.fromisoformat(memo[one]) for one in ("first", "last"))
    return Away(game_id, first, last, bool(memo["begun"]))


def put(conn: Connection, one: Away) -> None:
    days = {"first": one.first.isoformat(), "last": one.last.isoformat(), "begun": one.begun}
    notes.set_memo(conn, f"{_KEY}{one.game_id}", days)


def end(conn: Connection, game_id: str) -> None:
    notes.forget_memos(conn, f"{_KEY}{game_id}")


def begun(conn: Connection) -> frozenset[str]:
    return frozenset(one.game_id for one in everywhere(conn) if one.begun)
