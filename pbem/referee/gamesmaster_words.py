"""The gamesmaster's commands by mail: carried out, or answered with the code that they need, or
with what they lack."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame.length import Days, Length, leading
from pbem.letters.states import LetterState
from pbem.orders.acts import ANYWAY, BY_MAIL, LONG, Act, Argument, Kind, Who
from pbem.orders.mailwords import Command
from pbem.periods import guards
from pbem.post import alarms
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee import queue, receipts
from pbem.referee.act_values import READ
from pbem.referee.doing import Actor, do
from pbem.referee.judged import Judged
from pbem.referee.trust import code_of
from pbem.store import letters, mails, notes, players
from pbem.store.budget import paused
from pbem.store.games import Table
from pbem.text import listed

CODE_LIVES = timedelta(days=2)
_DAYS = re.compile(r"[+-]?[0-9]{1,9}")


def _help() -> str:
    """The words of the table, as they are mailed."""
    wide = max(len(act.shown) for act in BY_MAIL.values()) + 2
    lines = [
        f"  [{n}] {act.shown:{wide}} {act.short or act.help}"
        for n, act in enumerate(BY_MAIL.values(), start=1)
    ]
    coded = listed(sorted(act.word for act in BY_MAIL.values() if act.code))
    return "\n".join(
        (
            "Your commands, each on a line of its own below the lines GAME key and PERIOD n (QUEUE"
            " needs neither):\n",
            *lines,
            f"\n{coded} are done once you send back the code that they are\nanswered with.",
        )
    )


HELP = _help()


def commanded(work: Work, judged: Judged) -> tuple[LetterState, str]:
    """The gamesmaster's commands, with GAME and PERIOD lines; some need a code that is mailed to
    his address first."""
    peeled = judged.decision.peeled
    letters.set_state(work.conn, judged.row.id, LetterState.COMMAND)  # QUEUE does not count it
    lines, actor = [], Actor(work.mark.gamesmaster.lower())
    for command in peeled.commands:
        try:
            wanted = BY_MAIL.get(command.name)
            if wanted is not None and wanted.code:
                lines.append(_ask_code(work, judged, wanted, command))
            else:
                said = (command.name, command.argument, peeled.game, peeled.period)
                lines.append(act(work, *said, actor))
        except OperatorError as error:
            lines.append(f"{command.name}: {error}")
    if lines and not peeled.empty:
        lines.append(
            "The other lines were not read: orders of your own go into a letter without commands."
        )
    _answer(work, judged, "\n\n".join(lines) or "There was no command in your letter.")
    return LetterState.COMMAND, "the gamesmaster: " + ", ".join(one.name for one in peeled.commands)


def _ask_code(work: Work, judged: Judged, wanted: Act, command: Command) -> str:
    """The code that the command waits for goes on file; what to answer."""
    game_id = judged.decision.peeled.game
    at = _named(work.conn, game_id, judged.decision.peeled.period)
    if wanted.who is Who.UMPIRE:
        guards.fair(work.conn, work.mark, game_id)
    values_of(wanted, at, command.argument)  # a refusal needs no code
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


def confirmed(work: Work, judged: Judged) -> tuple[LetterState, str] | None:
    """The act that his CONFIRM stands for is carried out, once; None where the code is for none, or
    not from his address."""
    code = code_of(judged.decision)
    told = notes.memo(work.conn, f"code:{code_hash(code)}")
    if not told or judged.letter.sender != work.mark.gamesmaster.lower():
        return None
    notes.forget_memos(work.conn, f"code:{code_hash(code)}")
    try:
        if datetime.fromisoformat(told["until"]) < work.now:
            raise OperatorError("the code is too old; send the command again")
        actor = Actor(work.mark.gamesmaster.lower())
        text = act(work, told["name"], told["argument"], told["game"], told["period"], actor)
    except OperatorError as error:
        text = f"{told['name']}: {error}"
    _answer(work, judged, text)
    return LetterState.COMMAND, f"the gamesmaster, by code: {told['name']}"


def act(
    work: Work, name: str, argument: str, game_id: str, number: int | None, actor: Actor
) -> str:
    """Carry out one act; what to answer. Raises OperatorError where it cannot be."""
    if name == "HELP":
        return HELP
    if name == "QUEUE":
        with paused:
            return queue.text(queue.queue(work, argument or game_id or None))
    wanted = BY_MAIL.get(name)
    if wanted is None:
        raise OperatorError(
            f"that is no command of the gamesmaster's by mail; there are HELP, {', '.join(BY_MAIL)}"
        )
    with paused:  # what an act does to a game is no work on the letter that asks for it
        at = _named(work.conn, game_id, number) if wanted.of_game else None
        done = do(work, wanted, values_of(wanted, at, argument), actor)
    return done.mailed or f"{name}: {done.said}"


def _named(conn: Connection, game_id: str, number: int | None) -> Table:
    """The game and period that the letter's lines GAME and PERIOD name; both must be there."""
    if not game_id:
        raise OperatorError("name the game: a line GAME key above the command")
    at = guards.guarded(conn, game_id, number)
    if number is None:
        raise OperatorError(f"name the period too: a line PERIOD {at.period.number}")
    return at


