"""A period in CLOSING is played: its position, bulletins and the next deadline, all at once.

The next one opens then, or after a review; orders that a rewind took back are tried on it again.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from pbem.budget import Budget
from pbem.errors import RefereeError
from pbem.games.frame import calendar, codec
from pbem.games.frame.adjudication import Taken, canonical, play_period, take
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Outcome, Ruleset
from pbem.orders.order import staying
from pbem.pages import sheet
from pbem.periods import (
    amendments,
    deadline_acts,
    ending,
    formation,
    house_bots,
    own_page,
    publishing,
    record,
)
from pbem.post import alarms
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games, order_sets, periods, positions
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import PeriodState
from pbem.store.schema.tables import KeptOrders, OrderSet

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
    events = codec.plain([event.json() for event in outcome.events])
    made = {"closed": closed, "draws": draws, "next_look": None, "events": events}
    periods.set_state(work.conn, game.id, number, PeriodState.CLOSED, **made)
    columns = positions.dumped(game.ruleset, outcome.state)
    phase = outcome.state.phase
    after, edition = PeriodState.REVIEW, game.row.edition
    again = {"opened": work.now, "edition": edition}
    periods.new(work.conn, game.id, number + 1, phase, after, columns, **again)
    games.set_game(work.conn, game.id, period=number + 1)
    orders = {seat: canonical(stood) for seat, stood in sorted(standing.items())}
    known = {"state": columns["state_hash"], "draws": draws, "orders": orders}
    notes.note(work.conn, game.id, work.now, "adjudicated", period=number, **known)
    record.count_period(work, game, standing)
    if game.row.publish == "auto":
        release(work, games.game_at(work.conn, game.id), game.period.due)
    else:
        key, commands = f"review:{game.id}:{game.term}", (f"release {game.id}",)
        alarms.say(work, key, "review", game.id, commands, number=number)


def open_first(work: Work, game_id: str, outcome: Outcome[Any], ruleset: Ruleset[Any]) -> None:
    """Store periods 0 (closed) and 1 (open); mail the welcome or have it reviewed."""
    events = [event.json() for event in outcome.events]
    columns, now = positions.dumped(ruleset, outcome.state), work.now
    opening, first = PeriodState.CLOSED, PeriodState.REVIEW
    told = {"opened": now, "closed": now, "events": events}
    periods.new(work.conn, game_id, 0, "", opening, columns, **told)
    periods.new(work.conn, game_id, 1, outcome.state.phase, first, columns, opened=now)
    games.set_game(work.conn, game_id, period=1)
    games.goes_on(work.conn, game_id, now)
    release(work, games.game_at(work.conn, game_id))


def release(work: Work, game: GameAt, last_due: datetime | None = None) -> None:
    """Open the period in REVIEW (or end the game) and publish. Raise RefereeError if nothing is in
    review."""
    number = game.period.number
    if game.period.status != PeriodState.REVIEW:
        raise RefereeError(
            f"game {game.id}, period {number} is {game.period.status}; there is nothing to release"
        )
    is_over = game.ruleset.result(game.state) is not None
    if is_over:
        periods.set_state(work.conn, game.id, number, PeriodState.CLOSED, closed=work.now)
        ending.over(work, game)
    else:
        _open(work, game, last_due)
    game = games.game_at(work.conn, game.id)
    lessons = house_bots.taught(work, game) if game.practice else {}
    publishing.publish(work, game, number - 1, lessons)
    if not is_over:
        game = _try_kept_orders(work, game)
    amendments.ask(work, game)
    ending.conclude(work, game)  # those left may have agreed before


def _open(work: Work, game: GameAt, last_due: datetime | None) -> None:
    """Open the period in review with its deadline; the house bots write."""
    asked = sum(1 for slots in game.ruleset.asked(game.state).values() if slots)
    length, first = game.house.length(game.period.phase, asked), None
    if length:
        first = calendar.first_deadline(work.now, last_due, length, game.house, game.zone)
    game, made = deadline_acts.with_new_hour(work, game, first)
    due = made.due if made else None
    opened = {
        "opened": work.now,
        "base": made.base if made else None,
        "due": due,
        "moves": [move.json() for move in made.moves] if made else [],
        "next_look": calendar.next_look(work.now, due, game.period.phase, game.house, game.zone),
    }
    number = game.period.number
    periods.set_state(work.conn, game.id, number, PeriodState.OPEN, **opened)
    if formation.is_continuous(game):
        look = formation.next_look(games.game_at(work.conn, game.id), None, work.now)
        periods.set_period(work.conn, game.id, number, next_look=look)
    house_bots.write(work, game.id)


_APART = timedelta(microseconds=1)
"""Keeps them in sequence."""


def _try_kept_orders(work: Work, game: GameAt) -> GameAt:
    """Store kept orders that can be taken, without READY and RESIGN. Return the game with them."""
    number = game.period.number
    kept = order_sets.kept(work.conn, game.id, number - 1)
    rows = [row for row in kept if row.period == number]
    if not rows:
        return game
    KeptOrders.drop(work.conn, game_id=game.id, period=number)
    newest = {row.seat: row for row in rows}
    for n, row in enumerate(rows):
        # letters work on receipt there, each alone
        if formation.is_continuous(game) or newest[row.seat] is row:
            _file(work, game, row, work.now + n * _APART)
    with_orders = games.game_at(work.conn, game.id)
    stands = {}
    for seat, row in newest.items():
        stands[seat], fallen = _retried(_taken(game, row))
        if stands[seat] or fallen:
            _tell_of_kept(work, with_orders, seat, stands[seat], fallen)
    orders = dict(sorted(stands.items()))
    notes.note(work.conn, game.id, work.now, "kept", period=number, orders=orders)
    return with_orders


def _taken(game: GameAt, row: OrderSet) -> Taken:
    return take(game.ruleset, game.state, row.seat, "\n".join(row.orders), {})


def _file(work: Work, game: GameAt, row: OrderSet, moment: datetime) -> None:
    last = order_sets.last_set(work.conn, game.id, game.period.number, row.seat)
    standing = staying(_taken(game, row).standing)
    order_sets.save_orders(work.conn, game, row.seat, standing, last, now=moment)
    if formation.is_continuous(game):
        formation.letter_taken(work, games.game_at(work.conn, game.id))


def _retried(taken: Taken) -> tuple[list[str], list[str]]:
    """Return the orders that stand, and those that fall, each with why."""
    stay = staying(taken.standing)
    fallen = [
        f"{answer.line.text}: {problem.message}"
        for answer in taken.answers
        for problem in answer.problems
        if not problem.warning and not answer.orders
    ]
    leaves = [order for slot, order in taken.standing.items() if slot not in stay]
    fallen += [f"{order}: It leaves the game, and has to be meant again." for order in leaves]
    return canonical(stay), fallen


def _tell_of_kept(
    work: Work, game: GameAt, seat: Seat, stand: Sequence[str], fallen: Sequence[str]
) -> None:
    known = {
        "seat": seat,
        "called": own_page.called(game),
        "stand": sheet.order_list(stand) if stand else "",
        "fallen": sheet.order_list(fallen) if fallen else "",
        "before_closing": publishing.before_closing(game),
    }
    draft = own_page.draft(game, f"kept:{game.id}:{game.term}:{seat}", "kept", "kept", **known)
    put_to_seat(work, game, game.holders[seat], draft)
