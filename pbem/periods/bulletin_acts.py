"""Acts on bulletins, each journalled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import owed, play_period
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.pages import bulletin
from pbem.pages.plain import plain
from pbem.periods import closing, drawing, formation, publishing, secret_looks
from pbem.periods.guards import guarded
from pbem.post.work import Work
from pbem.store.games import bulletins, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.store.schema.tables import Ruling

_OF_AMENDMENT = "Amendment "
_WITHDRAWN = "Withdrawn is the ruling"


@dataclass(frozen=True, slots=True)
class Preview:
    """A bulletin not out."""

    number: int
    sheet: str
    scores: Mapping[Seat, float]
    missing: Sequence[Seat] = ()
    waits: bool = False

    @property
    def text(self) -> str:
        return plain(self.sheet)


def preview(work: Work, game_id: str) -> Preview:
    """Return the bulletin as if closed now; store only the look."""
    at = guarded(work.conn, game_id, None)
    secret_looks.looked(work, at, LookKind.PREVIEW)
    budget = Budget(work.mark.seconds * closing.ADJUDICATION, f"the preview of game {game_id}")
    if at.period.status == PeriodState.REVIEW:
        with budget:
            return _waiting(work.conn, at)
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
        shown = bulletin.public_sheet(templates.environment(), issue)
    return Preview(at.period.number, shown, at.ruleset.scores(outcome.state), missing)


def _waiting(conn: Connection, at: GameAt) -> Preview:
    number = at.period.number - 1
    closed = periods.closed(conn, at.id, number)
    before = bulletins.scores(conn, at.id, number)
    drawn = drawing.svgs(at, number, closed, before)
    house_frame = publishing.frame(conn, at, number, drawn)
    made = publishing.texts(at, number, closed, before, house_frame)
    return Preview(number, made[""], at.ruleset.scores(at.state), waits=True)


def release(work: Work, game_id: str, number: int | None) -> int:
    """Publish the bulletin in review, open the next period. Return its number. Raise OperatorError
    unless it is ``number``."""
    at = guarded(work.conn, game_id, None, PeriodState.REVIEW)
    if number is not None and number != at.period.number - 1:
        raise OperatorError(
            f"the bulletin that waits in {game_id} is number {at.period.number - 1}, not {number}"
        )
    notes.note(work.conn, game_id, work.now, "release", bulletin=at.period.number - 1)
    closing.release(work, at)
    return at.period.number - 1


def ruling(work: Work, game_id: str, text: str) -> int:
    """Return its number."""
    guarded(work.conn, game_id, None)
    if not text.strip():
        raise OperatorError("a ruling without a word; write what the next bulletin is to say")
    made = notes.rule(work.conn, game_id, NoteKind.RULING, text, work.now)
    notes.note(work.conn, game_id, work.now, "ruling", text=text)
    return made


def withdraw(work: Work, game_id: str, number: int, why: str) -> bool:
    """Withdraw a ruling. Return whether the next bulletin says so: one has printed it."""
    guarded(work.conn, game_id, None)
    one = notes.ruling(work.conn, game_id, number)
    if one is None:
        raise OperatorError(f"there is no ruling {number} in {game_id}")
    if one.text.startswith(_OF_AMENDMENT):
        raise OperatorError(
            f"ruling {number} says that an amendment was carried out; carry out another instead"
        )
    if one.number is None:
        Ruling.drop(work.conn, id=one.id)
    else:
        if one.id not in withdrawable(work.conn, game_id):
            raise OperatorError(f"ruling {number} of {game_id} is withdrawn already")
        because = f" ({why.strip()})" if why.strip() else ""
        notes.rule(work.conn, game_id, NoteKind.RULING, _withdrawn(one) + because, work.now)
    journal = {"ruling": number, "bulletin": one.number, "text": one.text, "why": why}
    notes.note(work.conn, game_id, work.now, "ruling-withdrawn", **journal)
    return one.number is not None


def withdrawable(conn: Connection, game_id: str) -> set[int]:
    """Return the printed rulings that can be withdrawn, by number."""
    printed = notes.rulings(conn, game_id)
    said = [one.text for one in (*printed, *notes.unprinted(conn, game_id))]
    return {
        one.id
        for one in printed
        if not one.text.startswith((_OF_AMENDMENT, _WITHDRAWN))
        and not any(text.startswith(_withdrawn(one)) for text in said)
    }


def _withdrawn(one: Ruling) -> str:
    return f"{_WITHDRAWN} that bulletin {one.number} printed: {one.text}"
