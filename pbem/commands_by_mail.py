"""What a letter can ask of the referee besides orders: sections of the receipt, press, confirmation, the gamesmaster."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, delete, select, update

from pbem import acts, alarms, answering, outbox, period, publishing, queue, render, setting_up, store
from pbem.errors import OperatorError
from pbem.letter import Letter
from pbem.mailing import Postmark
from pbem.mailwords import Command
from pbem.mailwords import Press as PressWords
from pbem.orders import Standing
from pbem.records import Bulletin, Memo, Outgoing
from pbem.records import Letter as LetterRow
from pbem.ruleset import Seat
from pbem.store import Table
from pbem.typeset import safe
from pbem.verdict import GAMESMASTER, Decision, Registration
from pbem.why import why

if TYPE_CHECKING:
    from pbem.referee import Referee

CODE_LIVES = timedelta(days=2)


def harmless(text: str) -> str:
    """A player's words as our mails print them: each line freed of control characters and indented."""
    return "\n".join(f"    | {safe(line)}" for line in text.splitlines()[:400])


# --- sections of a player's receipt -----------------------------------------------------------------------------


def sections(
    conn: Connection, at: Table, seat: Seat, commands: Sequence[Command], standing: Standing
) -> list[tuple[str, str]]:
    """A titled text for each question in the letter: HELP, STATUS, HISTORY n, WHY. ORDERS is in every receipt."""
    found = []
    for command in commands:
        match command.name:
            case "HELP":
                found.append(
                    ("Orders", render.environment().get_template(f"{at.ruleset.about.key}/guide.txt.j2").render())
                )
            case "STATUS":
                found.append(("Status", status(conn, at)))
            case "HISTORY":
                found.append((f"Bulletin {command.argument}", history(conn, at, seat, command.argument)))
            case "WHY":
                found.append((f"Why {command.argument}", harmless_lines(why(at.ruleset, at.state, command.argument))))
    return found


def harmless_lines(text: str) -> str:
    """A text of ours whose lines cannot be taken for orders when quoted bare: each is indented by a bar."""
    return "\n".join(f"| {line}".rstrip() for line in text.splitlines())


def status(conn: Connection, at: Table) -> str:
    """Where the game stands: phase, deadline with its moves, who has sent orders (not what)."""
    lines = [f"Game {at.id}, {at.ruleset.about.title}: period {at.period.number}, {at.period.phase}; {at.game.status}"]
    if at.game.status == "held":
        lines.append(f"The game is held: {at.game.held_because}")
    deadline = publishing.deadline_of(at)
    lines.extend(deadline.explained(at.house.hour, at.zone) if deadline else ["This period has no deadline."])
    for seat, holder in at.holders.items():
        row = store.last_set(conn, at.id, at.period.number, seat)
        lines.append(
            f"  {seat:<5} {safe(holder.name) or 'nobody'}: {'orders are in' if row and row.orders else 'no orders yet'}"
        )
    return "\n".join(lines)


def history(conn: Connection, at: Table, seat: Seat, number: str) -> str:
    """Bulletin n again with the seat's own notice; the newest where no number is named."""
    newest = select(Bulletin.number).where(Bulletin.game_id == at.id).order_by(Bulletin.number.desc()).limit(1)
    wanted = int(number) if number else conn.execute(newest).scalar()
    rows = conn.execute(
        select(Bulletin.seat, Bulletin.text)
        .where(Bulletin.game_id == at.id, Bulletin.number == wanted, Bulletin.seat.in_(("", seat))).order_by(Bulletin.edition)
    ).all()  # fmt: skip
    texts = {row.seat: row.text for row in rows}
    return "\n\n".join(text for text in (texts.get(""), texts.get(seat)) if text) or f"There is no bulletin {number}."


