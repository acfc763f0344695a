"""Receipts: what was taken, what was not, what stands. The few other mails that a letter may cause.

What exceeds the keys of ``[limits]`` (:class:`pbem.house.config.Limits`) is counted or said.
Codes, notices and bulletins are never cut, nor is what a gamesmaster is answered.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice, takewhile
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OverBudget
from pbem.games.frame import house_rules, readiness
from pbem.games.frame.adjudication import MEANT, Answer, canonical, kept
from pbem.games.frame.events import Event, Seat
from pbem.games.frame.readiness import LastWord
from pbem.house import templates
from pbem.house.config import Limits
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.orders import characters
from pbem.orders.asking import READING
from pbem.orders.order import Order, Problem, Standing
from pbem.orders.other_words import is_list
from pbem.pages import rulebook, sheet
from pbem.pages.page import NOTHING
from pbem.pages.plain import plain
from pbem.periods import away, closing, drawing, ending, formation, own_page, publishing
from pbem.post import outbox
from pbem.post.compose import Draft, Frozen
from pbem.post.seats import made_for_seat, named, put_to_seat, readers
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.words import questions
from pbem.store.games import games, order_sets
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.mails import mails
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import GameState, MailState
from pbem.store.schema.tables import Letter as LetterRecord
from pbem.store.schema.tables import Outgoing
from pbem.text import counted, listed

COUNTED = ("receipt", "receipts", "review", "anybody", "question")
"""Kinds of mail that count for ``address_bytes_an_hour``."""
_NOTES, _SENTENCES, _EXCERPT = 6, 3, 12
remark = partial(templates.said, "remarks")
"""Return a text of ``_shared/remarks.txt.j2``."""


def size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def quoted(text: str, limits: Limits) -> str:
    """Cut a refusal and each quotation in it."""
    most = limits.quoted_characters
    pieces = [_cut(one, most) if at % 2 else one for at, one in enumerate(text.split('"'))]
    return _cut('"'.join(pieces), _SENTENCES * most + 200)


def excerpt(text: str, limits: Limits) -> list[str]:
    return [_cut(line, limits.quoted_characters) for line in text.split("\n")[:_EXCERPT]]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(0, most - 3)]}..."


def bounded(answers: Sequence[Answer], limits: Limits) -> tuple[list[Answer], int]:
    """Return the answers to show, and how many refused lines are left out."""
    kept: list[Answer] = []
    told = more = 0
    for answer in answers:
        if answer.quiet or not answer.problems:
            kept.append(answer)
        elif told < limits.problems_shown:
            told += 1
            kept.append(replace(answer, problems=tuple(_problems(answer.problems, limits))))
        else:
            more += 1
            if answer.orders or answer.cancelled:
                kept.append(replace(answer, problems=()))
    return kept, more


def _problems(problems: Sequence[Problem], limits: Limits) -> list[Problem]:
    made, most = list[Problem](), _SENTENCES * limits.quoted_characters
    for one in problems[: limits.problems_shown]:
        notes = tuple(_cut(note, most) for note in one.notes[:_NOTES])
        made.append(replace(one, message=quoted(one.message, limits), notes=notes))
    return made


def within(texts: Sequence[str], most: int) -> int:
    """Return how many texts, from the first on, fit in most bytes."""
    left = most
    for number, text in enumerate(texts):
        left -= size(text)
        if left < 0:
            return number
    return len(texts)


def merged(parts: Sequence[str], limits: Limits) -> list[str]:
    """Return the texts that fit in one mail, and a line that counts the others."""
    fit = within(parts, limits.merged_bytes)
    left = len(parts) - fit
    if not left:
        return list(parts)
    return [*parts[:fit], f"{counted(left, 'more text')} would be too much for one mail."]


MOST_LINES, MOST_WORDS, MOST_CHARACTERS = 6, 30, 100
"""Lines and words of all facts, and characters of one. ORDERS and CHECK bring all."""
_SUM = re.compile(r"[0-9],[0-9]{3}")
"""Money is always told."""
NEW, GONE, SAME = "+", "-", "="


@dataclass(frozen=True, slots=True)
class Marked:
    """A line of a receipt, marked so that it is no order when quoted."""

    mark: str
    order: str
    said: str = ""


def marked(game: GameAt, before: Standing, after: Standing) -> list[Marked]:
    """Return new orders, orders taken back, then those that stood already."""
    new = {slot: order for slot, order in after.items() if before.get(slot) != order}
    rows = [Marked(NEW, one) for one in _joined(game, new, without=before)]
    rows += [Marked(NEW, str(new[slot]), f"was: {before[slot]}") for slot in new if slot in before]
    gone = {slot: order for slot, order in before.items() if slot not in after}
    rows += [Marked(GONE, one, "taken back") for one in _joined(game, gone)]
    same = {slot: order for slot, order in after.items() if slot not in new}
    return rows + [Marked(SAME, one) for one in _joined(game, same)]


def _joined(
    game: GameAt, orders: Mapping[str, Order], without: Iterable[str] = ()
) -> Sequence[str]:
    left = [str(order) for slot, order in orders.items() if slot not in set(without)]
    return game.ruleset.gathered(left) if left else ()


def facts(game: GameAt, seat: Seat, standing: Standing) -> Sequence[str]:
    """Return what the game says about a seat's orders, a line each."""
    return _in_words(game, seat, game.ruleset.advice(game.state, seat, standing))


