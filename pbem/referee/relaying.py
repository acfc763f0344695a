"""The press of one letter on its way to other seats: how much, to whom, and what its writer is
told."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert

from pbem.games.frame import pressed
from pbem.letters.verdict import Decision
from pbem.post.compose import Postmark
from pbem.referee import player_words, receipts
from pbem.referee.receipts import Receipt
from pbem.store.config import Limits
from pbem.store.games import Table
from pbem.store.records import Press


def presses(
    conn: Connection,
    mark: Postmark,
    limits: Limits,
    at: Table,
    decision: Decision,
    letter_id: int,
    told: Receipt,
    now: datetime,
) -> None:
    """Relay each press that may go out, and say in the receipt what went, what was held, and what
    was too much."""
    given, an_hour = decision.peeled.press, limits.letters_an_hour
    seats = {seat.upper(): seat for seat in at.seats}
    left = player_words.presses_left(conn, at, decision.seat, an_hour, now) if given else 0
    if len(given) > left:
        told.notes.append(receipts.presses_over(given[left:], player_words.MOST_PRESSES, an_hour))
    for press in given[:left]:
        unknown = [seat for seat in press.to if seat != "ALL" and seat not in seats]
        if unknown:
            told.notes.append(
                f"PRESS TO {', '.join(unknown)}: there is no such seat; it was not relayed."
            )
            continue
        if lines := pressed.not_words(at.ruleset.language, press):
            told.notes.append(receipts.held_press(press, lines))
            continue
        if told.trial:
            told.notes.append(f"PRESS TO {', '.join(press.to)}: it can be relayed as it is.")
            continue
        audience = [] if "ALL" in press.to else [seats[seat] for seat in press.to]
        made = conn.execute(
            insert(Press)
            .values(
                game_id=at.id,
                period=at.period.number,
                author=decision.seat,
                anonymous=press.anonymous,
                audience=audience,
                text=player_words.harmless(press.text),
                letter_id=letter_id,
            )
            .returning(Press.id)
        ).scalar_one()
        text = player_words.relay(
            conn, mark, at, decision.seat, made, press, audience or list(at.seats), now
        )
        to = ", ".join(press.to)
        told.notes.append(
            f"Your press to {to} has been relayed{' without your name' * press.anonymous}."
        )
        told.sections.append((f"YOUR PRESS TO {to} AS IT WENT OUT", text))
