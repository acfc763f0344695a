"""Close, remind or wait at each due period, a transaction each.

``drained``: all the server had is stored and decided.

Hold a game, even if its position cannot be read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Engine

from pbem.errors import OutsideError, OverBudget
from pbem.games.frame import calendar, house_rules, readiness
from pbem.games.frame.adjudication import owed
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import GRACE, AtDeadline
from pbem.games.frame.readiness import Said
from pbem.periods import (
    closing,
    deadline_acts,
    deputies,
    ending,
    formation,
    grace,
    house_bots,
    offers,
    open_tables,
    practice,
    publishing,
    waiting_room,
)
from pbem.post import alarms
from pbem.post.work import Installation, Scan, Work
from pbem.store.engine.database import shared_transaction
from pbem.store.games import games, order_sets, periods
from pbem.store.games.game_rows import PeriodKey
from pbem.store.games.games import GameAt
from pbem.store.joining import offers as free_seats
from pbem.store.joining import practices
from pbem.store.journal import notes
from pbem.store.people import player_records
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Cursor


def hold(installation: Installation, game_id: str, why: str, now: datetime) -> None:
    """Stop the clock, even if players cannot be told."""
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


log = structlog.get_logger()
PATIENCE = timedelta(hours=1)
READING_TIME = timedelta(hours=12)
"""A period that standing orders alone close stays open so long for a WAIT; less for hours and
minutes."""
LEAST_PATIENCE, LEAST_READING_TIME = timedelta(minutes=5), timedelta(minutes=1)
MAILBOX = "the mailbox could not be read at the deadline"


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of a period; without fields nothing yet."""

    closes: bool = False
    hold: str | None = None
    waits: AtDeadline | None = None


def due(installation: Installation, scan: Scan) -> int:
    """Look at all that is due. Return the number closed."""
    # else letters may be unread, or our clock be days off
    if scan.drained and anything(installation, scan.now):
        _resume_mailbox(installation, scan.now)
        _seats_change_hands(installation, scan)
        _deputies_come_and_go(installation, scan)
        _statements_go_out(installation, scan.now)
        open_tables.due(installation, scan)
        waiting_room.due(installation, scan)
        practice.due(installation, scan)
    closed = 0
    for game_id, number in practice.last(waiting(installation.engine, scan.now)):
        if scan.stopping():  # there may be many
            break
        closed += safely(installation, game_id, number, scan)
        scan.between()
    return closed


def waiting(engine: Engine, now: datetime) -> Sequence[PeriodKey]:
    """Return due periods; their letters must be decided."""
    with shared_transaction(engine) as conn:
        return periods.due(conn, now)


def anything(installation: Installation, now: datetime) -> bool:
    """Return whether anything besides periods may be due: one look for them all."""
    with shared_transaction(installation.engine) as conn:
        return bool(
            games.held_because(conn, MAILBOX)
            or games.overdue(conn, now)
            or offers.leaving(conn)
            or free_seats.running(conn)
            or deputies.due(conn, now)
            or ending.due(conn, now)
            or open_tables.waiting(conn, now)
            or waiting_room.waiting(conn, now)
            or practices.waiting(conn)
            or practices.running(conn)
        )


def safely(installation: Installation, game_id: str, number: int, scan: Scan) -> bool:
    """Look at a period; if it raises, hold its game."""
    closed = False
    what, title = f"period {number} could not be closed", f"period {number} failed"
    with _guarding(installation, scan.now, game_id, what, title):
        closed = one(installation, game_id, number, scan)
    return closed


@contextmanager
def _guarding(
    installation: Installation, now: datetime, game_id: str, what: str, title: str | None = None
) -> Iterator[None]:
    try:
        yield
    except OutsideError:
        raise
    except (Exception, OverBudget) as error:
        log.exception("period failed", game=game_id, what=what)
        why = f"{what} for a technical reason; the gamesmaster has been told"
        hold(installation, game_id, why, now)
        with installation.shared_work(now, game_id) as work:
            _tell_failed(work, game_id, what, title or what, error)


