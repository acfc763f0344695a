"""House rule 7: ask whether a silent player plays on."""

from __future__ import annotations

from datetime import datetime

from pbem.games.frame import calendar
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.text import counted


def reply_date(at: GameAt, now: datetime) -> datetime:
    return calendar.by_when(now, at.house.rule("reply_days", 7), at.house, at.zone)


def answer(at: GameAt) -> str:
    return at.ruleset.about.plays_on


def ask(work: Work, at: GameAt, seat: str, missed: int) -> None:
    until = reply_date(at, work.now)
    games.set_seat(work.conn, at.id, seat, asked_until=until)
    notes.note(work.conn, at.id, work.now, "asked", seat=seat, until=until.isoformat())
    text = (
        f"You ({seat}) have missed {counted(missed, 'move')} in a row. Do you play on? Write by"
        f" {until:%Y-%m-%d %H:%M} UTC: orders, or the one word {answer(at)}. By house rule 7"
        " your seat is offered to others if nothing comes."
    )
    key = f"asked:{at.id}:{at.term}:{seat}"
    put_to_seat(work, at, at.holders[seat], Draft(key, "asked", f"[{at.id}] Do you play on?", text))