def _in_words(game: GameAt, seat: Seat, advice: Iterable[Event]) -> list[str]:
    told = filter(str.strip, templates.events_in_words(game.ruleset, game.state, seat, advice))
    shaped = (sheet.MARK, "\n* ")
    return [one if any(map(one.count, shaped)) else " ".join(one.split()) for one in told]


def new_facts(
    game: GameAt, seat: Seat, before: Standing, after: Standing
) -> tuple[list[str], bool]:
    """Return the facts changed, up to the limits, and whether some are left out."""
    if before == after:
        return [], False
    was, now = (game.ruleset.advice(game.state, seat, standing) for standing in (before, after))
    come = [event for event in now if event not in was]
    kinds = {event.kind for event in come}  # no other says the same
    gone = {*_in_words(game, seat, (x for x in was if x.kind in kinds and x not in now))}
    new = [fact for fact in _in_words(game, seat, come) if fact not in gone]
    facts_told, lines, words, less = list[str](), 0, 0, False
    for fact in new:
        short = _short(fact)
        shown = plain(short).strip("\n")
        high, long = shown.count("\n") + 1, len(shown.split())
        fits = lines + high <= MOST_LINES and words + long <= MOST_WORDS
        if not fits and sheet.MARK in short:
            short = _without_tables(short)
            high, long = _height(short), len(short.split())
            fits = lines + high <= MOST_LINES and words + long <= MOST_WORDS
        less = less or short != fact
        if short.strip() and (fits or not facts_told or _SUM.search(short)):
            facts_told.append(short)
            lines, words = lines + high, words + long
        else:
            less = True
    return facts_told, less


def _short(fact: str) -> str:
    shaped = [one for one in sheet.blocks(fact) if not isinstance(one, sheet.Text)]
    shown = "\n* " in fact or (shaped and not any(map(_is_long, shaped)))
    return fact if shown else _without_tables(fact)


def _without_tables(fact: str) -> str:
    pieces = fact.split(sheet.MARK)
    text = " ".join(one.partition("\n* ")[0] for one in pieces[::2])
    begun = rulebook.begun(text, MOST_CHARACTERS, _SUM)
    said, bracket, rule = begun.partition(" [")
    if len(pieces) == 1 or not said.endswith(":"):
        return begun
    return f"{said[:-1]}.{bracket}{rule}" if _SUM.search(said) else ""