def _tell_failed(work: Work, game_id: str, what: str, title: str, error: BaseException) -> None:
    """Alarm the gamesmaster alone: an error may show a secret order."""
    known, says = f"Game {game_id} is held: {what}: {type(error).__name__}", f"{error}"
    text = f"{known}: {says}\nMend it, then `pbem resume {game_id}`."
    public = f"{known} (what it says stands only in the log)"
    subject = f"game {game_id} is held: {title}"
    key, commands = f"failed:{game_id}:{title}", (f"resume {game_id}",)
    alarms.tell(work, key, subject, text, game_id, public, commands)


def _seats_change_hands(installation: Installation, scan: Scan) -> None:
    with installation.shared_work(scan.now) as work:
        freed = [(offers.silent, *one) for one in games.overdue(work.conn, scan.now)]
        freed += [(offers.relieved, *one) for one in offers.leaving(work.conn)]
    _change_seats(installation, scan, freed)
    with installation.shared_work(scan.now) as work:
        free = [(offers.advance, *one) for one in free_seats.running(work.conn)]
    _change_seats(installation, scan, free)


def _change_seats(
    installation: Installation, scan: Scan, changes: Sequence[tuple[Callable[..., None], str, Seat]]
) -> None:
    for change, game_id, seat in changes:
        if scan.stopping():
            break
        with _guarding(installation, scan.now, game_id, f"{seat} could not be offered to others"):
            with installation.shared_work(scan.now, game_id) as work:
                change(work, game_id, seat)
                scan.crash("seat.changed")
            scan.crash("seat.committed")


def _deputies_come_and_go(installation: Installation, scan: Scan) -> None:
    with installation.shared_work(scan.now) as work:
        found = deputies.due(work.conn, scan.now)
    for who in found:
        if scan.stopping():
            break
        with _guarding(
            installation, scan.now, who.game_id, f"the deputy of {who.seat} is not seen to"
        ):
            with installation.shared_work(scan.now, who.game_id) as work:
                deputies.step(work, who.id)
                scan.crash("deputy.stepped")
            scan.crash("deputy.committed")


def _statements_go_out(installation: Installation, now: datetime) -> None:
    with installation.shared_work(now) as work:
        ended = ending.due(work.conn, now)
    for game_id in ended:
        try:
            with installation.shared_work(now, game_id) as work:
                ending.tell_statements(work, game_id)
        except OutsideError:
            raise
        except (Exception, OverBudget) as error:
            log.exception("statements not mailed", game=game_id)
            text = (
                f"The statements of the players of {game_id}, which is over, could not be mailed:"
                f" {type(error).__name__}; the log has the rest. It is tried again at each pass."
            )
            with installation.shared_work(now, game_id) as work:
                alarms.tell(work, f"statements:{game_id}", f"statements of {game_id}", text)


def one(installation: Installation, game_id: str, number: int, scan: Scan) -> bool:
    """Return whether the period was adjudicated."""
    with installation.shared_work(scan.now, game_id) as work:
        claimed = _claimed(work, game_id, number, drained=scan.drained)
    if claimed is None:
        return False
    if not claimed:
        scan.crash("deadline.looked")
        return False
    scan.crash("deadline.claimed")
    played = closing.ahead(installation, game_id, number, scan.now)
    scan.crash("deadline.played")
    with installation.shared_work(scan.now, game_id) as work:
        at = games.begun(work.conn, game_id, number)
        if at is None or at.period.status != PeriodState.CLOSING:
            return False  # adjudicated or taken back meanwhile
        closing.close_period(work, at, played)
        scan.crash("deadline.adjudicated")
    scan.crash("deadline.committed")
    return True


