"""What a letter can ask besides orders: receipt sections, absences, unsubscribing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import Connection

from pbem.errors import OperatorError, RefereeError
from pbem.games.frame import calendar, readiness
from pbem.games.frame.adjudication import Answer, canonical, kept
from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import ToldEvent
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.orders import dates
from pbem.orders.asking import READING
from pbem.orders.called import seats
from pbem.orders.club_words import ANYBODY, INVITE
from pbem.orders.mailwords import Peeled
from pbem.orders.order import Standing
from pbem.pages import sheet
from pbem.periods import at_once, away, drawing, ending, formation, own_page, publishing, record
from pbem.post import alarms, masters
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import receipt_text, receipts, sizes
from pbem.referee.words import helping, questions
from pbem.referee.words.rules_words import of_game, rules, tables
from pbem.store.games import bulletins, order_sets, periods, press
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.letters import waiting
from pbem.store.people import player_records
from pbem.store.schema.states import GameState, NoteKind, PeriodState
from pbem.text import counted, day_words, listed, moment_words, safe, thousands


def harmless(text: str) -> str:
    """Return a player's words without control characters."""
    return "\n".join(safe(line) for line in text.split("\n")[:400])


_ASKING = READING - {"ORDERS", "CHECK"}
"""The receipt as a whole answers ORDERS and CHECK."""
MOST_ANSWERS = 12
"""To one letter."""
MOST_ABSENCES = 5
"""Of a seat, in one bulletin."""
MOST_PRESSES = 20
"""Of one letter: one a seat of the largest table, some to all."""


# --- sections of a player's receipt ---------------------------------------------------------------


def sections(
    work: Work, judged: Judged, at: GameAt, standing: Standing, answers: Sequence[Answer]
) -> list[tuple[str, str]]:
    """Return (title, text) for each of HELP, STATUS, BOARD, HISTORY n, WHY, RULES, RULINGS,
    TABLES, once each, up to MOST_ANSWERS, and for questions in plain words.

    STATUS omits ORDERS, which other receipts have.
    """
    conn, seat = work.conn, judged.decision.seat
    commands = judged.decision.peeled.commands
    found: list[tuple[str, str]] = []
    in_words: list[str] = []
    asked = dict.fromkeys(
        (command.name, command.argument) for command in commands if command.name in _ASKING
    )
    alone = receipt_text.asks_only(judged, at, answers)
    for name, argument in list(asked)[:MOST_ANSWERS]:
        match name:
            case "HELP":
                found += helping.answers(at, seat, standing, argument)
            case "STATUS":
                told = status(work, at, seat, standing, alone, deputy=bool(judged.deputy))
                found.append((f"Status (game {at.id})", told))
            case "BOARD":
                found.append(
                    ("The board", drawing.board_in_words(conn, at, formation.of_now(conn, at)))
                )
            case "HISTORY":
                title = f"Bulletin {argument}" if argument else "The last bulletin"
                found.append((title, history(conn, at, seat, argument)))
            case "WHY":
                question = f"WHY {argument}".strip()
                if (
                    not _is_dice(argument)
                    and questions.is_sentence(argument)
                    and not is_explained(conn, at, seat, argument)
                ):
                    in_words.append(f"why {argument}?")
                    continue
                explained = why(conn, at, seat, argument)
                told = explained if _is_dice(argument) else sheet.aside(explained)
                found.append((f"Answer ({question})", told))
            case "RULES" | "RULINGS" | "TABLES":
                found.append(_looked_up(conn, at, name, argument))
            case _:
                raise RefereeError(f"{name} is in READING and has no answer here")
    found += questions.section(work, judged, at, in_words)
    if len(asked) > MOST_ANSWERS:
        more = f"One letter gets {MOST_ANSWERS} answers; ask the others in another one."
        found.append(("More questions", more))
    most = work.limits.answers_bytes
    if (fit := sizes.within([text for _, text in found], most)) < len(found):
        less = sizes.ASK_FOR_LESS.format(most=thousands(most))
        found[fit:] = [("More questions", less)]
    return found


def _looked_up(conn: Connection, at: GameAt, name: str, argument: str) -> tuple[str, str]:
    key = at.ruleset.about.key
    if name == "RULINGS":
        return "Amendments and rulings", of_game(conn, at, name) or ""
    if name == "RULES":
        told = of_game(conn, at, argument) or rules(key, argument)
        return f"The rules: {argument}".rstrip(": "), told
    told = tables(key, at.ruleset.tables_at(at.state), argument)
    return f"The tables: {argument}".rstrip(": "), told


def why(conn: Connection, at: GameAt, seat: Seat | None, words: str) -> str:
    """Return what led to an event or figure of the newest bulletin; of DICE, how they are
    checked."""
    if _is_dice(words):
        return _of_dice(conn, at)
    told = periods.told_events(conn, at.id, seat)
    said = words if _has_steps(at, seat, told, words) else seats(words, at.named)
    return templates.explained(at.ruleset, at.state, seat, told, said)


