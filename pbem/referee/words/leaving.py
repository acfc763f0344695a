"""RESIGN (leave the game) and QUIT (have another take the seat) wait for a code.

It goes to the address of record. A RESIGN counts if it returns in time. A QUIT offers the seat
(house rule 6); its player plays on until then.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection

from pbem.errors import RefereeError
from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Answer as Answered
from pbem.games.frame.adjudication import take
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.orders.order import Standing, staying
from pbem.periods import claims, publishing
from pbem.post import alarms, codes, masters, outbox
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import made_for_seat
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Reply
from pbem.referee.deciding.trust import CONFIRMED
from pbem.referee.game import receipts
from pbem.referee.game.receipts import Receipt
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.store.people import players
from pbem.store.schema.states import Freed, GameState
from pbem.store.schema.tables import FreeSeat

_said = partial(templates.said, "leaving")
RESIGN, QUIT = "RESIGN", "QUIT"
LIVES = timedelta(days=7)
"""A QUIT's code; a RESIGN's works while its period is open."""
AGAIN = timedelta(hours=1)
"""A waiting code is mailed at most once in this time."""

_Waits = Mapping[str, Any]
"""A word that waits for its code."""


def resigns(standing: Standing, stood: Standing) -> bool:
    """Return whether a seat leaves by an order not yet stored."""
    return any(slot not in stood for slot in standing.keys() - staying(standing).keys())


def _ask(work: Work, judged: Judged, game: GameAt, word: str) -> str:
    """Mail the word's code, unless done within the hour. Return the note."""
    conn, seat, now = work.conn, judged.decision.seat, work.now
    key, player = _key(game.id, seat, word), game.holders[seat].player_id
    found: _Waits = notes.memo(conn, key)
    until = datetime.fromisoformat(found["until"]) if found else now
    old = until < now if word != RESIGN else found and found["period"] != game.period.number
    if found and (old or found["player"] != player):
        _forget(conn, found)
        found = {}
    if not found or datetime.fromisoformat(found["mailed"]) <= now - AGAIN:
        letter = found.get("letter", judged.row.id)
        code = work.mark.code(f"leaving/{word}/{letter}")
        told = {"word": word, "game": game.id, "seat": seat, "player": player, "letter": letter}
        told |= {"period": game.period.number, "code": code_hash(code)}
        told |= {"until": (now + LIVES).isoformat(), "mailed": now.isoformat()}
        notes.set_memo(conn, key, told)
        notes.set_memo(conn, f"code:{code_hash(code)}", {"leaving": key})
        received = game.minute(judged.row.received)
        before = publishing.before_closing(game)
        text = _said("asks", game, game.holders[seat], word, code, before, received)
        key, subject = f"leaving:{word}:{judged.row.id}", f"[{game.id}] {word}: do you mean it?"
        draft = Draft(key, "leaving", subject, text).answering(judged.letter)
        outbox.put(work, made_for_seat(work, game, game.holders[seat], draft))
    return _said(f"waits_{word}")


def void(conn: Connection, game: GameAt, seat: Seat, word: str) -> bool:
    """Forget a waiting request and its code. Return whether there was one."""
    found = notes.memo(conn, _key(game.id, seat, word))
    if found:
        _forget(conn, found)
    return bool(found)


class Confirmed(NamedTuple):
    """A code that came back."""

    game: GameAt
    seat: Seat
    told: Receipt
    reason: str


def words(game: GameAt, decision: Decision) -> list[str]:
    """Return the words by which an unproven letter would leave."""
    orders = take(
        game.ruleset, game.state, decision.seat, decision.peeled.text, {}, game.named
    ).standing
    found = [RESIGN] if resigns(orders, {}) else []
    if decision.peeled.asks(QUIT):
        found.append(QUIT)
    return found


