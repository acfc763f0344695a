"""Orders that a rewind took back are tried again as their period opens again."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.games.frame.adjudication import Taken, canonical, take
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import Said
from pbem.orders.order import staying
from pbem.pages import sheet
from pbem.periods import formation, own_page, publishing
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games, order_sets
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.tables import KeptOrders, OrderSet

_APART = timedelta(microseconds=1)
"""Keeps them in sequence."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A seat's retried orders."""

    stand: tuple[str, ...]
    fallen: tuple[tuple[str, str], ...]
    """(order, why not)."""


def try_anew(work: Work, game: GameAt) -> dict[Seat, Tried]:
    """Store kept orders that can be taken, without READY and RESIGN."""
    rows = [
        row
        for row in order_sets.kept(work.conn, game.id, game.period.number - 1)
        if row.period == game.period.number
    ]
    if not rows:
        return {}
    KeptOrders.drop(work.conn, game_id=game.id, period=game.period.number)
    newest = {row.seat: row for row in rows}
    for n, row in enumerate(rows):
        # letters work on receipt there, each alone
        if formation.is_continuous(game) or newest[row.seat] is row:
            _file(work, game, row, work.now + n * _APART)
    tried = {seat: _tried(row, _taken(game, row)) for seat, row in newest.items()}
    for seat, one in tried.items():
        if one.stand or one.fallen:
            _tell_of_kept(work, games.game_at(work.conn, game.id), seat, one)
    stands = {seat: one.stand for seat, one in sorted(tried.items())}
    notes.note(work.conn, game.id, work.now, "kept", period=game.period.number, orders=stands)
    return tried


def _taken(game: GameAt, row: OrderSet) -> Taken:
    return take(game.ruleset, game.state, row.seat, "\n".join(row.orders), {})


def _file(work: Work, game: GameAt, row: OrderSet, moment: datetime) -> None:
    last = order_sets.last_set(work.conn, game.id, game.period.number, row.seat)
    standing = staying(_taken(game, row).standing)
    order_sets.save_orders(
        work.conn, game, row.seat, standing, last, said=Said.NOTHING, letter_id=None, now=moment
    )
    if formation.is_continuous(game):
        formation.letter_taken(work, games.game_at(work.conn, game.id))


def _tried(row: OrderSet, taken: Taken) -> Tried:
    fallen = [
        (answer.line.text, problem.message)
        for answer in taken.answers
        for problem in answer.problems
        if not problem.warning and not answer.orders
    ]
    leaves = [
        order for slot, order in taken.standing.items() if slot not in staying(taken.standing)
    ]
    fallen += [(str(order), "It leaves the game, and has to be meant again.") for order in leaves]
    return Tried(tuple(canonical(staying(taken.standing))), tuple(fallen))


def _tell_of_kept(work: Work, game: GameAt, seat: Seat, tried: Tried) -> None:
    number = game.period.number
    called = own_page.called(game)
    parts = [
        f"Period {number} ({called}) is open again. What had been sent for {seat} when it"
        " was open before has been tried again on the position as it is now.",
    ]
    if tried.stand:
        parts.append(f"These orders stand:\n{sheet.order_list(tried.stand)}")
    if tried.fallen:
        fallen = [f"{order}: {sentence}" for order, sentence in tried.fallen]
        parts.append(f"These can no longer be taken:\n{sheet.order_list(fallen)}")
    parts.append(
        f"All of it is yours to change {publishing.before_closing(game)}. What you had said of the"
        " period's end (the words READY and WAIT) is forgotten."
    )
    key = f"kept:{game.id}:{game.term}:{seat}"
    subject = f"[{game.id}] Period {number} is open again: your orders"
    text = "\n\n".join(parts) + "\n"
    put_to_seat(work, game, game.holders[seat], Draft(key, "kept", subject, text))
