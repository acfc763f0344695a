"""The gamesmaster's commands by mail: carried out, or answered with the code that they need, or
with what they lack."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, delete

from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.games.frame.length import Days, Length, leading
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.orders.mailwords import Command
from pbem.periods import acts, publishing
from pbem.post import alarms
from pbem.post.compose import Postmark
from pbem.referee import queue, receipts
from pbem.store import games, letters, notes, players
from pbem.store.budget import paused
from pbem.store.games import Table
from pbem.store.records import Memo, Outgoing

if TYPE_CHECKING:
    from pbem.referee.deciding import Referee

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


def code_hash(code: str) -> str:
    """How a code is kept on file."""
    return hashlib.sha256(code.encode()).hexdigest()


def commanded(
    conn: Connection,
    referee: Referee,
    row: Row[Any],
    letter: Letter,
    decision: Decision,
    now: datetime,
) -> tuple[LetterState, str]:
    """The gamesmaster's commands: QUEUE, EXTEND, CLOSE, PREVIEW, REPLACE, RULE, HOLD, RESUME, with
    GAME and PERIOD lines.

    CLOSE, REPLACE and PREVIEW need a code that is mailed to his address first."""
    game_id, number = decision.peeled.game, decision.peeled.period
    letters.set_state(conn, row.id, LetterState.COMMAND)  # QUEUE does not count it
    lines = []
    for command in decision.peeled.commands:
        try:
            if command.name in NEEDS_CODE:
                lines.append(
                    _ask_code(conn, referee, command, game_id, number, letter.raw_hash, now)
                )
            else:
                lines.append(
                    act(conn, referee, command.name, command.argument, game_id, number, now)
                )
        except OperatorError as error:
            lines.append(f"{command.name}: {error}")
    if lines and not decision.peeled.empty:
        lines.append(
            "The other lines were not read: orders of your own go into a letter without commands."
        )
    _answer(
        conn,
        referee,
        row,
        letter,
        decision,
        "\n\n".join(lines) or "There was no command in your letter.",
        now,
    )
    return LetterState.COMMAND, "the gamesmaster: " + ", ".join(
        command.name for command in decision.peeled.commands
    )


def _ask_code(
    conn: Connection,
    referee: Referee,
    command: Command,
    game_id: str,
    number: int | None,
    letter_hash: str,
    now: datetime,
) -> str:
    at = _named(conn, game_id, number)
    if command.name == "PREVIEW":
        acts.fair(conn, referee.mark, game_id)
    if command.name == "REPLACE":
        _successor(at, command.argument)
    code = referee.mark.code(
        f"act/{letter_hash}/{command.line}"
    )  # after a restore its number may be another letter's
    notes.set_memo(
        conn,
        f"code:{code_hash(code)}",
        {
            "name": command.name,
            "argument": command.argument,
            "game": game_id,
            "period": at.period.number,
            "until": (now + CODE_LIVES).isoformat(),
        },
    )
    return (
        f"{command.name} {command.argument}".strip()
        + f": for game {game_id}, period {at.period.number}. To do it, write to the referee the one"
        " line\n\n" + f"    CONFIRM {code}"
    )


def confirmed(
    conn: Connection,
    referee: Referee,
    row: Row[Any],
    letter: Letter,
    decision: Decision,
    told: dict[str, Any],
    code: str,
    now: datetime,
) -> tuple[LetterState, str]:
    """The act that a code stands for (``told``) is carried out, once."""
    conn.execute(delete(Memo).where(Memo.key == f"code:{code_hash(code)}"))
    try:
        if datetime.fromisoformat(told["until"]) < now:
            raise OperatorError("the code is too old; send the command again")
        text = act(conn, referee, told["name"], told["argument"], told["game"], told["period"], now)
    except OperatorError as error:
        text = f"{told['name']}: {error}"
    _answer(conn, referee, row, letter, decision, text, now)
    return LetterState.COMMAND, f"the gamesmaster, by code: {told['name']}"


def act(
    conn: Connection,
    referee: Referee,
    name: str,
    argument: str,
    game_id: str,
    number: int | None,
    now: datetime,
) -> str:
    """Carry out one act; what to answer. Raises OperatorError where it cannot be."""
    if name == "HELP":
        return HELP
    if name == "QUEUE":
        with paused:
            return queue.text(queue.queue(conn, now, argument or game_id or None))
    doing = _ACTS.get(name)
    if doing is None:
        raise OperatorError(
            "that is no command of the gamesmaster's by mail; there are HELP, QUEUE,"
            f" {', '.join(_ACTS)}"
        )
    with paused:  # what an act does to a game is no work on the letter that asks for it
        return doing(conn, referee.mark, _named(conn, game_id, number), argument, now)


def _named(conn: Connection, game_id: str, number: int | None) -> Table:
    """The game and period that the letter's lines GAME and PERIOD name; both must be there."""
    if not game_id:
        raise OperatorError("name the game: a line GAME key above the command")
    at = acts.guarded(conn, game_id, number)
    if number is None:
        raise OperatorError(f"name the period too: a line PERIOD {at.period.number}")
    return at


