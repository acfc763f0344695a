"""The press of one letter on its way to other seats: how much, to whom, and what its writer is
told."""

from __future__ import annotations

from pbem.games.frame import pressed
from pbem.games.frame.events import Seat
from pbem.orders.mailwords import Press as Words
from pbem.post.work import Work
from pbem.referee import player_words, receipts
from pbem.referee.judged import Judged
from pbem.referee.receipts import Receipt
from pbem.store import press
from pbem.store.games import Table


def presses(work: Work, judged: Judged, at: Table, told: Receipt) -> None:
    """Relay each press that may go out, and say in the receipt what went, what was held, and what
    was too much."""
    given, an_hour = judged.decision.peeled.press, work.limits.letters_an_hour
    left = player_words.presses_left(work, at, judged.decision.seat, an_hour) if given else 0
    if len(given) > left:
        told.notes.append(receipts.presses_over(given[left:], player_words.MOST_PRESSES, an_hour))
    for words in given[:left]:
        if why := _why_not(at, words, trial=told.trial):
            told.notes.append(why)
            continue
        text = _relayed(work, judged, at, words)
        to = ", ".join(words.to)
        unnamed = " without your name" if words.anonymous else ""
        told.notes.append(f"Your press to {to} has been relayed{unnamed}.")
        told.sections.append((f"YOUR PRESS TO {to} AS IT WENT OUT", text))


def _why_not(at: Table, words: Words, *, trial: bool) -> str:
    """What the writer of a press is told that is not relayed; "" where it may go out."""
    seats = _named(at)
    unknown = [seat for seat in words.to if seat != "ALL" and seat not in seats]
    if unknown:
        return f"PRESS TO {', '.join(unknown)}: there is no such seat; it was not relayed."
    if lines := pressed.not_words(at.ruleset.language, words):
        return receipts.held_press(words, lines)
    return f"PRESS TO {', '.join(words.to)}: it can be relayed as it is." if trial else ""


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
