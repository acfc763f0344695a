"""What is due: the house looks at each period whose time has come, and closes it, reminds, or
waits.

One transaction a period. Whether letters may still be missing is the caller's to know: ``drained``
says that everything the server had received up to now is on file and decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Connection, Engine, select

from pbem.errors import OperatorError, OutsideError, OverBudget
from pbem.games.frame import calendar, house_rules, readiness
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import Said
from pbem.periods import acts, closing, formation, holding, publishing, standins
from pbem.post import alarms
from pbem.post.compose import Postmark
from pbem.store import games, notes, order_sets, periods
from pbem.store.database import transaction
from pbem.store.games import Table
from pbem.store.records import Cursor, Game, Period
from pbem.store.states import GameState, PeriodState

log = structlog.get_logger()
PATIENCE = timedelta(hours=1)
READING_TIME = timedelta(hours=12)
"""A period is open that long at the least before standing orders alone close it: else nobody could
say WAIT. This and PATIENCE are for days; where periods are hours or minutes, in proportion."""
LEAST_PATIENCE, LEAST_READING_TIME = timedelta(minutes=5), timedelta(minutes=1)
MAILBOX = "the mailbox could not be read at the deadline"


@dataclass(frozen=True, slots=True)
class Look:
    """What one look needs besides the database."""

    mark: Postmark
    gamesmaster: str
    now: datetime
    drained: bool
    crash: Callable[[str], None]
    stopping: Callable[[], bool] = lambda: False


def due(engine: Engine, look: Look) -> int:
    """Look at every period that is due; the number of periods closed."""
    if look.drained:  # else what a player wrote may be there unread, or our clock be days off
        _resume_mailbox(engine, look)
        _seats_change_hands(engine, look)
    closed = 0
    for game_id, number in waiting(engine, look.now):
        if look.stopping():  # there may be a storm of them
            break
        closed += _safely(engine, game_id, number, look)
    return closed


def waiting(engine: Engine, now: datetime) -> Sequence[tuple[str, int]]:
    """The periods whose time to be looked at has come: before that, every letter received is to be
    decided."""
    with transaction(engine) as conn:
        rows = conn.execute(
            select(Period.game_id, Period.number)
            .join(Game, Game.id == Period.game_id)
            .where(
                Period.status.in_((PeriodState.OPEN, PeriodState.CLOSING)),
                Period.next_look <= now,
                Game.status == GameState.RUNNING,
            )
            .order_by(Period.next_look, Period.game_id)
        ).all()
    return [(row.game_id, row.number) for row in rows]


def anything(engine: Engine, now: datetime) -> bool:
    """Whether :func:`due` would find something to do."""
    with transaction(engine) as conn:
        silent = standins.overdue(conn, now)
    return bool(silent or waiting(engine, now))


def _safely(engine: Engine, game_id: str, number: int, look: Look) -> bool:
    """Look at one period; where that raises, its game is held and the others go on."""
    closed = False
    with _guarding(
        engine, game_id, f"period {number} could not be closed", look, f"period {number} failed"
    ):
        closed = one(engine, game_id, number, look)
    return closed


@contextmanager
def _guarding(
    engine: Engine, game_id: str, what: str, look: Look, title: str = ""
) -> Iterator[None]:
    """A step of one game, in which whatever raises holds that game only."""
    try:
        yield
    except OutsideError:
        raise
    except (Exception, OverBudget) as error:
        log.exception("period failed", game=game_id, what=what)
        _failed(engine, game_id, what, title or what, look, error)


def _failed(
    engine: Engine, game_id: str, what: str, title: str, look: Look, error: BaseException
) -> None:
    """Everybody reads that something failed. What the error says may show a secret order: it is the
    gamesmaster's to know, by mail unless he plays himself."""
    why = f"{what} for a technical reason; the gamesmaster has been told"
    holding.hold(engine, look.mark, game_id, why, look.now)
    with transaction(engine) as conn:
        try:
            acts.fair(conn, look.mark, game_id)
            said = f"{type(error).__name__}: {error}"
        except OperatorError:
            said = f"{type(error).__name__} (you play in it: what it says stands only in the log)"
        text = f"Game {game_id} is held: {what}: {said}\nMend it, then `pbem resume {game_id}`."
        key, subject = f"failed:{game_id}:{title}", f"game {game_id} is held: {title}"
        alarms.tell(conn, look.mark, look.gamesmaster, key, subject, text, look.now)


