"""A period waits for lists that were owed at its deadline (house rule 8)."""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.games.frame import calendar, house_rules
from pbem.games.frame.adjudication import owed
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import AtDeadline
from pbem.periods import claims, deadline_acts, publishing
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games, order_sets
from pbem.store.games.games import GameAt
from pbem.store.schema.states import Freed

STILL_OPEN, LEAST_STILL_OPEN = timedelta(hours=1), timedelta(minutes=1)
"""After the last awaited list; less with hours or minutes."""


def begin(work: Work, game: GameAt, what: AtDeadline) -> None:
    """Move the deadline; have missing lists sent by others too."""
    deadline_acts.extend(work, game.id, game.period.number, what.by, what.why, kind=what.kind)
    game = games.game_at(work.conn, game.id)
    for seat in what.replace:  # for as long as the period waits
        claims.free(work, game, seat, Freed.LIST)
        claims.advance(work, game.id, seat)
    awaited = game.ruleset.about.awaited
    wanted = awaited.one if awaited else ""
    for seat in what.remind:
        text = (
            f"The deadline has passed without your {wanted} ({seat}). The period waits"
            f" for it until {publishing.deadline_text(game)}.\n\n"
            f"{house_rules.late_list(game.house, awaited, 'your')}\n"
        )
        key = f"second-letter:{game.id}:{game.term}:{seat}"
        subject = f"[{game.id}] Your {wanted} is missing"
        put_to_seat(work, game, game.holders[seat], Draft(key, "reminder", subject, text))


def decide(work: Work, game: GameAt) -> AtDeadline:
    still, moves = _owed(work.conn, game), calendar.moves(game.period.moves)
    awaited = game.ruleset.about.awaited
    missing = house_rules.missing_lists(still, awaited)
    others = sum(claims.reach(work, game, *missing)) if house_rules.waits(moves) else 0
    what = house_rules.at_deadline(still, awaited, moves, game.house, others)
    by = calendar.automatic(moves, what.by, game.house)
    return replace(what, by=by) if by else AtDeadline()


def closes_at(conn: Connection, game: GameAt) -> datetime | None:
    """Return when a period closes after its lists; else None."""
    due = game.period.due
    if due is None or not house_rules.waits(calendar.moves(game.period.moves)):
        return None
    if house_rules.missing_lists(_owed(conn, game), game.ruleset.about.awaited):
        return None
    last = max(
        (row.at for row in order_sets.arrived(conn, game.id, game.period.number)),
        default=game.period.opened,
    )
    return min(due, last + game.house.share(STILL_OPEN, LEAST_STILL_OPEN))


def _owed(conn: Connection, game: GameAt) -> dict[Seat, tuple[str, ...]]:
    people = [seat for seat in game.seats if seat not in game.bots]
    return owed(game.ruleset, game.state, people, order_sets.all_standing(conn, game))