def _is_long(block: sheet.Block) -> bool:
    many = isinstance(block, sheet.Table) and len(block.rows) >= MOST_LINES  # not set to be counted
    return many or _height(sheet.marked(block)) >= MOST_LINES


def _height(text: str) -> int:
    return plain(text).strip("\n").count("\n") + 1


_FACES = 4  # about how many times larger an HTML face makes a mail
_NAMED = 10  # the most presses or lines that are named


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a receipt says besides what stands."""

    standing: Standing
    """What stands after it."""
    answers: Sequence[Answer] = ()
    notes: Sequence[str] = ()
    answered: Sequence[tuple[str, str]] = ()
    """Title and text of HELP, STATUS and the like."""
    sections: Sequence[tuple[str, str]] = ()
    """Title and text of what goes out to others."""
    trial: bool = False
    said: LastWord = LastWord.NOTHING
    tried: Standing | None = None
    before: Standing | None = None
    """None if the letter cannot have changed the orders."""
    blank: bool = False
    press_alone: bool = False
    """Whether it is press that went out, and nothing else."""
    own: Sequence[str] = ()
    """Only for the player, not their deputy."""
    offers: Sequence[str] = ()
    """What a yes or a number sends, by number."""
    number: int = 0
    """Among the seat's receipts."""
    wrote: str | None = None
    """The writer's name if two may write. Only the writer gets answers."""


def receipt_text(work: Work, judged: Judged, game: GameAt, receipt: Receipt, to: Holder) -> str:
    """Return the text for a reader. A receipt over the limit says so."""
    limits = work.limits
    text = _rendered(work, judged, game, receipt, to)
    asked = sum(size(one) for _, one in receipt.answered)
    if size(text) - asked <= limits.receipt_bytes:
        return text
    taken = sum(len(one.orders) + len(one.cancelled) for one in receipt.answers)
    refused = sum(not all(p.warning for p in one.problems) for one in receipt.answers)
    notes = [remark("receipt_over", limits.receipt_bytes, taken, refused)]
    notes += [quoted(one, limits) for one in receipt.notes[:_NAMED]]
    short = replace(receipt, answers=(), notes=notes, sections=(), offers=())
    short = replace(short, standing={}, tried=None, before=None)  # what stands is not shown
    return _rendered(work, judged, game, short, to, brief=True)


def _rendered(
    work: Work, judged: Judged, game: GameAt, receipt: Receipt, to: Holder, *, brief: bool = False
) -> str:
    asked = bool(judged.deputy) == bool(to.deputy)
    shown = questions.others(judged.decision.peeled, game, receipt.answers)
    answers, more = bounded(shown, work.limits)
    all_at_once = readiness.together(
        game.ruleset, game.state, to.seat, receipt.standing, receipt.offers
    )
    full = bool(judged.decision.peeled.asks("ORDERS"))
    return templates.shared(
        "receipt",
        **standing_now(work, game, to, receipt, full=full),
        holder=to,
        receipt=receipt,
        brief=brief or receipt.press_alone,
        answers=answers,
        more=more,
        asked=lambda notes: [_asked(game, one, receipt, all_at_once) for one in notes],
        suggests=lambda problem: _suggests(game, problem),
        number_of=lambda answer: _number(answer, receipt.offers),
        notes=[one for one in receipt.notes if not (to.deputy and one in receipt.own)],
        answered=receipt.answered if asked else (),
        asks_only=receipt.blank or asks_only(judged, game, receipt.answers),
        has_status=bool(judged.decision.peeled.asks("STATUS")),
        quoted=lambda problem: rulebook.quoted(
            game.ruleset.book.paragraphs, problem.rule, problem.message
        ),
        cut={} if brief else _order_like(game, judged.letter, work.limits.quoted_characters),
        received=received_at(game, judged.row.received),
    )


