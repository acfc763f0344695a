"""RESIGN (leave the game) and QUIT (have another take the seat) wait for a code.

It goes to the address of record. A RESIGN counts if it returns in time. A QUIT offers the seat
(house rule 6); its player plays on until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Answer, take
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters.verdict import Decision
from pbem.orders.order import Order, Resign, Standing, staying
from pbem.periods import offers, publishing
from pbem.post import alarms, masters, outbox
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import to_seat
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.trust import CONFIRMED, code_of
from pbem.referee.game.receipt_text import Receipt
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import Freed, GameState
from pbem.store.schema.tables import FreeSeat
from pbem.text import moment_words

RESIGN, QUIT = "RESIGN", "QUIT"
LIVES = timedelta(days=7)
"""A QUIT's code; a RESIGN's works while its period is open."""
AGAIN = timedelta(hours=1)
"""A waiting code is mailed at most once in this time."""


@dataclass(frozen=True, slots=True)
class Request:
    """A word that waits for its code."""

    word: str
    game: str
    seat: Seat
    period: int
    player: int | None
    letter: int
    until: str
    mailed: str
    code: str


def resigns(standing: Standing, stood: Standing) -> bool:
    """Return whether a seat leaves by an order not yet stored."""
    return any(slot not in stood for slot in standing.keys() - staying(standing).keys())


def as_it_was(standing: Standing, stood: Standing) -> dict[str, Order]:
    leaves = {slot: order for slot, order in stood.items() if isinstance(order, Resign)}
    return {**staying(standing), **leaves}


def _ask(work: Work, judged: Judged, at: GameAt, word: str) -> str:
    """Mail the word's code, unless done within the hour. Return the note."""
    seat = judged.decision.seat
    found = _load(notes.memo(work.conn, _key(at.id, seat, word)))
    if found and (_too_old(found, at, work.now) or found.player != at.holders[seat].player_id):
        _forget(work.conn, found)
        found = None
    if found is None or datetime.fromisoformat(found.mailed) <= work.now - AGAIN:
        letter = found.letter if found else judged.row.id
        code = work.mark.code(f"leaving/{word}/{letter}")
        _remember(
            work.conn,
            Request(
                word=word,
                game=at.id,
                seat=seat,
                period=at.period.number,
                player=at.holders[seat].player_id,
                letter=letter,
                until=(work.now + LIVES).isoformat(),
                mailed=work.now.isoformat(),
                code=code_hash(code),
            ),
        )
        _mail_code(work, judged, at, word, code)
    return _WAITS[word]


def _mail_code(work: Work, judged: Judged, at: GameAt, word: str, code: str) -> None:
    row, holder = judged.row, at.holders[judged.decision.seat]
    text = (
        templates.environment()
        .get_template("_shared/leaving.txt.j2")
        .render(
            at=at,
            holder=holder,
            word=word,
            code=code,
            before=publishing.before_closing(at),
            received=f"{moment_words(row.received.astimezone(at.zone))} {at.game.zone}",
        )
    )
    subject = f"[{at.id}] {word}: do you mean it?"
    draft = Draft(f"leaving:{word}:{row.id}", "leaving", subject, text).answering(judged.letter)
    outbox.put(work, to_seat(work, at, holder, draft))


_WAITS = {
    RESIGN: (
        "RESIGN leaves the game for good, so it is not on file yet: it waits for the code that has"
        " been mailed to your address of record. Answer that mail as it says, and it counts. All"
        " else in your letter was taken as shown."
    ),
    QUIT: (
        "QUIT asks that another player take your seat. It waits for the code that has been mailed"
        " to your address of record: answer that mail as it says, and the seat is offered to"
        " others. All else in your letter was taken as shown."
    ),
}


def _void(conn: Connection, at: GameAt, seat: Seat, word: str) -> bool:
    """Forget a waiting request and its code. Return whether there was one."""
    found = _load(notes.memo(conn, _key(at.id, seat, word)))
    if found:
        _forget(conn, found)
    return found is not None


