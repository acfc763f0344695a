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
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.house import templates
from pbem.periods import own_page, publishing
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, to_all, to_observers
from pbem.post.work import Work
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.tables import OrderSet


def is_continuous(game: GameAt) -> bool:
    return game.period.phase in game.ruleset.continuous


@dataclass(frozen=True, slots=True)
class Progress:
    """The position with all letters registered."""

    state: Any
    events: tuple[Event, ...]
    """The last letter's."""
    since: dict[str, datetime]
    """When keys ripened."""


def progress(conn: Connection, game: GameAt) -> Progress:
    """Register all letters in order of arrival."""
    ruleset, state = game.ruleset, game.state
    events: tuple[Event, ...] = ()
    since: dict[str, datetime] = {}
    for row in order_sets.arrived(conn, game.id, game.period.number):
        outcome = ruleset.register(state, row.seat, order_sets.orders_of(game, row))
        state, events = outcome.state, outcome.events
        since = {key: since.get(key, row.at) for key in ruleset.ripe(state)}
    return Progress(state, events, since)


def position(conn: Connection, game: GameAt, now: datetime) -> Any:
    if not is_continuous(game):
        return game.state
    state = progress(conn, game).state
    return game.ruleset.days_pass(state, _days(game, now))


def of_now(conn: Connection, game: GameAt) -> Any:
    """Return the position with all letters registered that work on receipt."""
    known = is_continuous(game) and game.result is None
    return progress(conn, game).state if known else game.state


def seen(work: Work, game: GameAt, seat: Seat) -> GameAt:
    """Return the game as the seat may know it."""
    if not is_continuous(game) or game.result is not None:
        return game
    with _registering(work, game):
        return replace(game, state=game.ruleset.seen(progress(work.conn, game).state, seat))


@contextmanager
def _registering(work: Work, game: GameAt) -> Iterator[None]:
    letters = OrderSet.how_many(work.conn, game_id=game.id, period=game.period.number)
    with paused, Budget(work.mark.seconds * (letters + 1), "registering the period's letters"):
        yield


def _days(game: GameAt, now: datetime) -> int:
    """Return days so far; with hours or minutes seven a report."""
    gone: timedelta = now - game.period.opened
    return gone * _DAYS // _report_every(game) if game.house.elapsed else gone.days


def _report_every(game: GameAt) -> timedelta:
    return game.house.rule("report_days", 7).time


def letter_taken(work: Work, game: GameAt) -> None:
    """Tell a letter's events; start or stop the days to back out."""
    with _registering(work, game):
        forming = progress(work.conn, game)
    for event in forming.events:
        _tell(work, game, event, forming.state)
    length = game.house.rule("back_out_days", 0)  # house rule 4
    moments = [
        calendar.first_deadline(when, None, length, game.house, game.zone).due
        for when in forming.since.values()
    ]
    due = min(moments, default=None)
    if due == game.period.due:
        return
    number, look = game.period.number, next_look(game, due, work.now)
    periods.set_period(work.conn, game.id, number, base=due, due=due, moves=[], next_look=look)
    kind, told = ("ripe", {"due": due.isoformat()}) if due else ("unripe", {})
    notes.note(work.conn, game.id, work.now, kind, period=number, **told)
    now = games.game_at(work.conn, game.id)
    dated = own_page.of(work, now) if due else own_page.cancelled(work, now, [game])
    _report(work, now, forming.state, f"ripe:{work.now:%Y%m%d%H%M%S%f}", dated)


def next_look(game: GameAt, due: datetime | None, now: datetime) -> datetime:
    """Return the next report, installation or requested closing."""
    if game.period.close_asked is not None:
        return game.period.close_asked
    every = _report_every(game)
    report: datetime = game.period.opened + every * ((now - game.period.opened) // every + 1)
    moments = (report, due, _lapses(game, now))
    return min(one for one in moments if one is not None)


def _lapses(game: GameAt, now: datetime) -> datetime | None:
    """Return when the phase ends by length; None beyond the next report."""
    gone = _days(game, now)
    for days in range(gone + 1, gone + _DAYS + 1):
        if game.ruleset.lapsed(game.ruleset.days_pass(game.state, days)):
            day = _report_every(game) / _DAYS if game.house.elapsed else timedelta(days=1)
            return game.period.opened + days * day
    return None


_DAYS = 7


def report(work: Work, game: GameAt) -> None:
    number = (work.now - game.period.opened) // _report_every(game)
    if number:
        _report(work, game, progress(work.conn, game).state, f"week:{number}")
    periods.set_period(
        work.conn, game.id, game.period.number, next_look=next_look(game, game.period.due, work.now)
    )


def _report(work: Work, game: GameAt, state: Any, key: str, dated: str = "") -> None:
    """Send each seat its own view; ``dated``: for calendars."""
    subject = f"[{game.id}] Progress report, period {game.period.number}"
    key = f"report:{game.id}:{game.term}:{key}"
    with Budget(work.mark.seconds, f"the progress report of game {game.id}"):
        public = _progress_words(work, game, state, None)
        own = {seat: _progress_words(work, game, state, seat) for seat in game.seats}
    to_all(work, game, Draft(key, "report", subject, public, calendar=dated), own)


def progress_words(work: Work, game: GameAt, seat: Seat) -> str:
    """Return progress for a seat; "" in other phases."""
    if not is_continuous(game) or game.result is not None:
        return ""
    with _registering(work, game):
        return _progress_words(work, game, progress(work.conn, game).state, seat)


def _progress_words(work: Work, game: GameAt, state: Any, seat: Seat | None) -> str:
    known = game.ruleset.seen(state, seat) if seat else state
    page = templates.environment().get_template(f"{game.ruleset.about.key}/report.txt.j2")
    return page.render(
        report=game.ruleset.report(state),
        view=game.ruleset.view(state, None),
        own=game.ruleset.view(known, seat) if seat else None,
        at=game,
        days=_days(game, work.now),
        due=publishing.deadline_text(game),
        rules=game.house.rules,
    )


_FIRST_WORDS = re.compile(r"[.:]?(?: \[|\n|$)|[.:] ")
"""The first sentence or line is the subject of what is public."""


def _tell(work: Work, game: GameAt, event: Event, state: Any) -> None:
    text = publishing.in_words(game, event, state)
    seats = game.seats if event.audience == PUBLIC else sorted(event.audience)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    key = f"event:{game.id}:{game.term}:{event.kind}:{digest}"
    news = _FIRST_WORDS.split(text, maxsplit=1)[0] if event.audience == PUBLIC else ""
    for seat in seats if text else ():
        subject = f"[{game.id}] {news or f'For {seat} alone'}"
        draft = Draft(f"{key}:{seat}", "event", subject, f"{text}\n")
        put_to_seat(work, game, game.holders[seat], draft)
    if text and event.audience == PUBLIC:
        to_observers(work, game, Draft(key, "event", f"[{game.id}] {news}", f"{text}\n"))