def _seats_change_hands(engine: Engine, look: Look) -> None:
    """Whoever was asked and has not answered is replaced, and whoever has asked to be relieved."""
    with transaction(engine) as conn:
        seats = [(standins.silent, *one) for one in standins.overdue(conn, look.now)]
        seats += [(standins.relieved, *one) for one in standins.leaving(conn)]
    for change, game_id, seat in seats:
        with (
            _guarding(engine, game_id, f"{seat} could not be replaced", look),
            transaction(engine) as conn,
        ):
            change(conn, look.mark, look.gamesmaster, game_id, seat, look.now)


def one(engine: Engine, game_id: str, number: int, look: Look) -> bool:
    """Look at one period; whether it was closed and adjudicated."""
    with transaction(engine) as conn:
        at = games.table(conn, game_id)
        if (
            at.period.number != number
            or at.period.status not in (PeriodState.OPEN, PeriodState.CLOSING)
            or at.game.status != GameState.RUNNING
        ):
            return False
        if at.period.status == PeriodState.OPEN and not _may_close(conn, at, look):
            if look.drained and not formation.is_continuous(at):
                _remind(conn, at, look)
                _look_again(conn, at, look)
            claimed = False
        else:
            claimed = at.period.status == PeriodState.CLOSING or periods.try_state(
                conn, game_id, number, PeriodState.CLOSING
            )
            if claimed and at.period.status == PeriodState.OPEN:
                _note_drained(conn, at, look)
    if not claimed:
        look.crash("deadline.looked")
        return False
    look.crash("deadline.claimed")
    with transaction(engine) as conn:
        at = games.table(conn, game_id, number)
        if at.period.status != PeriodState.CLOSING:
            return False  # another daemon has adjudicated it meanwhile
        closing.adjudicate(conn, look.mark, at, look.now)
        look.crash("deadline.adjudicated")
    look.crash("deadline.committed")
    return True


def _may_close(conn: Connection, at: Table, look: Look) -> bool:
    """Whether the period is to be closed now; holds the game where that cannot be said."""
    deadline = at.period.due
    if deadline is None or look.now < deadline:
        if formation.is_continuous(at):
            return look.drained and formation.look(conn, look.mark, at, look.now)
        return look.drained and (standins.lists_are_in(conn, at) or _early(conn, at, look))
    late = look.now - deadline
    if late > at.house.latest:
        hours = f"{int(late.total_seconds() // 3600)} hours"
        past = calendar.left(late, exact=True) if at.house.elapsed else hours
        why = f"the deadline was found {past} past; nobody was running the referee"
        _hold(conn, at, look, why)
        return False
    if not look.drained:
        if late > at.house.share(PATIENCE, LEAST_PATIENCE):
            _hold(conn, at, look, MAILBOX)
        return False
    what = standins.decide(conn, at)
    if what.by:
        standins.carry_out(conn, look.mark, look.gamesmaster, at, what, look.now)
    return not what.by


def _note_drained(conn: Connection, at: Table, look: Look) -> None:
    """The journal says how far each folder had been read, and every letter decided, when the period
    was closed."""
    folders = {
        row.folder: {"uidvalidity": row.uidvalidity, "uid": row.uid}
        for row in conn.execute(
            select(Cursor.folder, Cursor.uidvalidity, Cursor.uid).order_by(Cursor.folder)
        )
    }
    due = at.period.due.isoformat() if at.period.due else None
    notes.note(conn, at.id, look.now, "drained", period=at.period.number, due=due, folders=folders)


def _hold(conn: Connection, at: Table, look: Look, why: str) -> None:
    acts.hold(conn, look.mark, at.id, why, look.now)
    text = (
        f"Game {at.id} is held: {why}.\nLook at it with `pbem queue {at.id}`, then `pbem resume"
        f" {at.id}` (or --all)."
    )
    alarms.tell(
        conn, look.mark, look.gamesmaster, f"held:{at.id}", f"game {at.id} is held", text, look.now
    )


