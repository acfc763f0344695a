"""The gamesmaster's commands by mail: carried out, or answered with the code that they need, or
with what they lack."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.games.frame.length import Days, Length, leading
from pbem.letters.states import LetterState
from pbem.orders.mailwords import Command
from pbem.periods import acts, publishing
from pbem.post import alarms
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee import queue, receipts
from pbem.referee.judged import Judged
from pbem.store import letters, mails, notes, players
from pbem.store.budget import paused
from pbem.store.games import Table

CODE_LIVES = timedelta(days=2)
_DAYS = re.compile(r"[+-]?[0-9]{1,9}")
NEEDS_CODE = ("CLOSE", "REPLACE", "PREVIEW")
HELP = """Your commands, each on a line of its own below the lines GAME key and PERIOD n (QUEUE needs neither):

  [1] QUEUE                  who is in, what is held; or QUEUE key
  [2] EXTEND 3 post strike   moves the deadline by days, and says why
  [3] CLOSE                  closes the period now
  [4] PREVIEW                the bulletin as it would be now
  [5] REPLACE seat address   another player takes the seat
  [6] RULE text              a ruling for the next bulletin
  [7] HOLD illness           stops the clock, and says why
  [8] RESUME                 lets it run on

CLOSE, PREVIEW and REPLACE are done once you send back the code that they are
answered with."""  # noqa: E501


def commanded(work: Work, judged: Judged) -> tuple[LetterState, str]:
    """The gamesmaster's commands: QUEUE, EXTEND, CLOSE, PREVIEW, REPLACE, RULE, HOLD, RESUME, with
    GAME and PERIOD lines.

    CLOSE, REPLACE and PREVIEW need a code that is mailed to his address first."""
    peeled = judged.decision.peeled
    letters.set_state(work.conn, judged.row.id, LetterState.COMMAND)  # QUEUE does not count it
    lines = []
    for command in peeled.commands:
        try:
            if command.name in NEEDS_CODE:
                lines.append(_ask_code(work, judged, command))
            else:
                lines.append(act(work, command.name, command.argument, peeled.game, peeled.period))
        except OperatorError as error:
            lines.append(f"{command.name}: {error}")
    if lines and not peeled.empty:
        lines.append(
            "The other lines were not read: orders of your own go into a letter without commands."
        )
    _answer(work, judged, "\n\n".join(lines) or "There was no command in your letter.")
    return LetterState.COMMAND, "the gamesmaster: " + ", ".join(one.name for one in peeled.commands)


def _ask_code(work: Work, judged: Judged, command: Command) -> str:
    """The code that the command waits for goes on file; what to answer."""
    game_id = judged.decision.peeled.game
    at = _named(work.conn, game_id, judged.decision.peeled.period)
    if command.name == "PREVIEW":
        acts.fair(work.conn, work.mark, game_id)
    if command.name == "REPLACE":
        _successor(at, command.argument)
    # by the letter's hash: after a restore its number may be another letter's
    code = work.mark.code(f"act/{judged.letter.raw_hash}/{command.line}")
    notes.set_memo(
        work.conn,
        f"code:{code_hash(code)}",
        {
            "name": command.name,
            "argument": command.argument,
            "game": game_id,
            "period": at.period.number,
            "until": (work.now + CODE_LIVES).isoformat(),
        },
    )
    said = f"{command.name} {command.argument}".strip()
    return (
        f"{said}: for game {game_id}, period {at.period.number}. To do it, write to the referee the"
        f" one line\n\n    CONFIRM {code}"
    )


def confirmed(
    work: Work, judged: Judged, told: dict[str, Any], code: str
) -> tuple[LetterState, str]:
    """The act that a code stands for (``told``) is carried out, once."""
    notes.forget_memos(work.conn, f"code:{code_hash(code)}")
    try:
        if datetime.fromisoformat(told["until"]) < work.now:
            raise OperatorError("the code is too old; send the command again")
        text = act(work, told["name"], told["argument"], told["game"], told["period"])
    except OperatorError as error:
        text = f"{told['name']}: {error}"
    _answer(work, judged, text)
    return LetterState.COMMAND, f"the gamesmaster, by code: {told['name']}"


def act(work: Work, name: str, argument: str, game_id: str, number: int | None) -> str:
    """Carry out one act; what to answer. Raises OperatorError where it cannot be."""
    if name == "HELP":
        return HELP
    if name == "QUEUE":
        with paused:
            return queue.text(queue.queue(work, argument or game_id or None))
    doing = _ACTS.get(name)
    if doing is None:
        raise OperatorError(
            "that is no command of the gamesmaster's by mail; there are HELP, QUEUE,"
            f" {', '.join(_ACTS)}"
        )
    with paused:  # what an act does to a game is no work on the letter that asks for it
        return doing(work, _named(work.conn, game_id, number), argument)


def _named(conn: Connection, game_id: str, number: int | None) -> Table:
    """The game and period that the letter's lines GAME and PERIOD name; both must be there."""
    if not game_id:
        raise OperatorError("name the game: a line GAME key above the command")
    at = acts.guarded(conn, game_id, number)
    if number is None:
        raise OperatorError(f"name the period too: a line PERIOD {at.period.number}")
    return at