def relay(
    conn: Connection, mark: Postmark, at: Table, author: Seat, press_id: int, press: PressWords, audience: Sequence[Seat],
    now: datetime,
) -> None:  # fmt: skip
    """A player's words to other seats, without any address."""
    by = "an anonymous player" if press.anonymous else author
    text = f"Press from {by} to {', '.join(press.to)}:\n\n{harmless(press.text)}\n"
    for seat in audience:
        if seat != author:
            key = f"press:{press_id}:{seat}"
            publishing.put_to_seat(
                conn, mark, at, at.holders[seat], key, "press", f"[{at.id}] Press from {by}", text, now
            )


def absent(
    conn: Connection, mark: Postmark, gamesmaster: str, at: Table, seat: Seat, days: str, letter_id: int, now: datetime
) -> str:
    """ABSENT first TO last: the gamesmaster and the next bulletin are told; no deadline moves by itself."""
    try:
        first, last = period.span(*days.split())
    except OperatorError as error:
        return f"ABSENT: {error}"
    said = f"{seat} is away from {first:%d %B %Y} to {last:%d %B %Y}"
    store.rule(conn, at.id, "house", f"{said}.", now)
    store.note(conn, at.id, now, "absent", seat=seat, first=first.isoformat(), last=last.isoformat())
    text = f"{said}.\nTo move the deadline for it: pbem pause {at.id} {first} {last} --why '{seat} is away'"
    alarms.tell(conn, mark, gamesmaster, f"absent:{letter_id}", f"{at.id}: {seat} announces an absence", text, now)
    return "Your absence will be in the next bulletin; the gamesmaster has been told. The deadline has not moved."


# --- trust ------------------------------------------------------------------------------------------------------


def challenge(
    conn: Connection, referee: Referee, row: Row[Any], letter: Letter, at: Table, decision: Decision, now: datetime
) -> None:
    """Ask the address of record whether a held letter is its holder's; the code works until the period closes."""
    holder = at.holders[decision.seat]
    code = referee.mark.code(f"confirm/{row.id}")
    conn.execute(update(LetterRow).where(LetterRow.id == row.id).values(code_hash=_hash(code)))
    recent = store.count(conn, Outgoing.id, Outgoing.game_id == at.id, Outgoing.seat == holder.seat,
                         Outgoing.kind == "challenge", Outgoing.created > now - answering.HOUR)  # fmt: skip
    if recent >= referee.config.limits.stranger_mails_an_hour or not (holder.address and decision.reply_allowed):
        return
    orders = render.environment().get_template("_shared/challenge.txt.j2").render(
        at=at, holder=holder, letter=letter, code=code, reason=decision.reason, received=row.received,
        deadline=publishing.deadline_text(at),
    )  # fmt: skip
    mail = publishing.to_seat(referee.mark, at, holder, f"challenge:{row.id}", "challenge",
                              f"[{at.id}] Is this letter yours?", orders, now)  # fmt: skip
    outbox.put(conn, mail, now)


def confirm(
    conn: Connection, referee: Referee, row: Row[Any], letter: Letter, decision: Decision, now: datetime
) -> tuple[str, str]:
    """CONFIRM code: the held letter is put back to be decided as its holder's; a gamesmaster's code carries out his act."""
    code = next(c.argument for c in decision.peeled.commands if c.name == "CONFIRM").lower()
    waiting = store.memo(conn, f"code:{_hash(code)}")
    if waiting and letter.sender == referee.config.referee.gamesmaster.lower():
        return _confirmed_act(conn, referee, row, letter, decision, waiting, code, now)
    held = conn.execute(
        select(LetterRow.id, LetterRow.game_id, LetterRow.seat, LetterRow.period)
        .where(LetterRow.code_hash == _hash(code), LetterRow.outcome.in_(("unverified", "held")), LetterRow.raw.is_not(None))
    ).first()  # fmt: skip
    if held is None and decision.reply_allowed:
        answering.to_sender(conn, referee.mark, referee.config.limits, row, letter, "question",
                            "There is no held letter with that code; perhaps it was confirmed already.", now)  # fmt: skip
    if held is None:
        return "command", "a code that fits no held letter"
    release(conn, held.id)
    return "command", f"confirms letter {held.id}"