def _number(answer: Answer, offers: Sequence[str]) -> int:
    """Return the number of a line's offer, as it is answered; of another line its place."""
    meant = (line for problem in answer.problems for line in readiness.meant(problem))
    numbers = [offers.index(line) + 1 for line in meant if line in offers]
    return numbers[0] if answer.asked and numbers else answer.line.number


def _asked(game: GameAt, note: str, receipt: Receipt, all_at_once: bool) -> str:
    line, offers = note.removeprefix(MEANT).removesuffix("?"), receipt.offers
    if not note.startswith(MEANT):
        return note
    if line not in offers:
        reads = all(map(game.ruleset.language.reads, line.split("; ")))
        return f"{note} If so, send that line." if reads else note
    answer = "yes" if len(offers) == 1 else str(offers.index(line) + 1)
    whole = ', or "yes" for all' if all_at_once and len(offers) > 1 else ""
    meant = listed(line.removesuffix("?").split("; "))  # a ";" would begin an order in a quote
    gone = listed(_replaced(game, line, receipt.standing))
    return f'{MEANT}{meant}{gone and f" in place of {gone}"}? Answer "{answer}"{whole}.'


def _replaced(game: GameAt, line: str, standing: Standing) -> list[str]:
    """Return the lists on file that orders would replace, but for those that they add to."""
    lines = [one for one in line.split("; ") if game.ruleset.language.reads(one)]
    given = (order for one in lines for order in game.ruleset.language.parse(one))
    both = ((order, standing[order.slot]) for order in given if order.slot in standing)
    return [str(old) for new, old in both if is_list(old) and str(old) not in str(new)]


def _suggests(game: GameAt, problem: Problem) -> list[str]:
    language = game.ruleset.language
    return [
        one
        for one in readiness.meant(problem)
        if all(language.reads(part.text) for part in language.split(one))
    ]


def asks_only(judged: Judged, game: GameAt, answers: Sequence[Answer]) -> bool:
    """Return whether it only asks: the orders need not be repeated."""
    peeled = judged.decision.peeled
    answers = questions.others(peeled, game, answers)
    if questions.only_asks(peeled, game):
        return all(answer.quiet for answer in answers)
    names = {command.name for command in peeled.commands}
    if not names or not names <= READING or names == {"ORDERS"} or "CHECK" in names:
        return False
    if peeled.press or not (answers or peeled.empty):
        return False
    repeats = "ORDERS" in names and "STATUS" not in names
    return not repeats and all(answer.quiet for answer in answers)


def received_at(game: GameAt, moment: datetime) -> str:
    local = moment.astimezone(game.zone)
    return f"{local.day} {local:%B} {local:%H:%M:%S} {game.row.zone}"


def standing_now(
    work: Work, game: GameAt, reader: Holder, receipt: Receipt, *, full: bool = False
) -> dict[str, Any]:
    """Return the context of ``_shared/standing.txt.j2``: orders, what is owed, READY, ballot,
    deadline. full: all that follows from the orders, not only what changed."""
    seat = reader.seat
    begun, standing = game.row.status in (GameState.RUNNING, GameState.HELD), receipt.standing
    running = begun and game.ruleset.result(game.state) is None
    tried = receipt.tried if receipt.trial and receipt.tried is not None else standing
    known = formation.seen(work, game, seat) if running else game
    page = own_page.words(known, seat, tried, form=False) if running else {}
    before = tried if receipt.before is None else receipt.before
    if full or receipt.trial:
        shown, more = list(facts(known, seat, tried)), False
    else:
        shown, more = new_facts(known, seat, before, tried)
    return {
        "at": game,
        "period_name": own_page.called(game),
        "trial": receipt.trial,
        "standing": canonical(standing),
        "would": canonical(tried),
        "kept": kept(game.ruleset, known.state, seat, tried) if running else (),
        "marked": () if receipt.before is None else marked(game, before, tried),
        "facts": shown,
        "more_facts": more,
        "owed": page.get("owes", ()),
        "nothing": page.get("nothing", NOTHING),
        "silence": page["silence"] if page.get("owes") else (),
        "deadline": publishing.deadline_text(game),
        "own_time": own_page.own_time(game, game.holders[seat], game.period.due),
        "left": own_page.time_left(game, work.now),
        **until_it_closes(work, game, reader, receipt.said),
    }


