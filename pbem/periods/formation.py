"""Phases that letters move: a Government is formed (house rules 3, 4).

Without deadline; a ripe proposal waits some days for signers to back out, then the period closes.
Progress is reported.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from pbem.budget import Budget, paused
from pbem.games.frame import calendar
from pbem.games.frame import ruleset as rules
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.house import House
from pbem.games.frame.ruleset import Continuous
from pbem.house import templates
from pbem.periods import own_page, publishing
from pbem.post import seats
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, put_to_seats, to_observers
from pbem.post.work import Work
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.tables import OrderSet


def is_continuous(at: GameAt) -> bool:
    return rules.is_continuous(at.ruleset) and at.period.phase in at.ruleset.continuous


@dataclass(frozen=True, slots=True)
class Progress:
    """The position with all letters registered."""

    state: Any
    events: tuple[Event, ...]
    """The last letter's."""
    since: dict[str, datetime]
    """When keys ripened."""


def progress(conn: Connection, at: GameAt) -> Progress:
    """Register all letters in order of arrival."""
    ruleset, state = at.ruleset, at.state
    assert isinstance(ruleset, Continuous)
    events: tuple[Event, ...] = ()
    since: dict[str, datetime] = {}
    for row in order_sets.arrived(conn, at.id, at.period.number):
        outcome = ruleset.register(state, row.seat, order_sets.orders_of(at, row))
        state, events = outcome.state, outcome.events
        since = {key: since.get(key, row.at) for key in ruleset.ripe(state)}
    return Progress(state, events, since)


def position(conn: Connection, at: GameAt, now: datetime) -> Any:
    if not is_continuous(at):
        return at.state
    state = progress(conn, at).state
    assert isinstance(at.ruleset, Continuous)
    return at.ruleset.days_pass(state, _days(at, now))


def of_now(conn: Connection, at: GameAt) -> Any:
    """Return the position with all letters registered that work on receipt."""
    known = is_continuous(at) and at.result is None
    return progress(conn, at).state if known else at.state


def seen(work: Work, at: GameAt, seat: Seat) -> GameAt:
    """Return the game as the seat may know it."""
    if not is_continuous(at) or at.result is not None:
        return at
    assert isinstance(at.ruleset, Continuous)
    with _registering(work, at):
        return replace(at, state=at.ruleset.seen(progress(work.conn, at).state, seat))


@contextmanager
def _registering(work: Work, at: GameAt) -> Iterator[None]:
    letters = OrderSet.how_many(work.conn, game_id=at.id, period=at.period.number)
    with paused, Budget(work.mark.seconds * (letters + 1), "registering the period's letters"):
        yield


def _days(at: GameAt, now: datetime) -> int:
    """Return days so far; with hours or minutes seven a report."""
    gone: timedelta = now - at.period.opened
    return gone * _DAYS // _report_every(at) if at.house.elapsed else gone.days


def _report_every(at: GameAt) -> timedelta:
    return at.house.rule("report_days", 7).time


def letter_taken(work: Work, at: GameAt) -> None:
    """Tell a letter's events; start or stop the days to back out."""
    with _registering(work, at):
        found = progress(work.conn, at)
    for event in found.events:
        _tell(work, at, event, found.state)
    due = _installation(found, at.house, at)
    if due == at.period.due:
        return
    periods.set_period(
        work.conn,
        at.id,
        at.period.number,
        base=due,
        due=due,
        moves=[],
        next_look=next_look(at, due, work.now),
    )
    notes.note(
        work.conn,
        at.id,
        work.now,
        "ripe" if due else "unripe",
        period=at.period.number,
        due=due.isoformat() if due else None,
    )
    now = games.game_at(work.conn, at.id)
    dated = own_page.of(work, now) if due else own_page.cancelled(work, now, [at])
    _report(work, now, found.state, f"ripe:{work.now:%Y%m%d%H%M%S%f}", dated)


def _installation(found: Progress, house: House, at: GameAt) -> datetime | None:
    """House rule 4."""
    length = house.rule("back_out_days", 0)
    moments = [
        calendar.first_deadline(when, None, length, house, at.zone).due
        for when in found.since.values()
    ]
    return min(moments, default=None)


