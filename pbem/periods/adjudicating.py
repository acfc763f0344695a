"""A period in CLOSING is played: its position, bulletins and the next deadline, all at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OverBudget, RefereeError
from pbem.games.frame import codec
from pbem.games.frame.adjudication import canonical, play_period
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Outcome
from pbem.orders.order import Order
from pbem.periods import drawing, formation, record, releasing
from pbem.post import alarms
from pbem.post.work import Installation, Work
from pbem.store.engine.database import reading
from pbem.store.games import bulletins, games, order_sets, periods, positions
from pbem.store.games.game_rows import ClosedRow
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import PeriodState

log = structlog.get_logger()
ADJUDICATION = 300
"""In letters' processor time."""


@dataclass(frozen=True, slots=True)
class Played:
    """A period played."""

    term: str
    position: Any
    """Before it; with ``standing``."""
    standing: dict[Seat, dict[str, Order]]
    outcome: Outcome[Any]
    draws: list[list[Json]]
    drawn: Mapping[str, str] = field(default_factory=dict)


def _in_order(
    standing: dict[Seat, dict[str, Order]],
) -> list[tuple[Seat, list[tuple[str, Order]]]]:
    return [(seat, list(orders.items())) for seat, orders in standing.items()]


def ahead(installation: Installation, game_id: str, number: int, now: datetime) -> Played | None:
    """Play a period in CLOSING and draw, before its transaction, which reuses it unless orders
    changed. None on failure, which the transaction repeats and reports."""
    with reading(installation.engine) as conn:
        game = games.begun(conn, game_id, number)
        if game is None or game.period.status != PeriodState.CLOSING:
            return None
        try:
            played = _played(conn, game, now, installation.mark.seconds)
            closed = ClosedRow(game.period.phase, played.outcome.events)
            before = bulletins.scores(conn, game.id, number)
            drawn = drawing.svgs(game, number, closed, before, played.outcome.state)
            if any(holder.face != PLAIN for holder in game.holders.values()):
                drawing.pngs(drawn)
        except (Exception, OverBudget):
            log.exception("not played ahead", game=game_id, period=number)
            return None
    return replace(played, drawn=drawn)


def _played(
    conn: Connection, game: GameAt, now: datetime, seconds: float, before: Played | None = None
) -> Played:
    """Return ``before`` if position and orders are the same."""
    standing, number = order_sets.all_standing(conn, game), game.period.number
    position = formation.position(conn, game, game.period.closed or now)
    same = before and (game.term, position) == (before.term, before.position)
    if before and same and _in_order(standing) == _in_order(before.standing):
        return before
    dice = game.dice()
    with Budget(seconds * ADJUDICATION, f"adjudicating period {number} of game {game.id}"):
        outcome = play_period(game.ruleset, position, standing, dice)
    draws = [[draw.stream, draw.n, draw.value] for draw in dice.draws]
    return Played(game.term, position, standing, outcome, draws)


def close_period(work: Work, game: GameAt, before: Played | None = None) -> None:
    """Adjudicate a period; publish it unless reviewed. ``before``: from :func:`ahead`. Raise
    RefereeError if it is not closing."""
    if game.period.status != PeriodState.CLOSING:
        raise RefereeError(
            f"game {game.id}, period {game.period.number} is {game.period.status}, not closing"
        )
    played, number = (
        _played(work.conn, game, work.now, work.mark.seconds, before),
        game.period.number,
    )
    standing, outcome, draws = played.standing, played.outcome, played.draws
    closed = game.period.closed or work.now  # a rewound period keeps its time
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
        releasing.release(work, games.game_at(work.conn, game.id), game.period.due, played.drawn)
    else:
        text = (
            f"Bulletin {number} of game {game.id} waits for your release: `pbem release {game.id}`."
        )
        subject = f"bulletin {number} of {game.id} waits"
        public = "It waits for its release."
        key, commands = f"review:{game.id}:{game.term}", (f"release {game.id}",)
        alarms.tell(work, key, subject, text, game.id, public, commands)