def until_it_closes(work: Work, game: GameAt, reader: Holder, said: LastWord) -> dict[str, Any]:
    """Return the context of ``_shared/said.txt.j2``: what the seat said of the period's and game's
    end. A deputy is not told of ballot and leaving."""
    seat = reader.seat
    begun = game.row.status in (GameState.RUNNING, GameState.HELD)
    overdue = game.period.due is not None and game.period.due <= work.now
    open_to_all = begun and game.ruleset.result(game.state) is None and not overdue
    waits = open_to_all and closing.in_grace(game)
    may_act = open_to_all and not waits and readiness.counts(game.ruleset, game.state, seat)
    asked = game.ruleset.asked(game.state)
    closes = closing.lists_close_at(work.conn, game) if open_to_all else None
    foreseen = readiness.foreseen(game.ruleset, game.state, seat, None, game.house)
    return {
        "said": said,
        "foreseen": foreseen
        and order_sets.last_set(work.conn, game.id, game.period.number, seat) is None,
        "early": house_rules.closes_early(game.house, asked, game.period.number) if may_act else "",
        "early_when": publishing.early_when(game),
        "waits": waits,
        "closes_at": own_page.moment_text(game, closes) if closes else "",
        "quits": game.holders[seat].quits is not None and not reader.deputy,
        "ballot": ending.ballot_of(work.conn, game.id, seat) if begun and not reader.deputy else "",
    }


_SUBJECT = "the subject"
_WHERE = {
    "hidden": "are struck out or hidden",
    "signature": "stand below a signature",
    "forwarded": "stand in a forwarded letter",
    "a forwarded letter": "stand in an attached letter",
    _SUBJECT: "stand in the subject",
}


def _order_like(game: GameAt, letter: Letter, most: int) -> dict[str, str]:
    """Return unread lines that look like orders, each with where it stands. most: characters."""
    language = game.ruleset.language
    cuts = [(cut.reason, line) for cut in letter.cut for line in cut.text.split("\n")][:600]
    cuts.append((_SUBJECT, letter.subject.rpartition("]")[2].rpartition(":")[2]))
    lines = dict[str, str]()
    for reason, cut in cuts:
        line = cut.lstrip("> |").strip()
        words = characters.plain(line).upper().replace(";", " ").split()
        if language.words.isdisjoint(words):
            continue
        for one in language.split(line[:most]):
            first = one.text.split(None, 1)[0].upper()
            if first in language.words and not language.read(one).problem:
                where = f"stand in a {reason}" if reason.startswith("part ") else _WHERE.get(reason)
                lines.setdefault(one.text, where or "stand in a quotation")
    return dict(islice(lines.items(), 20))


def faced(work: Work, holder: Holder, text: str) -> Holder:
    """Return the holder with a plain face if the text is long."""
    long = size(text) * _FACES > work.limits.receipt_bytes
    return holder._replace(face=PLAIN) if long else holder


def result(
    answers: Sequence[Answer], marks: Sequence[str], *, ready: bool, trial: bool
) -> str | None:
    """Return "2 orders taken, 1 not", or None without orders. marks: of the lines listed. ready:
    whether it says READY, and that stands."""
    read = [one for one in answers if not one.quiet]
    good, gone = marks.count(NEW), marks.count(GONE)
    refused = [one for one in read if any(not p.warning for p in one.problems)]
    asked = len({one.line.number for one in refused if one.asked})
    bad = len({one.line.number for one in refused if not one.asked})
    as_were = any(one.orders or one.cancelled for one in read)
    said = remark("result", (good, gone, bad, asked), trial, as_were)
    return said or ("READY taken" if ready and not trial else None)


