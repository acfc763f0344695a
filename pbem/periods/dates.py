"""Calendar files for those who want them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from pbem.games.frame import house_rules
from pbem.games.frame.house import MINUTE
from pbem.house import templates
from pbem.pages import calendar
from pbem.pages.calendar import Deadline, Source, Status
from pbem.periods import own_page
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, PeriodState

_BEGAN = int(datetime(2020, 1, 1, tzinfo=UTC).timestamp())
"""Revisions after a restore count seconds from here: beyond what was mailed, within 31 bits (RFC
5545, 3.3.8)."""


def of(work: Work, at: GameAt) -> str:
    """Return the open period's file; "" without deadline or reader."""
    return _file(work, at, [at])


def issue(work: Work, at: GameAt) -> str:
    if not _is_wanted(at):
        return ""
    number = at.period.number - 1
    return all_of(work, at, [*([games.at_period(work.conn, at, number)] if number else []), at])


def cancelled(work: Work, at: GameAt, periods: Iterable[GameAt]) -> str:
    return _file(work, at, periods, gone=True)


def _file(work: Work, at: GameAt, periods: Iterable[GameAt], *, gone: bool = False) -> str:
    return all_of(work, at, periods, gone=gone) if _is_wanted(at) else ""


def _is_wanted(at: GameAt) -> bool:
    return any(holder.calendar for holder in at.holders.values())


def all_of(
    work: Work,
    at: GameAt,
    periods: Iterable[GameAt],
    *,
    gone: bool = False,
    title: str | None = None,
) -> str:
    """Return their file, wanted or not; "" without deadlines. title: None in a mail."""
    found = [made for one in periods if (made := _deadline(work, one, gone=gone))]
    mark = work.mark
    revision = max(0, mark.generation - _BEGAN) + notes.revisions(work.conn, at.id)
    alarm = at.house.share(timedelta(days=1), MINUTE)
    source = Source(at.id, mark.address, mark.name, work.now, revision, alarm, title)
    return calendar.calendar(source, found) if found else ""


def _deadline(work: Work, at: GameAt, *, gone: bool) -> Deadline | None:
    status, ends = (Status.CANCELLED, at.period.due) if gone else _now(at)
    if ends is None:
        return None
    text = (
        templates.environment()
        .get_template("_shared/calendar.txt.j2")
        .render(
            at=at,
            number=at.period.number,
            called=own_page.called(at),
            status=status,
            moment=own_page.moment_text(at, ends),
            early=house_rules.may_close_early(at.house, at.period.number),
            address=work.mark.address,
        )
    )
    summary, _, words = text.strip().partition("\n")
    return Deadline(at.period.number, status, at.period.opened, ends, summary, words)


def _now(at: GameAt) -> tuple[Status, datetime | None]:
    period = at.period
    if period.status == PeriodState.OPEN:
        held = at.game.status == GameState.HELD
        return Status.HELD if held else Status.OPEN, period.due
    if period.number == at.game.period:  # open when the players ended the game
        return Status.CANCELLED, period.closed if at.game.agreed else None
    due, closed = period.due, period.closed
    return Status.CLOSED, min(due, closed) if due and closed else due