def void_resigns(conn: Connection, at: GameAt) -> None:
    for seat in at.seats:
        _void(conn, at, seat, RESIGN)


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A code that came back."""

    at: GameAt
    seat: Seat
    reason: str
    refusal: str | None = None
    standing: Standing = field(default_factory=dict)
    told: Receipt = field(default_factory=Receipt)


def words(at: GameAt, decision: Decision) -> list[str]:
    """Return the words by which an unproven letter would leave."""
    orders = take(at.ruleset, at.state, decision.seat, decision.peeled.text, {}, at.named).standing
    found = [RESIGN] if resigns(orders, {}) else []
    if decision.peeled.asks(QUIT):
        found.append(QUIT)
    return found


def carry_out(
    work: Work, judged: Judged, at: GameAt, answers: Sequence[Answer], resigning: bool
) -> list[str]:
    """Carry out RESIGN and QUIT. Return notes. resigning: a new RESIGN, uncoded."""
    decision = judged.decision
    seat = decision.seat
    waits, told = [RESIGN] if resigning else [], _comes_back(work, judged, at)
    for command in decision.peeled.commands:
        if (command.name, command.argument) == ("CANCEL", QUIT):
            waits = [word for word in waits if word != QUIT]
            told.append(_stay(work, at, seat))
        elif command.name != QUIT:
            continue
        elif seat not in at.ruleset.asked(at.state):
            told.append("You are out of the game already: there is no seat to be relieved of.")
        elif at.holders[seat].quits is not None:
            told.append("You have asked to be relieved already.")
        elif judged.row.authentication == CONFIRMED:  # the letter itself has had a code
            told.append(_quit(work, at, seat))
        else:
            waits.append(QUIT)
    if decision.reply_allowed:
        told += [_ask(work, judged, at, word) for word in dict.fromkeys(waits)]
    lines = {" ".join(answer.line.text.upper().split()) for answer in answers}
    cancelled = not lines.isdisjoint(("CANCEL RESIGN", "CANCEL ALL"))
    if cancelled and not resigning and _void(work.conn, at, seat, RESIGN):
        told.append("The RESIGN that waited for its code is void.")
    return told


def confirmed(work: Work, judged: Judged) -> Confirmed | None:
    """Redeem the code of a RESIGN or QUIT. None if it is not one."""
    key = notes.memo(work.conn, f"code:{code_hash(code_of(judged))}").get("leaving")
    found = _load(notes.memo(work.conn, key)) if key else None
    if found is None:
        return None
    at, seat = games.game_at(work.conn, found.game), found.seat
    if why := _why_not(work, found, at, judged.decision.sender):
        return Confirmed(at, seat, f"a code for {found.word} without effect: {why}", why)
    last = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    standing, said = order_sets.orders_of(at, last), readiness.of(last)
    reason = f"confirms the {found.word} of letter {found.letter}"
    if found.word == QUIT:
        told = Receipt(notes=[_quit(work, at, seat)], said=said)
        return Confirmed(
            games.game_at(work.conn, at.id), seat, reason, standing=standing, told=told
        )
    taken = take(at.ruleset, at.state, seat, RESIGN, standing)
    before, said = said, readiness.after_orders(said)
    order_sets.save_orders(
        work.conn, at, seat, taken.standing, last, said=said, letter_id=found.letter, now=work.now
    )
    if at.awaits:
        periods.set_period(work.conn, at.id, at.period.number, next_look=work.now)
    told = Receipt(
        answers=taken.answers, said=said, notes=[readiness.TAKEN_BACK] if said is not before else []
    )
    return Confirmed(at, seat, reason, standing=taken.standing, told=told)


def _why_not(work: Work, found: Request, at: GameAt, sender: str | None) -> str:
    """Return why a code does not work, or "". It is used up."""
    if at.holders[found.seat].player_id != found.player:
        why = f"{found.seat} has another player now, so the code has no effect."
    elif players.at_address(work.conn, sender or "") != found.player:
        return (
            f"That code is for the player of {found.seat} in {found.game}, who has to send it"
            " himself."
        )
    elif at.game.status == GameState.OVER:
        why = "The game is over."
    elif _too_old(found, at, work.now):
        why = f"The code has no effect any more. If you still mean it, write {found.word} again."
    else:
        why = ""
    _forget(work.conn, found)
    return why


def _quit(work: Work, at: GameAt, seat: Seat) -> str:
    """Offer the seat and tell the gamesmaster (house rule 6). Return the answer."""
    _void(work.conn, at, seat, QUIT)
    games.set_seat(work.conn, at.id, seat, quits=work.now)
    notes.note(work.conn, at.id, work.now, "quit", seat=seat)
    standing, others = offers.reach(work, at, seat)
    if standing:
        does = mends = "The next player who stands by is asked now."
    elif others:
        does = mends = "All who wait for a place in the game or watch it are asked now."
    else:
        does = "Nobody stands by yet."
        mends = (
            f"Nobody stands by: `pbem standby {at.id} ADDRESS`, or `pbem replace {at.id} {seat}"
            " ADDRESS`"
        )
    text = (
        f"{seat} ({at.holders[seat].name}) in game {at.id} asks to be relieved, and plays on until"
        f" another has the seat.\n{mends}"
    )
    commands = (f"standby {at.id} ADDRESS", f"replace {at.id} {seat} ADDRESS")
    told = _tell(work, at, seat, text, () if standing or others else commands)
    return (
        f"You have asked to be relieved, {told}. {does} You play on, and your orders count, until"
        " you are mailed that another player has your seat. If you change your mind before that,"
        " the words\u00a0CANCEL QUIT take it back."
    )


def _stay(work: Work, at: GameAt, seat: Seat) -> str:
    if at.holders[seat].quits is None:
        waited = _void(work.conn, at, seat, QUIT)
        return (
            "The QUIT that waited for its code is void."
            if waited
            else "There was no QUIT of yours to take back."
        )
    games.set_seat(work.conn, at.id, seat, quits=None)
    notes.note(work.conn, at.id, work.now, "stays", seat=seat)
    offers.stays(work, at, seat)
    text = (
        f"{seat} ({at.holders[seat].name}) in game {at.id} no longer asks to be relieved, and"
        " plays on."
    )
    told = _tell(work, at, seat, text, what="stays")
    return f"Your QUIT is taken back: you play on, {told}."


def _comes_back(work: Work, judged: Judged, at: GameAt) -> list[str]:
    seat = judged.decision.seat
    row = FreeSeat.one(work.conn, game_id=at.id, seat=seat)
    if row is None or row.why is Freed.QUIT or not judged.proven:
        return []
    standing, awaited = order_sets.standing(work.conn, at, seat), at.ruleset.about.awaited
    if (
        row.why is Freed.LIST
        and awaited
        and awaited.slot in at.ruleset.due(at.state, seat, standing)
    ):
        return [f"Your seat is offered to others as long as there is no {awaited.short} of yours."]
    offers.stays(work, at, seat)
    games.set_seat(work.conn, at.id, seat, missed=0)
    return ["You keep your seat: it is offered to nobody any more."]


def _tell(
    work: Work,
    at: GameAt,
    seat: Seat,
    text: str,
    commands: Sequence[str] = (),
    what: str = "quit",
) -> str:
    """Alarm the gamesmaster. Return in words whether there is one."""
    key = f"{what}:{at.id}:{seat}:{work.now:%H%M%S}"
    alarms.tell(work, key, f"{seat} in {at.id}: {QUIT}", text, at.id, commands=commands)
    if masters.of(work.conn, work.mark, at.id).acting:
        return "and the gamesmaster has been told"
    return "and nobody is told, since the gamesmaster plays in the game himself"


def _key(game: str, seat: Seat, word: str) -> str:
    return f"leaving:{word}:{game}:{seat}"


def _remember(conn: Connection, request: Request) -> None:
    key = _key(request.game, request.seat, request.word)
    notes.set_memo(conn, key, asdict(request))
    notes.set_memo(conn, f"code:{request.code}", {"leaving": key})


def _load(plain: dict[str, Any]) -> Request | None:
    return Request(**plain) if plain else None


def _too_old(found: Request, at: GameAt, now: datetime) -> bool:
    return (
        found.period != at.period.number
        if found.word == RESIGN
        else datetime.fromisoformat(found.until) < now
    )


def _forget(conn: Connection, found: Request) -> None:
    key = _key(found.game, found.seat, found.word)
    notes.forget_memos(conn, key, f"code:{found.code}")
