"""The gamesmaster's acts: each names game and period, is journalled, and is shown to those
concerned.

Every act takes the period it is meant for and refuses another, so that a command that was typed
before a deadline never works after it.
"""

from __future__ import annotations

from dataclasses import replace as changed
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec, readiness
from pbem.games.frame.adjudication import Taken, canonical, owed, take
from pbem.games.frame.adjudication import adjudicate as play_period
from pbem.games.frame.calendar import Deadline, Move
from pbem.games.frame.length import LONGEST, Elapsed, Length
from pbem.games.frame.readiness import Said
from pbem.orders.order import staying
from pbem.pages import bulletin
from pbem.periods import closing, formation, publishing
from pbem.post.compose import Draft
from pbem.post.postmark import Postmark
from pbem.post.seats import put_to_seat, set_token, to_all
from pbem.post.work import Work
from pbem.store import bulletins, games, notes, order_sets, periods, players, seats, templates
from pbem.store.budget import Budget
from pbem.store.games import Table
from pbem.store.rows import OrderSetRow
from pbem.store.states import GameState, NoteKind, PeriodState


def guarded(conn: Connection, game_id: str, number: int | None, *statuses: str) -> Table:
    """The game at its current period; raises OperatorError if that is another than ``number``, or
    in another status."""
    at = games.table(conn, game_id)
    if at.game.status not in (GameState.RUNNING, GameState.HELD):
        raise OperatorError(f"game {game_id} is {at.game.status}")
    if number is not None and number != at.period.number:
        raise OperatorError(
            f"game {game_id} is in period {at.period.number}, not {number}; nothing was done"
        )
    if statuses and at.period.status not in statuses:
        raise OperatorError(
            f"period {at.period.number} of {game_id} is {at.period.status}; this needs"
            f" {' or '.join(statuses)}"
        )
    return at


def known(at: Table, seat: str) -> None:
    """Raises OperatorError where the game has no such seat."""
    if seat not in at.seats:
        raise OperatorError(
            f"there is no seat {seat!r} in {at.id}; the seats are {', '.join(at.seats)}"
        )


def extend(
    work: Work, game_id: str, number: int | None, by: Length, why: str, *, kind: str = "extension"
) -> Table:
    """Move the deadline by whole days, or by the minutes of a game that counts them; everybody is
    told the sum."""
    at = guarded(work.conn, game_id, number, PeriodState.OPEN)
    old = publishing.deadline_of(at)
    if old is None:
        raise OperatorError(f"period {at.period.number} of {game_id} has no deadline to move")
    if not by:
        raise OperatorError(f"{by} move no deadline")
    if isinstance(by, Elapsed) != at.house.elapsed:
        wanted = "hours or minutes, as 30 minutes" if at.house.elapsed else "whole days, as 3"
        raise OperatorError(f"the deadlines of {game_id} move by {wanted}, not by {by}")
    if kind == "extension" and abs(by.time) > timedelta(days=LONGEST):
        raise OperatorError(
            f"{by} are more than a year; to stop the clock for longer: `pbem hold {game_id}`"
        )
    moved = calendar.moved(old, [Move(kind, by, why)], at.house, at.zone)
    if moved.due <= work.now:
        raise OperatorError(
            f"that deadline ({moved.due:%Y-%m-%d %H:%M} UTC) has passed; to close now: `pbem close`"
        )
    return _new_deadline(work, at, moved, f"{by.signed}, {kind}: {why}")