_SAYS_WHAT_WAS_DONE = re.compile(r"\b(?:taken|asked about|as they were)\b")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
CHALLENGE, AGAIN = "challenge", "again"
_ANSWERS = (
    "challenge again review question anybody invited stranger newcomer confirmed unread gamesmaster"
    " proof standby-answer"
)


def send_receipts(work: Work, judged: Judged, game: GameAt, receipt: Receipt) -> None:
    """Send the receipt to player and deputy; mere answers to the writer."""
    both = readers(work, game, game.holders[judged.decision.seat])
    if judged.deputy and not any(one.deputy for one in both):  # the deputy's time may be over
        both.append(judged.writer(work, game))
    deputy = judged.deputy and f"the deputy ({judged.letter.sender})"
    wrote = (deputy or named(game, judged.decision.seat)) if len(both) > 1 else None
    if wrote and asks_only(judged, game, receipt.answers) and not receipt.notes:
        both = [one for one in both if bool(one.deputy) == bool(judged.deputy)]
    shown = questions.others(judged.decision.peeled, game, receipt.answers)
    change = receipt.before is not None and marked(game, receipt.before, receipt.tried or {})
    marks = [one.mark for one in change or ()]
    if (most := _receipts_an_hour(work, game)) <= receipt.number:
        since, seat = work.now - game.house.an_hour, judged.decision.seat
        had = mails.made(work.conn, since, "receipt", game_id=game.id, seat=seat)
        told = [remark("last_receipt", most)] * (had == most - 1)
        receipt = replace(receipt, notes=[*receipt.notes, *told])
    for reader in both:
        text = receipt_text(work, judged, game, replace(receipt, wrote=wrote), reader)
        ready = judged.decision.peeled.asks("READY") and receipt.said is LastWord.READY
        done = result(shown, marks, ready=ready, trial=receipt.trial)
        send_receipt(work, judged, game, reader, text, done)


def _receipts_an_hour(work: Work, game: GameAt) -> int:
    """Return how many receipts an hour a seat gets: in practice one a letter."""
    return work.limits.letters_an_hour if game.practice else work.limits.receipts_an_hour


def send_receipt(
    work: Work, judged: Judged, game: GameAt, holder: Holder, text: str, done: str | None = None
) -> None:
    """Send one threaded reply. done: the subject, if not the letter's.

    Beyond the hourly limit it waits to be merged; a deputy's is dropped. Beyond the byte limit it
    has one line.
    """
    if not holder.address:
        return
    since, most = work.now - game.house.an_hour, _receipts_an_hour(work, game)
    asked = holder.calendar and judged.decision.peeled.asks("CALENDAR")
    dated = own_page.of(work, game) if asked else ""
    sent = mails.bytes_to(work.conn, holder.address, COUNTED, work.now - HOUR)
    shown = judged.decision.peeled.asks("BOARD") and holder.face != PLAIN
    board = drawing.board_now(work.conn, game, formation.of_now(work.conn, game)) if shown else {}
    for key in receipt_keys(judged.row.id):
        subject = f"Re: [{game.id}] {done}" if done else _reply_subject(judged.letter, game.id)
        draft = Draft(key, "receipt", subject, text, calendar=dated)
        draft = replace(draft.answering(judged.letter), pictures=board)
        mail = made_for_seat(work, game, faced(work, holder, text), draft)
        if sent + len(mail.raw) > work.limits.address_bytes_an_hour:
            full = remark("hour_over", work.limits.address_bytes_an_hour)
            mail = made_for_seat(
                work, game, holder, replace(draft, text=full, calendar=None, pictures={})
            )
        if holder.deputy:
            had = mails.made(work.conn, since, "receipt", recipient=holder.address)
            if had >= most or outbox.put(work, mail):
                return
        elif outbox.put_within(work, mail, since, most):
            return


