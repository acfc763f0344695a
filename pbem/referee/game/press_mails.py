"""Store press and mail it, with an answer address for each reader.

Nothing may link two presses of one writer: the mails answer no other and have no counter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from pbem.games.frame import press_rules
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.post import alarms, masters, press_reply
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import press
from pbem.store.games.games import GameAt
from pbem.store.schema.tables import Press
from pbem.text import safe

MOST_PRESSES = 20
"""Of one letter: one a seat of the largest table, some to all."""
_BEGINNING = 3
"""Lines quoted in an answer."""
_WIDTH = 70


@dataclass(frozen=True, slots=True)
class Face:
    """What readers know of a writer: nothing, the gamesmaster's pen-name, or his seat."""

    anonymous: bool = False
    pen_name: str = ""

    @property
    def veiled(self) -> bool:
        return self.anonymous or bool(self.pen_name)


SEEN = Face()


def face(row: Press) -> Face:
    return Face(row.anonymous, row.pen_name)


def byline(row: Press) -> str:
    """Return the writer as readers are told."""
    return safe(press_rules.byline(row.author, anonymous=row.anonymous, pen_name=row.pen_name))


def face_before(work: Work, answered: Press, seat: Seat) -> Face:
    """Return the face of the press answered; by default the seat."""
    before = Press.one(work.conn, id=answered.answers) if answered.answers else None
    return face(before) if before and before.author == seat else SEEN


def send(work: Work, at: GameAt, new: Press, to: str, *, there: bool = True) -> str:
    """Store and mail a press but to who muted its writer. Return the text.

    there: False if the only reader has left.
    """
    row = press.add(work.conn, new)
    text = _text(work, at, row, to)
    answers = ", in answer to yours" if row.answers else ""
    subject = f"[{at.id}] Press from {byline(row)}{answers}"
    quiet = set() if face(row).veiled else press.stopped(work.conn, at.id, at.holders)
    for seat in (row.audience or at.seats) if there else ():
        draft = Draft(f"press:{row.id}:{seat}", "press", subject, text)
        if seat == press.TO_GAMESMASTER:
            _to_gamesmaster(work, at, row, draft)
        elif seat != row.author and (seat, row.author) not in quiet:
            _to_seat(work, at, row, seat, draft)
    return text


def _to_seat(work: Work, at: GameAt, row: Press, seat: Seat, draft: Draft) -> None:
    holder = at.holders[seat]
    reply_to = press_reply.of_seat(work, row, seat, holder.player_id)
    put_to_seat(work, at, holder, replace(draft, reply_to=reply_to))


def _to_gamesmaster(work: Work, at: GameAt, row: Press, draft: Draft) -> None:
    to = masters.of(work.conn, work.mark, at.id).acting
    alarms.put(work, replace(draft, reply_to=press_reply.of_gamesmaster(work, row)), to)


def _text(work: Work, at: GameAt, row: Press, to: str) -> str:
    answered = Press.one(work.conn, id=row.answers) if row.answers else None
    mine = answered and face(answered)
    free = at.house.press == press_rules.FREE
    of_player = row.author != press.GAMESMASTER or (free and face(row).veiled)
    to_player = row.audience != [press.TO_GAMESMASTER]
    page = templates.environment().get_template("_shared/press.txt.j2")
    return (
        page.render(
            text=row.text,
            by=byline(row),
            to=to,
            writer="its writer" if face(row).veiled else byline(row),
            of=_beginning(answered.text) if answered else None,
            byline=byline(answered) if answered else "",
            again=byline(answered) if answered and mine and mine.veiled else "",
            of_player=of_player and to_player,
            answered=free or not (of_player and to_player),
        ).strip("\n")
        + "\n"
    )


def _beginning(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    shown = [line if len(line) <= _WIDTH else f"{line[:_WIDTH]}..." for line in lines]
    return "\n".join(shown[:_BEGINNING]) + "\n..." * (len(lines) > _BEGINNING)


def shows(work: Work, own: str, text: str, *, veiled: bool) -> str:
    """Return how words reveal their writer by his own or secret address, or ""."""
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


def presses_left(work: Work, at: GameAt, author: Seat, an_hour: int) -> int:
    had = press.relayed(work.conn, at.id, author, work.now - timedelta(hours=1))
    return max(0, min(MOST_PRESSES, an_hour - had))
