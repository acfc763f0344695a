"""Put a held letter's orders in its place by first sight: it never beats a newer one."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.budget import Budget
from pbem.games.frame import readiness
from pbem.games.frame.adjudication import reread, take
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import Said
from pbem.orders.mailwords import Peeled, peel
from pbem.orders.order import Order, Resign, Standing
from pbem.post.work import Work
from pbem.referee.deciding import sandbox
from pbem.referee.game import saying_yes
from pbem.store.games import order_sets
from pbem.store.games.games import GameAt


@dataclass(frozen=True, slots=True)
class OrderPlace:
    """What comes before and after a letter."""

    before: dict[str, Order]
    said: Said
    later: tuple[Peeled, ...] = ()
    """Also the gamesmaster's orders for the seat."""


def order_place(work: Work, at: GameAt, seat: Seat, letter_id: int) -> OrderPlace:
    """Return a letter's place among the order sets of its seat and period."""
    rows = order_sets.with_letters(work.conn, at.id, at.period.number, seat)
    sets: list[tuple[int, Peeled, Said]] = []
    newest = 0  # orders without a letter come after all letters seen until then
    for row in rows:
        newest = max(newest, row.letter_id or 0)
        if row.raw is not None:
            budget = Budget(work.limits.letter_seconds, f"the work on letter {row.letter_id}")
            limits = work.limits.of_reading()
            peeled = peel(sandbox.read_guarded(row.raw, limits, budget).text)
            peeled = saying_yes.as_taken(work.conn, row.letter_id or 0, peeled)
        else:
            peeled = Peeled("\n".join(row.orders))
        sets.append((row.letter_id or newest, peeled, readiness.of(row)))
    sets.sort(key=lambda one: one[0])
    earlier = [one for one in sets if one[0] < letter_id]
    stood = reread(at.ruleset, rows[-1].orders) if rows else {}
    before = folded(at, seat, {}, tuple(peeled for _, peeled, _ in earlier))
    before |= {slot: order for slot, order in stood.items() if isinstance(order, Resign)}
    said = earlier[-1][2] if earlier else Said.NOTHING
    return OrderPlace(
        before, said, tuple(peeled for number, peeled, _ in sets if number > letter_id)
    )


def folded(
    at: GameAt, seat: Seat, standing: Standing, letters: tuple[Peeled, ...]
) -> dict[str, Order]:
    """Take letters on top of standing. RESIGN is left out; it needs a code."""
    now = dict(standing)
    for peeled in letters:
        taken = take(at.ruleset, at.state, seat, peeled.text, now, at.named).standing
        now = {
            slot: order
            for slot, order in taken.items()
            if slot in now or not isinstance(order, Resign)
        }
    return now
