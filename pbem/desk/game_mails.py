"""Mails of a game as they went out, without secret addresses.

Opening a mail to one seat is a look while its game runs. Codes and press are not opened.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import partial

from pbem.desk.asked import NotThere
from pbem.desk.game import secret_table, when
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.pages import html
from pbem.pages.plain import plain
from pbem.periods import secret_looks
from pbem.post.frozen import Frozen
from pbem.post.seats import OBSERVED
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games import bulletins
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.letters.letter_rows import GoneRow
from pbem.store.mails import mails
from pbem.store.schema.states import MailState

OWN = ("start", "notice", "void", "changes", "kept")
"""For one seat alone, without codes."""
ALIKE = tuple(kind for kind in OBSERVED if kind not in OWN)
"""All players get these alike."""
_LINK = re.compile(r' href="mailto:[^"]*"')
_PICTURE = re.compile(r'src="cid:([^"]*)"')
_STATES = {
    MailState.READY: "waits to go out",
    MailState.LEASED: "is going out",
    MailState.SENT: "has gone out",
    MailState.REFUSED: "was refused",
    MailState.UNKNOWN: "has perhaps gone out",
    MailState.HELD: "is held",
    MailState.MERGED: "waits to be listed with others",
    MailState.LISTED: "was listed with others",
}


@dataclass(frozen=True, slots=True)
class Gone:
    """A mail in a list."""

    id: int
    kind: str
    number: str
    """Of its bulletin, or ""."""
    seat: Seat
    stands: str
    reply: str
    opens: str
    """"open", "look" (it is one), or "" if it cannot be opened."""


@dataclass(frozen=True, slots=True)
class Face:
    """A mail to read. ``html`` is a document, or ""."""

    subject: str
    text: str
    html: str


def of_seat(sight: Sight, at: GameAt, seat: Seat, most: int = 50) -> list[Gone]:
    return [_gone(at, one) for one in mails.sent_to_seat(sight.conn, at.id, seat, most)]


def of_issue(sight: Sight, at: GameAt, kind: str, number: int) -> list[Gone]:
    """Return the mails of a "bulletin" or its "notice"s, newest edition first."""
    return [_gone(at, one) for one in mails.sent_of_issue(sight.conn, at.id, kind, number)]


def _gone(at: GameAt, row: GoneRow) -> Gone:
    opens = "look" if row.kind in OWN else "open" if row.kind in ALIKE else ""
    own = partial(when, at.zone)
    stands = f"{_STATES[row.state]}, made on {own(row.created)}"
    if row.sent and row.state == MailState.SENT:
        stands = f"{_STATES[row.state]} on {own(row.sent)}"
    reply = row.reply if row.state in (MailState.REFUSED, MailState.UNKNOWN) else ""
    number = [*row.key.split(":"), "", "", ""][2] if row.kind in ("bulletin", "notice") else ""
    return Gone(row.id, row.kind, number, row.seat, stands, reply, "" if row.purged else opens)


def listed(sight: Sight, game_id: str, mail_id: int) -> Gone:
    """Return a mail without its text. Raise NotThere."""
    at, row = secret_table(sight, game_id), mails.sent(sight.conn, game_id, mail_id)
    gone = _gone(at, row) if row else None
    if gone is None or not gone.opens:
        raise NotThere(f"no mail {mail_id} of {game_id} is opened here (any more)")
    return gone


def opened(sight: Sight, game_id: str, mail_id: int) -> tuple[Face, str]:
    """Return a mail, and the words of the look or "". Raise NotThere."""
    at, row = secret_table(sight, game_id), mails.whole(sight.conn, mail_id)
    if row is None or row.game_id != game_id or row.kind not in (*OWN, *ALIKE):
        raise NotThere(f"no mail {mail_id} of {game_id} is opened here")
    if not row.raw:
        raise NotThere(f"mail {mail_id} was purged after the retention")
    look = ""
    if row.kind in OWN:
        with notes.by(sight.conn, sight.who or "the shell"):
            look = secret_looks.looked(sight.work, at, LookKind.MAIL, mail=mail_id, seat=row.seat)
    return face(row.raw), look


def published(sight: Sight, at: GameAt, number: int, edition: int) -> Face:
    for raw in mails.sent_edition(sight.conn, at.id, number, edition):
        found = face(raw)
        if found.html:
            return found
    text = bulletins.texts(sight.conn, at.id, number, edition).get("")
    if text is None:
        raise NotThere(f"game {at.id} has published no bulletin {number} of edition {edition}")
    title = f"[{at.id}] Bulletin {number}"
    made = html.page(templates.environment(), text, title, "")
    return Face(title, plain(text), made)


def face(raw: bytes) -> Face:
    """Return a mail's text and HTML, without links: they hold secret addresses."""
    mail = Frozen(raw)
    whole = _PICTURE.sub(partial(_embedded, mail.pictures), _LINK.sub("", mail.html))
    return Face(mail.subject, mail.text, whole)


def _embedded(shown: dict[str, bytes], found: re.Match[str]) -> str:
    png = b64encode(shown.get(found[1], b"")).decode()
    return f'src="data:image/png;base64,{png}"'