def _claimed(work: Work, game_id: str, number: int, *, drained: bool) -> bool | None:
    """Return whether we adjudicate now; None: nothing to do."""
    at = games.game_at(work.conn, game_id)
    if at.game.status != GameState.RUNNING or at.period.number != number:
        return None
    if at.period.status == PeriodState.CLOSING:
        return True
    if at.period.status != PeriodState.OPEN or (at.practice and practice.waits(work, at)):
        return None
    reports = formation.is_continuous(at) and not at.practice
    runs = at.period.due is None or work.now < at.period.due
    if drained and reports and runs:
        house_bots.answer(work, at)
        formation.report(work, games.game_at(work.conn, at.id))
    step = _step(work, at, drained=drained)
    if not step.closes:
        if step.hold:
            _hold(work, at, step.hold)
        if step.waits:
            carry_out = grace.begin if step.waits.kind == GRACE else offers.carry_out
            carry_out(work, at, step.waits)
        if drained and not formation.is_continuous(at):
            _remind(work, at)
            _look_again(work, at)
        return False
    claimed = periods.try_state(work.conn, game_id, number, PeriodState.CLOSING, close_asked=None)
    if claimed:
        if at.period.close_asked is not None and not at.practice:
            deadline_acts.note_closed_by_hand(work, at)
        _note_drained(work, at)
    return claimed


def _note_drained(work: Work, at: GameAt) -> None:
    """Journal how far each folder was read when the period closed."""
    folders = {
        cursor.folder: {"uidvalidity": cursor.uidvalidity, "uid": cursor.uid}
        for cursor in Cursor.many(work.conn)
    }
    due = at.period.due.isoformat() if at.period.due else None
    notes.note(
        work.conn, at.id, work.now, "drained", period=at.period.number, due=due, folders=folders
    )


def _step(work: Work, at: GameAt, *, drained: bool) -> Step:
    """Return what becomes of an open period; change nothing."""
    deadline, asked = at.period.due, at.period.close_asked
    if asked is not None:
        long = work.now - asked > at.house.share(PATIENCE, LEAST_PATIENCE)
        return Step(closes=drained, hold=MAILBOX if long and not drained else None)
    if deadline is None or work.now < deadline:
        return Step(closes=drained and _closes_before_its_deadline(work, at))
    late = work.now - deadline
    if late > at.house.latest:
        past = calendar.left(late, exact=at.house.elapsed)
        return Step(hold=f"the deadline was found {past} past; nobody was running the referee")
    if not drained:
        return Step(hold=MAILBOX if late > at.house.share(PATIENCE, LEAST_PATIENCE) else None)
    for waits in (offers.decide(work, at), grace.decide(work, at)):
        if waits.by:
            return Step(waits=waits)
    return Step(closes=True)


def _closes_before_its_deadline(work: Work, at: GameAt) -> bool:
    if formation.is_continuous(at):
        return formation.lapsed(work, at)
    if grace.waits(at):
        return grace.is_over(work.conn, at)
    closes = offers.closes_at(work.conn, at)
    return (closes is not None and closes <= work.now) or _early(work, at)


def _hold(work: Work, at: GameAt, why: str) -> None:
    deadline_acts.hold(work, at.id, why)
    held = f"Game {at.id} is held: {why}."
    text = (
        f"{held}\nLook at it with `pbem queue {at.id}`. Then `pbem resume {at.id}` lets it go on."
    )
    subject, commands = f"game {at.id} is held", (f"queue {at.id}", f"resume {at.id}")
    alarms.tell(work, f"held:{at.id}", subject, text, at.id, held, commands)


def _resume_mailbox(installation: Installation, now: datetime) -> None:
    with shared_transaction(installation.engine) as conn:
        held = games.held_because(conn, MAILBOX)
    for game_id in held:
        with (
            _guarding(installation, now, game_id, "it could not go on"),
            installation.shared_work(now, game_id) as work,
        ):
            if games.game(work.conn, game_id).held_because != MAILBOX:
                continue  # another daemon did it
            deadline_acts.resume(work, game_id)
            known = f"The mailbox can be read again. Game {game_id} goes on"
            text = f"{known}; see `pbem queue {game_id}` for its deadline."
            subject = f"game {game_id} goes on"
            key, public, commands = f"resumed:{game_id}", f"{known}.", (f"queue {game_id}",)
            alarms.tell(work, key, subject, text, game_id, public, commands)


