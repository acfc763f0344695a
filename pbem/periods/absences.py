"""Keep new deadlines off booked absences; only the gamesmaster sees whose."""

from __future__ import annotations

from datetime import date

from pbem.games.frame import calendar
from pbem.games.frame.calendar import Deadline
from pbem.games.frame.events import Seat
from pbem.post.work import Work
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import absences
from pbem.store.schema.states import NoteKind
from pbem.text import day_words


def kept_free(work: Work, at: GameAt, due: Deadline) -> Deadline:
    """Move a new deadline behind absences; the next bulletin says so."""
    if not at.house.away_days or at.house.elapsed:
        return due
    may_act = at.ruleset.asked(at.state)
    away = [
        (one.first, one.last)
        for one in absences.of_game(work.conn, at.id)
        if one.seat in may_act and at.holders[one.seat].player_id == one.player_id
    ]
    moved = calendar.after_absences(due, away, at.house, at.zone)
    if moved is not due:
        before, now = (_day(at, one) for one in (due, moved))
        text = (
            f"The deadline of period {at.period.number} is {day_words(now, weekday=True)} instead"
            f" of {day_words(before, weekday=True)}: {calendar.BOOKED}."
        )
        notes.rule(work.conn, at.id, NoteKind.HOUSE, text, work.now)
    return moved


def _day(at: GameAt, due: Deadline) -> date:
    return calendar.day_of(due.due, at.house.hour, at.zone)


def left(work: Work, at: GameAt, seat: Seat) -> int:
    player_id = at.holders[seat].player_id
    booked = (one for one in absences.of_game(work.conn, at.id) if one.player_id == player_id)
    return at.house.away_days - sum(number((one.first, one.last)) for one in booked)


def number(days: tuple[date, date]) -> int:
    return (days[1] - days[0]).days + 1
