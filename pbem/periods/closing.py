"""What an open period comes to when it is looked at: it stays open, waits, is held, or is CLOSING.

A look also reminds who owes. At its deadline the period waits by house rule 8 for lists, or by
grace: once a game for each player who owes and sent nothing. Only they learn for whom. It closes
when they owe nothing; if nothing counts after deadlines, only they may write.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.games.frame import adjudication, calendar, house_rules, readiness
from pbem.games.frame.adjudication import canonical
from pbem.games.frame.calendar import Move
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import GRACE, AtDeadline
from pbem.games.frame.readiness import LastWord
from pbem.house import templates
from pbem.orders.order import Standing
from pbem.periods import (
    claims,
    deadline_acts,
    formation,
    house_bots,
    issue_mails,
    own_page,
    practice,
    publishing,
)
from pbem.post import alarms
from pbem.post.seats import put_to_seat, to_all
from pbem.post.work import Work
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.people import player_records
from pbem.store.schema.states import Freed, GameState, PeriodState, RecordKind
from pbem.store.schema.tables import Cursor, PlayerRecord

PATIENCE = timedelta(hours=1)
READING_TIME = timedelta(hours=12)
"""A period that standing orders alone close stays open so long for a WAIT; less for hours and
minutes."""
LEAST_PATIENCE, LEAST_READING_TIME = timedelta(minutes=5), timedelta(minutes=1)
STILL_OPEN, LEAST_STILL_OPEN = timedelta(hours=1), timedelta(minutes=1)
"""After the last awaited list; less with hours or minutes."""
MAILBOX = "the mailbox could not be read at the deadline"
IN_GRACE = (
    "READY and WAIT change nothing now: the period waits, and closes as soon as what it waits for"
    " is in."
)


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
    is_continuous = formation.is_continuous(game)
    runs = game.period.due is None or work.now < game.period.due
    if drained and is_continuous and not game.practice and runs:
        house_bots.answer(work, game)
        formation.report(work, games.game_at(work.conn, game.id))
    step = _step(work, game, drained=drained)
    if not step.closes:
        if step.hold:
            deadline_acts.hold(work, game.id, step.hold)
            commands = (f"queue {game.id}", f"resume {game.id}")
            alarms.say(work, f"held:{game.id}", "held", game.id, commands, why=step.hold)
        if step.waits:
            begin = _begin_grace if step.waits.kind == GRACE else _begin_lists
            begin(work, game, step.waits)
        if drained and not is_continuous:
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
    known = {"period": game.period.number, "due": due, "folders": folders}
    notes.note(work.conn, game.id, work.now, "drained", **known)


def _step(work: Work, game: GameAt, *, drained: bool) -> Step:
    """Return what becomes of an open period; change nothing."""
    deadline, asked = game.period.due, game.period.close_asked
    patience = game.house.share(PATIENCE, LEAST_PATIENCE)
    if asked is not None:
        return _if_drained(work.now - asked > patience, drained=drained)
    if deadline is None or work.now < deadline:
        return Step(closes=drained and _closes_before_its_deadline(work, game))
    late = work.now - deadline
    if late > game.house.latest:
        past = calendar.left(late, exact=game.house.elapsed)
        return Step(hold=f"the deadline was found {past} past; nobody was running the referee")
    waits = (_lists_wait(work, game) or _grace_waits(work, game)) if drained else None
    return Step(waits=waits) if waits else _if_drained(late > patience, drained=drained)


def _if_drained(long: bool, *, drained: bool) -> Step:
    """Close, unless letters may be unread; long: they have been for too long."""
    if drained:
        return Step(closes=True)
    return Step(hold=MAILBOX if long else None)


def _closes_before_its_deadline(work: Work, game: GameAt) -> bool:
    if formation.is_continuous(game):
        return game.ruleset.lapsed(formation.position(work.conn, game, work.now))
    if in_grace(game):
        waited = player_records.waited_for(work.conn, game.id, game.period.number)
        return not any(_owed(work.conn, game, waited).values())
    closes = lists_close_at(work.conn, game)
    return (closes is not None and closes <= work.now) or _early(work, game)


def _early(work: Work, game: GameAt) -> bool:
    """Return whether an early hour and its condition are met, without WAIT."""
    hour = calendar.last_early_look(work.now, game.house, game.zone)
    looked = game.period.next_look
    if hour is None or looked is None or not looked <= hour <= work.now:
        return False
    half = house_rules.not_before(game.house, game.period.opened, game.period.due)
    if half and hour < half:
        return False
    asked, number = game.ruleset.asked(game.state), game.period.number
    sets = {seat: order_sets.last_set(work.conn, game.id, number, seat) for seat in asked}
    silent = any(
        asked[seat] and not order_sets.wrote(row)
        for seat, row in sets.items()
        if seat not in game.bots
    )
    least = game.house.share(READING_TIME, LEAST_READING_TIME)
    if silent and not game.practice and hour - game.period.opened < least:
        return False
    said = {seat: readiness.of(row) for seat, row in sets.items()}
    standing = {seat: order_sets.orders_of(game, row) for seat, row in sets.items()}
    still = adjudication.owed(game.ruleset, game.state, asked, standing)
    owing = [seat for seat, slots in still.items() if slots]
    condition = house_rules.closes_early(game.house, asked, number)
    ready = [
        seat
        for seat in asked
        if said[seat] is LastWord.READY
        or readiness.foreseen(game.ruleset, game.state, seat, sets[seat], game.house)
    ]
    waiting = [seat for seat in asked if said[seat] is LastWord.WAIT]
    return house_rules.is_early(condition, asked, owing, ready, waiting)


def _look_again(work: Work, game: GameAt) -> None:
    fresh = games.game_at(work.conn, game.id)
    if fresh.period.number != game.period.number:
        return
    due = fresh.period.due
    if due is not None and due <= work.now:
        again: datetime | None = work.now + timedelta(minutes=1)
    else:
        again = calendar.next_look(work.now, due, fresh.period.phase, game.house, game.zone)
        closes = lists_close_at(work.conn, fresh)
        if closes is not None and closes > work.now:
            again = min(again, closes) if again else closes
    periods.set_period(work.conn, game.id, game.period.number, next_look=again)


def _owed(conn: Connection, game: GameAt, seats: Iterable[Seat]) -> dict[Seat, tuple[str, ...]]:
    standing = order_sets.all_standing(conn, game)
    return adjudication.owed(game.ruleset, game.state, seats, standing)


# --- reminders ------------------------------------------------------------------------------------


def _remind(work: Work, game: GameAt) -> None:
    deadline, whole = game.period.due, publishing.deadline_of(game)
    if deadline is None or whole is None or work.now >= deadline:
        return
    reminded = house_rules.before_grace(whole, game.house, game.zone)
    passed = [
        before
        for before, moment in calendar.reminders(deadline, game.period.phase, game.house, game.zone)
        if moment <= work.now and (moment > reminded or reminded == deadline)
    ]
    if not passed:
        return
    last, standing = passed[-1], order_sets.all_standing(work.conn, game)
    still = adjudication.owed(game.ruleset, game.state, game.seats, standing)
    if last in game.house.reminders.get("lists", ()):
        awaited = game.ruleset.about.awaited
        still = {
            seat: tuple(slot for slot in slots if awaited and slot == awaited.slot)
            for seat, slots in still.items()
        }
    if in_grace(game):
        waited = player_records.waited_for(work.conn, game.id, game.period.number)
        still = {seat: still[seat] for seat in waited}
    for seat, slots in still.items():
        if slots and seat not in game.bots:
            when = f"{deadline:%Y%m%d%H%M}" if game.house.elapsed else f"{deadline:%Y%m%d}"
            key = f"reminder:{game.id}:{game.term}:{when}:{last.plain}:{seat}"
            remind(work, game, seat, standing.get(seat, {}), key)


def remind(work: Work, game: GameAt, seat: Seat, standing: Standing, key: str) -> None:
    """Mail what is owed, with its form lines, under the last notice."""
    holder = game.holders[seat]
    owing = own_page.owing(game, holder, standing)
    page = own_page.words(game, seat, standing, form=False)
    known = {
        **page,
        "owing": f"{owing[0].lower()}{owing[1:]}",
        "form": own_page.owed_form(game, seat, standing),
        "standing": canonical(standing),
        "own_time": own_page.own_time(game, holder, game.period.due),
        "left": own_page.time_left(game, work.now),
    }
    draft = own_page.draft(game, key, "reminder", "reminder", seat=seat, **known)
    put_to_seat(
        work, game, holder, issue_mails.under_last(work, game, holder, draft, "notice", "bulletin")
    )


# --- a period waits for lists (house rule 8) ------------------------------------------------------


def _lists_wait(work: Work, game: GameAt) -> AtDeadline | None:
    still, moves = _owed_by_people(work.conn, game), calendar.moves(game.period.moves)
    awaited = game.ruleset.about.awaited
    missing = house_rules.missing_lists(still, awaited)
    others = sum(claims.reach(work, game, *missing)) if house_rules.waits(moves) else 0
    what = house_rules.at_deadline(still, awaited, moves, game.house, others)
    by = calendar.automatic(moves, what.by, game.house)
    return replace(what, by=by) if by else None


def _begin_lists(work: Work, game: GameAt, what: AtDeadline) -> None:
    """Move the deadline; have missing lists sent by others too."""
    deadline_acts.extend(work, game.id, game.period.number, what.by, what.why, kind=what.kind)
    game = games.game_at(work.conn, game.id)
    for seat in what.replace:  # for as long as the period waits
        claims.free(work, game, seat, Freed.LIST)
        claims.advance(work, game.id, seat)
    awaited = game.ruleset.about.awaited
    wanted = awaited.one if awaited else ""
    rule = house_rules.late_list(game.house, awaited, "your")
    for seat in what.remind:
        key, known = f"second-letter:{game.id}:{game.term}:{seat}", {"wanted": wanted, "rule": rule}
        draft = own_page.draft(game, key, "reminder", "clock", what="late_list", seat=seat, **known)
        put_to_seat(work, game, game.holders[seat], draft)


def lists_close_at(conn: Connection, game: GameAt) -> datetime | None:
    """Return when a period closes after its lists; else None."""
    due = game.period.due
    if due is None or not house_rules.waits(calendar.moves(game.period.moves)):
        return None
    if house_rules.missing_lists(_owed_by_people(conn, game), game.ruleset.about.awaited):
        return None
    came = [row.at for row in order_sets.arrived(conn, game.id, game.period.number)]
    last = max(came, default=game.period.opened)
    return min(due, last + game.house.share(STILL_OPEN, LEAST_STILL_OPEN))


def _owed_by_people(conn: Connection, game: GameAt) -> dict[Seat, tuple[str, ...]]:
    return _owed(conn, game, [seat for seat in game.seats if seat not in game.bots])


# --- a period waits by grace ----------------------------------------------------------------------


def in_grace(game: GameAt) -> bool:
    """Return whether only grace keeps it open: READY and WAIT do nothing."""
    return house_rules.in_grace(calendar.moves(game.period.moves))


def _grace_waits(work: Work, game: GameAt) -> AtDeadline | None:
    deadline = publishing.deadline_of(game)
    by = house_rules.grace(deadline, work.now, game.house, game.zone) if deadline else None
    silent = _silent(work.conn, game) if by else ()
    return AtDeadline(by, GRACE, "the period waits", remind=silent) if by and silent else None


def _begin_grace(work: Work, game: GameAt, what: AtDeadline) -> None:
    """Move the deadline; tell all, and those concerned."""
    deadline, number = publishing.deadline_of(game), game.period.number
    assert deadline is not None
    for seat in what.remind:
        _note_grace(work, game, seat)
    later = calendar.moved(deadline, [Move(GRACE, what.by, what.why)], game.house, game.zone)
    why = f"{what.by.signed}, grace: the period waited"
    game = deadline_acts.put_deadline(work, game, later, why)
    notes.note(work.conn, game.id, work.now, "grace", period=number, seats=list(what.remind))
    key = f"waits:{game.id}:{number}:{game.period.due:%Y%m%d%H%M}"
    lines = "\n".join(later.explained(game.house.hour, game.zone))
    draft = own_page.draft(game, key, "deadline", "clock", what="waits", lines=lines)
    to_all(work, game, replace(draft, calendar=own_page.of(work, game)))  # neither who nor how many
    for seat, slots in _owed(work.conn, game, what.remind).items():
        owes = "; ".join(templates.slots_words(game.ruleset, game.state, slots, seat))
        key, known = f"grace:{game.id}:{later.due:%Y%m%d%H%M}:{seat}", {"seat": seat, "owes": owes}
        draft = own_page.draft(game, key, "reminder", "clock", what="grace", **known)
        put_to_seat(work, game, game.holders[seat], draft)


def deadline_for(conn: Connection, game: GameAt, seat: Seat, received: datetime) -> datetime | None:
    """Return until when a letter counts, if none do after deadlines."""
    deadline = publishing.deadline_of(game)
    if deadline is None:
        return None
    came = house_rules.before_grace(deadline, game.house, game.zone)
    if received <= came:
        return deadline.due
    waited = seat in player_records.waited_for(conn, game.id, game.period.number)
    if in_grace(game):
        return deadline.due if waited else came
    if came == deadline.due and (waited or seat in _silent(conn, game)):
        grace = game.house.grace  # not looked at since
        return house_rules.after_grace(deadline, grace, game.house, game.zone)
    return deadline.due  # perhaps one that opened the period to all again


def use_grace(work: Work, game: GameAt, seat: Seat, received: datetime) -> list[str]:
    """Use grace up if a letter came before the look. Return notes."""
    due, number = game.period.due, game.period.number
    strict = game.row.late == "deadline" and game.row.status != GameState.HELD
    if not strict or due is None or received <= due or seat not in _silent(work.conn, game):
        return []
    if seat in player_records.waited_for(work.conn, game.id, number):
        return []
    _note_grace(work, game, seat)
    notes.note(work.conn, game.id, work.now, "grace", period=number, seats=[seat])
    return [
        "Your letter came after the deadline. It counts by grace, which each player has once in a"
        " game: you have had yours."
    ]


def _note_grace(work: Work, game: GameAt, seat: Seat) -> None:
    player_id, number = game.holders[seat].player_id, game.period.number
    if player_id is not None:
        player_records.add(work.conn, game.id, number, seat, player_id, RecordKind.GRACE)


def _silent(conn: Connection, game: GameAt) -> tuple[Seat, ...]:
    due = game.period.due
    if not game.house.grace or due is None:
        return ()
    graced = PlayerRecord.many(conn, game_id=game.id, kind=RecordKind.GRACE)
    had = {one.player_id for one in graced if one.period != game.period.number}
    wrote = letters.writers(conn, game.id, game.period.number, due)
    return tuple(
        seat
        for seat, slots in _owed(conn, game, game.seats).items()
        if slots
        and seat not in wrote
        and seat not in game.bots
        and game.holders[seat].player_id not in {None, *had}
    )
