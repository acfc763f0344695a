"""Pass on answers to press. No order is read.

The answerer of hidden press never learns whether its seat changed hands or is out.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbem.games.frame import press_rules
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.orders.mailwords import Press as Words
from pbem.periods import ending, guards, inquiries
from pbem.post import masters
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, Outcome
from pbem.referee.game import receipt_text, receipts, relaying
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.games import games, press
from pbem.store.games.games import GameAt
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Inquiry, Press
from pbem.text import counted


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer to a press. Its seat is "" for the gamesmaster."""

    judged: Judged
    at: GameAt
    seat: Seat
    of: Press
    words: Words

    @property
    def by_gamesmaster(self) -> bool:
        return self.seat == press.GAMESMASTER

    @property
    def to_gamesmaster(self) -> bool:
        return self.of.author == press.GAMESMASTER


def unknown(work: Work, judged: Judged) -> Outcome:
    senders.tell(work, judged, "question", judged.decision.question)
    return Outcome(LetterState.COMMAND, judged.decision.reason)


def of_gamesmaster(work: Work, judged: Judged) -> Outcome:
    press_of = judged.decision.press
    game = press_of.game if press_of else judged.decision.game
    hands = masters.of(work.conn, work.mark, game)
    if hands.acting != judged.letter.sender:
        text = f"Nothing was passed on: you do not do the acts of game {game}."
        senders.tell(work, judged, "question", text)
        return Outcome(
            LetterState.COMMAND, "an answer to press by one who does no acts of the game"
        )
    return relay_answer(work, judged, games.game_at(work.conn, game), press.GAMESMASTER)


def relay_answer(work: Work, judged: Judged, game: GameAt, seat: Seat) -> Outcome:
    """Pass on an answer to the press's writer, or say why not."""
    of = Press.one(work.conn, id=judged.decision.press.number) if judged.decision.press else None
    if of is None:
        return unknown(work, judged)
    words, below = press_rules.answer(judged.letter.body)
    veiled = seat != press.GAMESMASTER and relaying.face_before(work, of, seat).veiled
    names = relaying.own_names(judged, game, seat) if veiled else ()
    if veiled:
        words = replace(words, text=press_rules.unsigned(words.text, names))
    reply = _Answer(judged, game, seat, of, words)
    if relaying.asked(words.text) and not reply.by_gamesmaster:
        _tell(work, reply, [relaying.report(work, game, seat, of, words.text)], "")
        return Outcome(judged.decision.verdict, "a press was reported", game.period.number)
    why = _not_now(work, reply) or _not_such(work, reply)
    why = f"It was not passed on: {why}." if why else _held(reply)
    if veiled and not why and (found := press_rules.of_writer(words.text, names)):
        why = receipt_text.held_veiled("Your answer", found, words.text)
    text = "" if why else _passed_on(work, reply)
    notes = [why or _gone(reply)]
    if below and text:
        notes.append(f"Nothing below END PRESS was read: {counted(below, 'line')}.")
    _tell(work, reply, notes, text)
    reason = "an answer to press was passed on" if text else "an answer to press was not passed on"
    return Outcome(judged.decision.verdict, reason, game.period.number)


def _not_now(work: Work, reply: _Answer) -> str:
    game, conn = reply.at, work.conn
    if game.row.status == GameState.OVER:
        return "the game is over, and the referee relays no press any more"
    if not reply.by_gamesmaster and reply.seat not in ending.playing(game):
        return "you are out of the game"
    veiled = relaying.face(reply.of).veiled
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
    if not relaying.presses_left(work, game, reply.seat, an_hour):
        return f"a seat has {an_hour} presses and answers in an hour; send it again later"
    return ""


def _not_such(work: Work, reply: _Answer) -> str:
    if not reply.words.text:
        return "no words of your own were found above what it quotes"
    if long := press_rules.too_long(reply.words.text):
        return long
    veiled = relaying.face_before(work, reply.of, reply.seat).veiled
    return relaying.shows(work, reply.judged.letter.sender or "", reply.words.text, veiled=veiled)


def _held(one: _Answer) -> str:
    lines = press_rules.not_words(one.at.ruleset.language, one.words)
    return receipt_text.held_answer(lines) if lines else ""


def _is_there(one: _Answer) -> bool:
    return one.at.holders[one.of.author].player_id == one.of.player_id


def _gone(reply: _Answer) -> str:
    if relaying.face(reply.of).veiled:
        return (
            "It goes to the writer of that press, who is not told your address, nor you who it is."
            " If they have left the game, nobody gets it."
        )
    return f"It has been passed on to {relaying.byline(reply.of)}, without your address."


def _passed_on(work: Work, reply: _Answer) -> str:
    face = relaying.face_before(work, reply.of, reply.seat)
    holder = None if reply.by_gamesmaster else reply.at.holders[reply.seat]
    new = Press(
        game_id=reply.at.id,
        period=reply.at.period.number,
        author=reply.seat,
        anonymous=face.anonymous,
        audience=[press.TO_GAMESMASTER if reply.to_gamesmaster else reply.of.author],
        text=relaying.harmless(reply.words.text),
        letter_id=reply.judged.row.id,
        pen_name=face.pen_name,
        answers=reply.of.id,
        player_id=holder.player_id if holder else None,
    )
    there = reply.to_gamesmaster or _is_there(reply)
    if reply.to_gamesmaster and not (reply.by_gamesmaster or relaying.face(reply.of).veiled):
        inquiries.press_waits(work, reply.at, reply.seat, reply.judged.row.id, new.text)
    elif reply.by_gamesmaster and reply.of.letter_id:
        Inquiry.drop(work.conn, letter=reply.of.letter_id)
    return relaying.send(work, reply.at, new, relaying.byline(reply.of), there=there)


def _tell(work: Work, reply: _Answer, notes: list[str], text: str) -> None:
    judged, game = reply.judged, reply.at
    if not judged.decision.reply_allowed:
        return
    receipt_text = templates.shared(
        "answered",
        of=relaying.byline(reply.of),
        game=game.id,
        received=game.minute(judged.row.received),
        notes=notes,
        text=text,
        cut=list(_cut(judged)) if text else [],
    )
    if reply.by_gamesmaster:
        gamesmaster_words.reply(work, judged, "Re: your press", [receipt_text])
    else:
        receipts.send_receipt(work, judged, game, game.holders[reply.seat], receipt_text)


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