def pause(work: Work, game_id: str, number: int | None, first: str, last: str, why: str) -> Table:
    """No deadline of this game falls from ``first`` to ``last`` (YYYY-MM-DD): a holiday in its own
    house rules, which moves the current deadline where it lies between them."""
    days = calendar.span(first, last)
    at = guarded(work.conn, game_id, number)
    if at.house.elapsed:
        raise OperatorError(
            f"the periods of {game_id} are counted in hours and minutes, on any day; to stop its"
            f" clock: `pbem hold {game_id}`"
        )
    house = changed(
        at.house, holidays=(*at.house.holidays, (days[0].isoformat(), days[1].isoformat()))
    )
    games.set_game(work.conn, game_id, house=codec.dump(house))
    said = f"no deadline falls from {days[0]:%d %B %Y} to {days[1]:%d %B %Y} ({why})"
    notes.note(work.conn, game_id, work.now, "pause", first=first, last=last, why=why)
    at = games.table(work.conn, game_id)
    old = publishing.deadline_of(at)
    moved = calendar.moved(old, (), at.house, at.zone) if old else None
    if moved is not None and at.period.status == PeriodState.OPEN and moved.due != at.period.due:
        return _new_deadline(work, at, moved, said)
    notes.rule(work.conn, game_id, NoteKind.HOUSE, f"A pause: {said}.", work.now)
    key = f"pause:{game_id}:{first}:{last}:{work.now:%Y%m%d%H%M%S}"
    to_all(work, at, Draft(key, "pause", f"[{game_id}] A pause", f"A pause: {said}.\n"))
    return at


def _new_deadline(work: Work, at: Table, moved: Deadline, why: str) -> Table:
    """The deadline's row, the journal, the next bulletin and everybody: the sum."""
    periods.set_period(
        work.conn,
        at.id,
        at.period.number,
        due=moved.due,
        moves=[move.json() for move in moved.moves],
        next_look=calendar.next_look(work.now, moved.due, at.period.phase, at.house, at.zone),
    )
    notes.note(
        work.conn,
        at.id,
        work.now,
        "deadline",
        period=at.period.number,
        why=why,
        due=moved.due.isoformat(),
    )
    notes.rule(
        work.conn,
        at.id,
        NoteKind.CLOCK,
        f"The deadline of period {at.period.number} was moved: {why}.",
        work.now,
    )
    at = games.table(work.conn, at.id)
    lines = "\n".join(moved.explained(at.house.hour, at.zone))
    text = (
        f"The deadline of period {at.period.number} ({at.period.phase}) has been"
        f" moved.\n\n{lines}\n"
    )
    key = f"deadline:{at.id}:{at.period.number}:{len(moved.moves)}:{moved.due:%Y%m%d}"
    subject = f"[{at.id}] New deadline: {publishing.deadline_text(at)}"
    to_all(work, at, Draft(key, "deadline", subject, text))
    return at


def close(work: Work, game_id: str, number: int | None) -> Table:
    """Close the period now and adjudicate it."""
    at = guarded(work.conn, game_id, number, PeriodState.OPEN)
    if at.game.status == GameState.HELD:
        raise OperatorError(
            f"game {game_id} is held ({at.game.held_because}); `pbem resume {game_id}` first"
        )
    notes.note(work.conn, game_id, work.now, "closed-by-hand", period=at.period.number)
    notes.rule(
        work.conn,
        game_id,
        NoteKind.CLOCK,
        "This period was closed by the gamesmaster before its deadline.",
        work.now,
    )
    periods.set_state(work.conn, game_id, at.period.number, PeriodState.CLOSING)
    closing.adjudicate(work, games.table(work.conn, game_id))
    return games.table(work.conn, game_id)


def hold(work: Work, game_id: str, why: str) -> None:
    """Stop the game's clock; orders are still taken."""
    at = guarded(work.conn, game_id, None)
    if at.game.status == GameState.HELD:
        raise OperatorError(f"game {game_id} is held already: {at.game.held_because}")
    games.hold(work.conn, game_id, why, work.now)
    notes.note(work.conn, game_id, work.now, "hold", why=why)
    notes.rule(
        work.conn,
        game_id,
        NoteKind.HOUSE,
        f"The game was held on {work.now.astimezone(at.zone):%d %B %Y}: {why}.",
        work.now,
    )
    text = (
        f"The game is held: {why}\n\nOrders are still taken. You will be told when it goes on, with"
        " the new deadline.\n"
    )
    key = f"hold:{game_id}:{work.now:%Y%m%d%H%M%S}"
    to_all(work, at, Draft(key, "hold", f"[{game_id}] The game is held", text))