def _early(work: Work, at: GameAt) -> bool:
    """Return whether an early hour and its condition are met, without WAIT."""
    hour = calendar.last_early_look(work.now, at.house, at.zone)
    looked = at.period.next_look
    if hour is None or looked is None or not looked <= hour <= work.now:
        return False
    half = house_rules.not_before(at.house, at.period.opened, at.period.due)
    if half and hour < half:
        return False
    asked = at.ruleset.asked(at.state)
    sets = {seat: order_sets.last_set(work.conn, at.id, at.period.number, seat) for seat in asked}
    silent = any(
        asked[seat] and not order_sets.wrote(row)
        for seat, row in sets.items()
        if seat not in at.bots
    )
    least = at.house.share(READING_TIME, LEAST_READING_TIME)
    if silent and not at.practice and hour - at.period.opened < least:
        return False
    said = {seat: readiness.of(row) for seat, row in sets.items()}
    standing = {seat: order_sets.orders_of(at, row) for seat, row in sets.items()}
    still = owed(at.ruleset, at.state, asked, standing)
    owing = [seat for seat, slots in still.items() if slots]
    condition = house_rules.closes_early(at.house, asked, at.period.number)
    ready = {
        *_who(said, Said.READY),
        *(s for s in asked if readiness.foreseen(at.ruleset, at.state, s, sets[s], at.house)),
    }
    return house_rules.is_early(condition, asked, owing, ready, _who(said, Said.WAIT))


def _who(said: Mapping[Seat, Said], word: Said) -> frozenset[Seat]:
    return frozenset(seat for seat, one in said.items() if one is word)


def _remind(work: Work, at: GameAt) -> None:
    deadline, whole = at.period.due, publishing.deadline_of(at)
    if deadline is None or whole is None or work.now >= deadline:
        return
    told = house_rules.before_grace(whole, at.house, at.zone)
    passed = [
        before
        for before, at_time in calendar.reminders(deadline, at.period.phase, at.house, at.zone)
        if at_time <= work.now and (at_time > told or told == deadline)
    ]
    if not passed:
        return
    last, standing = passed[-1], order_sets.all_standing(work.conn, at)
    still = owed(at.ruleset, at.state, at.seats, standing)
    if last in at.house.reminders.get("lists", ()):
        still = _lists_only(at, still)
    if grace.waits(at):
        waited = player_records.waited_for(work.conn, at.id, at.period.number)
        still = {seat: still[seat] for seat in waited}
    for seat, slots in still.items():
        if slots and seat not in at.bots:
            when = f"{deadline:%Y%m%d%H%M}" if at.house.elapsed else f"{deadline:%Y%m%d}"
            key = f"reminder:{at.id}:{at.term}:{when}:{last.plain}:{seat}"
            grace.remind(work, at, seat, standing.get(seat, {}), key)


def _lists_only(at: GameAt, still: Mapping[Seat, Sequence[str]]) -> dict[Seat, tuple[str, ...]]:
    """Return only lists that the period would await."""
    awaited = at.ruleset.about.awaited
    if awaited is None:
        return {}
    return {
        seat: tuple(slot for slot in slots if slot == awaited.slot) for seat, slots in still.items()
    }


def _look_again(work: Work, at: GameAt) -> None:
    fresh = games.game_at(work.conn, at.id)
    if fresh.period.number != at.period.number:
        return
    due = fresh.period.due
    if due is not None and due <= work.now:
        again: datetime | None = work.now + timedelta(minutes=1)
    else:
        again = calendar.next_look(work.now, due, fresh.period.phase, at.house, at.zone)
        closes = offers.closes_at(work.conn, fresh)
        if closes is not None and closes > work.now:
            again = min(again, closes) if again else closes
    periods.set_period(work.conn, at.id, at.period.number, next_look=again)