def send_again(work: Work, judged: Judged, game: GameAt, holder: Holder, text: str) -> None:
    """Send a repeated letter's receipt, once a day to a seat: anyone could resend it."""
    since = work.now - DAY
    if not holder.address or mails.made(work.conn, since, AGAIN, game_id=game.id, seat=holder.seat):
        return
    letter = judged.letter
    draft = Draft(f"{AGAIN}:{judged.row.id}", AGAIN, _reply_subject(letter, game.id), text)
    outbox.put(work, made_for_seat(work, game, holder, draft.answering(letter)))


def tell_of_review(work: Work, judged: Judged, before: GameAt, receipt: Receipt) -> None:
    """Say that a letter waits for the review. before: the game in the reviewed period."""
    row, letter, decision = judged.row, judged.letter, judged.decision
    holder, peeled = judged.writer(work, before), decision.peeled
    text = templates.shared(
        "review",
        at=before,
        holder=holder,
        sections=receipt.answered,
        orders=canonical(receipt.standing) if peeled.asks("ORDERS") else None,
        meant=decision.case.press is None and (not peeled.empty or bool(peeled.press)),
        named=decision.period == before.period.number + 1,
        received=received_at(before, row.received),
        away=away.waits(work, before.id),
    )
    draft = Draft(f"review:{row.id}", "review", _reply_subject(letter, before.id), text)
    outbox.put(work, made_for_seat(work, before, holder, draft.answering(letter)))


def receipt_keys(letter_id: int) -> tuple[str, ...]:
    """Return the keys of a letter's receipts: first, once accepted, repeated."""
    return f"receipt:{letter_id}", f"receipt:{letter_id}:accepted", f"receipt:{letter_id}:again"


def answer_keys(letter_id: int) -> tuple[str, ...]:
    """Return the keys of mails that may have answered a letter."""
    words = [*(f"leaving:{word}" for word in ("QUIT", "RESIGN")), *_ANSWERS.split()]
    return (*receipt_keys(letter_id), *(f"{word}:{letter_id}" for word in words))


def _reply_subject(letter: Letter, game_id: str) -> str:
    subject = letter.subject.strip()
    if not subject or _SAYS_WHAT_WAS_DONE.search(subject):  # of the receipt that it answers
        subject = f"[{game_id}] your letter"
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def old_receipt(conn: Connection, letter_id: int, deputy: int) -> Frozen | None:
    """Return the last receipt of an earlier letter, or None. deputy: 0 for the player's copy."""
    keys = receipt_keys(letter_id)
    raw = mails.raw(conn, [f"{key}:d{deputy}" for key in keys] if deputy else keys)
    return Frozen(raw) if raw is not None else None


# --- receipts and challenges beyond the hourly limit: many in one mail ----------------------------


log = structlog.get_logger()
MOST_CHALLENGES = 40
_RULE = "\n\n" + "=" * 78 + "\n\n"


def merge(work: Work) -> int:
    """Merge what waits, an hour (or short period) after the first. What is too costly goes out
    singly. Return the number of mails."""
    groups: dict[tuple[str, str, Seat], list[Outgoing]] = {}
    for row in mails.merged(work.conn):
        if not row.game_id:  # of somebody without a seat
            continue
        groups.setdefault((row.kind, row.game_id, row.seat), []).append(row)
    ripe = list[list[Outgoing]]()
    for (kind, game_id, _), group in groups.items():
        waited = work.now - group[0].created
        if waited >= HOUR or waited >= games.house(work.conn, game_id).an_hour:
            most = MOST_CHALLENGES if kind == CHALLENGE else len(group)  # no code is left out
            ripe += [group[at : at + most] for at in range(0, len(group), most)]
    for group in ripe:
        state = MailState.LISTED if _merged(work, group) else MailState.READY
        mails.set_states(work.conn, [row.id for row in group], state)
    return len(ripe)


