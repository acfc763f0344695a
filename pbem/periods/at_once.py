"""Mail what rules tell before the period closes."""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.house import templates
from pbem.orders.order import Standing
from pbem.pages import bulletin
from pbem.post import changes
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seats, to_observers
from pbem.post.work import Work
from pbem.store.games import order_sets
from pbem.store.games.games import GameAt


def tell(
    work: Work, at: GameAt, seat: Seat, before: Standing, standing: Standing, letter: str
) -> None:
    """Tell the others of orders; ``letter``: its id."""
    if at.result is not None:
        return
    for number, event in enumerate(at.ruleset.told_at_once(at.state, seat, before, standing)):
        assert event.audience == PUBLIC, f"{event.kind} is told at once, and not public"
        key = f"event:{at.id}:{at.term}:{event.kind}:{letter}:{number}"
        _to_others(work, at, seat, in_words(at, event, at.state), key)


def so_far(conn: Connection, at: GameAt) -> str:
    """Return how what was told at once stands now, or ""."""
    if at.result is not None:
        return ""
    told = at.ruleset.told_so_far(at.state, order_sets.all_standing(conn, at))
    return "\n\n".join(in_words(at, event, at.state) for event in told)


def in_words(at: GameAt, event: Event, state: object) -> str:
    context = {
        **bulletin.CONTEXT,
        "view": at.ruleset.view(state, None),
        "number": at.period.number,
        "phase": at.period.phase,
        "title": at.ruleset.about.title,
        "key": at.ruleset.about.key,
    }
    return bulletin.tell(templates.environment(), at.ruleset.about.key, event, context)


def _to_others(work: Work, at: GameAt, author: Seat, text: str, key: str) -> None:
    changes.mark_public_change(work, at.id)
    subject = f"[{at.id}] {text.partition(' [')[0].partition(chr(10))[0].rstrip('.')}"
    others = [holder for seat, holder in at.holders.items() if seat != author]
    drafts = [(one, Draft(f"{key}:{one.seat}", "event", subject, f"{text}\n")) for one in others]
    put_to_seats(work, at, drafts)
    to_observers(work, at, Draft(key, "event", subject, f"{text}\n"))