CONFIRMED, ACCEPTED = "confirmed", "accepted"
"""How a held letter came to be believed: by its holder's own mail, or by the gamesmaster (then it is never too late)."""


def release(conn: Connection, letter_id: int, by: str = CONFIRMED) -> None:
    """A held letter is to be decided anew, believed to be its holder's; its effect is free again."""
    conn.execute(update(LetterRow).where(LetterRow.id == letter_id).values(
        outcome="stored", authentication=by, effect=None, code_hash=""))  # fmt: skip


def change_token(conn: Connection, mark: Postmark, stray: Registration, now: datetime) -> None:
    """A seat's secret address turned up with another sender: it is void from now on."""
    if stray.seat == GAMESMASTER:
        alarms.rotate(conn)
        text = "Your secret address was seen with another sender; it is void. The answer address of this mail is the new one."
        alarms.tell(conn, mark, stray.address, "stray", "your secret address was changed", text, now)
        return
    holder = store.holders(conn, stray.game).get(stray.seat)
    if holder and holder.token_hash == stray.token_hash:
        setting_up.set_token(conn, mark, stray.game, stray.seat, holder.token_no + 1)
        store.note(conn, stray.game, now, "token-rotated", seat=stray.seat, why="seen with another sender")


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


# --- the gamesmaster --------------------------------------------------------------------------------------------

NEEDS_CODE = ("CLOSE", "REPLACE", "PREVIEW")


def gamesmaster(
    conn: Connection, referee: Referee, row: Row[Any], letter: Letter, decision: Decision, now: datetime
) -> tuple[str, str]:
    """The gamesmaster's commands: QUEUE, EXTEND, CLOSE, PREVIEW, REPLACE, RULE, HOLD, RESUME, with GAME and PERIOD lines.

    CLOSE, REPLACE and PREVIEW need a code that is mailed to his address first."""
    game_id, number = decision.peeled.game, decision.peeled.period
    lines = []
    for command in decision.peeled.commands:
        try:
            if command.name in NEEDS_CODE:
                lines.append(_ask_code(conn, referee, command, game_id, number, row.id, now))
            else:
                lines.append(act(conn, referee, command.name, command.argument, game_id, number, now))
        except OperatorError as error:
            lines.append(f"{command.name}: {error}")
    if lines and not decision.peeled.empty:
        lines.append("The other lines were not read: orders of your own go into a letter without commands.")
    _answer(conn, referee, row, letter, decision, "\n\n".join(lines) or "There was no command in your letter.", now)
    return "command", "the gamesmaster: " + ", ".join(command.name for command in decision.peeled.commands)


def _ask_code(
    conn: Connection,
    referee: Referee,
    command: Command,
    game_id: str,
    number: int | None,
    letter_id: int,
    now: datetime,
) -> str:
    at = _named(conn, game_id, number)
    if command.name == "PREVIEW":
        acts.fair(conn, referee.mark, game_id)
    code = referee.mark.code(f"act/{letter_id}/{command.line}")
    store.set_memo(conn, f"code:{_hash(code)}", {
        "name": command.name, "argument": command.argument, "game": game_id, "period": at.period.number,
        "until": (now + CODE_LIVES).isoformat(),
    })  # fmt: skip
    return (
        f"{command.name} {command.argument}".strip()
        + f": for game {game_id}, period {at.period.number}. To do it, write to the referee the one line\n\n"
        + f"    CONFIRM {code}"
    )


def _confirmed_act(
    conn: Connection, referee: Referee, row: Row[Any], letter: Letter, decision: Decision, told: dict[str, Any], code: str,
    now: datetime,
) -> tuple[str, str]:  # fmt: skip
    conn.execute(delete(Memo).where(Memo.key == f"code:{_hash(code)}"))
    try:
        if datetime.fromisoformat(told["until"]) < now:
            raise OperatorError("the code is too old; send the command again")
        text = act(conn, referee, told["name"], told["argument"], told["game"], told["period"], now)
    except OperatorError as error:
        text = f"{told['name']}: {error}"
    _answer(conn, referee, row, letter, decision, text, now)
    return "command", f"the gamesmaster, by code: {told['name']}"