def _merged(work: Work, group: Sequence[Outgoing]) -> bool:
    """Return False if it is too much work."""
    kind, game_id, seat = group[0].kind, group[0].game_id, group[0].seat
    game = games.game_at(work.conn, game_id)
    render = _challenges if kind == CHALLENGE else _several
    try:
        with Budget(work.mark.seconds * len(group), f"merging {kind}s"):
            subject, body = render(work, game, seat, group)
    except OverBudget as over:
        log.error("not merged", game=game_id, seat=seat, error=str(over))
        return False
    if body:
        key = f"{kind}s:{group[0].id}-{group[-1].id}"
        draft = Draft(key, f"{kind}s", f"[{game_id}] {subject}", body)
        put_to_seat(work, game, faced(work, game.holders[seat], body), draft)
        for reader in readers(work, game, game.holders[seat])[1:] if kind != CHALLENGE else ():
            last = f"{_head(game, group)}\n\n{_stands_now(work, game, reader)}"
            put_to_seat(work, game, reader, replace(draft, text=last))
    return True


def _several(work: Work, game: GameAt, seat: Seat, group: Sequence[Outgoing]) -> tuple[str, str]:
    """Return subject and text. It ends with what stands now: newer receipts may have gone out."""
    parts = merged([Frozen(row.raw).said for row in group], work.limits)
    said = "Each says what stood when its letter came. What stands now is said last."
    first = f"{_head(game, group)} {said}\n\n{parts[0]}"
    last = _stands_now(work, game, game.holders[seat])
    return counted(len(group), "receipt"), _RULE.join([first, *parts[1:], last])


def _head(game: GameAt, group: Sequence[Outgoing]) -> str:
    span = "a period" if game.house.an_hour < HOUR else "an hour"
    return f"{counted(len(group), 'receipt')} in one, since many letters came within {span}."


def _stands_now(work: Work, game: GameAt, reader: Holder) -> str:
    row = order_sets.last_set(work.conn, game.id, game.period.number, reader.seat)
    told = Receipt(order_sets.orders_of(game, row), said=readiness.of(row))
    known = standing_now(work, game, reader, told)
    stands = templates.shared("standing", **known)
    return f"WHAT STANDS NOW, {game.minute(work.now)}, after all of these\n\n{stands}"


def _challenges(work: Work, game: GameAt, seat: Seat, group: Sequence[Outgoing]) -> tuple[str, str]:
    """Return subject and text; ("", "") if no letter waits any more."""
    asked = {int(row.key.partition(":")[2]): row for row in group}
    waits = (LetterRecord.id.in_(asked), LetterRecord.outcome == LetterState.UNVERIFIED)
    unproven = LetterRecord.values(work.conn, LetterRecord.id, *waits, period=game.period.number)
    parts = [Frozen(row.raw).said for number, row in asked.items() if number in unproven]
    if not parts:
        return "", ""
    head = (
        "These letters came within an hour in your name and without proof. Each is confirmed by the"
        " code that stands with it."
    )
    one, many = "Is this letter yours?", f"Are these {len(parts)} letters yours?"
    subject = one if len(parts) == 1 else many
    return subject, _RULE.join([head, *_endings_once(parts)])


def _endings_once(parts: Sequence[str]) -> Sequence[str]:
    """Return texts without the paragraphs with which all end, and those once behind them."""
    cut = [part.strip().split("\n\n") for part in parts]
    last = zip(*map(reversed, cut), strict=False)
    same = sum(1 for _ in takewhile(lambda row: len(set(row)) == 1, last))
    if len(parts) == 1 or not same:
        return parts
    own = ["\n\n".join(paragraphs[:-same]) for paragraphs in cut]
    return [*own, "\n\n".join(cut[0][-same:])]