def _resume_mailbox(engine: Engine, look: Look) -> None:
    """Games held for want of the mailbox go on once it can be read again."""
    with transaction(engine) as conn:
        held = (
            conn.execute(
                select(Game.id).where(Game.status == GameState.HELD, Game.held_because == MAILBOX)
            )
            .scalars()
            .all()
        )
    for game_id in held:
        with _guarding(engine, game_id, "it could not go on", look), transaction(engine) as conn:
            if games.game(conn, game_id).held_because != MAILBOX:
                continue  # another daemon has seen to it meanwhile
            acts.resume(conn, look.mark, game_id, look.now)
            text = (
                f"The mailbox can be read again. Game {game_id} goes on; see `pbem queue {game_id}`"
                " for its deadline."
            )
            key, subject = f"resumed:{game_id}", f"game {game_id} goes on"
            alarms.tell(conn, look.mark, look.gamesmaster, key, subject, text, look.now)


def _early(conn: Connection, at: Table, look: Look) -> bool:
    """At an early hour: the condition of the game's house rules is met, and nobody has said
    WAIT."""
    hour = calendar.last_early_look(look.now, at.house, at.zone)
    looked = at.period.next_look
    if hour is None or looked is None or looked > look.now or not (looked <= hour <= look.now):
        return False
    asked = at.ruleset.asked(at.state)
    sets = {seat: order_sets.last_set(conn, at.id, at.period.number, seat) for seat in asked}
    if any(
        asked[seat] and row is None for seat, row in sets.items()
    ) and hour - at.period.opened < at.house.share(READING_TIME, LEAST_READING_TIME):
        return False
    said = {seat: readiness.of(row) for seat, row in sets.items()}
    owing = [
        seat
        for seat, row in sets.items()
        if at.ruleset.due(at.state, seat, order_sets.orders_of(at, row))
    ]
    condition = house_rules.closes_early(at.house, asked)
    return house_rules.is_early(
        condition, asked, owing, _who(said, Said.READY), _who(said, Said.WAIT)
    )


def _who(said: Mapping[Seat, Said], word: Said) -> frozenset[Seat]:
    return frozenset(seat for seat, one in said.items() if one is word)


def _remind(conn: Connection, at: Table, look: Look) -> None:
    """A reminder to each seat that owes something, once for each reminder of this deadline."""
    deadline = at.period.due
    if deadline is None or look.now >= deadline:
        return
    passed = [
        before
        for before, at_time in calendar.reminders(deadline, at.period.phase, at.house, at.zone)
        if at_time <= look.now
    ]
    if not passed:
        return
    last, standing = passed[-1], order_sets.all_standing(conn, at)
    for seat, holder in at.holders.items():
        owed = at.ruleset.due(at.state, seat, standing.get(seat, {}))
        if last in at.house.reminders.get("lists", ()):
            awaited = at.ruleset.about.awaited
            owed = tuple(slot for slot in owed if awaited and slot == awaited.slot)
        if owed:
            text = (
                f"You ({seat}) still owe: {', '.join(owed)}.\n\nThe deadline of period"
                f" {at.period.number} ({at.period.phase}) is\n{publishing.deadline_text(at)}.\n"
            )
            when = f"{deadline:%Y%m%d%H%M}" if at.house.elapsed else f"{deadline:%Y%m%d}"
            key = f"reminder:{at.id}:{at.period.number}:{when}:{last.plain}:{seat}"
            subject = f"[{at.id}] Reminder: {', '.join(owed)[:60]} due"
            publishing.put_to_seat(
                conn, look.mark, at, holder, key, "reminder", subject, text, look.now
            )


def _look_again(conn: Connection, at: Table, look: Look) -> None:
    fresh = games.table(conn, at.id)
    if fresh.period.number != at.period.number:
        return
    due = fresh.period.due
    if due is not None and due <= look.now:
        again: datetime | None = look.now + timedelta(minutes=1)
    else:
        again = calendar.next_look(look.now, due, fresh.period.phase, at.house, at.zone)
    periods.set_period(conn, at.id, at.period.number, next_look=again)