def _extend(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    by, why_text = _length(at, argument)
    moved = acts.extend(
        conn, mark, at.id, at.period.number, by, why_text or "by the gamesmaster", now
    )
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


def _close(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    after = acts.close(conn, mark, at.id, at.period.number, now)
    return f"CLOSE: game {at.id} is now in period {after.period.number} ({after.period.phase})"


def _preview(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    text, missing = acts.preview(conn, mark, at.id, now)
    return f"PREVIEW (missing: {', '.join(missing) or 'nobody'})\n\n{text}"


def _replace(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    seat, address = _successor(at, argument)
    acts.replace(conn, mark, at.id, seat, address, "", "by the gamesmaster", now)
    return f"REPLACE: {seat} in {at.id} is now {address}"


def _successor(at: Table, argument: str) -> tuple[Seat, str]:
    """The seat and the address that REPLACE names; raises OperatorError where there is no such seat
    or address."""
    word, _, address = argument.partition(" ")
    seat = next((one for one in at.seats if one.upper() == word.upper()), word)
    acts.known(at, seat)
    return seat, players.mail_address(address)


def _rule(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    acts.ruling(conn, at.id, argument, now)
    return f"RULE. The next bulletin prints: Ruling of the gamesmaster: {argument}"


def _hold(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    acts.hold(conn, mark, at.id, argument or "by the gamesmaster", now)
    return f"HOLD: game {at.id} is held"


def _resume(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    after = acts.resume(conn, mark, at.id, now)
    return f"RESUME: game {at.id} goes on; deadline: {publishing.deadline_text(after) or 'none'}"


_ACTS: dict[str, Callable[[Connection, Postmark, Table, str, datetime], str]] = {
    "EXTEND": _extend,
    "CLOSE": _close,
    "PREVIEW": _preview,
    "REPLACE": _replace,
    "RULE": _rule,
    "HOLD": _hold,
    "RESUME": _resume,
}


def ask_proof(
    conn: Connection,
    referee: Referee,
    row: Row[Any],
    letter: Letter,
    decision: Decision,
    now: datetime,
) -> None:
    """Commands that came without proof: the gamesmaster's own address is told where to send
    them."""
    text = (
        "Commands in your name came without proof that you wrote them; nothing was done. If they"
        " are yours, send them again as an answer to this mail: it goes to your secret address."
    )
    recent = games.count(
        conn, Outgoing.id, Outgoing.kind == "proof", Outgoing.created > now - receipts.HOUR
    )
    if recent < referee.config.limits.stranger_mails_an_hour:
        _answer(conn, referee, row, letter, decision, text, now, "proof")


def _answer(
    conn: Connection,
    referee: Referee,
    row: Row[Any],
    letter: Letter,
    decision: Decision,
    text: str,
    now: datetime,
    kind: str = "gamesmaster",
) -> None:
    if decision.reply_allowed:
        alarms.put(
            conn,
            referee.mark,
            referee.config.referee.gamesmaster,
            f"{kind}:{row.id}",
            kind,
            "Re: your commands",
            f"{text}\n",
            now,
            in_reply_to=letter.message_id,
            references=letter.references,
            automatic="auto-replied",
        )