def _extend(work: Work, at: Table, argument: str) -> str:
    by, why_text = _length(at, argument)
    moved = acts.extend(work, at.id, at.period.number, by, why_text or "by the gamesmaster")
    return f"EXTEND: the new deadline is {publishing.deadline_text(moved)}"


def _length(at: Table, argument: str) -> tuple[Length, str]:
    """By how much EXTEND moves the deadline, and the reason; raises OperatorError."""
    elapsed = leading(argument)
    if at.house.elapsed and elapsed is None:
        raise OperatorError(
            f"write EXTEND 30 minutes reason; {argument!r} begins with no hours or minutes"
        )
    if elapsed is not None:
        return elapsed  # refused where periods are days
    days, _, why_text = argument.partition(" ")
    if not _DAYS.fullmatch(days):
        raise OperatorError(f"write EXTEND 3 reason; {argument!r} begins with no number of days")
    return Days(int(days)), why_text


def _close(work: Work, at: Table, argument: str) -> str:
    after = acts.close(work, at.id, at.period.number)
    return f"CLOSE: game {at.id} is now in period {after.period.number} ({after.period.phase})"


def _preview(work: Work, at: Table, argument: str) -> str:
    text, missing = acts.preview(work, at.id)
    return f"PREVIEW (missing: {', '.join(missing) or 'nobody'})\n\n{text}"


def _replace(work: Work, at: Table, argument: str) -> str:
    seat, address = _successor(at, argument)
    acts.replace(work, at.id, seat, address, "", "by the gamesmaster")
    return f"REPLACE: {seat} in {at.id} is now {address}"


def _successor(at: Table, argument: str) -> tuple[Seat, str]:
    """The seat and the address that REPLACE names; raises OperatorError where there is no such seat
    or address."""
    word, _, address = argument.partition(" ")
    seat = next((one for one in at.seats if one.upper() == word.upper()), word)
    acts.known(at, seat)
    return seat, players.mail_address(address)


def _rule(work: Work, at: Table, argument: str) -> str:
    acts.ruling(work, at.id, argument)
    return f"RULE. The next bulletin prints: Ruling of the gamesmaster: {argument}"


def _hold(work: Work, at: Table, argument: str) -> str:
    acts.hold(work, at.id, argument or "by the gamesmaster")
    return f"HOLD: game {at.id} is held"


def _resume(work: Work, at: Table, argument: str) -> str:
    after = acts.resume(work, at.id)
    return f"RESUME: game {at.id} goes on; deadline: {publishing.deadline_text(after) or 'none'}"


_ACTS: dict[str, Callable[[Work, Table, str], str]] = {
    "EXTEND": _extend,
    "CLOSE": _close,
    "PREVIEW": _preview,
    "REPLACE": _replace,
    "RULE": _rule,
    "HOLD": _hold,
    "RESUME": _resume,
}


def ask_proof(work: Work, judged: Judged) -> None:
    """Commands that came without proof: the gamesmaster's own address is told where to send
    them."""
    text = (
        "Commands in your name came without proof that you wrote them; nothing was done. If they"
        " are yours, send them again as an answer to this mail: it goes to your secret address."
    )
    recent = mails.made(work.conn, "proof", work.now - receipts.HOUR)
    if recent < work.limits.stranger_mails_an_hour:
        _answer(work, judged, text, "proof")


def _answer(work: Work, judged: Judged, text: str, kind: str = "gamesmaster") -> None:
    if judged.decision.reply_allowed:
        draft = Draft(f"{kind}:{judged.row.id}", kind, "Re: your commands", f"{text}\n")
        alarms.put(work, draft.answering(judged.letter))