def act(
    conn: Connection, referee: Referee, name: str, argument: str, game_id: str, number: int | None, now: datetime
) -> str:
    """Carry out one act; what to answer. Raises OperatorError where it cannot be."""
    if name == "QUEUE":
        return queue.text(queue.queue(conn, now, argument or game_id or None))
    doing = _ACTS.get(name)
    if doing is None:
        raise OperatorError(f"that is no command of the gamesmaster's by mail; there are QUEUE, {', '.join(_ACTS)}")
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
    days, _, why_text = argument.partition(" ")
    if not days.lstrip("+-").isdigit():
        raise OperatorError(f"write EXTEND 3 reason; {argument!r} begins with no number of days")
    moved = acts.extend(conn, mark, at.id, at.period.number, int(days), why_text or "by the gamesmaster", now)
    return f"EXTEND: the new deadline is {publishing.deadline_text(moved)}"


def _close(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    after = acts.close(conn, mark, at.id, at.period.number, now)
    return f"CLOSE: game {at.id} is now in period {after.period.number} ({after.period.phase})"


def _preview(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    text, missing = acts.preview(conn, mark, at.id, now)
    return f"PREVIEW (missing: {', '.join(missing) or 'nobody'})\n\n{text}"


def _replace(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    word, _, address = argument.partition(" ")
    seat = next((one for one in at.seats if one.upper() == word.upper()), word)
    acts.replace(conn, mark, at.id, seat, address.strip(), "", "by the gamesmaster", now)
    return f"REPLACE: {seat} in {at.id} is now {address.strip()}"


def _rule(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    acts.ruling(conn, at.id, argument, now)
    return "RULE: it will be printed in the next bulletin"


def _hold(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    acts.hold(conn, mark, at.id, argument or "by the gamesmaster", now)
    return f"HOLD: game {at.id} is held"


def _resume(conn: Connection, mark: Postmark, at: Table, argument: str, now: datetime) -> str:
    after = acts.resume(conn, mark, at.id, now)
    return f"RESUME: game {at.id} goes on; deadline: {publishing.deadline_text(after) or 'none'}"


_ACTS: dict[str, Callable[[Connection, Postmark, Table, str, datetime], str]] = {
    "EXTEND": _extend, "CLOSE": _close, "PREVIEW": _preview, "REPLACE": _replace, "RULE": _rule, "HOLD": _hold,
    "RESUME": _resume,
}  # fmt: skip


def ask_proof(
    conn: Connection, referee: Referee, row: Row[Any], letter: Letter, decision: Decision, now: datetime
) -> None:
    """Commands that came without proof: the gamesmaster's own address is told where to send them."""
    text = (
        "Commands in your name came without proof that you wrote them; nothing was done. If they are yours, send them\n"
        "again as an answer to this mail: it goes to your secret address."
    )
    recent = store.count(conn, Outgoing.id, Outgoing.kind == "proof", Outgoing.created > now - answering.HOUR)
    if recent < referee.config.limits.stranger_mails_an_hour:
        _answer(conn, referee, row, letter, decision, text, now, "proof")


def _answer(
    conn: Connection, referee: Referee, row: Row[Any], letter: Letter, decision: Decision, text: str, now: datetime,
    kind: str = "gamesmaster",
) -> None:  # fmt: skip
    if decision.reply_allowed:
        alarms.put(
            conn, referee.mark, referee.config.referee.gamesmaster, f"gm:{row.id}", kind, "Re: your commands", f"{text}\n",
            now, in_reply_to=letter.message_id, references=letter.references, automatic="auto-replied",
        )  # fmt: skip
