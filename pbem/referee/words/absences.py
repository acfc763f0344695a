"""ABSENT in a game with days of absence: booked by a code, they move later deadlines.

Only the gamesmaster learns whose they are. Elsewhere :func:`pbem.referee.words.player_words.absent`
moves nothing.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.orders import dates
from pbem.periods import absences
from pbem.post import outbox
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import to_seat
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.trust import code_of
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.mails import mail_counts
from pbem.store.people import absences as booked
from pbem.store.schema.states import GameState
from pbem.text import counted, day_words, moment_words

WORD, KIND = "ABSENT", "absence"
LIVES = timedelta(days=7)
MOST = 5
"""In one letter; also mails about them to a seat in an hour: anybody can ask."""


def book(work: Work, judged: Judged, at: GameAt) -> list[str]:
    """Mail a code for each absence of a letter. Return receipt notes."""
    spans = [one.argument for one in judged.decision.peeled.commands if one.name == WORD]
    return [_asked(work, judged, at, days) for days in list(dict.fromkeys(spans))[:MOST]]


def _asked(work: Work, judged: Judged, at: GameAt, written: str) -> str:
    seat = judged.decision.seat
    try:
        named = dates.days(written, judged.row.received.astimezone(at.zone).date())
        first, last = calendar.span(*(day.isoformat() for day in named))
    except dates.Unclear as error:
        return f"ABSENT {written}: not taken: {error}, as in ABSENT 10 March TO 20 March."
    except OperatorError as error:
        return f"ABSENT: {error}"
    if why := _why_not(work, at, seat, first, last):
        return f"ABSENT: {why}"
    if mail_counts.made_for(work.conn, at.id, seat, KIND, work.now - at.house.an_hour) >= MOST:
        return f"ABSENT {written}: not taken: {MOST} codes were mailed within an hour. Ask later."
    if not judged.decision.reply_allowed:
        return "ABSENT: not taken, since no code can be mailed in answer to this letter."
    code = work.mark.code(f"absence/{judged.letter.raw_hash}/{first}/{last}")
    memo = {
        KIND: [first.isoformat(), last.isoformat()],
        "game": at.id,
        "seat": seat,
        "player": at.holders[seat].player_id,
        "until": (work.now + LIVES).isoformat(),
    }
    notes.set_memo(work.conn, f"code:{code_hash(code)}", memo)
    _mail_code(work, judged, at, (first, last), code)
    return (
        f"Your absence {_days(first, last)} waits for the code that has been mailed to your address"
        " of record: answer that mail as it says, and the days are booked."
    )


def _why_not(work: Work, at: GameAt, seat: str, first: date, last: date) -> str:
    if last < work.now.astimezone(at.zone).date():
        return f"not taken: {day_words(last)} is past."
    mine = (at.holders[seat].player_id, first, last)
    if mine in {(one.player_id, one.first, one.last) for one in booked.of_game(work.conn, at.id)}:
        return f"your absence {_days(first, last)} is booked already."
    wanted, left = absences.number((first, last)), absences.left(work, at, seat)
    if wanted <= left:
        return ""
    return (
        f"not taken: {_days(first, last)} are {counted(wanted, 'day')}, and of the"
        f" {counted(at.house.away_days, 'day')} that you may book in this game"
        f" {left or 'none'} {'is' if left == 1 else 'are'} left. To have somebody play for you"
        " meanwhile, see the word\u00a0DEPUTY."
    )


def _days(first: date, last: date) -> str:
    return f"from {day_words(first)} to {day_words(last)}"


def _mail_code(work: Work, judged: Judged, at: GameAt, days: tuple[date, date], code: str) -> None:
    holder = at.holders[judged.decision.seat]
    page = templates.environment().get_template("_shared/absence_code.txt.j2")
    text = page.render(
        at=at,
        holder=holder,
        days=_days(*days),
        number=absences.number(days),
        left=absences.left(work, at, holder.seat),
        code=code,
        received=f"{moment_words(judged.row.received.astimezone(at.zone))} {at.game.zone}",
    )
    key = f"absence:{judged.row.id}:{days[0]}:{days[1]}"
    draft = Draft(key, KIND, f"[{at.id}] {WORD}: do you mean it?", text).answering(judged.letter)
    outbox.put(work, to_seat(work, at, holder, draft))


def confirmed(work: Work, judged: Judged) -> tuple[LetterState, str] | None:
    """Redeem an absence's code. None if it is not one."""
    code = code_of(judged)
    key = f"code:{code_hash(code)}"
    memo = notes.memo(work.conn, key) if code else {}
    if KIND not in memo:
        return None
    at, seat = games.game_at(work.conn, memo["game"]), memo["seat"]
    holder = at.holders[seat]
    if judged.letter.sender != holder.address or holder.player_id != memo["player"]:
        text = "That code works from the address only that it was mailed to. Nothing was done."
        answer = senders.Answer(text, f"[{at.id}] Your code has no effect")
        senders.tell(work, judged, senders.QUESTION, answer)
        return LetterState.COMMAND, "the code of an absence, from another address"
    first, last = (date.fromisoformat(day) for day in memo[KIND])
    notes.forget_memos(work.conn, key)
    old = datetime.fromisoformat(memo["until"]) < work.now
    why = "the code is too old; write the word again." if old else ""
    why = "the game is over." if at.game.status == GameState.OVER else why
    why = why or _why_not(work, at, seat, first, last)
    told = f"ABSENT: {why}" if why else _book(work, at, seat, (first, last))
    key = f"absence-answer:{judged.row.id}"
    draft = Draft(key, KIND, f"[{at.id}] Your absence", f"{told}\n").answering(judged.letter)
    outbox.put(work, to_seat(work, at, holder, draft))
    return LetterState.COMMAND, f"an absence of {seat} in {at.id}: {why or 'booked'}"


def _book(work: Work, at: GameAt, seat: str, days: tuple[date, date]) -> str:
    player_id = at.holders[seat].player_id
    assert player_id is not None
    booked.book(work.conn, at.id, seat, player_id, days, work.now)
    told = {"first": days[0].isoformat(), "last": days[1].isoformat()}
    notes.note(work.conn, at.id, work.now, "absence-booked", seat=seat, **told)
    left = absences.left(work, at, seat)
    return (
        f"Your absence {_days(*days)} is booked. The deadline of the period that is open stays; one"
        " of a later period that would fall on these days is moved behind them, as far as the house"
        " rules let the referee move it. The bulletin gives the new date, and does not say whose"
        f" absence it was. You have {counted(left, 'day')} left in this game."
    )
