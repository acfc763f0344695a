"""House bots for seats whose players are absent (``absent=bot``, off by default).

Only when stand-bys, waiting list and offers have failed, and more than half of those seated are
READY in one period. Until somebody takes the seat its bot plays, and makes no deals.
"""

from __future__ import annotations

from datetime import datetime

from pbem.games.frame.events import Seat
from pbem.games.frame.house import BOT
from pbem.periods import ending, formation, house_bots
from pbem.post.compose import Draft
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.store.games import games, order_sets
from pbem.store.games.games import GameAt
from pbem.store.joining import offers
from pbem.store.joining.offers import FreeRow
from pbem.store.journal import notes
from pbem.store.schema.states import Freed, GameState, NoteKind, OfferState, PeriodState

_MEMO = "absent:"


def step(work: Work, game_id: str, seat: Seat) -> None:
    """Ask whether a bot may play a free seat, or let it."""
    at, row = games.game_at(work.conn, game_id), offers.free_seat(work.conn, game_id, seat)
    if row is None or not _needs_bot(work, at, row):
        return
    if not notes.memo(work.conn, _key(row)):
        _ask(work, at, row)
    elif _agreed(work, at):
        _begin(work, at, seat)


def _needs_bot(work: Work, at: GameAt, row: FreeRow) -> bool:
    if at.house.absent != BOT or row.why is Freed.BOT or not row.told or row.seat in at.bots:
        return False
    open_now = at.game.status == GameState.RUNNING and at.period.status == PeriodState.OPEN
    offered = any(one.state is OfferState.OPEN for one in offers.made(work.conn, row))
    return open_now and row.seat in ending.playing(at) and not offered


def _key(row: FreeRow) -> str:
    return f"{_MEMO}{row.game_id}:{row.seat}:{row.since.isoformat()}"


def _ask(work: Work, at: GameAt, row: FreeRow) -> None:
    notes.set_memo(work.conn, _key(row), {"asked": work.now.isoformat()})
    text = (
        f"Nobody has taken {row.seat} in game {at.id}: those who stand by, wait or watch were"
        " asked. As soon as more than half of you are READY in one period, a house bot plays it. It"
        " makes no payments, signatures or proposals, and leaves when somebody takes the seat.\n"
    )
    subject = f"[{at.id}] Shall a house bot play {row.seat}?"
    to_all(work, at, Draft(f"absent:{_stamp(at, row.seat, work.now)}", "event", subject, text))


def _agreed(work: Work, at: GameAt) -> bool:
    free = {row.seat for row in offers.of_game(work.conn, at.id)}
    seated = [seat for seat in ending.playing(at) if seat not in free]
    sets = [order_sets.last_set(work.conn, at.id, at.period.number, seat) for seat in seated]
    return 2 * sum(row is not None and row.ready for row in sets) > len(seated)


def _begin(work: Work, at: GameAt, seat: Seat) -> None:
    taken = {one.bot for one in at.holders.values()}
    name = next(one for one in house_bots.NAMES if one not in taken)
    games.set_seat(work.conn, at.id, seat, bot=name, missed=0, asked_until=None)
    said = f"Bot {name}, a house bot, plays {seat} until somebody takes it."
    notes.rule(work.conn, at.id, NoteKind.HOUSE, said, work.now)
    notes.note(work.conn, at.id, work.now, "bot-plays", seat=seat)
    at = games.game_at(work.conn, at.id)
    text = f"{said} It makes no payments, signatures or proposals.\n"
    subject = f"[{at.id}] A house bot plays {seat}"
    to_all(work, at, Draft(f"bot:{_stamp(at, seat, work.now)}", "event", subject, text))
    if formation.is_continuous(at):
        house_bots.answer(work, at)
    else:
        house_bots.write(work, at.id)


def _stamp(at: GameAt, seat: Seat, now: datetime) -> str:
    return f"{at.id}:{seat}:{now:%Y%m%d%H%M}"