def carry_out(
    work: Work, judged: Judged, game: GameAt, answers: Sequence[Answered], resigning: bool
) -> list[str]:
    """Carry out RESIGN and QUIT. Return notes. resigning: a new RESIGN, uncoded."""
    decision = judged.decision
    seat = decision.seat
    waits, told = [RESIGN] if resigning else [], _comes_back(work, judged, game)
    for command in decision.peeled.commands:
        if (command.name, command.argument) == ("CANCEL", QUIT):
            waits = [word for word in waits if word != QUIT]
            told.append(_stay(work, game, seat))
        elif command.name != QUIT:
            continue
        elif seat not in game.ruleset.asked(game.state):
            told.append(_said("out_already"))
        elif game.holders[seat].quits is not None:
            told.append("You have asked to be relieved already.")
        elif judged.row.authentication == CONFIRMED:  # the letter itself has had a code
            told.append(_quit(work, game, seat))
        else:
            waits.append(QUIT)
    if decision.reply_allowed:
        told += [_ask(work, judged, game, word) for word in dict.fromkeys(waits)]
    lines = {" ".join(answer.line.text.upper().split()) for answer in answers}
    cancelled = not lines.isdisjoint(("CANCEL RESIGN", "CANCEL ALL"))
    if cancelled and not resigning and void(work.conn, game, seat, RESIGN):
        told.append("The RESIGN that waited for its code is void.")
    return told


def confirmed(work: Work, waiting: _Waits) -> Confirmed | Reply:
    """Redeem the code of a RESIGN or QUIT."""
    game, seat = games.game_at(work.conn, waiting["game"]), waiting["seat"]
    _forget(work.conn, waiting)
    if why := _why_not(waiting, game):
        return Reply(why, f"[{game.id}] Your code has no effect")
    last = order_sets.last_set(work.conn, game.id, game.period.number, seat)
    standing, readiness_word = order_sets.orders_of(game, last), readiness.of(last)
    reason = f"confirms the {waiting['word']} of letter {waiting['letter']}"
    if waiting["word"] == QUIT:
        receipt = Receipt(standing, notes=[_quit(work, game, seat)], said=readiness_word)
        return Confirmed(games.game_at(work.conn, game.id), seat, receipt, reason)
    taken = take(game.ruleset, game.state, seat, RESIGN, standing)
    before, readiness_word = readiness_word, readiness.after_orders(readiness_word)
    order_sets.save_orders(
        work.conn,
        game,
        seat,
        taken.standing,
        last,
        said=readiness_word,
        letter_id=waiting["letter"],
        now=work.now,
    )
    if game.awaits:
        periods.set_period(work.conn, game.id, game.period.number, next_look=work.now)
    back = [readiness.TAKEN_BACK] if readiness_word is not before else []
    receipt = Receipt(taken.standing, taken.answers, back, said=readiness_word)
    return Confirmed(game, seat, receipt, reason)


def _why_not(found: _Waits, game: GameAt) -> str:
    if game.holders[found["seat"]].player_id != found["player"]:
        return f"{found['seat']} has another player now, so the code has no effect."
    if game.row.status == GameState.OVER:
        return "The game is over."
    if found["word"] == RESIGN and found["period"] != game.period.number:
        return codes.LATE
    return ""


def _quit(work: Work, game: GameAt, seat: Seat) -> str:
    """Offer the seat and tell the gamesmaster (house rule 6). Return the answer."""
    void(work.conn, game, seat, QUIT)
    games.set_seat(work.conn, game.id, seat, quits=work.now)
    notes.note(work.conn, game.id, work.now, "quit", seat=seat)
    standing, others = claims.reach(work, game, seat)
    reach = "standby" if standing else "others" if others else ""
    text = _said("relieved", seat, game.holders[seat].name, game.id, reach)
    commands = (f"standby {game.id} ADDRESS", f"replace {game.id} {seat} ADDRESS")
    told = _tell(work, game, seat, text, () if reach else commands)
    return _said("quits", told, reach)


def _stay(work: Work, game: GameAt, seat: Seat) -> str:
    if game.holders[seat].quits is None:
        return _said("void_quit", void(work.conn, game, seat, QUIT))
    games.set_seat(work.conn, game.id, seat, quits=None)
    notes.note(work.conn, game.id, work.now, "stays", seat=seat)
    claims.stays(work, game, seat)
    who = f"{seat} ({game.holders[seat].name}) in game {game.id}"
    text = f"{who} no longer asks to be relieved, and plays on."
    told = _tell(work, game, seat, text, what="stays")
    return f"Your QUIT is taken back: you play on, {told}."


