"""What a letter can ask of the referee besides orders: sections of the receipt, press,
confirmation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, select, update

from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import why
from pbem.letters.authentication import Level
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import GAMESMASTER, Decision, Registration
from pbem.orders.mailwords import Command
from pbem.orders.mailwords import Press as PressWords
from pbem.orders.order import Standing
from pbem.periods import opening, publishing
from pbem.post import alarms, outbox
from pbem.post.compose import Postmark
from pbem.referee import gamesmaster_words, receipts
from pbem.referee.gamesmaster_words import code_hash
from pbem.store import games, letters, notes, order_sets, templates
from pbem.store.games import Table
from pbem.store.records import Bulletin, Outgoing, Press, Ruling
from pbem.store.records import Letter as LetterRow
from pbem.store.states import GameState, MailState, NoteKind, PeriodState
from pbem.text import safe, wrap

if TYPE_CHECKING:
    from pbem.referee.deciding import Referee

_ANSWER = "answer one of those mails and no confirmation is needed."
WANTED = {
    Level.DMARC: (
        "This game takes a letter only where our mail server found that it comes from your own mail"
        " provider (DMARC), or where it was sent to your seat's own address, the Reply-To of every"
        " mail from the referee: " + _ANSWER
    ),
    Level.TOKEN: (
        "This game takes orders only at your seat's own address, the Reply-To of every mail from"
        " the referee: " + _ANSWER
    ),
    Level.OPENPGP: (
        "This game takes only letters that are signed with the OpenPGP key which the gamesmaster"
        " has registered for you: sign your letters and no confirmation is needed."
    ),
}
"""What proof a game wants of its players, for each level, and how to give it from the beginning."""


def harmless(text: str) -> str:
    """A player's words as our mails print them: each line freed of control characters and
    indented."""
    lines = [
        piece for line in text.split("\n")[:400] for piece in wrap(safe(line), 0, 72).split("\n")
    ]
    return "\n".join(f"    | {line}" for line in lines)


_ASKING = ("HELP", "STATUS", "HISTORY", "WHY")
MOST_ANSWERS = 12
"""So many questions of one letter are answered."""
MOST_ABSENCES = 5
"""So many absences of a seat are announced in one bulletin."""
MOST_PRESSES = 20
"""So many presses of one letter are relayed: one to each seat of the largest table, and some to
all."""


# --- sections of a player's receipt ---------------------------------------------------------------


def sections(
    conn: Connection, at: Table, seat: Seat, commands: Sequence[Command], standing: Standing
) -> list[tuple[str, str]]:
    """A titled text for each question in the letter: HELP, STATUS, HISTORY n, WHY. ORDERS is in
    every receipt.

    What is asked twice is answered once, and one letter gets some answers only: a bulletin for
    every line would be a mail of megabytes."""
    found: list[tuple[str, str]] = []
    asked = dict.fromkeys(
        (command.name, command.argument) for command in commands if command.name in _ASKING
    )
    for name, argument in list(asked)[:MOST_ANSWERS]:
        match name:
            case "HELP":
                pages = templates.environment()
                guide = pages.get_template(f"{at.ruleset.about.key}/guide.txt.j2").render(
                    house=at.house
                )
                words = pages.get_template("_shared/words.txt.j2").render()
                found += [("THE ORDER GUIDE", guide), ("WORDS TO THE REFEREE", words)]
            case "STATUS":
                found.append((f"STATUS of game {at.id}", status(conn, at, seat)))
            case "HISTORY":
                found.append(
                    (
                        f"BULLETIN {argument or 'of the last period'}",
                        history(conn, at, seat, argument),
                    )
                )
            case "WHY":
                explained = harmless_lines(why(at.ruleset, at.state, argument))
                found.append((f'ANSWER to "{f"WHY {argument}".strip()}"', explained))
    if len(asked) > MOST_ANSWERS:
        found.append(
            (
                "MORE QUESTIONS",
                f"One letter gets {MOST_ANSWERS} answers; ask the others in another one.",
            )
        )
    return found


def harmless_lines(text: str) -> str:
    """A text of ours whose lines cannot be taken for orders when quoted bare: each is indented by a
    bar."""
    return "\n".join(f"| {line}".rstrip() for line in wrap(text, 0, 76).split("\n"))


def status(conn: Connection, at: Table, asking: Seat) -> str:
    """Where the game stands: phase, deadline with its moves, the players and what is asked of each.
    Of the letters it tells those of ``asking`` only: what others have sent, or that they have, is
    nobody's to know."""
    lines = [
        f"Game {at.id}, {at.ruleset.about.title}: period {at.period.number}, {at.period.phase};"
        f" {at.game.status}"
    ]
    if at.game.status == GameState.HELD:
        lines.append(f"The game is held: {at.game.held_because}")
    if at.period.status == PeriodState.CLOSED and at.game.period > at.period.number:
        lines.append("This period is closed; the gamesmaster is looking over its bulletin.")
    deadline = publishing.deadline_of(at)
    lines.extend(
        deadline.explained(at.house.hour, at.zone) if deadline else ["This period has no deadline."]
    )
    row = order_sets.last_set(conn, at.id, at.period.number, asking)
    own = f"; you: {'orders are in' if row and row.orders else 'no orders yet'}"
    asked = at.ruleset.asked(at.state)
    for seat, holder in at.holders.items():
        slots = ", ".join(asked.get(seat, ())) or "nothing"
        lines.append(
            wrap(
                f"{seat:<5} {safe(holder.name) or 'nobody'}: asked for"
                f" {slots}{own * (seat == asking)}",
                2,
            )
        )
    lines.extend(_held(conn, at, asking))
    return "\n".join(lines)


