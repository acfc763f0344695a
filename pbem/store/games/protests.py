"""Protests of players against what was adjudicated, until they are settled or lapse."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.store.journal import notes

_KEY = "protest:"


class Protest(NamedTuple):
    """A protest that stands."""

    game_id: str
    seat: Seat
    bulletin: int
    text: str
    since: datetime


def of_game(conn: Connection, game_id: str) -> dict[Seat, Protest]:
    return {one.seat: one for one in _made(game_id, notes.memo(conn, f"{_KEY}{game_id}"))}


def everywhere(conn: Connection) -> list[Protest]:
    """Return the oldest first."""
    found = notes.memos(conn, _KEY).items()
    made = [one for key, value in found for one in _made(key.removeprefix(_KEY), value)]
    return sorted(made, key=lambda one: (one.since, one.game_id, one.seat))


def _made(game_id: str, memo: dict[str, list[str]]) -> Iterator[Protest]:
    for seat, (bulletin, text, since) in memo.items():
        yield Protest(game_id, seat, int(bulletin), text, datetime.fromisoformat(since))


def put(conn: Connection, one: Protest) -> None:
    """Replace the seat's earlier one."""
    key = f"{_KEY}{one.game_id}"
    said = [str(one.bulletin), one.text, one.since.isoformat()]
    notes.set_memo(conn, key, notes.memo(conn, key) | {one.seat: said})


def end(conn: Connection, game_id: str, seat: Seat) -> None:
    key = f"{_KEY}{game_id}"
    left = {of: said for of, said in notes.memo(conn, key).items() if of != seat}
    if left:
        notes.set_memo(conn, key, left)
    else:
        notes.forget_memos(conn, key)