def resume(work: Work, game_id: str) -> Table:
    """Let the clock run on: the deadline moves by the whole days (or minutes) the game was held, at
    the least into the future."""
    at = games.table(work.conn, game_id)
    if at.game.status != GameState.HELD:
        raise OperatorError(f"game {game_id} is {at.game.status}, not held")
    games.goes_on(work.conn, game_id, work.now)
    if at.game.restored_to is not None and at.game.restored_until is None:
        _tell_restored(work, at, at.game.restored_to)
    notes.note(work.conn, game_id, work.now, "resume")
    notes.rule(
        work.conn,
        game_id,
        NoteKind.HOUSE,
        f"The game went on on {work.now.astimezone(at.zone):%d %B %Y}.",
        work.now,
    )
    if at.period.due is None or at.period.status != PeriodState.OPEN:
        return _goes_on(work, game_id)
    held_at = at.game.held_at or work.now
    by = calendar.after_hold(at.period.due, held_at, work.now, at.house, at.zone)
    if by:
        return extend(
            work, game_id, None, by, f"the game was held: {at.game.held_because}", kind="pause"
        )
    return _goes_on(work, game_id)


def _tell_restored(work: Work, at: Table, to: datetime) -> None:
    """Everybody reads to which period a backup brought the game back: he may know later ones."""
    until = f"{to.astimezone(at.zone):%A %d %B %Y, %H:%M} {at.game.zone}"
    text = (
        "The referee's database was lost and came back from a backup, which knows the game until"
        f" {until}. It is in period {at.period.number} ({at.period.phase}) again; bulletins after"
        f" number {at.period.number - 1} do not count.\n\nLetters that came after the backup were"
        " found in the mailbox. Whoever wrote one is told what became of it; a letter of which it"
        " is not plain that it is for this period is held. From now on letters count as always.\n"
    )
    key = f"restored:{at.id}:{work.now:%Y%m%d%H%M%S}"
    subject = f"[{at.id}] The game came back from a backup"
    to_all(work, at, Draft(key, "restored", subject, text))


def _goes_on(work: Work, game_id: str) -> Table:
    """A game resumed with the deadline it had: everybody was promised to be told."""
    at = games.table(work.conn, game_id)
    deadline = publishing.deadline_text(at)
    stays = f"The deadline stays: {deadline}" if deadline else "This period has no deadline"
    text = f"The game goes on. {stays}.\n"
    key = f"resume:{game_id}:{work.now:%Y%m%d%H%M%S}"
    to_all(work, at, Draft(key, "resume", f"[{game_id}] The game goes on", text))
    return at


def fair(conn: Connection, mark: Postmark, game_id: str) -> None:
    """A gamesmaster who plays looks at nothing his seat may not see; raises OperatorError where he
    would."""
    seat = seats.of_address(conn, game_id, mark.gamesmaster.lower())
    if seat is not None and games.game(conn, game_id).status != GameState.OVER:
        raise OperatorError(
            f"you play {seat} in {game_id}: no preview and no look at others' orders until it is"
            " over"
        )


def preview(work: Work, game_id: str) -> tuple[str, list[str]]:
    """The bulletin as it would be if the period closed now, and the seats that still owe something;
    nothing of it is stored, but that it was looked at is in the journal and the next bulletin."""
    at = guarded(work.conn, game_id, None)
    fair(work.conn, work.mark, game_id)
    if not any(note.kind == NoteKind.PREVIEW for note in notes.unprinted(work.conn, game_id)):
        seen = f"The gamesmaster has seen a preview of period {at.period.number}."
        notes.rule(work.conn, game_id, NoteKind.PREVIEW, seen, work.now)
    notes.note(work.conn, game_id, work.now, "preview", period=at.period.number)
    budget = Budget(work.mark.seconds * closing.ADJUDICATION, f"the preview of game {game_id}")
    if at.period.status == PeriodState.REVIEW:
        with budget:
            return waiting_bulletin(work.conn, at), []
    standing = order_sets.all_standing(work.conn, at)
    position = formation.position(work.conn, at, work.now)
    still = owed(at.ruleset, at.state, at.seats, standing)
    missing = [seat for seat, slots in still.items() if slots]
    with budget:
        outcome = play_period(at.ruleset, position, standing, at.dice())
        issue = templates.issue(
            at.ruleset,
            outcome.state,
            at.seats,
            at.period.number,
            at.period.phase,
            outcome.events,
            {"game": at.id, "house": ["PREVIEW: nothing of this is stored or sent."]},
        )
        return bulletin.bulletin(templates.environment(), issue), missing