def _held(conn: Connection, at: Table, seat: Seat) -> Iterator[str]:
    """The seat's letters that wait: for its holder's CONFIRM in this period, or for the
    gamesmaster."""
    asked = (LetterRow.outcome == LetterState.UNVERIFIED) & (LetterRow.period == at.period.number)
    rows = conn.execute(
        select(LetterRow.received, LetterRow.outcome)
        .where(LetterRow.game_id == at.id, LetterRow.seat == seat)
        .where(asked | (LetterRow.outcome == LetterState.HELD))
        .order_by(LetterRow.id)
    ).all()
    for row in rows:
        came = f"{row.received.astimezone(at.zone):%A %d %B %Y, %H:%M}"
        waits = (
            "without proof; the code that was mailed to you confirms it"
            if row.outcome == LetterState.UNVERIFIED
            else "for the gamesmaster to look at"
        )
        yield f"Your letter of {came} is held, {waits}."


def history(conn: Connection, at: Table, seat: Seat, number: str) -> str:
    """Bulletin n again with the seat's own notice; the newest where no number is named."""
    newest = (
        select(Bulletin.number)
        .where(Bulletin.game_id == at.id)
        .order_by(Bulletin.number.desc())
        .limit(1)
    )
    wanted = int(number) if number else conn.execute(newest).scalar()
    rows = conn.execute(
        select(Bulletin.seat, Bulletin.text)
        .where(Bulletin.game_id == at.id, Bulletin.number == wanted, Bulletin.seat.in_(("", seat)))
        .order_by(Bulletin.edition)
    ).all()
    texts = {row.seat: row.text for row in rows}
    return (
        "\n\n".join(text for text in (texts.get(""), texts.get(seat)) if text)
        or f"There is no bulletin {number}."
    )


def relay(
    conn: Connection,
    mark: Postmark,
    at: Table,
    author: Seat,
    press_id: int,
    press: PressWords,
    audience: Sequence[Seat],
    now: datetime,
) -> str:
    """A player's words to other seats, without any address; the text that they get."""
    by = "an anonymous player" if press.anonymous else author
    text = f"Press from {by} to {', '.join(press.to)}:\n\n{harmless(press.text)}\n"
    for seat in audience:
        if seat != author:
            key = f"press:{press_id}:{seat}"
            publishing.put_to_seat(
                conn,
                mark,
                at,
                at.holders[seat],
                key,
                "press",
                f"[{at.id}] Press from {by}",
                text,
                now,
            )
    return text


def presses_left(conn: Connection, at: Table, author: Seat, an_hour: int, now: datetime) -> int:
    """How many presses of a seat may still be relayed: each is a mail to every seat that it
    names."""
    lately = select(LetterRow.id).where(
        LetterRow.game_id == at.id, LetterRow.decided > now - receipts.HOUR
    )
    had = games.count(
        conn, Press.id, Press.game_id == at.id, Press.author == author, Press.letter_id.in_(lately)
    )
    return max(0, min(MOST_PRESSES, an_hour - had))


