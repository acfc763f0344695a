"""The bots' orders in a practice game, and a beginner's lessons."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.bots import bots
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import Said
from pbem.house import lessons
from pbem.orders.order import Order
from pbem.pages import sheet
from pbem.pages.links import Links
from pbem.periods import formation
from pbem.post import seats
from pbem.post.work import Work
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes


def write(work: Work, game_id: str) -> None:
    """File the bots' orders; they are READY."""
    at = games.game_at(work.conn, game_id)
    for seat in at.seats:
        if at.holders[seat].player_id is None:
            _write(work, at, seat)
    if not formation.is_continuous(at):
        periods.set_period(work.conn, at.id, at.period.number, next_look=work.now)


def _write(work: Work, at: GameAt, seat: Seat) -> None:
    known = formation.seen(work, at, seat)
    text = _letter(known, seat)
    orders: dict[str, Order] = bots.taken(at.ruleset, known.state, seat, text)
    last = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    order_sets.save_orders(
        work.conn, at, seat, orders, last, said=Said.READY, letter_id=None, now=work.now
    )
    notes.note(
        work.conn,
        at.id,
        work.now,
        "bot",
        period=at.period.number,
        seat=seat,
        orders=[str(order) for order in orders.values()],
    )


def _letter(at: GameAt, seat: Seat) -> str:
    key = at.ruleset.about.key
    chance = bots.chance(at.game.seed, key, seat, at.period.number)
    return bots.letter(at.ruleset, at.state, seat, chance)


def taught(work: Work, at: GameAt) -> Mapping[Seat, str]:
    """Return additions to the player's notices."""
    if at.result is not None:
        return {}
    return {
        seat: _lesson(work, at, seat)
        for seat, holder in at.holders.items()
        if holder.player_id is not None
    }


def _lesson(work: Work, at: GameAt, seat: Seat) -> str:
    """Return a lesson, in the first periods, and a link that says READY."""
    said, ready = list[str](), "READY"
    teaches = at.period.number <= lessons.PERIODS
    if teaches and (orders := _letter(formation.seen(work, at, seat), seat)):
        lines = orders.split("\n")
        ready = "; ".join([*lines, "READY"])
        said += [sheet.heading("A lesson"), lessons.of(at.ruleset.about.key, at.period.phase)]
        said.append("A beginner could send this:")
        said.append("\n".join(sheet.entry(number, one, "") for number, one in enumerate(lines, 1)))
    said.append(sheet.heading("Go on"))
    said.append(
        "The period closes, and the next bulletin comes, when you say READY."
        + (" This letter has the orders above, and READY:" if ready != "READY" else "")
    )
    address = seats.link_address(work, at, at.holders[seat])
    links = Links(address or work.mark.address, f"[{at.id}] {seat}, period {at.period.number}")
    said.append(sheet.answer_line("READY", links.line(ready)))
    return "\n\n".join(filter(None, said)) + "\n"
