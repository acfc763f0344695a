"""Relay press and answers to it: limits, readers, veils, an answer address for each reader.

Press to ZINE is a letter to the club's paper, which the gamesmaster releases. With REPORT, an
answer to a press, the gamesmaster gets it and learns its writer. In an answer no order is read. The
answerer of hidden press never learns whether its seat changed hands or is out.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pbem.errors import OperatorError
from pbem.games.frame import press_rules
from pbem.games.frame.adjudication import MEANT, Answer
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.orders import order
from pbem.orders.language import shorten
from pbem.orders.mailwords import Press as Words
from pbem.orders.naming import NotAName
from pbem.orders.order import reported
from pbem.periods import away, ending, guards, inquiries, persons
from pbem.post import alarms, masters, seats
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, LetterOutcome
from pbem.referee.game import receipts
from pbem.referee.game.receipts import remark
from pbem.store.games import club, games, press
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import EditorLetter, Inquiry, Press, Report
from pbem.text import counted, listed, safe

MOST_PRESSES = 20
"""Of one letter: one a seat of the largest table, some to all."""
_PAPER = ("ZINE",)
_BEGINNING = 3  # lines quoted in an answer
_WIDTH = 70


def is_veiled(row: Press | None) -> bool:
    """Return whether readers know no writer, or the gamesmaster's pen-name."""
    return row is not None and (row.anonymous or bool(row.pen_name))


def byline(row: Press) -> str:
    """Return the writer as readers are told."""
    return safe(press_rules.byline(row.author, anonymous=row.anonymous, pen_name=row.pen_name))


def send(work: Work, game: GameAt, new: Press, to: str, *, there: bool = True) -> str:
    """Store and mail a press but to who muted its writer. Return the text. there: False if the only
    reader has left."""
    row = new._replace(id=Press.new(work.conn, new))
    text = _text(work, game, row, to)
    answers = ", in answer to yours" if row.answers else ""
    subject = f"[{game.id}] Press from {byline(row)}{answers}"
    quiet = set() if is_veiled(row) else press.stopped(work.conn, game.id, game.holders)
    for seat in (row.audience or game.seats) if there else ():
        draft = Draft(f"press:{row.id}:{seat}", "press", subject, text)
        if seat == press.TO_GAMESMASTER:
            theirs = replace(draft, reply_to=seats.of_gamesmaster(work, row))
            alarms.put(work, theirs, masters.of(work.conn, work.mark, game.id).acting)
        elif seat != row.author and (seat, row.author) not in quiet:
            holder = game.holders[seat]
            reply_to = seats.of_seat(work, row, seat, holder.player_id)
            put_to_seat(work, game, holder, replace(draft, reply_to=reply_to))
    return text


def _text(work: Work, game: GameAt, row: Press, to: str) -> str:
    answered = Press.one(work.conn, id=row.answers) if row.answers else None
    free = game.house.press == press_rules.FREE
    of_player = row.author != press.GAMESMASTER or (free and is_veiled(row))
    to_player = row.audience != [press.TO_GAMESMASTER]
    made = templates.shared(
        "press",
        text=row.text,
        by=byline(row),
        to=to,
        writer="its writer" if is_veiled(row) else byline(row),
        of=_beginning(answered.text) if answered else None,
        byline=byline(answered) if answered else "",
        again=byline(answered) if answered and is_veiled(answered) else "",
        of_player=of_player and to_player,
        answered=free or not (of_player and to_player),
    )
    return made.strip("\n") + "\n"