def absent(
    conn: Connection,
    mark: Postmark,
    gamesmaster: str,
    at: Table,
    seat: Seat,
    days: str,
    letter_id: int,
    now: datetime,
) -> str:
    """ABSENT first TO last: the gamesmaster and the next bulletin are told; no deadline moves by
    itself."""
    try:
        first, last = calendar.span(*days.split())
    except OperatorError as error:
        return f"ABSENT: {error}"
    said = f"{seat} is away from {first:%d %B %Y} to {last:%d %B %Y}"
    coming = (
        Ruling.game_id == at.id,
        Ruling.number.is_(None),
        Ruling.text.startswith(f"{seat} is away from ", autoescape=True),
    )
    if games.count(conn, Ruling.id, *coming, Ruling.text == f"{said}."):
        return f"ABSENT: the next bulletin says already that {said}."
    if games.count(conn, Ruling.id, *coming) >= MOST_ABSENCES:
        return (
            f"ABSENT: one bulletin announces {MOST_ABSENCES} absences of a seat at most; this was"
            f" not taken: {said}."
        )
    notes.rule(conn, at.id, NoteKind.HOUSE, f"{said}.", now)
    notes.note(
        conn, at.id, now, "absent", seat=seat, first=first.isoformat(), last=last.isoformat()
    )
    text = (
        f"{said}.\nTo stop the clock for it: pbem hold {at.id} --why '{seat} is away'"
        if at.house.elapsed
        else f"{said}.\nTo move the deadline for it: pbem pause {at.id} {first} {last} --why"
        f" '{seat} is away'"
    )
    alarms.tell(
        conn,
        mark,
        gamesmaster,
        f"absent:{letter_id}",
        f"{at.id}: {seat} announces an absence",
        text,
        now,
    )
    return (
        "Your absence will be in the next bulletin; the gamesmaster has been told. The deadline has"
        " not moved."
    )


# --- trust ----------------------------------------------------------------------------------------


def challenge(
    conn: Connection,
    referee: Referee,
    row: Row[Any],
    letter: Letter,
    at: Table,
    decision: Decision,
    leaves: Sequence[str],
    now: datetime,
) -> None:
    """Ask the address of record whether a held letter is its holder's; the code works until the
    period closes. Words of it by which he ``leaves`` are named. Beyond a few an hour the questions
    wait, and are asked together (:func:`pbem.referee.receipts.merge`)."""
    holder, limit = at.holders[decision.seat], referee.config.limits.stranger_mails_an_hour
    code = referee.mark.code(
        f"confirm/{letter.raw_hash}"
    )  # after a restore its number may be another letter's
    conn.execute(update(LetterRow).where(LetterRow.id == row.id).values(code_hash=code_hash(code)))
    if not (holder.address and decision.reply_allowed):
        return
    recent = games.count(
        conn,
        Outgoing.id,
        Outgoing.game_id == at.id,
        Outgoing.seat == holder.seat,
        Outgoing.kind == receipts.CHALLENGE,
        Outgoing.created > now - receipts.HOUR,
        Outgoing.state.not_in((MailState.MERGED, MailState.LISTED)),
    )
    level = decision.registration.level if decision.registration else Level.NONE
    text = (
        templates.environment()
        .get_template("_shared/challenge.txt.j2")
        .render(
            at=at,
            holder=holder,
            letter=letter,
            code=code,
            wanted=WANTED.get(level, ""),
            last=recent + 1 == limit,
            received=f"{row.received.astimezone(at.zone):%A %d %B %Y, %H:%M} {at.game.zone}",
            before=publishing.before_closing(at),
            leaves=leaves,
        )
    )
    mail = publishing.to_seat(
        referee.mark,
        at,
        holder,
        f"challenge:{row.id}",
        receipts.CHALLENGE,
        f"[{at.id}] Is this letter yours?",
        text,
        now,
        in_reply_to=letter.message_id,
        references=letter.references,
        automatic="auto-replied",
    )
    outbox.put(conn, mail, now, MailState.READY if recent < limit else MailState.MERGED)


