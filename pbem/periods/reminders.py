"""Remind a seat."""

from __future__ import annotations

from pbem.games.frame.adjudication import canonical
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.orders.order import Standing
from pbem.periods import own_page, publishing, threads
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games.games import GameAt


def remind(work: Work, at: GameAt, seat: Seat, standing: Standing, key: str) -> None:
    """Mail a reminder under the last notice."""
    holder = at.holders[seat]
    owing = own_page.owing(at, holder, standing)
    subject = f"[{at.id}] Reminder: {owing[0].lower()}{owing[1:]}"
    draft = Draft(key, "reminder", subject, text(work, at, seat, standing))
    put_to_seat(work, at, holder, threads.under_last(work, at, holder, draft, "notice", "bulletin"))


def text(work: Work, at: GameAt, seat: Seat, standing: Standing) -> str:
    """Return what is owed, with its form lines."""
    page = own_page.words(at, seat, standing, form=False)
    return (
        templates.environment()
        .get_template("_shared/reminder.txt.j2")
        .render(
            at=at,
            seat=seat,
            asked=page["asked"],
            silence=page["silence"],
            form=own_page.owed_form(at, seat, standing),
            standing=canonical(standing),
            deadline=publishing.deadline_text(at),
            own_time=own_page.own_time(at, at.holders[seat], at.period.due),
            left=own_page.time_left(at, work.now),
        )
    )
