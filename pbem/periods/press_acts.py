"""Warn a seat of its press, or suspend that. Only its player is told."""

from __future__ import annotations

from datetime import timedelta

from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.periods.guards import guarded, known
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import press
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.text import counted, moment_words

KIND = "warned"
MOST_DAYS = 60


def warn(work: Work, game_id: str, seat: Seat, why: str) -> None:
    at, holder = _addressed(work, game_id, seat)
    stands = press.warned(work.conn, at.id, holder)
    press.warn(work.conn, at.id, holder, stands.until)
    press.settle_report(work.conn, at.id, seat)
    notes.note(work.conn, at.id, work.now, "press-warned", seat=seat, why=why)
    text = (
        f"The gamesmaster asks you to mind your press in this game: {why.strip().rstrip('.')}.\n\n"
        "You may lie, threaten and scheme as the seat you play. You may not insult the people you"
        " play with. If it goes on, your press can be suspended for some days.\n\n"
        "Nobody else is told of this mail. You can answer it; the gamesmaster reads it."
    )
    _tell(work, at, holder, "A word about your press", text)


def suspend(work: Work, game_id: str, seat: Seat, days: int, why: str) -> str:
    """Suspend a seat's press for some days; 0 ends it. Return until when, in words, or "". Raise
    OperatorError."""
    at, holder = _addressed(work, game_id, seat)
    stands = press.warned(work.conn, at.id, holder)
    if not 0 <= days <= MOST_DAYS:
        raise OperatorError(f"from 1 to {MOST_DAYS} days; 0 ends a suspension")
    if not days:
        if not (stands.until and stands.until > work.now):
            raise OperatorError(f"the press of {seat} in {game_id} is not suspended")
        press.warn(work.conn, at.id, holder, None)
        notes.note(work.conn, at.id, work.now, "press-free", seat=seat, why=why)
        text = f"Your press goes out again: {why.strip().rstrip('.')}.\n\nNobody else is told."
        _tell(work, at, holder, "Your press goes out again", text)
        return ""
    until = work.now + timedelta(days=days)
    press.warn(work.conn, at.id, holder, until)
    press.settle_report(work.conn, at.id, seat)
    notes.note(work.conn, at.id, work.now, "press-suspended", seat=seat, days=days, why=why)
    ends = f"{moment_words(until.astimezone(at.zone))} {at.game.zone}"
    text = (
        f"The gamesmaster has suspended your press for {counted(days, 'day')}, until {ends}:"
        f" {why.strip().rstrip('.')}.\n\nUntil then no press of yours is relayed, signed or not."
        " Your orders count as ever, and you get the press of others. You can still answer the"
        " gamesmaster.\n\nNobody else is told."
    )
    _tell(work, at, holder, "Your press is suspended", text)
    return ends


def suspended(work: Work, at: GameAt, seat: Seat) -> str:
    """Return why its press does not go out now, or ""."""
    until = press.warned(work.conn, at.id, at.holders[seat]).until
    if until is None or until <= work.now:
        return ""
    ends = f"{moment_words(until.astimezone(at.zone))} {at.game.zone}"
    return f"the gamesmaster has suspended your press until {ends}"


def _addressed(work: Work, game_id: str, seat: Seat) -> tuple[GameAt, Holder]:
    at = guarded(work.conn, game_id, None)
    known(at, seat)
    if at.holders[seat].player_id is None:
        raise OperatorError(f"nobody holds {seat} in {game_id}")
    return at, at.holders[seat]


def _tell(work: Work, at: GameAt, holder: Holder, subject: str, text: str) -> None:
    times = press.warned(work.conn, at.id, holder).times
    key = f"{KIND}:{at.id}:{holder.seat}:{holder.player_id}:{times}"
    put_to_seat(work, at, holder, Draft(key, KIND, f"[{at.id}] {subject}", f"{text}\n"))
