"""A period opens: its deadline is set, and the bulletin before it mailed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbem.errors import RefereeError
from pbem.games.frame import calendar
from pbem.games.frame.ruleset import Outcome, Ruleset
from pbem.periods import (
    amendments,
    deadline_acts,
    ending,
    formation,
    house_bots,
    kept_orders,
    lessons,
    publishing,
)
from pbem.post.work import Work
from pbem.store.games import games, periods, positions
from pbem.store.games.games import GameAt
from pbem.store.schema.states import PeriodState


def open_first(work: Work, game_id: str, outcome: Outcome[Any], ruleset: Ruleset[Any]) -> None:
    """Store periods 0 (closed) and 1 (open); mail the welcome or have it reviewed."""
    events = [event.json() for event in outcome.events]
    columns = positions.dumped(ruleset, outcome.state)
    opening, first = PeriodState.CLOSED, PeriodState.REVIEW
    periods.new(
        work.conn, game_id, 0, "", opening, columns, work.now, events=events, closed=work.now
    )
    periods.new(work.conn, game_id, 1, outcome.state.phase, first, columns, work.now)
    games.set_game(work.conn, game_id, period=1)
    games.goes_on(work.conn, game_id, work.now)
    _begin(work, games.game_at(work.conn, game_id), None)
    _tell(work, games.game_at(work.conn, game_id))


def release(
    work: Work,
    at: GameAt,
    last_due: datetime | None = None,
    drawn: Mapping[str, str] | None = None,
) -> None:
    """Open the period in REVIEW (or end the game) and publish. Raise RefereeError if nothing is in
    review."""
    if at.period.status != PeriodState.REVIEW:
        raise RefereeError(
            f"game {at.id}, period {at.period.number} is {at.period.status}; there is nothing to"
            " release"
        )
    _begin(work, at, last_due)
    _tell(work, games.game_at(work.conn, at.id), drawn)


def _begin(work: Work, at: GameAt, last_due: datetime | None) -> None:
    if at.ruleset.result(at.state) is not None:
        periods.set_state(work.conn, at.id, at.period.number, PeriodState.CLOSED, closed=work.now)
        ending.over(work, at)
    else:
        set_deadline(work, at, last_due)


def _tell(work: Work, at: GameAt, drawn: Mapping[str, str] | None = None) -> None:
    publishing.publish(work, at, drawn, lessons.taught if at.practice else None)
    if at.ruleset.result(at.state) is None and kept_orders.try_anew(work, at):
        at = games.game_at(work.conn, at.id)
    amendments.ask(work, at)
    ending.conclude(work, at)  # those left may have agreed before


def set_deadline(work: Work, at: GameAt, last_due: datetime | None) -> None:
    asked = sum(1 for slots in at.ruleset.asked(at.state).values() if slots)
    length = at.house.length(at.period.phase, asked)
    base, due, moves = None, None, []
    first = (
        calendar.first_deadline(work.now, last_due, length, at.house, at.zone) if length else None
    )
    at, made = deadline_acts.with_new_hour(work, at, first)
    if made:
        base, due, moves = made.base, made.due, [move.json() for move in made.moves]
    periods.set_state(
        work.conn,
        at.id,
        at.period.number,
        PeriodState.OPEN,
        opened=work.now,
        base=base,
        due=due,
        moves=moves,
        next_look=calendar.next_look(work.now, due, at.period.phase, at.house, at.zone),
    )
    if formation.is_continuous(at):
        opened = games.game_at(work.conn, at.id)
        periods.set_period(
            work.conn,
            at.id,
            at.period.number,
            next_look=formation.next_look(opened, None, work.now),
        )
    house_bots.write(work, at.id)
