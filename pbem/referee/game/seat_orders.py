"""Read a letter's orders on top of what stands, and save them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Answer, take
from pbem.games.frame.readiness import Said
from pbem.orders.order import Standing, staying
from pbem.periods import formation, house_bots, inquiries, publishing
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.trust import CONFIRMED
from pbem.referee.game import arrivals, restoring, saying_yes
from pbem.referee.game.arrivals import OrderPlace
from pbem.referee.words import leaving
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.people import players
from pbem.store.schema.tables import OrderSet


@dataclass(frozen=True, slots=True)
class Read:
    """A letter's orders, and what stands with them."""

    last: OrderSet | None
    place: OrderPlace
    answers: Sequence[Answer]
    stands: Standing
    said: Said
    resigns: bool
    """Waits for a code."""

    def changes(self) -> bool:
        for answer in self.answers:
            given = {order.slot: order for order in answer.orders}
            if self.resigns:
                given = staying(given)
            if given or answer.cancelled:
                return True
        return self.said is not readiness.of(self.last)


def read_orders(work: Work, judged: Judged, game: GameAt) -> Read:
    """Read the orders on top of what stands; a held letter's by first sight."""
    row, peeled, seat = judged.row, judged.decision.peeled, judged.decision.seat
    last = order_sets.last_set(work.conn, game.id, game.period.number, seat)
    stood = order_sets.orders_of(game, last)
    place = OrderPlace(stood, readiness.of(last))
    confirmed = row.authentication == CONFIRMED
    if confirmed or restoring.came_after(game, row.received):  # others may have come meanwhile
        place = arrivals.order_place(work, game, seat, row.id)
    known = formation.seen(work, game, seat)
    former = partial(players.privy_names, work.conn, game.id)
    peeled = saying_yes.as_taken(work.conn, row.id, peeled)
    again = peeled is not judged.decision.peeled
    greeted = None if again else [*saying_yes.names(judged, game), inquiries.whom(work, game)]
    taken = take(
        game.ruleset, known.state, seat, peeled.text, place.before, game.named, former, greeted
    )
    resigns = leaving.resigns(taken.standing, stood) and (not confirmed or bool(judged.deputy))
    kept = staying(taken.standing) if resigns else taken.standing
    if judged.deputy:  # a deputy cannot take back what her player said of leaving
        kept = leaving.as_it_was(kept, stood)
    moved = kept != place.before
    said = readiness.after_letter(
        game.ruleset, game.state, seat, place.said, peeled, taken.answers, moved, place.later
    )
    stands = arrivals.folded(game, seat, kept, place.later)
    return Read(last, place, taken.answers, stands, said, resigns)


def save(work: Work, yes: saying_yes.Said, game: GameAt, read: Read) -> GameAt:
    """Save the orders and what follows. Return the game after it."""
    conn, now, judged = work.conn, work.now, yes.judged
    seat = judged.decision.seat
    if game.practice and judged.decision.peeled.asks(Said.READY) and formation.is_continuous(game):
        periods.set_period(conn, game.id, game.period.number, close_asked=now, next_look=now)
    if game.holders[seat].asked_until is not None and judged.proven:
        games.set_seat(conn, game.id, seat, asked_until=None, missed=0)
    changes = read.changes()
    saying_yes.taken(conn, yes, judged.row.id, read.stands, orders=changes)
    if not changes:
        return game
    order_sets.save_orders(
        conn,
        game,
        seat,
        read.stands,
        read.last,
        said=read.said,
        letter_id=judged.row.id,
        now=now,
    )
    stood = order_sets.orders_of(game, read.last)
    publishing.tell(work, game, seat, stood, read.stands, str(judged.row.id))
    if formation.is_continuous(game):
        formation.letter_taken(work, game)
        house_bots.answer(work, games.game_at(conn, game.id))
        return games.game_at(conn, game.id)
    if game.awaits:
        periods.set_period(conn, game.id, game.period.number, next_look=now)
    return game