def waiting_bulletin(conn: Connection, at: Table) -> str:
    """The bulletin that waits for its release."""
    number = at.period.number - 1
    closed = periods.closed(conn, at.id, number)
    house_frame = publishing.frame(conn, at, number)
    made = publishing.texts(at, number, closed.phase, closed.events, house_frame)
    return made[""]


def release(work: Work, game_id: str, number: int | None) -> None:
    """Publish the bulletin that waits in review; the next period begins now."""
    at = guarded(work.conn, game_id, None, PeriodState.REVIEW)
    if number is not None and number != at.period.number - 1:
        raise OperatorError(
            f"the bulletin that waits in {game_id} is number {at.period.number - 1}, not {number}"
        )
    notes.note(work.conn, game_id, work.now, "release", bulletin=at.period.number - 1)
    closing.release(work, at)


def order(work: Work, game_id: str, number: int | None, seat: str, text: str) -> Taken:
    """Orders on a seat's behalf, checked as if the seat had sent them; the seat's next bulletin
    says so."""
    at = guarded(work.conn, game_id, number, PeriodState.OPEN)
    known(at, seat)
    last = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    taken = take(at.ruleset, at.state, seat, text, order_sets.orders_of(at, last))
    said = readiness.after_orders(readiness.of(last))
    order_sets.save_orders(
        work.conn, at, seat, taken.standing, last, said=said, letter_id=None, now=work.now
    )
    notes.note(
        work.conn,
        game_id,
        work.now,
        "orders-on-behalf",
        period=at.period.number,
        seat=seat,
        orders=canonical(taken.standing),
    )
    notes.rule(
        work.conn,
        game_id,
        NoteKind.ORDERS,
        f"The gamesmaster entered orders for {seat} in this period.",
        work.now,
    )
    return taken


def ruling(work: Work, game_id: str, text: str) -> None:
    """A ruling for the next bulletin."""
    guarded(work.conn, game_id, None)
    if not text.strip():
        raise OperatorError("a ruling without a word; write what the next bulletin is to say")
    notes.rule(work.conn, game_id, NoteKind.RULING, text, work.now)
    notes.note(work.conn, game_id, work.now, "ruling", text=text)


def replace(work: Work, game_id: str, seat: str, address: str, name: str, why: str) -> None:
    """Another player takes the seat: new reply token, the start mail, the last bulletin and notice;
    all are told."""
    at = guarded(work.conn, game_id, None)
    known(at, seat)
    player_id = players.player(work.conn, address, name, work.now)
    text = f"You no longer hold {seat} in game {game_id}: {why}.\n\nThank you for having played.\n"
    key = f"replaced:{game_id}:{seat}:{at.holders[seat].token_no}"
    subject = f"[{game_id}] {seat} has a new player"
    put_to_seat(work, at, at.holders[seat], Draft(key, "replaced", subject, text))
    games.set_seat(
        work.conn,
        game_id,
        seat,
        player_id=player_id,
        missed=0,
        asked_until=None,
        heard=at.period.number,
        quits=None,
    )
    set_token(work, game_id, seat, at.holders[seat].token_no + 1)
    notes.note(work.conn, game_id, work.now, "replaced", seat=seat, why=why)
    notes.rule(
        work.conn,
        game_id,
        NoteKind.HOUSE,
        f"{seat} has a new player: {name or 'a stand-by'} ({why}).",
        work.now,
    )
    at = games.table(work.conn, game_id)
    _hand_over(work, at, seat)
    publishing.start_mail(work, at, at.holders[seat])
    brief(work, at, seat)


