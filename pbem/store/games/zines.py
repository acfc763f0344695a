"""The club's paper: its issues, the letters to it, and what it can tell of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from pbem.orders.spelling import is_number
from pbem.store.joining.practices import PRACTISED
from pbem.store.journal import notes
from pbem.store.schema.tables import Bulletin, Game, Journal

_ISSUE, _LETTER, _COUNTED = "zine:", "zine-letter:", "zine-letters"


class Issue(NamedTuple):
    """An issue."""

    month: str
    """As 2026-11."""
    at: datetime
    sheet: str
    """"" if there was nothing to tell."""


class EditorLetter(NamedTuple):
    """A letter to the paper."""

    number: int
    signed: str
    text: str
    printed: bool
    """Whether the next issue prints it."""
    game_id: str = ""
    """"" if not on file."""
    seat: str = ""
    player_id: int = 0
    since: datetime | None = None


class Told(NamedTuple):
    """A bulletin that all were told."""

    game_id: str
    number: int
    headline: str
    scores: dict[str, float]


def issue(conn: Connection, month: str) -> Issue | None:
    memo = notes.memo(conn, f"{_ISSUE}{month}")
    return _made(month, memo) if memo else None


def issues(conn: Connection) -> Sequence[Issue]:
    """Return all issues, newest first."""
    found = notes.memos(conn, _ISSUE).items()
    made = [_made(key.removeprefix(_ISSUE), memo) for key, memo in found]
    return sorted(made, key=lambda one: one.month, reverse=True)


def _made(month: str, memo: dict[str, Any]) -> Issue:
    return Issue(month, datetime.fromisoformat(memo["at"]), memo["text"])


def put(conn: Connection, one: Issue) -> None:
    value = {"at": one.at.isoformat(), "text": one.sheet}
    notes.set_memo(conn, f"{_ISSUE}{one.month}", value)


def letters(conn: Connection) -> Sequence[EditorLetter]:
    """Return the letters that wait, or that the next issue prints."""
    found = notes.memos(conn, _LETTER).items()
    made = [
        _letter(int(key.removeprefix(_LETTER)), memo)
        for key, memo in found
        if is_number(key.removeprefix(_LETTER))
    ]
    return sorted(made, key=lambda one: one.number)


def _letter(number: int, memo: dict[str, Any]) -> EditorLetter:
    since = memo.get("since")
    return EditorLetter(
        number,
        memo["signed"],
        memo["text"],
        memo["released"],
        memo.get("game", ""),
        memo.get("seat", ""),
        memo.get("player", 0),
        datetime.fromisoformat(since) if since else None,
    )


def next_number(conn: Connection) -> int:
    """Draw an unused number."""
    last = max((one.number for one in letters(conn)), default=0)
    number = int(max(last, notes.memo(conn, _COUNTED).get("n", 0))) + 1
    notes.set_memo(conn, _COUNTED, {"n": number})
    return number


def put_letter(conn: Connection, one: EditorLetter) -> None:
    value = {
        "signed": one.signed,
        "text": one.text,
        "released": one.printed,
        "game": one.game_id,
        "seat": one.seat,
        "player": one.player_id,
        "since": one.since.isoformat() if one.since else "",
    }
    notes.set_memo(conn, f"{_LETTER}{one.number}", value)


def drop_letter(conn: Connection, number: int) -> bool:
    """Return False if it is not there."""
    return notes.take_memo(conn, f"{_LETTER}{number}")


def bulletins(conn: Connection, since: datetime, until: datetime) -> Sequence[Told]:
    """Return the valid bulletins published then, oldest first."""
    found = (
        select(Bulletin.game_id, Bulletin.number, Bulletin.frame)
        .join(Game, Game.id == Bulletin.game_id)
        .where(
            Bulletin.seat == "",
            Bulletin.voided.is_(None),
            Bulletin.published > since,
            Bulletin.published <= until,
            ~PRACTISED,
        )
        .order_by(Bulletin.published, Bulletin.game_id, Bulletin.number)
    )
    return [
        Told(game_id, number, frame.get("headline", ""), frame.get("scores") or {})
        for game_id, number, frame in conn.execute(found)
    ]


def noted(conn: Connection, since: datetime, until: datetime, *kinds: str) -> frozenset[str]:
    """Return the games whose journals have such an entry then."""
    found = select(Journal.game_id).where(
        Journal.kind.in_(kinds), Journal.at > since, Journal.at <= until
    )
    return frozenset(conn.execute(found).scalars())
