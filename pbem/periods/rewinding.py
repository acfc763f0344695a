"""Adjudicate a published period again, perhaps only to try.

Its and later bulletins are void, later orders kept (:mod:`pbem.periods.kept`). New draws are the
next edition's.
"""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import house_rules
from pbem.periods import closing, dates, ending, offers, rewind_pages, secret_looks
from pbem.periods.rewind_pages import Change, Rewind, Tried
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, to_observers
from pbem.post.work import Work
from pbem.store.engine.database import taken_back
from pbem.store.games import bulletins, games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.joining import offers as free_seats
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.schema.states import Freed, NoteKind, PeriodState


def closed_period(work: Work, game_id: str, number: int) -> GameAt:
    """Return where to go back to. Raise OperatorError."""
    at = games.game_at(work.conn, game_id)
    if not 1 <= number < at.period.number:
        raise OperatorError(
            f"game {game_id} is in period {at.period.number}; "
            + (
                f"rewind to one of 1 to {at.period.number - 1}"
                if at.period.number > 1
                else "none is closed, so there is nothing to rewind to"
            )
        )
    return games.game_at(work.conn, game_id, number)


def tried(work: Work, rewind: Rewind) -> Tried:
    """Return what would change, storing only the look; draws stay hidden."""
    at = closed_period(work, rewind.game, rewind.number)
    # first, because the bulletin shown may count it
    secret_looks.looked(work, games.game_at(work.conn, rewind.game), LookKind.DRY_RUN)
    with taken_back(work.conn):
        found = _carried_out(work, rewind, edition=at.game.edition, own=at.period.edition)
    _note(work, "rewind-tried", rewind)
    return found


def done(work: Work, rewind: Rewind) -> str:
    """Return what changed."""
    at = closed_period(work, rewind.game, rewind.number)
    edition = at.game.edition + 1
    _note(work, "rewind", rewind, edition=edition)
    return _carried_out(work, rewind, edition=edition, own=edition).said


def _note(work: Work, kind: str, rewind: Rewind, **more: object) -> None:
    changed = rewind.corrections.journal
    notes.note(
        work.conn, rewind.game, work.now, kind, to=rewind.number, why=rewind.why, **changed, **more
    )


def _carried_out(work: Work, rewind: Rewind, *, edition: int, own: int) -> Tried:
    """``edition``: the game's; ``own``: the period's, for draws."""
    conn, number = work.conn, rewind.number
    at = games.game_at(conn, rewind.game)
    before = rewind_pages.found(work, at.id, number)
    later = [games.game_at(conn, at.id, n) for n in range(number + 1, at.period.number + 1)]
    _make_notes(work, at, rewind)
    _take_back(work, at, number)
    for seat, sets in rewind.corrections.sets.items():
        order_sets.put_right(conn, at.id, number, seat, sets)
    _count_missed_before(conn, at, number)
    periods.set_state(conn, at.id, number, PeriodState.CLOSING, edition=own)
    games.set_game(conn, at.id, period=number, edition=edition)
    games.goes_on(conn, at.id, work.now)
    ending.taken_up(work, at)
    _keep_seats(work, games.game_at(conn, at.id, number))
    voided = bulletins.void(conn, at.id, number, work.now)
    waiting = order_sets.kept(conn, at.id, number)
    change = rewind_pages.Change(at, rewind, before, voided, waiting)
    _tell(work, change, edition, dates.cancelled(work, at, later))
    closing.close_period(work, games.game_at(conn, at.id, number))
    return rewind_pages.report(work, change)


def _tell(work: Work, change: Change, edition: int, dated: str) -> None:
    """Tell which bulletins are void. ``dated``: for calendars."""
    at, number = change.at, change.rewind.number
    orders = rewind_pages.orders(work.conn, at.id, number)
    subject = f"[{at.id}] The game goes back to period {number}"
    key = f"void:{at.id}:{number}:{edition}"
    for seat, holder in at.holders.items():
        text = rewind_pages.rewind_notice(change, seat, orders.get(seat, []))
        draft = Draft(f"{key}:{seat}", "void", subject, text, calendar=dated)
        put_to_seat(work, at, holder, draft)
    to_observers(work, at, Draft(key, "void", subject, rewind_pages.told_observers(change)))


def _make_notes(work: Work, at: GameAt, rewind: Rewind) -> None:
    reached = at.period.number - (at.period.status == PeriodState.REVIEW)
    notes.take_back_notes(work.conn, at.id, rewind.number, reached)
    corrected = f"CORRECTED: period {rewind.number} was adjudicated again: {rewind.why}"
    notes.rule(work.conn, at.id, NoteKind.HOUSE, corrected, work.now)
    for text in rewind.corrections.notes:
        notes.rule(work.conn, at.id, NoteKind.HOUSE, text, work.now)


def _take_back(work: Work, at: GameAt, number: int) -> None:
    periods.take_back(work.conn, at.id, number)
    order_sets.take_back(work.conn, at.id, number)
    for seat, holder in at.holders.items():
        if holder.heard > number:
            games.set_seat(work.conn, at.id, seat, heard=number)


def _count_missed_before(conn: Connection, at: GameAt, number: int) -> None:
    for seat, holder in at.holders.items():
        missed = 0
        for earlier in (games.game_at(conn, at.id, n) for n in range(number - 1, 0, -1)):
            if house_rules.wanted(earlier.ruleset, earlier.state, seat):
                standing = order_sets.standing(conn, earlier, seat)
                if not house_rules.missed(earlier.ruleset, earlier.state, seat, standing):
                    break
                missed += 1
        if missed < holder.missed:
            games.set_seat(conn, at.id, seat, missed=missed, asked_until=None)


def _keep_seats(work: Work, at: GameAt) -> None:
    for free in free_seats.of_game(work.conn, at.id):
        listless = free.why is Freed.LIST and free.period >= at.period.number
        missed = at.holders[free.seat].missed
        spoke = free.why is Freed.SILENT and not house_rules.is_asked(missed, at.house)
        if listless or spoke:
            offers.stays(work, at, free.seat)
