"""A period opens: its deadline is set, and the bulletin before it mailed."""

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


def release(work: Work, game: GameAt, last_due: datetime | None = None) -> None:
    """Open the period in REVIEW (or end the game) and publish. Raise RefereeError if nothing is in
    review."""
    if game.period.status != PeriodState.REVIEW:
        raise RefereeError(
            f"game {game.id}, period {game.period.number} is {game.period.status}; there is nothing"
            " to release"
        )
    _begin(work, game, last_due)
    _tell(work, games.game_at(work.conn, game.id))


def _begin(work: Work, game: GameAt, last_due: datetime | None) -> None:
    if game.ruleset.result(game.state) is not None:
        periods.set_state(
            work.conn, game.id, game.period.number, PeriodState.CLOSED, closed=work.now
        )
        ending.over(work, game)
    else:
        set_deadline(work, game, last_due)


def _tell(work: Work, game: GameAt) -> None:
    publishing.publish(work, game, lessons.taught if game.practice else None)
    if game.ruleset.result(game.state) is None and kept_orders.try_anew(work, game):
        game = games.game_at(work.conn, game.id)
    amendments.ask(work, game)
    ending.conclude(work, game)  # those left may have agreed before


def set_deadline(work: Work, game: GameAt, last_due: datetime | None) -> None:
    asked = sum(1 for slots in game.ruleset.asked(game.state).values() if slots)
    length = game.house.length(game.period.phase, asked)
    base, due, moves = None, None, []
    first = (
        calendar.first_deadline(work.now, last_due, length, game.house, game.zone)
        if length
        else None
    )
    game, made = deadline_acts.with_new_hour(work, game, first)
    if made:
        base, due, moves = made.base, made.due, [move.json() for move in made.moves]
    periods.set_state(
        work.conn,
        game.id,
        game.period.number,
        PeriodState.OPEN,
        opened=work.now,
        base=base,
        due=due,
        moves=moves,
        next_look=calendar.next_look(work.now, due, game.period.phase, game.house, game.zone),
    )
    if formation.is_continuous(game):
        opened = games.game_at(work.conn, game.id)
        periods.set_period(
            work.conn,
            game.id,
            game.period.number,
            next_look=formation.next_look(opened, None, work.now),
        )
    house_bots.write(work, game.id)
