"""Have a game's deadlines fall at another hour."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec
from pbem.games.frame.calendar import Deadline, local
from pbem.periods import publishing
from pbem.periods.guards import guarded
from pbem.post import changes
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seats, to_observers
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import NoteKind, PeriodState


def _day(at: GameAt, now: datetime) -> date:
    return (at.period.due or now).astimezone(at.zone).date()


def checked(written: str) -> str:
    """Return an hour as games have it. Raise OperatorError."""
    at, later = calendar.clock_time(written.strip())
    return "24:00" if later or (at.hour, at.minute) == (0, 0) else f"{at:%H:%M}"


def set_hour(work: Work, game_id: str, number: int | None, written: str) -> str:
    """Have deadlines fall at another hour from the next period on, and tell all. Return what all
    are told. Raise OperatorError."""
    at = guarded(work.conn, game_id, number)
    if at.house.elapsed:
        raise OperatorError(
            f"the periods of {game_id} are counted in hours and minutes, to no hour of the day"
        )
    hour, before = checked(written), at.house.next_hour or at.house.hour
    if hour == before:
        raise OperatorError(f"the deadlines of {game_id} fall at {hour} as it is")
    pending = "" if hour == at.house.hour else hour
    house = replace(at.house, next_hour=pending)
    games.set_game(work.conn, game_id, house=codec.dump(house))
    notes.note(work.conn, game_id, work.now, "hour", hour=hour, before=before)
    first = at.period.number + (at.period.status != PeriodState.REVIEW)
    says = (
        f"From period {first} on, deadlines of this game fall at {hour} {at.game.zone}, no longer"
        f" at {at.house.hour}."
        if pending
        else f"Deadlines of this game fall at {hour} {at.game.zone} as before, not at {before}."
    )
    notes.rule(work.conn, game_id, NoteKind.HOUSE, says, work.now)
    _tell(work, at, says, hour, before)
    return says


def _tell(work: Work, at: GameAt, says: str, hour: str, before: str) -> None:
    """Tell all, each by his own clock too."""
    stays = publishing.deadline_text(at) if at.period.status == PeriodState.OPEN else ""
    ends = f"\n\nThe open period keeps its deadline: {stays}." if stays else ""
    ends += " No period is shorter for it." if hour != at.house.hour else ""
    subject = f"[{at.id}] Deadlines at {hour} {at.game.zone}"
    key = f"deadline:{at.id}:hour:{work.now:%Y%m%d%H%M%S%f}"
    draft = Draft(key, "deadline", subject, f"{says}{ends}\n")
    day = _day(at, work.now)
    changes.mark_public_change(work, at.id)
    put_to_seats(
        work,
        at,
        [
            (
                one,
                replace(
                    draft,
                    key=f"{key}:{one.seat}",
                    text=f"{says}{_own(one.zone, at.zone, day, hour, before)}{ends}\n",
                ),
            )
            for one in at.holders.values()
        ],
    )
    to_observers(work, at, draft)


def _own(own: str, zone: ZoneInfo, day: date, hour: str, before: str) -> str:
    if own in ("", zone.key):
        return ""
    new, old = (local(day, one, zone, ZoneInfo(own))[1] for one in (hour, before))
    return f" By your clock ({own}) that is {new} instead of {old}."


def begun(work: Work, at: GameAt, due: Deadline | None) -> tuple[GameAt, Deadline | None]:
    """Have a new hour take effect as a period opens. Return the game and the first deadline."""
    if not at.house.next_hour:
        return at, due
    before, house = at.house, replace(at.house, hour=at.house.next_hour, next_hour="")
    games.set_game(work.conn, at.id, house=codec.dump(house))
    at = games.game_at(work.conn, at.id)
    return at, calendar.at_hour(due, before, house, at.zone) if due else None