def _beginning(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    shown = [line if len(line) <= _WIDTH else f"{line[:_WIDTH]}..." for line in lines]
    return "\n".join(shown[:_BEGINNING]) + "\n..." * (len(lines) > _BEGINNING)


def shows(work: Work, own: str, text: str, *, veiled: bool) -> str:
    """Return how words reveal their writer by their own or secret address, or ""."""
    local, _, domain = work.mark.address.lower().rpartition("@")
    words = text.lower()
    if f"{local}+" in words and f"@{domain}" in words:
        return "it holds an address of the referee's which is yours alone"
    if veiled and own and own.lower() in words:
        return "it holds your own address, and is not to show who you are"
    return ""


def harmless(text: str) -> str:
    """Return a player's words without control characters."""
    return "\n".join(safe(line) for line in text.split("\n")[:400])


def presses_left(work: Work, game: GameAt, author: Seat, an_hour: int) -> int:
    had = press.relayed(work.conn, game.id, author, work.now - timedelta(hours=1))
    return max(0, min(MOST_PRESSES, an_hour - had))


MOST = 30
"""Letters that wait at a time."""


def take(work: Work, judged: Judged, game: GameAt, words: Words, *, trial: bool) -> str:
    """File a letter to the paper, unless on trial. Return what its writer is told."""
    seat, veiled = judged.decision.seat, words.anonymous
    if lines := press_rules.not_words(game.ruleset.language, words):
        return remark("held_press", "PRESS TO ZINE", lines)
    no_paper = "" if work.config.club.zine else "this club has no paper"
    why = no_paper or _unfit(work, game, seat, words)
    waiting = EditorLetter.many(work.conn)
    if why or len(waiting) >= MOST:
        return f"Your letter to the paper was not taken: {why or 'too many wait'}."
    if trial:
        return "Your letter to the paper can go to the gamesmaster as it is."
    signed = ("" if veiled else game.player(seat)) or "A player"
    number, player = club.next_letter(work.conn), game.holders[seat].player_id or 0
    text = harmless(words.text)
    of = game.id, seat, player, work.now
    EditorLetter.put(work.conn, EditorLetter(number, signed, text, False, *of))
    commands = f"print-letter {number}", f"print-letter {number} --none"
    alarm, subject = remark("to_paper", signed, text, commands), "a letter to the club's paper"
    alarms.tell(work, f"zine:{number}", subject, alarm, commands=commands)
    own = game.row.gamesmaster in ("", work.mark.gamesmaster)  # the paper is not another's
    is_away = away.waits(work, game.id) if own else ""
    return remark("paper_waits", is_away)


@dataclass(frozen=True, slots=True)
class Relayed:
    """The press of a letter, relayed."""

    notes: Sequence[str]
    sections: Sequence[tuple[str, str]]
    """Title and text of each press that went out."""
    quiet: bool
    """All went out, and nothing needs saying."""
    held: Sequence[str] = ()
    """As a yes sends them."""


def presses(work: Work, judged: Judged, game: GameAt, *, trial: bool, offers: int = 0) -> Relayed:
    """Relay each press that may go out; on trial, say what would. offers: suggestions before."""
    given, an_hour = judged.decision.peeled.press, work.limits.letters_an_hour
    left = presses_left(work, game, judged.decision.seat, an_hour) if given else 0
    lines, sections, went = list[str](), list[tuple[str, str]](), list[Words]()
    held = dict[int, Words]()
    if len(given) > left:
        lines.append(remark("presses_over", given[left:], MOST_PRESSES, an_hour))
    author = judged.decision.seat
    bots = {seat.upper() for seat in game.bots}
    for written in given[:left]:
        if written.pen_name:
            lines.append(remark("no_pen_names", _called(written)))
            continue
        words = replace(written, to=addressed(game, written.to))
        if unread := [one for one in words.to if one in bots]:
            words = replace(words, to=tuple(one for one in words.to if one not in bots))
            lines.append(f"{_called(written)}: {read_by_nobody(unread)}.")
            if not words.to:
                continue
        if words.to == _PAPER:  # a letter to the paper
            lines.append(take(work, judged, game, words, trial=trial))
            continue
        if words.anonymous:
            words = replace(
                words, text=press_rules.unsigned(words.text, own_names(judged, game, author))
            )
        why = _why_not(work, judged, game, words)
        if not why and not words.sure and _shows_writer(judged, game, words):
            held[len(lines)] = words
            lines.append("")
            continue
        if why or trial:
            lines.append(why or f"{_called(words)}: it can be relayed as it is.")
            went += [] if why else [words]
            continue
        text = _relayed(work, judged, game, words)
        went.append(words)
        to, unnamed = ", ".join(words.to), " without your name" * words.anonymous
        lines.append(f"Your press to {to} went out{unnamed}.")
        sections.append((f"Your press to {to} as it went out", text))
    for number, (place, words) in enumerate(held.items(), offers + 1):
        answer = "" if trial else "yes" if len(held) + offers == 1 else str(number)
        found = _shows_writer(judged, game, words)
        lines[place] = remark("held_veiled", _called(words), found, words.text, answer)
    if len({words.anonymous for words in went}) > 1:
        lines.append(remark("two_faces"))
    plain = len(went) == len(given) == len(lines)  # nothing else is said
    return Relayed(lines, sections, plain and not trial, [str(one) for one in held.values()])


def in_words(
    work: Work, judged: Judged, game: GameAt, answers: Sequence[Answer]
) -> tuple[list[Answer], list[str]]:
    """Return the answers with press offered for "tell b that ...", and the lines offered."""
    made, lines, unread = list[Answer](), list[str](), {one.upper() for one in game.bots}
    for answer in answers:
        words = None if answer.orders else _in_words(game, judged.decision.seat, answer.line.text)
        if not words or all(problem.warning for problem in answer.problems):
            made.append(answer)
            continue
        line, bots = f"{_called(words)}: {words.text}", sorted(unread.intersection(words.to))
        why = read_by_nobody(bots) if bots else _why_not(work, judged, game, words)
        lines += [] if why else [line]
        problem = replace(answer.problems[0], notes=(why or f"{MEANT}{line}?",))
        if why:
            problem = replace(problem, message=f'"{shorten(safe(answer.line.text))}" was not sent.')
        made.append(replace(answer, problems=(problem,), quiet=False, asked=not why))
    return made, lines


def _in_words(game: GameAt, seat: Seat, text: str) -> Words | None:
    """Return the press that a sentence asks for."""
    press_told = order.told(text)
    opening = order.opening(f"PRESS TO {press_told[0]}") if press_told else None
    to = addressed(game, opening.to) if opening else ()
    known = {*_named(game), press_rules.EVERYBODY}
    if not press_told or not to or not known.issuperset(to) or to == (seat.upper(),):
        return None
    return Words(to, False, press_told[1], 1, closed=True)


def read_by_nobody(bots: Sequence[str]) -> str:
    one = len(bots) == 1
    return f"{listed(bots)} {'is a bot, and reads' if one else 'are bots, and read'} no press"


def _why_not(work: Work, judged: Judged, game: GameAt, words: Words) -> str:
    seats = _named(game)
    unknown = [seat for seat in words.to if seat != press_rules.EVERYBODY and seat not in seats]
    if unknown:
        players = [(seat, game.player(seat)) for seat in game.seats]
        there = [f"{seat} ({name})" if name else seat for seat, name in players]
        return remark("press_to_nobody", unknown, there)
    if lines := press_rules.not_words(game.ruleset.language, words):
        return remark("held_press", _called(words), lines)
    why = _unfit(work, game, judged.decision.seat, words)
    return f"{_called(words)}: it was not relayed: {why}." if why else ""


def _unfit(work: Work, game: GameAt, seat: Seat, words: Words) -> str:
    """Return why words cannot go out; to the paper they can in every mode of press."""
    mode, to_paper, to_all = game.house.press, words.to == _PAPER, press_rules.EVERYBODY in words.to
    forbidden = press_rules.forbidden(mode, to_all=to_all, signed=not words.anonymous)
    return (
        guards.suspended(work, game, seat)
        or ("" if to_paper else forbidden)
        or press_rules.too_long(words.text)
        or shows(work, game.holders[seat].address, words.text, veiled=words.anonymous)
    )


def _shows_writer(judged: Judged, game: GameAt, words: Words) -> str:
    names = own_names(judged, game, judged.decision.seat)
    return press_rules.of_writer(words.text, names) if words.anonymous else ""


def own_names(judged: Judged, game: GameAt, seat: Seat) -> tuple[str, ...]:
    """Return the names of a letter's writer, but words that name a seat."""
    seats = {word for one in game.seats for word in (one, *_party(game, one).split())}
    called = f"{judged.letter.sender_name} {game.player(seat)}".split()
    return tuple(word for word in called if word not in seats)


def _called(words: Words) -> str:
    return f"PRESS TO {', '.join(words.to)}"


def _party(game: GameAt, seat: Seat) -> str:
    called = templates.seat_words(game.ruleset, game.state, seat).partition(", ")[2]
    return called.removeprefix("the ")


def addressed(game: GameAt, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the readers named; unknown words stay."""
    called = {seat: (game.player(seat), _party(game, seat)) for seat in game.seats}
    found = (key.upper() for key in press_rules.addressed(words, called))
    return tuple(dict.fromkeys(found))


def _named(game: GameAt) -> dict[str, Seat]:
    return {seat.upper(): seat for seat in game.seats}


def _relayed(work: Work, judged: Judged, game: GameAt, words: Words) -> str:
    seats, author = _named(game), judged.decision.seat
    new = Press(
        game_id=game.id,
        period=game.period.number,
        author=author,
        anonymous=words.anonymous,
        audience=[] if press_rules.EVERYBODY in words.to else [seats[seat] for seat in words.to],
        text=harmless(words.text),
        letter_id=judged.row.id,
        player_id=game.holders[author].player_id,
    )
    return send(work, game, new, ", ".join(words.to))


def of_gamesmaster(work: Work, game_id: str, to: str, text: str) -> str:
    """Send the gamesmaster's words; those to all are in the next bulletin too. to: as after PRESS
    TO. Return the text. Raise OperatorError."""
    game = guards.guarded(work.conn, game_id, None)
    if not text.strip():
        raise OperatorError("a press without a word; write what is to be relayed")
    opening = order.opening(f"PRESS TO {to}") or order.Opening((to,))
    pen_name = _veil(work, game, opening)
    named = _named(game)
    keys = list(opening.to)
    audience = [] if press_rules.EVERYBODY in keys else [named.get(key, key) for key in keys]
    for seat in audience:
        guards.known(game, seat)
    if bots := [seat for seat in audience if seat in game.bots]:
        raise OperatorError(f"nothing was relayed: {read_by_nobody(bots)}")
    if why := press_rules.too_long(text.strip("\n")):
        raise OperatorError(f"nothing was relayed: {why}")
    new = Press(
        game_id=game.id,
        period=game.period.number,
        author=press.GAMESMASTER,
        anonymous=opening.anonymous,
        audience=audience,
        text=harmless(text.strip("\n")),
        pen_name=pen_name,
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    readers = audience or [press_rules.EVERYBODY]
    notes.note(work.conn, game.id, work.now, "press", to=readers, sha256=digest)
    return send(work, game, new, ", ".join(readers))


def _veil(work: Work, game: GameAt, opening: order.Opening) -> str:
    said = f'AS "{opening.pen_name}"' if opening.pen_name else "ANONYMOUS"
    if (opening.anonymous or opening.pen_name) and not game.ruleset.about.veiled:
        raise OperatorError(f"yours says that it is the gamesmaster's, and cannot be {said}")
    called = [word for seat in game.seats for word in (seat, _party(game, seat), game.player(seat))]
    try:
        return opening.pen_name and persons.checked(
            opening.pen_name, (*filter(None, called), work.mark.name)
        )
    except NotAName as error:
        raise OperatorError(f"nothing was relayed: {error}") from error


KIND = "press-reported"


def report(work: Work, game: GameAt, seat: Seat, of: Press, words: str) -> str:
    """Tell the gamesmaster of a press. Return the answer: of hidden press, nothing that shows
    whether a player wrote it."""
    if of.author == press.GAMESMASTER and not is_veiled(of):
        return "It was not reported: the gamesmaster wrote it."
    if not masters.of(work.conn, work.mark, game.id).acting:
        return remark("no_report")
    before = [data for _, data in notes.moments(work.conn, game.id, KIND)]
    if any((one["press"], one["seat"]) == (of.id, seat) for one in before):
        return "You have reported it already. The gamesmaster has it."
    notes.note(work.conn, game.id, work.now, KIND, press=of.id, seat=seat)
    author, remarks = "" if of.author == press.GAMESMASTER else of.author, reported(words)
    subject, signed = f"{game.id}: {seat} reports a press", byline(of) if is_veiled(of) else ""
    text = remark("report", game.id, seat, of, author, signed, remarks)
    commands = (f"suspend {game.id} {author}",) if author else ()
    if author:
        Report.put(work.conn, Report(game.id, seat, of.id, author, of.text, work.now))
    alarms.tell(work, f"reported:{of.id}:{seat}", subject, text, game.id, commands=commands)
    return remark("reported", away.waits(work, game.id), remarks)


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer to a press. Its seat is "" for the gamesmaster."""

    judged: Judged
    game: GameAt
    seat: Seat
    of: Press
    before: Press | None
    """Their own press, which that answers."""
    words: Words

    @property
    def by_gamesmaster(self) -> bool:
        return self.seat == press.GAMESMASTER

    @property
    def to_gamesmaster(self) -> bool:
        return self.of.author == press.GAMESMASTER


def answered_unknown(work: Work, judged: Judged) -> LetterOutcome:
    senders.tell(work, judged, "question", judged.decision.question)
    return LetterOutcome(LetterState.COMMAND, judged.decision.reason)


def answered_by_gamesmaster(work: Work, judged: Judged) -> LetterOutcome:
    press_of = judged.decision.case.press
    game = press_of.game if press_of else judged.decision.game
    hands = masters.of(work.conn, work.mark, game)
    if hands.acting != judged.letter.sender:
        text = f"Nothing was passed on: you do not do the acts of game {game}."
        senders.tell(work, judged, "question", text)
        return LetterOutcome(
            LetterState.COMMAND, "an answer to press by one who does no acts of the game"
        )
    return relay_answer(work, judged, games.game_at(work.conn, game), press.GAMESMASTER)


def relay_answer(work: Work, judged: Judged, game: GameAt, seat: Seat) -> LetterOutcome:
    """Pass on an answer to the press's writer, or say why not."""
    pressed = judged.decision.case.press
    of = Press.one(work.conn, id=pressed.number) if pressed else None
    if of is None:
        return answered_unknown(work, judged)
    words, below = press_rules.answer(judged.letter.body)
    before = Press.one(work.conn, id=of.answers) if of.answers else None
    before = before if before and before.author == seat else None  # else it has its own face
    veiled = seat != press.GAMESMASTER and is_veiled(before)
    names = own_names(judged, game, seat) if veiled else ()
    if veiled:
        words = replace(words, text=press_rules.unsigned(words.text, names))
    reply = _Answer(judged, game, seat, of, before, words)
    if reported(words.text) is not None and not reply.by_gamesmaster:
        _tell(work, reply, [report(work, game, seat, of, words.text)], "")
        return LetterOutcome(judged.decision.verdict, "a press was reported", game.period.number)
    why = _why_not_on(work, reply)
    lines = () if why else press_rules.not_words(game.ruleset.language, words)
    held = remark("held_answer", lines) if lines else ""
    why = f"It was not passed on: {why}." if why else held
    if veiled and not why and (found := press_rules.of_writer(words.text, names)):
        why = remark("held_veiled", "Your answer", found, words.text)
    text = "" if why else _passed_on(work, reply)
    notes = [why or remark("passed_on", is_veiled(of), byline(of))]
    if below and text:
        notes.append(f"Nothing below END PRESS was read: {counted(below, 'line')}.")
    _tell(work, reply, notes, text)
    reason = "an answer to press was passed on" if text else "an answer to press was not passed on"
    return LetterOutcome(judged.decision.verdict, reason, game.period.number)


def _why_not_on(work: Work, reply: _Answer) -> str:
    game, conn = reply.game, work.conn
    if game.row.status == GameState.OVER:
        return "the game is over, and the referee relays no press any more"
    if not reply.by_gamesmaster and reply.seat not in ending.playing(game):
        return "you are out of the game"
    veiled = is_veiled(reply.of)
    open_to_him = reply.to_gamesmaster and not veiled
    if not (reply.by_gamesmaster or open_to_him) and (
        why := guards.suspended(work, game, reply.seat)
    ):
        return why
    if not (reply.by_gamesmaster or reply.to_gamesmaster) and game.house.press != press_rules.FREE:
        return (
            press_rules.forbidden(game.house.press, to_all=False, signed=True)
            + "; an answer would go to one alone"
        )
    if open_to_him and not masters.of(conn, work.mark, game.id).acting:
        return "the game has nobody now who does the acts of a gamesmaster"
    if not (veiled or reply.to_gamesmaster or _is_there(reply)):
        return f"its writer no longer plays {reply.of.author}, so nobody gets it"
    an_hour = work.limits.letters_an_hour
    if not presses_left(work, game, reply.seat, an_hour):
        return f"a seat has {an_hour} presses and answers in an hour; send it again later"
    if not (text := reply.words.text):
        return "no words of your own were found above what it quotes"
    own, veiled = reply.judged.letter.sender or "", is_veiled(reply.before)
    return press_rules.too_long(text) or shows(work, own, text, veiled=veiled)


def _is_there(one: _Answer) -> bool:
    return one.game.holders[one.of.author].player_id == one.of.player_id


def _passed_on(work: Work, reply: _Answer) -> str:
    before = reply.before
    holder = None if reply.by_gamesmaster else reply.game.holders[reply.seat]
    new = Press(
        game_id=reply.game.id,
        period=reply.game.period.number,
        author=reply.seat,
        anonymous=before is not None and before.anonymous,
        audience=[press.TO_GAMESMASTER if reply.to_gamesmaster else reply.of.author],
        text=harmless(reply.words.text),
        letter_id=reply.judged.row.id,
        pen_name=before.pen_name if before else "",
        answers=reply.of.id,
        player_id=holder.player_id if holder else None,
    )
    there = reply.to_gamesmaster or _is_there(reply)
    if reply.to_gamesmaster and not (reply.by_gamesmaster or is_veiled(reply.of)):
        inquiries.press_waits(work, reply.game, reply.seat, reply.judged.row.id, new.text)
    elif reply.by_gamesmaster and reply.of.letter_id:
        Inquiry.drop(work.conn, letter=reply.of.letter_id)
    return send(work, reply.game, new, byline(reply.of), there=there)


def _tell(work: Work, reply: _Answer, notes: list[str], text: str) -> None:
    judged, game = reply.judged, reply.game
    if not judged.decision.reply_allowed:
        return
    answered = templates.shared(
        "answered",
        of=byline(reply.of),
        game=game.id,
        received=game.minute(judged.row.received),
        notes=notes,
        text=text,
        cut=list(_cut(judged)) if text else [],
    )
    if reply.by_gamesmaster:
        senders.reply(work, judged, "Re: your press", [answered])
    else:
        receipts.send_receipt(work, judged, game, game.holders[reply.seat], answered)


def _cut(judged: Judged) -> Iterator[str]:
    """Yield what was left out because it is not the writer's own."""
    lines = Counter[str]()
    for cut in judged.letter.cut:
        lines[_NAMED.get(cut.reason, "what is quoted")] += len(cut.text.split("\n"))
    for what, number in lines.items():
        yield f"{what} ({counted(number, 'line')})"
    if names := judged.letter.attachments:
        yield counted(len(names), "attached file")


_NAMED = {
    "signature": "the signature",
    "hidden": "what your mail program does not show",
    "forwarded": "a letter sent on",
    "a forwarded letter": "a letter sent on",
}