def is_explained(conn: Connection, at: GameAt, seat: Seat, words: str) -> bool:
    told = periods.told_events(conn, at.id, seat)
    return any(_has_steps(at, seat, told, one) for one in (words, seats(words, at.named)))


def _has_steps(at: GameAt, seat: Seat | None, told: Sequence[ToldEvent], words: str) -> bool:
    asked = " ".join(words.strip(" .?!").split())
    return bool(asked and at.ruleset.why(at.state, seat, told, asked))


def _is_dice(words: str) -> bool:
    return words.strip(" .?!").upper() == "DICE"


def _of_dice(conn: Connection, at: GameAt) -> str:
    over = at.game.status == GameState.OVER
    seed = f"The seed itself is {at.game.seed}." if over else "It is told when the game is over."
    heads = "\n".join(
        f"* bulletin {number}: {head}" for number, head in bulletins.heads(conn, at.id).items()
    )
    return (
        "All chance comes from one secret number, the seed. Its SHA-256 was mailed before anybody"
        f" sent an order, so it cannot be changed:\n\n{commitment(at.game.seed)}\n\n{seed} With"
        " it anybody can make each draw again; the players' reference says how. The head of the"
        " journal, a checksum over all that had happened, is in each bulletin's header"
        f" X-Pbem-Journal:\n\n{heads}"
    )


def status(
    work: Work,
    at: GameAt,
    asking: Seat,
    standing: Standing,
    alone: bool,
    *,
    deputy: bool = False,
) -> str:
    """Return how the game stands: period, deadline, what asking owes, players, letters.

    alone: nothing of a receipt follows. deputy: leave out the player's own.
    """
    conn = work.conn
    deadline = publishing.deadline_of(at)
    asked = at.ruleset.asked(at.state)
    running = at.game.status in (GameState.RUNNING, GameState.HELD) and at.result is None
    said = readiness.of(order_sets.last_set(conn, at.id, at.period.number, asking))
    player_id = None if deputy else at.holders[asking].player_id
    tally = player_records.tally(conn, player_id) if player_id is not None else None
    page = templates.environment().get_template("_shared/status.txt.j2")
    return page.render(
        at=at,
        seat=asking,
        alone=alone,
        period_name=own_page.name(at),
        ended=ending.ended(at),
        review=at.period.status == PeriodState.CLOSED and at.game.period > at.period.number,
        deadline=publishing.deadline_text(at),
        moved=deadline.explained(at.house.hour, at.zone) if deadline and deadline.moves else (),
        left=own_page.time_left(at, work.now),
        own_time=own_page.own_time(at, at.holders[asking], at.period.due),
        page=own_page.words(at, asking, standing) if running else {},
        standing=canonical(standing),
        progress=formation.progress_words(work, at, asking) if running else "",
        told=at_once.so_far(conn, at) if running else "",
        kept=kept(at.ruleset, at.state, asking, standing) if running else (),
        asked=[
            (
                seat,
                at.player(seat) if holder.player_id or seat in at.bots else "nobody",
                templates.slots_words(at.ruleset, at.state, slots),
            )
            for seat, holder in at.holders.items()
            for slots in [asked.get(seat, ())]
        ],
        held=list(_held(work, at, asking)),
        **receipt_text.until_it_closes(work, at, asking, said, deputy=deputy),
        record=record.tally_in_words(tally) if tally is not None else "",
    ).strip("\n")


def _held(work: Work, at: GameAt, seat: Seat) -> Iterator[str]:
    is_away = away.waits(work, at.id)
    for row in waiting.of_seat(work.conn, at.id, seat, at.period.number):
        came = moment_words(row.received.astimezone(at.zone))
        waits = (
            "without proof; the code that was mailed to you confirms it"
            if row.outcome == LetterState.UNVERIFIED
            else "for the gamesmaster to look at"
        )
        yield f"Your letter of {came} is held, {waits}.{is_away}"


def history(conn: Connection, at: GameAt, seat: Seat, number: str) -> str:
    """Return a bulletin with the seat's notice. number: "" for the newest."""
    wanted = int(number) if number else bulletins.newest(conn, at.id)
    issue = bulletins.for_seat(conn, at.id, wanted, seat) if wanted is not None else None
    if issue is None or not issue.texts:
        return f"There is no bulletin {number}."
    void = [_void(conn, at, issue.voided)] if issue.voided else []
    return "\n\n".join([*void, *map(sheet.shown_again, issue.texts)])


def _void(conn: Connection, at: GameAt, since: datetime) -> str:
    rewound = notes.why_rewound(conn, at.id, since)
    why = f": the game went back to period {rewound['to']} ({rewound['why']})" if rewound else ""
    moment = f"{moment_words(since.astimezone(at.zone))} {at.game.zone}"
    return f"VOID since {moment}{why}. It does not count until it is published again."


