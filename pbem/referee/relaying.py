"""The press of one letter on its way to other seats: how much, to whom, and what its writer is
told; and the gamesmaster's own, which says that it is his."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from pbem.errors import OperatorError
from pbem.games.frame import pressed
from pbem.games.frame.events import Seat
from pbem.orders.mailwords import Press as Words
from pbem.pages import sheet
from pbem.periods import guards
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.referee import player_words, receipts
from pbem.referee.judged import Judged
from pbem.referee.receipts import Receipt
from pbem.store import notes, press, templates
from pbem.store.games import Table
from pbem.text import listed


def presses(work: Work, judged: Judged, at: Table, told: Receipt) -> bool:
    """Relay each press that may go out, and say in the receipt what went, what was held, and what
    was too much; whether all went."""
    given, an_hour = judged.decision.peeled.press, work.limits.letters_an_hour
    left = player_words.presses_left(work, at, judged.decision.seat, an_hour) if given else 0
    if len(given) > left:
        told.notes.append(receipts.presses_over(given[left:], player_words.MOST_PRESSES, an_hour))
    went = 0
    for written in given[:left]:
        words = replace(written, to=_addressed(at, written.to))
        if why := _why_not(at, words, trial=told.trial):
            told.notes.append(why)
            continue
        text = _relayed(work, judged, at, words)
        went += 1
        to = ", ".join(words.to)
        unnamed = " without your name" if words.anonymous else ""
        told.notes.append(f"Your press to {to} has been relayed{unnamed}.")
        told.sections.append((f"Your press to {to} as it went out", text))
    return went == len(given)


def _why_not(at: Table, words: Words, *, trial: bool) -> str:
    """What the writer of a press is told that is not relayed; "" where it may go out."""
    seats = _named(at)
    unknown = [seat for seat in words.to if seat != "ALL" and seat not in seats]
    if unknown:
        there = listed(f"{key} ({name})" if name else key for key, name in _players(at).items())
        return (
            f"PRESS TO {', '.join(unknown)}: there is no such seat or player; it was not relayed."
            f" It can go to ALL, or to {there}."
        )
    if lines := pressed.not_words(at.ruleset.language, words):
        return receipts.held_press(words, lines)
    return f"PRESS TO {', '.join(words.to)}: it can be relayed as it is." if trial else ""


def _players(at: Table) -> dict[Seat, str]:
    """The seats, and the names of those who hold them, as far as all know them."""
    return {seat: at.player(seat) for seat in at.seats}


def _party(at: Table, seat: Seat) -> str:
    """What the game calls a seat besides its key, "" for nothing."""
    called = templates.seat_words(at.ruleset, at.state, seat).partition(", ")[2]
    return called.removeprefix("the ")


def _addressed(at: Table, words: tuple[str, ...]) -> tuple[str, ...]:
    """Whom the words of a press's first line name; a word that names nobody stays as it is."""
    called = {seat: (player, _party(at, seat)) for seat, player in _players(at).items()}
    found = (key.upper() for key in pressed.addressed(words, called))
    return tuple(dict.fromkeys(found))


def _named(at: Table) -> dict[str, Seat]:
    """The seats by their names in capitals."""
    return {seat.upper(): seat for seat in at.seats}


def _relayed(work: Work, judged: Judged, at: Table, words: Words) -> str:
    """The press goes on file and out; the text that was sent."""
    seats, author = _named(at), judged.decision.seat
    audience = [] if "ALL" in words.to else [seats[seat] for seat in words.to]
    made = press.add(
        work.conn,
        at.id,
        at.period.number,
        author,
        audience,
        player_words.harmless(words.text),
        anonymous=words.anonymous,
        letter_id=judged.row.id,
    )
    return player_words.relay(work, at, author, made, words, audience or list(at.seats))


def of_gamesmaster(work: Work, game_id: str, to: str, text: str) -> str:
    """The gamesmaster's words to seats (``to``: ALL, or keys with commas), and those for all into
    the next bulletin too; the text that was sent. Raises OperatorError."""
    at = guards.guarded(work.conn, game_id, None)
    if not text.strip():
        raise OperatorError("a press without a word; write what is to be relayed")
    named = _named(at)
    keys = [key for key in to.upper().split(",") if key] or [to]
    audience = [] if "ALL" in keys else [named.get(key, key) for key in keys]
    for seat in audience:
        guards.known(at, seat)
    words = player_words.harmless(text)
    made = press.add(
        work.conn,
        at.id,
        at.period.number,
        press.GAMESMASTER,
        audience,
        words,
        anonymous=False,
        letter_id=None,
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    notes.note(work.conn, at.id, work.now, "press", to=audience or ["ALL"], sha256=digest)
    sent = (
        f"Press from the gamesmaster to {', '.join(audience) or 'ALL'}:\n\n{sheet.fenced(words)}\n"
    )
    subject = f"[{at.id}] Press from the gamesmaster"
    for seat in audience or at.seats:
        draft = Draft(f"press:{made}:{seat}", "press", subject, sent)
        put_to_seat(work, at, at.holders[seat], draft)
    return sent
