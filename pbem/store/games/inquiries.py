"""Questions of players that wait for a gamesmaster's answer, by the letter that brought them."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.store.journal import notes
from pbem.store.journal.notes import Kept

PREFIX = "inquiry:"


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


_KEPT = Kept(Inquiry, PREFIX, ("letter",), timedelta(days=60))
of_letter, everywhere, put, end = _KEPT.get, _KEPT.all, _KEPT.put, _KEPT.end


# --- protests against what was adjudicated --------------------------------------------------------


_KEY = "protest:"


class Protest(NamedTuple):
    """A protest that stands."""

    game_id: str
    seat: Seat
    bulletin: int
    text: str
    since: datetime


def protests_of(conn: Connection, game_id: str) -> dict[Seat, Protest]:
    return {one.seat: one for one in _made_of(game_id, notes.memo(conn, f"{_KEY}{game_id}"))}


def protests(conn: Connection) -> list[Protest]:
    """Return the oldest first."""
    found = notes.memos(conn, _KEY).items()
    made = [one for key, value in found for one in _made_of(key.removeprefix(_KEY), value)]
    return sorted(made, key=lambda one: (one.since, one.game_id, one.seat))


def _made_of(game_id: str, memo: dict[str, list[str]]) -> Iterator[Protest]:
    for seat, (bulletin, text, since) in memo.items():
        yield Protest(game_id, seat, int(bulletin), text, datetime.fromisoformat(since))


def protest(conn: Connection, one: Protest) -> None:
    """Replace the seat's earlier one."""
    key = f"{_KEY}{one.game_id}"
    said = [str(one.bulletin), one.text, one.since.isoformat()]
    notes.set_memo(conn, key, notes.memo(conn, key) | {one.seat: said})


def end_protest(conn: Connection, game_id: str, seat: Seat) -> None:
    key = f"{_KEY}{game_id}"
    left = {of: said for of, said in notes.memo(conn, key).items() if of != seat}
    if left:
        notes.set_memo(conn, key, left)
    else:
        notes.forget_memos(conn, key)