def _comes_back(work: Work, judged: Judged, game: GameAt) -> list[str]:
    seat = judged.decision.seat
    row = FreeSeat.one(work.conn, game_id=game.id, seat=seat)
    if row is None or row.why is Freed.QUIT or not judged.proven:
        return []
    standing, awaited = order_sets.standing(work.conn, game, seat), game.ruleset.about.awaited
    if (
        row.why is Freed.LIST
        and awaited
        and awaited.slot in game.ruleset.due(game.state, seat, standing)
    ):
        return [f"Your seat is offered to others as long as there is no {awaited.short} of yours."]
    claims.stays(work, game, seat)
    games.set_seat(work.conn, game.id, seat, missed=0)
    return ["You keep your seat: it is offered to nobody any more."]


def _tell(
    work: Work,
    game: GameAt,
    seat: Seat,
    text: str,
    commands: Sequence[str] = (),
    what: str = "quit",
) -> str:
    """Alarm the gamesmaster. Return in words whether there is one."""
    key = f"{what}:{game.id}:{seat}:{work.now:%H%M%S}"
    alarms.tell(work, key, f"{seat} in {game.id}: {QUIT}", text, game.id, commands=commands)
    if masters.of(work.conn, work.mark, game.id).acting:
        return "and the gamesmaster has been told"
    return "and nobody is told, since the gamesmaster plays in the game too"


def _key(game: str, seat: Seat, word: str) -> str:
    return f"leaving:{word}:{game}:{seat}"


def _forget(conn: Connection, found: _Waits) -> None:
    key = _key(found["game"], found["seat"], found["word"])
    notes.forget_memos(conn, key, f"code:{found['code']}")


def stands_by(work: Work, judged: Judged) -> tuple[LetterState, str]:
    """Answer somebody who stands by."""
    decision = judged.decision
    player_id = players.at_address(work.conn, judged.letter.sender or "")
    standby = claimants.person(work.conn, decision.game, player_id) if player_id else None
    if standby is None or not standby.stands_by:
        raise RefereeError(f"letter {judged.row.id}: its sender stands by for {decision.game} not")
    game = games.begun(work.conn, decision.game)
    if game is None:
        text = f"You stand by for game {decision.game}, which has not begun yet. When it does you"
        senders.tell(work, judged, "question", f"{text} will be mailed what that means.")
        return LetterState.COMMAND, decision.reason
    quits = decision.peeled.asks(QUIT) and decision.proven
    if quits:
        claims.quits(work, game, standby)
    since = work.now - receipts.HOUR
    sent = mails.made(work.conn, since, claims.STANDBY, recipient=standby.address)
    few = sent < work.limits.stranger_mails_an_hour
    if decision.reply_allowed and (quits or few):
        claims.answer(work, game, standby, judged.row.id, judged.letter, gone=quits)
    return LetterState.COMMAND, f"{decision.reason}: {QUIT}" if quits else decision.reason


def unsubscribe(work: Work, judged: Judged) -> tuple[LetterState, str]:
    """Answer a mail client's unsubscribe, and tell the gamesmaster."""
    sender, decision = judged.letter.sender, judged.decision
    contact = work.mark.gamesmaster
    if decision.game:
        contact = masters.of(work.conn, work.mark, decision.game).contact
    if judged.deputy:
        text = _said("unsubscribes_deputy", decision.seat, decision.game)
        senders.tell(work, judged, "question", text)
        return LetterState.COMMAND, decision.reason
    held = f"{decision.seat} in {decision.game}" if decision.seat else "a seat"
    text = _said("unsubscribes", contact)
    senders.tell(work, judged, "question", text)
    command = f"replace {decision.game or 'GAME'} {decision.seat or 'SEAT'} ADDRESS"
    alarm = _said("may_leave", sender, held, command)
    key, subject = f"unsubscribe:{sender}", "a player may want to leave"
    commands = (command,) if decision.game else ()
    alarms.tell(work, key, subject, alarm, decision.game, commands=commands)
    return LetterState.COMMAND, decision.reason
