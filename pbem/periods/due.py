"""What falls due in a pass: errands of games and seats, then periods, a transaction each.

``drained``: all the server had is stored and decided. A game whose errand or period fails is held.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection, Engine

from pbem.errors import OutsideError, OverBudget
from pbem.periods import adjudicating, claims, closing, deadline_acts, deputies, ending, practice
from pbem.periods import open_tables as tables
from pbem.post import alarms
from pbem.post.work import Installation, Scan, Work
from pbem.store.engine.database import shared_transaction
from pbem.store.games import games, periods
from pbem.store.games.game_rows import PeriodKey
from pbem.store.joining import claimants
from pbem.store.joining.practices import PREFIX
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Game

log = structlog.get_logger()


def hold(installation: Installation, game_id: str, why: str, now: datetime) -> None:
    """Stop the clock, even if players cannot be told or the position cannot be read."""
    try:
        with installation.shared_work(now, game_id) as work:
            if games.game(work.conn, game_id).status == GameState.RUNNING:
                deadline_acts.hold(work, game_id, why)
    except OutsideError:
        raise
    except (Exception, OverBudget):
        log.exception("held without a word to its players", game=game_id)
        with installation.shared_work(now, game_id) as work:
            if games.game(work.conn, game_id).status == GameState.RUNNING:
                games.hold(work.conn, game_id, why, now)
                notes.note(work.conn, game_id, now, "hold", why=why)


def due(installation: Installation, scan: Scan) -> int:
    """Look at all that is due. Return the number of periods closed."""
    # else letters may be unread, or our clock be days off
    if scan.drained and anything(installation, scan.now):
        for errand in ERRANDS:
            _run(installation, scan, errand)
    closed = 0
    found = waiting(installation.engine, scan.now)
    for game_id, number in sorted(found, key=lambda one: one.game_id.startswith(PREFIX)):
        if scan.stopping():  # there may be many
            break
        closed += safely(installation, game_id, number, scan)
    return closed


def waiting(engine: Engine, now: datetime) -> Sequence[PeriodKey]:
    """Return due periods; their letters must be decided."""
    with shared_transaction(engine) as conn:
        return periods.due(conn, now)


def safely(installation: Installation, game_id: str, number: int, scan: Scan) -> bool:
    """Look at a period; if it raises, hold its game."""
    closed, what = False, f"period {number} could not be closed"
    with _guarding(installation, scan.now, game_id, what, f"period {number} failed"):
        closed = one(installation, game_id, number, scan)
    return closed


def one(installation: Installation, game_id: str, number: int, scan: Scan) -> bool:
    """Return whether the period was adjudicated."""
    with installation.shared_work(scan.now, game_id) as work:
        claimed = closing.look(work, game_id, number, drained=scan.drained)
    if claimed is None:
        return False
    if not claimed:
        scan.crash("deadline.looked")
        return False
    scan.crash("deadline.claimed")
    with installation.shared_work(scan.now, game_id) as work:
        game = games.begun(work.conn, game_id, number)
        if game is None or game.period.status != PeriodState.CLOSING:
            return False  # adjudicated or taken back meanwhile
        adjudicating.close_period(work, game)
        scan.crash("deadline.adjudicated")
    scan.crash("deadline.committed")
    return True


Failed = Callable[[Work, str, BaseException], None]
"""What is done about a game whose errand has failed."""


@contextmanager
def _guarding(
    installation: Installation,
    now: datetime,
    game_id: str,
    what: str,
    title: str = "",
    failed: Failed | None = None,
) -> Iterator[None]:
    try:
        yield
    except OutsideError:
        raise
    except (Exception, OverBudget) as error:
        log.exception("not done", game=game_id, what=what)
        if failed is None:
            why = f"{what} for a technical reason; the gamesmaster has been told"
            hold(installation, game_id, why, now)
        with installation.shared_work(now, game_id) as work:
            if failed is None:
                _tell_failed(work, game_id, what, title or what, error)
            else:
                failed(work, game_id, error)


def _tell_failed(work: Work, game_id: str, what: str, title: str, error: BaseException) -> None:
    """Alarm the gamesmaster alone: an error may show a secret order."""
    known, says = f"Game {game_id} is held: {what}: {type(error).__name__}", f"{error}"
    text = f"{known}: {says}\nMend it, then `pbem resume {game_id}`."
    public = f"{known} (what it says stands only in the log)"
    subject = f"game {game_id} is held: {title}"
    key, commands = f"failed:{game_id}:{title}", (f"resume {game_id}",)
    alarms.tell(work, key, subject, text, game_id, public, commands)


@dataclass(frozen=True, slots=True)
class Errand:
    """Something besides periods that falls due."""

    name: str
    find: Callable[[Connection, datetime], Sequence[Any]]
    """Return what is due, each a game and what else ``do`` takes."""
    do: Callable[..., None]
    what: str = ""
    """What could not be done if it fails."""
    failed: Failed | None = None
    """None: its game is held."""


def _mailbox(conn: Connection, now: datetime) -> Sequence[tuple[str]]:
    held = Game.many(conn, status=GameState.HELD, held_because=closing.MAILBOX)
    return [(game.id,) for game in held]


def _resume(work: Work, game_id: str) -> None:
    if games.game(work.conn, game_id).held_because != closing.MAILBOX:
        return  # another daemon did it
    deadline_acts.resume(work, game_id)
    alarms.say(work, f"resumed:{game_id}", "resumed", game_id, (f"queue {game_id}",))


_OFFERED = "{0[1]} could not be offered to others"
ERRANDS = (
    Errand("mailbox", _mailbox, _resume, "it could not go on"),
    Errand("seat", games.overdue, claims.silent, _OFFERED),
    Errand("seat", claims.leaving, claims.relieved, _OFFERED),
    Errand("seat", lambda conn, now: claimants.running(conn), claims.advance, _OFFERED),
    Errand("deputy", deputies.due, deputies.step, "a deputy could not be seen to"),
    Errand("statements", ending.due, ending.tell_statements, failed=ending.statements_failed),
    Errand("table", tables.due, tables.look, failed=tables.failed),
    Errand("practice", practice.asked, practice.begin, failed=practice.failed),
    Errand("practice", practice.left, practice.end, "it could not be ended"),
)


def anything(installation: Installation, now: datetime) -> bool:
    """Return whether an errand may be due: one look for them all."""
    with shared_transaction(installation.engine) as conn:
        return any(errand.find(conn, now) for errand in ERRANDS)


def _run(installation: Installation, scan: Scan, errand: Errand) -> None:
    with shared_transaction(installation.engine) as conn:
        found = errand.find(conn, scan.now)
    for key in found:
        if scan.stopping():
            break
        what = errand.what.format(key)
        with _guarding(installation, scan.now, key[0], what, failed=errand.failed):
            with installation.shared_work(scan.now, key[0]) as work:
                errand.do(work, *key)
                scan.crash(f"{errand.name}.done")
            scan.crash(f"{errand.name}.committed")