def presses_left(work: Work, at: GameAt, author: Seat, an_hour: int) -> int:
    had = press.relayed(work.conn, at.id, author, work.now - receipts.HOUR)
    return max(0, min(MOST_PRESSES, an_hour - had))


def absent(
    work: Work, at: GameAt, seat: Seat, days: str, letter_id: int, received: datetime
) -> str:
    """Announce ABSENT first TO last to gamesmaster and bulletin. No deadline moves. Without a year:
    the next such days after received."""
    try:
        named = dates.days(days, received.astimezone(at.zone).date())
        first, last = calendar.span(*(day.isoformat() for day in named))
    except dates.Unclear as error:
        return f"ABSENT {days}: not taken: {error}, as in ABSENT 10 March TO 20 March."
    except OperatorError as error:
        return f"ABSENT: {error}"
    begins = f"{seat} is away from "
    said = f"{begins}{day_words(first)} to {day_words(last)}"
    texts = [note.text for note in notes.unprinted(work.conn, at.id)]
    announced = [text for text in texts if text.startswith(begins)]
    if f"{said}." in announced:
        return f"ABSENT: the next bulletin says already that {said}."
    if len(announced) >= MOST_ABSENCES:
        return (
            f"ABSENT: one bulletin announces {MOST_ABSENCES} absences of a seat at most; this was"
            f" not taken: {said}."
        )
    notes.rule(work.conn, at.id, NoteKind.HOUSE, f"{said}.", work.now)
    notes.note(
        work.conn,
        at.id,
        work.now,
        "absent",
        seat=seat,
        first=first.isoformat(),
        last=last.isoformat(),
    )
    if at.house.elapsed:
        does, command = "To stop the clock for it", f"hold {at.id}"
    else:
        does, command = "To move the deadline for it", f"pause {at.id} {first} {last}"
    text = f"{said}.\n{does}, with your reason: `pbem {command}`"
    subject = f"{at.id}: {seat} announces an absence"
    key = f"absent:{letter_id}"
    alarms.tell(work, key, subject, text, at.id, f"{said}.", (command,))
    return (
        f"Your absence will be in the next bulletin: {said}. The gamesmaster has been told; the"
        f" deadline has not moved.{away.waits(work, at.id)}"
    )


def unsubscribe(work: Work, judged: Judged) -> tuple[LetterState, str]:
    """Answer a mail client's unsubscribe, and tell the gamesmaster."""
    sender, decision = judged.letter.sender, judged.decision
    contact = work.mark.gamesmaster
    if decision.game:
        contact = masters.of(work.conn, work.mark, decision.game).contact
    if judged.deputy:
        text = (
            f"You are the deputy of {decision.seat} in game {decision.game}, and the game's mails"
            " come with it. To be it no longer, answer one of them with the\u00a0words"
            " DEPUTY\u00a0END."
        )
        senders.tell(work, judged, "question", text)
        return LetterState.COMMAND, decision.reason
    held = f"{decision.seat} in {decision.game}" if decision.seat else "a seat"
    text = (
        "You hold a seat in a game, and the mails of the game come with it: they cannot be"
        " unsubscribed by themselves. To leave, answer a mail of the game with the one word QUIT:"
        " you play on until another player takes your seat. Or ask the gamesmaster, who finds"
        f" another player: {contact}\n\nWhere the order guide of your game says that"
        " RESIGN leaves the game, that order does it for good. (HELP on a line of its own brings"
        " the guide.)"
    )
    senders.tell(work, judged, "question", text)
    command = f"replace {decision.game or 'GAME'} {decision.seat or 'SEAT'} ADDRESS"
    told = (
        f'{sender}, who holds {held}, sent a mail with the subject "unsubscribe", and was told to'
        " ask you if he wants to leave. To replace him:"
        f" `pbem {command}`"
    )
    key, subject = f"unsubscribe:{sender}", "a player may want to leave"
    commands = (command,) if decision.game else ()
    alarms.tell(work, key, subject, told, decision.game, commands=commands)
    return LetterState.COMMAND, decision.reason


def unread(peeled: Peeled) -> list[str]:
    """Return notes on lines below END and on words without a game."""
    lines = counted(peeled.unread, "line")
    told = [f"Nothing after END was read: {lines}."] if peeled.unread else []
    if peeled.next:
        told = [f"Nothing for next period was taken: {lines}. Send it when that has begun."]
    others = dict.fromkeys(one.name for one in peeled.commands if one.name in ANYBODY - {INVITE})
    if others:
        names = listed(list(others))
        told.append(
            f"{names} {'was' if len(others) == 1 else 'were'} not read: what is about no seat goes"
            " into a letter of its own."
        )
    return told