def values_of(wanted: Act, at: Table | None, said: str) -> dict[str, Any]:
    """The act's arguments, as its line in a mail gives them; raises OperatorError."""
    values: dict[str, Any] = {}
    said, anyway = _without_anyway(said) if wanted.doubtful else (said, False)
    for argument in wanted.arguments:
        if argument is ANYWAY:
            values[argument.name] = anyway
        elif argument.kind is Kind.WHY:
            values[argument.name], said = said or "by the gamesmaster", ""
        elif at and argument.kind is Kind.GAME and not argument.option:
            values[argument.name] = at.id
        elif at and argument.kind is Kind.PERIOD:
            values[argument.name] = at.period.number
        elif argument.option:
            values[argument.name] = False if argument.kind is Kind.FLAG else None
        elif argument.kind in LONG:
            values[argument.name], said = said, ""
        elif at and argument.kind is Kind.LENGTH:
            values[argument.name], said = _length(at, wanted.word, said)
        else:
            word, _, said = said.lstrip().partition(" ")
            values[argument.name] = _value(at, argument, word)
    if wanted.misused(values):
        raise OperatorError(f"write {wanted.shown}")
    return values


def _without_anyway(said: str) -> tuple[str, bool]:
    """What a line says before its last word ANYWAY, and whether it has that."""
    rest, _, last = said.rstrip().rpartition(" ")
    return (rest.rstrip(), True) if last.upper() == "ANYWAY" else (said, False)


def _value(at: Table | None, argument: Argument, word: str) -> Any:
    """What one word of the line means; raises OperatorError."""
    if not word and not argument.required:
        return None
    if at and argument.kind is Kind.SEAT:
        seat = next((one for one in at.seats if one.upper() == word.upper()), word)
        guards.known(at, seat)
        return seat
    if argument.kind is Kind.ADDRESS:
        return players.mail_address(word)
    return READ.get(argument.kind, str)(word)


def _length(at: Table, word: str, said: str) -> tuple[Length, str]:
    """By how much a deadline is moved, and what follows; raises OperatorError."""
    elapsed = leading(said)
    if at.house.elapsed and elapsed is None:
        raise OperatorError(
            f"write {word} 30 minutes reason; {said!r} begins with no hours or minutes"
        )
    if elapsed is not None:
        return elapsed  # refused where periods are days
    days, _, rest = said.partition(" ")
    if not _DAYS.fullmatch(days):
        raise OperatorError(f"write {word} 3 reason; {said!r} begins with no number of days")
    return Days(int(days)), rest


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
