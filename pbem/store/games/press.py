"""Statements on press."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from pbem.games.frame.events import Seat
from pbem.store.games.game_rows import Holder
from pbem.store.journal import notes
from pbem.store.journal.notes import Kept
from pbem.store.schema.tables import Letter, Press

GAMESMASTER = ""
"""The author of the gamesmaster's press."""
TO_GAMESMASTER = "GM"
"""Not [], which is all."""


def relayed(conn: Connection, game_id: str, author: Seat, since: datetime) -> int:
    lately = select(Letter.id).where(Letter.game_id == game_id, Letter.decided > since)
    return Press.how_many(conn, Press.letter_id.in_(lately), game_id=game_id, author=author)


# --- press that players have reported -------------------------------------------------------------


PREFIX = "report:"


class Report(NamedTuple):
    """A press that a seat reported. author: the seat that wrote it."""

    game_id: str
    seat: Seat
    press: int
    author: Seat
    text: str
    since: datetime


_REPORTS = Kept(Report, PREFIX, ("game_id", "press", "seat"), timedelta(days=60))
reports, report = _REPORTS.all, _REPORTS.put


def settle_report(conn: Connection, game_id: str, author: Seat, press: int | None = None) -> None:
    """Forget what was reported of an author, or of one press of his."""
    for one in reports(conn):
        if (one.game_id, one.author) == (game_id, author) and press in (None, one.press):
            _REPORTS.end(conn, game_id, one.press, one.seat)


# --- whose press a seat gets no more, and whose press is suspended --------------------------------


_MUTES, _WARNED = "press-muted", "press-warned"


@dataclass(frozen=True, slots=True)
class Warned:
    """How a player's press stands with the gamesmaster."""

    times: int = 0
    until: datetime | None = None
    """The end of the suspension. None if his press is free."""


def stopped(
    conn: Connection, game_id: str, holders: Mapping[Seat, Holder]
) -> set[tuple[Seat, Seat]]:
    """Return pairs: a reader, and the seat whose press he gets no more."""
    memo = notes.memo(conn, f"{_MUTES}:{game_id}")
    return {
        (reader, seat)
        for reader, mine in memo.items()
        for seat, player in mine["of"].items()
        if _plays(holders, reader, mine["player"]) and _plays(holders, seat, player)
    }


def mute(
    conn: Connection, game_id: str, holders: Mapping[Seat, Holder], reader: Seat, seat: Seat
) -> None:
    _set_mutes(conn, game_id, holders, reader, {*_of(conn, game_id, holders, reader), seat})


def unmute(
    conn: Connection, game_id: str, holders: Mapping[Seat, Holder], reader: Seat, seat: Seat
) -> None:
    _set_mutes(conn, game_id, holders, reader, _of(conn, game_id, holders, reader) - {seat})


def _of(conn: Connection, game_id: str, holders: Mapping[Seat, Holder], reader: Seat) -> set[Seat]:
    return {seat for who, seat in stopped(conn, game_id, holders) if who == reader}


def _set_mutes(
    conn: Connection, game_id: str, holders: Mapping[Seat, Holder], reader: Seat, of: set[Seat]
) -> None:
    key = f"{_MUTES}:{game_id}"
    mine = {
        "player": holders[reader].player_id,
        "of": {seat: holders[seat].player_id for seat in sorted(of)},
    }
    notes.set_memo(conn, key, notes.memo(conn, key) | {reader: mine})


def _plays(holders: Mapping[Seat, Holder], seat: Seat, player: int | None) -> bool:
    return seat in holders and player is not None and holders[seat].player_id == player


def warned(conn: Connection, game_id: str, holder: Holder) -> Warned:
    """Return the warnings of a player, and until when his press is suspended."""
    memo = notes.memo(conn, f"{_WARNED}:{game_id}").get(holder.seat, {})
    if not memo or memo["player"] != holder.player_id:
        return Warned()
    until = memo["until"]
    return Warned(memo["times"], datetime.fromisoformat(until) if until else None)


def warn(conn: Connection, game_id: str, holder: Holder, until: datetime | None) -> None:
    """Count a warning. until: when a suspension ends; None for no suspension."""
    key = f"{_WARNED}:{game_id}"
    mine: dict[str, Any] = {
        "player": holder.player_id,
        "times": warned(conn, game_id, holder).times + 1,
        "until": until.isoformat() if until else None,
    }
    notes.set_memo(conn, key, notes.memo(conn, key) | {holder.seat: mine})