def next_look(at: GameAt, due: datetime | None, now: datetime) -> datetime:
    """Return the next report, installation or requested closing."""
    if at.period.close_asked is not None:
        return at.period.close_asked
    every = _report_every(at)
    report: datetime = at.period.opened + every * ((now - at.period.opened) // every + 1)
    moments = (report, due, _lapses(at, now))
    return min(one for one in moments if one is not None)


def _lapses(at: GameAt, now: datetime) -> datetime | None:
    """Return when the phase ends by length; None beyond the next report."""
    assert isinstance(at.ruleset, Continuous)
    gone = _days(at, now)
    for days in range(gone + 1, gone + _DAYS + 1):
        if at.ruleset.lapsed(at.ruleset.days_pass(at.state, days)):
            day = _report_every(at) / _DAYS if at.house.elapsed else timedelta(days=1)
            return at.period.opened + days * day
    return None


_DAYS = 7


def report(work: Work, at: GameAt) -> None:
    number = (work.now - at.period.opened) // _report_every(at)
    if number:
        _report(work, at, progress(work.conn, at).state, f"week:{number}")
    periods.set_period(
        work.conn, at.id, at.period.number, next_look=next_look(at, at.period.due, work.now)
    )


def lapsed(work: Work, at: GameAt) -> bool:
    assert isinstance(at.ruleset, Continuous)
    return at.ruleset.lapsed(position(work.conn, at, work.now))


def _report(work: Work, at: GameAt, state: Any, key: str, dated: str | None = None) -> None:
    """Send each seat its own view; ``dated``: for calendars."""
    subject = f"[{at.id}] Progress report, period {at.period.number}"
    key = f"report:{at.id}:{at.term}:{key}"
    own = []
    with Budget(work.mark.seconds, f"the progress report of game {at.id}"):
        public = _progress_words(work, at, state, None)
        for seat, holder in at.holders.items():
            text = _progress_words(work, at, state, seat)
            own.append(
                (holder, Draft(f"{key}:{seat}", "report", subject, text, calendar=dated or ""))
            )
    seats.mark_public_change(work, at.id)
    put_to_seats(work, at, own)
    to_observers(work, at, Draft(key, "report", subject, public, calendar=dated or ""))


def progress_words(work: Work, at: GameAt, seat: Seat) -> str:
    """Return progress for a seat; "" in other phases."""
    if not is_continuous(at) or at.result is not None:
        return ""
    with _registering(work, at):
        return _progress_words(work, at, progress(work.conn, at).state, seat)


def _progress_words(work: Work, at: GameAt, state: Any, seat: Seat | None) -> str:
    assert isinstance(at.ruleset, Continuous)
    known = at.ruleset.seen(state, seat) if seat else state
    page = templates.environment().get_template(f"{at.ruleset.about.key}/report.txt.j2")
    return page.render(
        report=at.ruleset.report(state),
        view=at.ruleset.view(state, None),
        own=at.ruleset.view(known, seat) if seat else None,
        at=at,
        days=_days(at, work.now),
        due=publishing.deadline_text(at),
        rules=at.house.rules,
    )


_FIRST_WORDS = re.compile(r"[.:]?(?: \[|\n|$)|[.:] ")
"""The first sentence or line is the subject of what is public."""


def _tell(work: Work, at: GameAt, event: Event, state: Any) -> None:
    text = publishing.in_words(at, event, state)
    seats = at.seats if event.audience == PUBLIC else sorted(event.audience)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    key = f"event:{at.id}:{at.term}:{event.kind}:{digest}"
    news = _FIRST_WORDS.split(text, maxsplit=1)[0] if event.audience == PUBLIC else ""
    for seat in seats if text else ():
        subject = f"[{at.id}] {news or f'For {seat} alone'}"
        draft = Draft(f"{key}:{seat}", "event", subject, f"{text}\n")
        put_to_seat(work, at, at.holders[seat], draft)
    if text and event.audience == PUBLIC:
        to_observers(work, at, Draft(key, "event", f"[{at.id}] {news}", f"{text}\n"))
