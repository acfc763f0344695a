"""House bots in a game: each orders by the view of its seat, as soon as a period opens.

They write no press and hold no ballot. Their orders are on file like those of letters, so that a
replay asks no bot. In a practice game they teach: their orders are a beginner's lesson.
"""

from collections.abc import Mapping

import structlog

from pbem.bots import bots
from pbem.games.frame.adjudication import canonical, take
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import LastWord
from pbem.house import shelf
from pbem.orders.order import staying
from pbem.pages import sheet
from pbem.pages.html import Links
from pbem.periods import formation
from pbem.post import seats
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
    game = games.game_at(work.conn, game_id)
    for seat in game.bots:
        row = FreeSeat(game.id, seat, None, Freed.BOT, work.now, game.period.number, told=False)
        FreeSeat.add(work.conn, **row._asdict())
        notes.note(work.conn, game.id, work.now, "free", seat=seat, why=Freed.BOT)


def write(work: Work, game_id: str) -> None:
    """File what the bots order in the open period; they are READY."""
    game = games.game_at(work.conn, game_id)
    for seat in game.bots:
        _write(work, game, seat)
    if not game.bots or formation.is_continuous(game):
        return
    if game.practice or game.house.at_once:
        periods.set_period(work.conn, game.id, game.period.number, next_look=work.now)


def answer(work: Work, game: GameAt) -> None:
    """Let bots answer what has been proposed, while letters work as they come."""
    for _ in range(MOST_ROUNDS):
        wrote = [seat for seat in game.bots if _write(work, game, seat)]
        if not wrote:
            return
        formation.letter_taken(work, game)
        game = games.game_at(work.conn, game.id)


def letter(game: GameAt, seat: Seat, sets: int = 0) -> str:
    """Return what the seat's bot writes, or "" if it fails. game: as the seat may know it."""
    key, number = game.ruleset.about.key, game.period.number + _SETS * sets
    chance = bots.chance(game.row.seed, key, seat, number)
    try:
        return bots.letter(game.ruleset, game.state, seat, chance)
    except Exception:  # people's game goes on as if it were silent
        log.exception("bot failed", game=game.id, seat=seat, period=game.period.number)
        return ""


def _write(work: Work, game: GameAt, seat: Seat) -> bool:
    """File a bot's orders. Return whether they are new."""
    known = formation.seen(work, game, seat)
    last = order_sets.last_set(work.conn, game.id, game.period.number, seat)
    stood, sets = order_sets.orders_of(game, last), 0
    if last and formation.is_continuous(game):
        sets = OrderSet.how_many(work.conn, game_id=game.id, period=game.period.number)
    said = letter(known, seat, sets)
    orders = staying(take(game.ruleset, known.state, seat, said, stood).standing)
    if last and canonical(orders) == canonical(stood):
        return False
    ready = LastWord.READY
    order_sets.save_orders(work.conn, game, seat, orders, last, said=ready, now=work.now)
    number, told = game.period.number, canonical(orders)
    notes.note(work.conn, game.id, work.now, "bot", period=number, seat=seat, orders=told)
    return True


def taught(work: Work, game: GameAt) -> Mapping[Seat, str]:
    """Return the lessons of a practice game, for its player's notices."""
    if game.result is not None:
        return {}
    return {
        seat: _lesson(work, game, seat)
        for seat, holder in game.holders.items()
        if holder.player_id is not None
    }


def _lesson(work: Work, game: GameAt, seat: Seat) -> str:
    parts = list[str]()
    teaches = game.period.number <= shelf.PERIODS
    if teaches and (orders := letter(formation.seen(work, game, seat), seat)):
        lines = orders.split("\n")
        parts += [sheet.heading("A lesson"), shelf.of(game.ruleset.about.key, game.period.phase)]
        parts.append("A beginner could send this:")
        parts.append("\n".join(sheet.entry(number, one, "") for number, one in enumerate(lines, 1)))
    parts.append(sheet.heading("Go on"))
    parts.append("The period closes, and the next bulletin comes, when you say READY:")
    address = seats.link_address(work, game, game.holders[seat])
    links = Links(address or work.mark.address, f"[{game.id}] {seat}, period {game.period.number}")
    parts.append(sheet.answer_line("READY", links.line("READY")))
    return "\n\n".join(filter(None, parts)) + "\n"
