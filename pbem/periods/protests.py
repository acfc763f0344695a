"""A protest against an adjudication. It stands until the next deadline."""

from __future__ import annotations

from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.periods import away
from pbem.periods.guards import guarded, known
from pbem.post import alarms
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games, inquiries
from pbem.store.games.games import GameAt
from pbem.store.games.inquiries import Protest
from pbem.store.journal import notes
from pbem.store.schema.states import GameState
from pbem.text import safe

KIND = "protest"


def protest(work: Work, at: GameAt, seat: Seat, text: str) -> str:
    """Protest against the newest bulletin. Return the answer."""
    bulletin = at.period.number - 1
    inquiries.protest(work.conn, Protest(at.id, seat, bulletin, safe(text), work.now))
    notes.note(work.conn, at.id, work.now, "protest", seat=seat, period=bulletin)
    settles, again = f"settle {at.id} {seat}", f"rewind {at.id} {bulletin}"
    extends = f"extend {at.id} DAYS"
    commands = (settles, again, extends) if bulletin else (settles, extends)
    right = f" To put a wrong adjudication right: `pbem {again}`." if bulletin else ""
    told = (
        f"{seat} protests against bulletin {bulletin} of {at.id}:\n\n| {safe(text)}\n\n"
        "It stands until the next deadline, and then lapses. To settle it, with your answer:"
        f" `pbem {settles}`.{right} To have more time for it: `pbem {extends}`."
    )
    subject = f"{at.id}: {seat} protests against bulletin {bulletin}"
    key = f"protest:{at.id}:{seat}:{bulletin}:{work.now:%H%M}"
    alarms.tell(work, key, subject, told, at.id, commands=commands)
    return (
        f"Your protest against bulletin {bulletin} stands until the next deadline. The gamesmaster"
        f' has it, and answers you: "{safe(text)}"{away.waits(work, at.id)} PROTEST\u00a0OFF takes'
        " it back."
    )


def taken_back(work: Work, at: GameAt, seat: Seat) -> str:
    """Take a seat's protest back. Return the answer."""
    if seat not in inquiries.protests_of(work.conn, at.id):
        return "No protest of yours stands."
    inquiries.end_protest(work.conn, at.id, seat)
    notes.note(work.conn, at.id, work.now, "protest-back", seat=seat)
    return "You have taken your protest back."


def settle(work: Work, game_id: str, seat: Seat, why: str) -> None:
    """Settle a protest with an answer to its seat. Raise OperatorError."""
    at = guarded(work.conn, game_id, None)
    known(at, seat)
    one = inquiries.protests_of(work.conn, game_id).get(seat)
    if one is None:
        raise OperatorError(f"no protest of {seat} stands in {game_id}")
    inquiries.end_protest(work.conn, game_id, seat)
    notes.note(work.conn, game_id, work.now, "protest-settled", seat=seat, period=one.bulletin)
    said = f"The gamesmaster has settled your protest against bulletin {one.bulletin}."
    _tell(work, at, one, "Your protest is settled", said + (f"\n\n{why.strip()}" if why else ""))


def lapse(work: Work) -> None:
    """End protests whose deadline has passed, and tell their seats."""
    for one in inquiries.protests(work.conn):
        at = games.game_at(work.conn, one.game_id)
        if at.game.status != GameState.OVER and at.period.number <= one.bulletin + 1:
            continue
        inquiries.end_protest(work.conn, at.id, one.seat)
        notes.note(work.conn, at.id, work.now, "protest-lapsed", seat=one.seat)
        said = (
            f"The deadline has passed, and so your protest against bulletin {one.bulletin} has"
            " lapsed without an answer. You can still write to the gamesmaster."
        )
        _tell(work, at, one, "Your protest has lapsed", said)


def _tell(work: Work, at: GameAt, one: Protest, subject: str, text: str) -> None:
    text += f"\n\nYou had written:\n\n| {one.text}\n"
    key = f"{KIND}:{at.id}:{one.seat}:{one.since:%Y%m%d%H%M%S%f}"
    put_to_seat(work, at, at.holders[one.seat], Draft(key, KIND, f"[{at.id}] {subject}", text))
