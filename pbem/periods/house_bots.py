"""House bots in a game: each orders by the view of its seat, as soon as a period opens.

They write no press and hold no ballot. Their orders are on file like those of letters, so that a
replay asks no bot.
"""

import structlog

from pbem.bots import bots
from pbem.games.frame.adjudication import canonical, take
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import Said
from pbem.orders.order import staying
from pbem.periods import formation
from pbem.post.work import Work
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import Freed
from pbem.store.schema.tables import FreeSeat, OrderSet

log = structlog.get_logger()
NAMES = ("Ada", "Blaise", "Charles", "Dennis", "Edsger", "Frances", "Grace", "Herman")
"""One for each bot of a game."""
MOST_ROUNDS = 3
"""So often bots answer each other at one letter."""
_SETS = 1000


def free(work: Work, game_id: str) -> None:
    """Note that somebody may have the bots' seats."""
    at = games.game_at(work.conn, game_id)
    for seat in at.bots:
        row = FreeSeat(at.id, seat, None, Freed.BOT, work.now, at.period.number, told=False)
        FreeSeat.add(work.conn, **row._asdict())
        notes.note(work.conn, at.id, work.now, "free", seat=seat, why=Freed.BOT)


def write(work: Work, game_id: str) -> None:
    """File what the bots order in the open period; they are READY."""
    at = games.game_at(work.conn, game_id)
    for seat in at.bots:
        _write(work, at, seat)
    if not at.bots or formation.is_continuous(at):
        return
    if at.practice or at.house.at_once:
        periods.set_period(work.conn, at.id, at.period.number, next_look=work.now)


def answer(work: Work, at: GameAt) -> None:
    """Let bots answer what has been proposed, while letters work as they come."""
    for _ in range(MOST_ROUNDS):
        wrote = [seat for seat in at.bots if _write(work, at, seat)]
        if not wrote:
            return
        formation.letter_taken(work, at)
        at = games.game_at(work.conn, at.id)


def letter(at: GameAt, seat: Seat, sets: int = 0) -> str:
    """Return what the seat's bot writes, or "" if it fails. ``at``: as the seat may know it."""
    key, number = at.ruleset.about.key, at.period.number + _SETS * sets
    chance = bots.chance(at.game.seed, key, seat, number)
    try:
        return bots.letter(at.ruleset, at.state, seat, chance)
    except Exception:  # people's game goes on as if it were silent
        log.exception("bot failed", game=at.id, seat=seat, period=at.period.number)
        return ""


def _write(work: Work, at: GameAt, seat: Seat) -> bool:
    """File a bot's orders. Return whether they are new."""
    known = formation.seen(work, at, seat)
    last = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    stood, sets = order_sets.orders_of(at, last), 0
    if last and formation.is_continuous(at):
        sets = OrderSet.how_many(work.conn, game_id=at.id, period=at.period.number)
    said = letter(known, seat, sets)
    orders = staying(take(at.ruleset, known.state, seat, said, stood).standing)
    if last and canonical(orders) == canonical(stood):
        return False
    order_sets.save_orders(
        work.conn, at, seat, orders, last, said=Said.READY, letter_id=None, now=work.now
    )
    number, told = at.period.number, canonical(orders)
    notes.note(work.conn, at.id, work.now, "bot", period=number, seat=seat, orders=told)
    return True
