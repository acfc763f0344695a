"""The gamesmaster's acts on the bulletins of a game: one is previewed, released, given a ruling, or
made anew by a rewind. Each is journalled, and the next bulletin shows it."""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import readiness
from pbem.games.frame.adjudication import adjudicate as play_period
from pbem.games.frame.adjudication import owed, take
from pbem.pages import bulletin
from pbem.periods import closing, formation, looking, publishing
from pbem.periods.guards import fair, guarded
from pbem.post.work import Work
from pbem.store import games, notes, order_sets, periods, templates
from pbem.store.budget import Budget
from pbem.store.game_rows import OrderSetRow
from pbem.store.games import Table
from pbem.store.looks import LookKind
from pbem.store.states import NoteKind, PeriodState


def preview(work: Work, game_id: str) -> tuple[str, list[str]]:
    """The bulletin as it would be if the period closed now, and the seats that still owe something;
    nothing of it is stored, but that it was looked at is in the journal and the next bulletin."""
    at = guarded(work.conn, game_id, None)
    fair(work.conn, work.mark, game_id)
    looking.looked(work, at, LookKind.PREVIEW)
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


def ruling(work: Work, game_id: str, text: str) -> None:
    """A ruling for the next bulletin."""
    guarded(work.conn, game_id, None)
    if not text.strip():
        raise OperatorError("a ruling without a word; write what the next bulletin is to say")
    notes.rule(work.conn, game_id, NoteKind.RULING, text, work.now)
    notes.note(work.conn, game_id, work.now, "ruling", text=text)


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
