"""What an open period comes to when it is looked at: it stays open, waits, is held, or is CLOSING.

By house rule 8 it waits for lists, by grace for who is silent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.games.frame import calendar, house_rules, readiness
from pbem.games.frame.adjudication import owed
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import GRACE, AtDeadline
from pbem.games.frame.readiness import Said
from pbem.periods import (
    deadline_acts,
    formation,
    grace,
    house_bots,
    late_lists,
    practice,
    publishing,
)
from pbem.post import alarms
from pbem.post.work import Work
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import player_records
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Cursor

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


def look(work: Work, game_id: str, number: int, *, drained: bool) -> bool | None:
    """Return whether we adjudicate now; None: nothing to do."""
    game = games.game_at(work.conn, game_id)
    if game.row.status != GameState.RUNNING or game.period.number != number:
        return None
    if game.period.status == PeriodState.CLOSING:
        return True
    if game.period.status != PeriodState.OPEN or (game.practice and practice.waits(work, game)):
        return None
    reports = formation.is_continuous(game) and not game.practice
    runs = game.period.due is None or work.now < game.period.due
    if drained and reports and runs:
        house_bots.answer(work, game)
        formation.report(work, games.game_at(work.conn, game.id))
    step = _step(work, game, drained=drained)
    if not step.closes:
        if step.hold:
            _hold(work, game, step.hold)
        if step.waits:
            rule = grace if step.waits.kind == GRACE else late_lists
            rule.begin(work, game, step.waits)
        if drained and not formation.is_continuous(game):
            _remind(work, game)
            _look_again(work, game)
        return False
    claimed = periods.try_state(work.conn, game_id, number, PeriodState.CLOSING, close_asked=None)
    if claimed:
        if game.period.close_asked is not None and not game.practice:
            deadline_acts.note_closed_by_hand(work, game)
        _note_drained(work, game)
    return claimed


def _note_drained(work: Work, game: GameAt) -> None:
    """Journal how far each folder was read when the period closed."""
    folders = {
        cursor.folder: {"uidvalidity": cursor.uidvalidity, "uid": cursor.uid}
        for cursor in Cursor.many(work.conn)
    }
    due = game.period.due.isoformat() if game.period.due else None
    notes.note(
        work.conn, game.id, work.now, "drained", period=game.period.number, due=due, folders=folders
    )


def _step(work: Work, game: GameAt, *, drained: bool) -> Step:
    """Return what becomes of an open period; change nothing."""
    deadline, asked = game.period.due, game.period.close_asked
    if asked is not None:
        long = work.now - asked > game.house.share(PATIENCE, LEAST_PATIENCE)
        return Step(closes=drained, hold=MAILBOX if long and not drained else None)
    if deadline is None or work.now < deadline:
        return Step(closes=drained and _closes_before_its_deadline(work, game))
    late = work.now - deadline
    if late > game.house.latest:
        past = calendar.left(late, exact=game.house.elapsed)
        return Step(hold=f"the deadline was found {past} past; nobody was running the referee")
    if not drained:
        return Step(hold=MAILBOX if late > game.house.share(PATIENCE, LEAST_PATIENCE) else None)
    for rule in (late_lists, grace):
        if (waits := rule.decide(work, game)).by:
            return Step(waits=waits)
    return Step(closes=True)


def _closes_before_its_deadline(work: Work, game: GameAt) -> bool:
    if formation.is_continuous(game):
        return formation.lapsed(work, game)
    if grace.waits(game):
        return grace.is_over(work.conn, game)
    closes = late_lists.closes_at(work.conn, game)
    return (closes is not None and closes <= work.now) or _early(work, game)


def _hold(work: Work, game: GameAt, why: str) -> None:
    deadline_acts.hold(work, game.id, why)
    held = f"Game {game.id} is held: {why}."
    look = f"Look at it with `pbem queue {game.id}`. Then `pbem resume {game.id}` lets it go on."
    subject, commands = f"game {game.id} is held", (f"queue {game.id}", f"resume {game.id}")
    alarms.tell(work, f"held:{game.id}", subject, f"{held}\n{look}", game.id, held, commands)


def _early(work: Work, game: GameAt) -> bool:
    """Return whether an early hour and its condition are met, without WAIT."""
    hour = calendar.last_early_look(work.now, game.house, game.zone)
    looked = game.period.next_look
    if hour is None or looked is None or not looked <= hour <= work.now:
        return False
    half = house_rules.not_before(game.house, game.period.opened, game.period.due)
    if half and hour < half:
        return False
    asked = game.ruleset.asked(game.state)
    sets = {
        seat: order_sets.last_set(work.conn, game.id, game.period.number, seat) for seat in asked
    }
    silent = any(
        asked[seat] and not order_sets.wrote(row)
        for seat, row in sets.items()
        if seat not in game.bots
    )
    least = game.house.share(READING_TIME, LEAST_READING_TIME)
    if silent and not game.practice and hour - game.period.opened < least:
        return False
    words = {seat: readiness.of(row) for seat, row in sets.items()}
    standing = {seat: order_sets.orders_of(game, row) for seat, row in sets.items()}
    still = owed(game.ruleset, game.state, asked, standing)
    owing = [seat for seat, slots in still.items() if slots]
    condition = house_rules.closes_early(game.house, asked, game.period.number)
    ready = {
        *_who(words, Said.READY),
        *(s for s in asked if readiness.foreseen(game.ruleset, game.state, s, sets[s], game.house)),
    }
    return house_rules.is_early(condition, asked, owing, ready, _who(words, Said.WAIT))


def _who(said: Mapping[Seat, Said], word: Said) -> frozenset[Seat]:
    return frozenset(seat for seat, one in said.items() if one is word)


def _remind(work: Work, game: GameAt) -> None:
    deadline, whole = game.period.due, publishing.deadline_of(game)
    if deadline is None or whole is None or work.now >= deadline:
        return
    reminded = house_rules.before_grace(whole, game.house, game.zone)
    passed = [
        before
        for before, at_time in calendar.reminders(
            deadline, game.period.phase, game.house, game.zone
        )
        if at_time <= work.now and (at_time > reminded or reminded == deadline)
    ]
    if not passed:
        return
    last, standing = passed[-1], order_sets.all_standing(work.conn, game)
    still = owed(game.ruleset, game.state, game.seats, standing)
    if last in game.house.reminders.get("lists", ()):
        still = _lists_only(game, still)
    if grace.waits(game):
        waited = player_records.waited_for(work.conn, game.id, game.period.number)
        still = {seat: still[seat] for seat in waited}
    for seat, slots in still.items():
        if slots and seat not in game.bots:
            when = f"{deadline:%Y%m%d%H%M}" if game.house.elapsed else f"{deadline:%Y%m%d}"
            key = f"reminder:{game.id}:{game.term}:{when}:{last.plain}:{seat}"
            grace.remind(work, game, seat, standing.get(seat, {}), key)


def _lists_only(game: GameAt, still: Mapping[Seat, Sequence[str]]) -> dict[Seat, tuple[str, ...]]:
    """Return only lists that the period would await."""
    awaited = game.ruleset.about.awaited
    if awaited is None:
        return {}
    return {
        seat: tuple(slot for slot in slots if slot == awaited.slot) for seat, slots in still.items()
    }


def _look_again(work: Work, game: GameAt) -> None:
    fresh = games.game_at(work.conn, game.id)
    if fresh.period.number != game.period.number:
        return
    due = fresh.period.due
    if due is not None and due <= work.now:
        again: datetime | None = work.now + timedelta(minutes=1)
    else:
        again = calendar.next_look(work.now, due, fresh.period.phase, game.house, game.zone)
        closes = late_lists.closes_at(work.conn, fresh)
        if closes is not None and closes > work.now:
            again = min(again, closes) if again else closes
    periods.set_period(work.conn, game.id, game.period.number, next_look=again)