def _hand_over(work: Work, at: Table, seat: str) -> None:
    """What stands for the seat is its new player's to change, but for what only its writer could
    mean: RESIGN, READY, WAIT."""
    last = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    stood = order_sets.orders_of(at, last)
    if staying(stood) != stood or readiness.of(last) is not Said.NOTHING:
        order_sets.save_orders(
            work.conn,
            at,
            seat,
            staying(stood),
            last,
            said=Said.NOTHING,
            letter_id=None,
            now=work.now,
        )


def brief(work: Work, at: Table, seat: str) -> None:
    """Mail a seat the newest bulletin and its own newest notice again."""
    last = at.period.number - 1 if at.period.status != PeriodState.REVIEW else at.period.number - 2
    newest = bulletins.of_period(work.conn, at.id, last)
    if newest:
        edition = max(row.edition for row in newest.values())
        made = {of: row.text for of, row in newest.items()}
        publishing.mail_issue(work, at, at.holders[seat], last, edition, made)


def rotate(work: Work, game_id: str, seat: str) -> None:
    """A new secret reply address for a seat; its next mail carries it."""
    at = guarded(work.conn, game_id, None)
    known(at, seat)
    set_token(work, game_id, seat, at.holders[seat].token_no + 1)
    notes.note(work.conn, game_id, work.now, "token-rotated", seat=seat)


def rewind(work: Work, game_id: str, number: int, why: str) -> Table:
    """Adjudicate a published period again, on the orders now on file for it. What came after is
    taken back; orders already sent for the period that follows are tried anew; rulings and notes
    stand. A corrected bulletin and corrected notices say what changed."""
    at = games.table(work.conn, game_id)
    if not 1 <= number < at.period.number:
        raise OperatorError(
            f"game {game_id} is in period {at.period.number}; rewind to one of 1 to"
            f" {at.period.number - 1}"
        )
    notes.note(work.conn, game_id, work.now, "rewind", to=number, why=why)
    notes.take_back_notes(
        work.conn, game_id, number, at.period.number - (at.period.status == PeriodState.REVIEW)
    )
    kept = {seat: order_sets.last_set(work.conn, game_id, number + 1, seat) for seat in at.seats}
    periods.take_back(work.conn, game_id, number)
    order_sets.take_back(work.conn, game_id, number)
    periods.set_state(work.conn, game_id, number, PeriodState.CLOSING)
    games.set_game(work.conn, game_id, period=number)
    games.goes_on(work.conn, game_id, work.now)
    _count_missed_before(work.conn, at, number)
    notes.rule(
        work.conn,
        game_id,
        NoteKind.HOUSE,
        f"CORRECTED: period {number} was adjudicated again: {why}",
        work.now,
    )
    closing.adjudicate(work, games.table(work.conn, game_id))
    at = games.table(work.conn, game_id)
    goes_on = at.ruleset.result(at.state) is None
    if goes_on and at.period.status in (PeriodState.OPEN, PeriodState.REVIEW):
        for seat, row in kept.items():
            if row:
                _try_anew(work, at, seat, row)
    return at


def _try_anew(work: Work, at: Table, seat: str, row: OrderSetRow) -> None:
    """Orders that were sent for a period upon another position: what of them can still be taken.
    Whoever was ready for that one is not yet ready for this."""
    taken = take(at.ruleset, at.state, seat, "\n".join(row.orders), {})
    said = readiness.after_orders(readiness.of(row))
    order_sets.save_orders(
        work.conn, at, seat, taken.standing, None, said=said, letter_id=row.letter_id, now=work.now
    )


def _count_missed_before(conn: Connection, at: Table, number: int) -> None:
    """Moves missed in a row as they were counted before period ``number``, which is about to be
    counted again."""
    for seat, holder in at.holders.items():
        missed = 0
        for earlier in (games.table(conn, at.id, n) for n in range(number - 1, 0, -1)):
            if earlier.ruleset.due(earlier.state, seat, {}):
                if order_sets.standing(conn, earlier, seat):
                    break
                missed += 1
        games.set_seat(conn, at.id, seat, missed=min(missed, holder.missed))