def confirm(
    conn: Connection,
    referee: Referee,
    row: Row[Any],
    letter: Letter,
    decision: Decision,
    now: datetime,
) -> tuple[LetterState, str]:
    """CONFIRM code: the held letter is put back to be decided as its holder's; a gamesmaster's code
    carries out his act."""
    code = next((c.argument for c in decision.peeled.commands if c.name == "CONFIRM"), "").lower()
    waiting = notes.memo(conn, f"code:{code_hash(code)}")
    if waiting and letter.sender == referee.config.referee.gamesmaster.lower():
        return gamesmaster_words.confirmed(conn, referee, row, letter, decision, waiting, code, now)
    held = conn.execute(
        select(LetterRow.id, LetterRow.game_id, LetterRow.seat, LetterRow.period).where(
            LetterRow.code_hash == code_hash(code),
            LetterRow.outcome.in_((LetterState.UNVERIFIED, LetterState.HELD)),
            LetterRow.raw.is_not(None),
        )
    ).first()
    if held is None:
        text = "There is no held letter with that code; perhaps it was confirmed already."
        if not code:
            text = (
                "The code is missing: CONFIRM and the code go on one line, as they stand in the"
                " mail that asks whether a letter is yours. Nothing was confirmed."
            )
        _tell_sender(conn, referee, row, letter, decision, text, now)
        return (
            LetterState.COMMAND,
            "a code that fits no held letter" if code else "CONFIRM without a code",
        )
    release(conn, held.id)
    return LetterState.COMMAND, f"confirms letter {held.id}"


def unsubscribe(
    conn: Connection,
    referee: Referee,
    row: Row[Any],
    letter: Letter,
    decision: Decision,
    now: datetime,
) -> tuple[LetterState, str]:
    """The mail that a button for leaving a list sends: a seat is not left by it; its holder is told
    how it is, and the gamesmaster that he may want to go."""
    gamesmaster, at = (
        referee.config.referee.gamesmaster,
        f"{decision.seat} in {decision.game}" if decision.seat else "a seat",
    )
    _tell_sender(
        conn,
        referee,
        row,
        letter,
        decision,
        "You hold a seat in a game, and the mails of the game come with it: they cannot be"
        " unsubscribed by themselves. To leave, answer a mail of the game with the one word QUIT:"
        " you play on until another player takes your seat. Or ask the gamesmaster, who finds"
        f" another player: {gamesmaster}\n\nWhere the order guide of your game says that RESIGN"
        " leaves the game, that order does it for good. (HELP on a line of its own brings the"
        " guide.)",
        now,
    )
    text = (
        f'{letter.sender}, who holds {at}, sent a mail with the subject "unsubscribe", and was told'
        " to ask you if he wants to "
        f"leave. To replace him: pbem replace {decision.game or 'GAME'} {decision.seat or 'SEAT'}"
        " ADDRESS"
    )
    key, subject = f"unsubscribe:{letter.sender}", "a player may want to leave"
    alarms.tell(conn, referee.mark, gamesmaster, key, subject, text, now)
    return LetterState.COMMAND, decision.reason


def _tell_sender(
    conn: Connection,
    referee: Referee,
    row: Row[Any],
    letter: Letter,
    decision: Decision,
    text: str,
    now: datetime,
) -> None:
    if decision.reply_allowed:
        receipts.to_sender(
            conn, referee.mark, referee.config.limits, row, letter, "question", text, now
        )


CONFIRMED, ACCEPTED = "confirmed", "accepted"
"""How a held letter came to be believed: by its holder's own mail, or by the gamesmaster (then it
is never too late)."""


def release(conn: Connection, letter_id: int, by: str = CONFIRMED) -> None:
    """A held letter is to be decided anew, believed to be its holder's; its effect is free
    again."""
    values = {"authentication": by, "effect": None, "code_hash": ""}
    letters.set_state(conn, letter_id, LetterState.STORED, **values)


def change_token(conn: Connection, mark: Postmark, stray: Registration, now: datetime) -> None:
    """A seat's secret address turned up with another sender: it is void from now on."""
    if stray.seat == GAMESMASTER:
        alarms.rotate(conn)
        text = (
            "Your secret address was seen with another sender; it is void. The answer address of"
            " this mail is the new one."
        )
        alarms.tell(
            conn, mark, stray.address, "stray", "your secret address was changed", text, now
        )
        return
    holder = games.holders(conn, stray.game).get(stray.seat)
    if holder and holder.token_hash == stray.token_hash:
        opening.set_token(conn, mark, stray.game, stray.seat, holder.token_no + 1)
        notes.note(
            conn, stray.game, now, "token-rotated", seat=stray.seat, why="seen with another sender"
        )
