"""A period waits for lists that were owed at its deadline (house rule 8)."""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.games.frame import calendar, house_rules
from pbem.games.frame.adjudication import owed
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import AtDeadline
from pbem.periods import deadline_acts, offers, publishing
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games, order_sets
from pbem.store.games.games import GameAt
from pbem.store.schema.states import Freed

STILL_OPEN, LEAST_STILL_OPEN = timedelta(hours=1), timedelta(minutes=1)
"""After the last awaited list; less with hours or minutes."""


def begin(work: Work, at: GameAt, what: AtDeadline) -> None:
    """Move the deadline; have missing lists sent by others too."""
    deadline_acts.extend(work, at.id, at.period.number, what.by, what.why, kind=what.kind)
    at = games.game_at(work.conn, at.id)
    for seat in what.replace:  # for as long as the period waits
        offers.free(work, at, seat, Freed.LIST)
        offers.advance(work, at.id, seat)
    awaited = at.ruleset.about.awaited
    wanted = awaited.one if awaited else ""
    for seat in what.remind:
        text = (
            f"The deadline has passed without your {wanted} ({seat}). The period waits"
            f" for it until {publishing.deadline_text(at)}.\n\n"
            f"{house_rules.late_list(at.house, awaited, 'your')}\n"
        )
        key = f"second-letter:{at.id}:{at.term}:{seat}"
        subject = f"[{at.id}] Your {wanted} is missing"
        put_to_seat(work, at, at.holders[seat], Draft(key, "reminder", subject, text))


def decide(work: Work, at: GameAt) -> AtDeadline:
    still, moves = _owed(work.conn, at), calendar.moves(at.period.moves)
    awaited = at.ruleset.about.awaited
    missing = house_rules.missing_lists(still, awaited)
    others = sum(offers.reach(work, at, *missing)) if house_rules.waits(moves) else 0
    what = house_rules.at_deadline(still, awaited, moves, at.house, others)
    by = calendar.automatic(moves, what.by, at.house)
    return replace(what, by=by) if by else AtDeadline()


def closes_at(conn: Connection, at: GameAt) -> datetime | None:
    """Return when a period closes after its lists; else None."""
    due = at.period.due
    if due is None or not house_rules.waits(calendar.moves(at.period.moves)):
        return None
    if house_rules.missing_lists(_owed(conn, at), at.ruleset.about.awaited):
        return None
    last = max(
        (row.at for row in order_sets.arrived(conn, at.id, at.period.number)),
        default=at.period.opened,
    )
    return min(due, last + at.house.share(STILL_OPEN, LEAST_STILL_OPEN))


def _owed(conn: Connection, at: GameAt) -> dict[Seat, tuple[str, ...]]:
    people = [seat for seat in at.seats if seat not in at.bots]
    return owed(at.ruleset, at.state, people, order_sets.all_standing(conn, at))
