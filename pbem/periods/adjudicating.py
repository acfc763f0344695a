"""A period in CLOSING is played: its position, bulletins and the next deadline, all at once."""

import structlog

from pbem.budget import Budget
from pbem.errors import RefereeError
from pbem.games.frame import codec
from pbem.games.frame.adjudication import canonical, play_period
from pbem.periods import formation, record, releasing
from pbem.post import alarms
from pbem.post.work import Work
from pbem.store.games import games, order_sets, periods, positions
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import PeriodState

log = structlog.get_logger()
ADJUDICATION = 300
"""In letters' processor time."""


def close_period(work: Work, game: GameAt) -> None:
    """Adjudicate a period; publish it unless reviewed. Raise RefereeError if it is not closing."""
    if game.period.status != PeriodState.CLOSING:
        raise RefereeError(
            f"game {game.id}, period {game.period.number} is {game.period.status}, not closing"
        )
    number, standing = game.period.number, order_sets.all_standing(work.conn, game)
    closed = game.period.closed or work.now  # a rewound period keeps its time
    position, dice = formation.position(work.conn, game, closed), game.dice()
    budget = work.mark.seconds * ADJUDICATION
    with Budget(budget, f"adjudicating period {number} of game {game.id}"):
        outcome = play_period(game.ruleset, position, standing, dice)
    draws = [[draw.stream, draw.n, draw.value] for draw in dice.draws]
    periods.set_state(
        work.conn,
        game.id,
        number,
        PeriodState.CLOSED,
        closed=closed,
        draws=draws,
        next_look=None,
        events=codec.plain([event.json() for event in outcome.events]),
    )
    columns = positions.dumped(game.ruleset, outcome.state)
    phase = outcome.state.phase
    after, edition = PeriodState.REVIEW, game.row.edition
    periods.new(work.conn, game.id, number + 1, phase, after, columns, work.now, edition=edition)
    games.set_game(work.conn, game.id, period=number + 1)
    notes.note(
        work.conn,
        game.id,
        work.now,
        "adjudicated",
        period=number,
        state=columns["state_hash"],
        draws=draws,
        orders={seat: canonical(orders) for seat, orders in sorted(standing.items())},
    )
    record.count_period(work, game, standing)
    if game.row.publish == "auto":
        releasing.release(work, games.game_at(work.conn, game.id), game.period.due)
    else:
        text = (
            f"Bulletin {number} of game {game.id} waits for your release: `pbem release {game.id}`."
        )
        subject = f"bulletin {number} of {game.id} waits"
        public = "It waits for its release."
        key, commands = f"review:{game.id}:{game.term}", (f"release {game.id}",)
        alarms.tell(work, key, subject, text, game.id, public, commands)
