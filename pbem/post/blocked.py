"""A server that refuses us: a refusal for good that concerns neither a recipient nor a mail.

A blocked account, a blocklist, a bad reputation, a quota: the server says so with a 5xx, and says
it of every mail. Were each taken for refused, a whole outbox would be lost in seconds. So the
outbox is held instead. One mail asks now and then whether that is over; the first one that the
server takes ends it.

Pure but for the memo: what a reply means, and how long to wait.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from sqlalchemy import Connection

from pbem.letters.failures import status_in
from pbem.store.journal import notes
from pbem.store.mails import mails

WAITS = tuple(timedelta(minutes=m) for m in (1, 2, 5, 15))
"""So long after each refusal one mail asks again; the last wait stays."""
ALIKE = 3
"""So many recipients, all refused in the same way and none taken, are not to blame."""
MOST_DOUBTS = 3
"""So often a mail is refused as if for our sake while others are taken; then it is its own."""
_MEMO, _DOUBTED = "blocked", "doubted"
_KEPT = 200  # so many doubted mails are remembered
_SIZE = re.compile(r"^552|\b5\.(?:2\.3|3\.4|6\.[0-9]+)\b|^555")
"""A mail that is too large, or that the server cannot take as it is written."""
_POLICY = re.compile(
    r"\b5\.7\.[0-9]+\b|\b5\.4\.5\b|polic|reputation|spam|block ?list|black ?list|blocked|banned"
    r"|\brate\b|quota|\blimits?\b|too many|suspended|relay|not authenticated|authentication",
    re.IGNORECASE,
)
"""A refusal of whoever sends: his address, his rights, his reputation, his rate."""
_RATE = re.compile(r"\b5\.4\.5\b|\brate\b|quota|\blimits?\b|too many", re.IGNORECASE)


class Step(Enum):
    """Where in the dialogue for a mail a reply came."""

    CONNECT = "connect"
    MAIL = "mail"
    RCPT = "rcpt"
    DATA = "data"


def is_ours(step: Step, reply: str) -> bool:
    """Whether a refusal for good (5xx) concerns us, and not the recipient or the mail. What a
    server says at RCPT is the recipient's as long as others are taken, or are refused in another
    way: see :func:`alike`."""
    if step is Step.CONNECT:
        return True
    if _SIZE.search(reply):
        return False
    return step is Step.MAIL or (step is Step.DATA and bool(_POLICY.search(reply)))


@dataclass(frozen=True, slots=True)
class Blocked:
    """The server refuses us ``since`` then, as its last ``reply`` says; after so many ``tries`` one
    mail asks again from ``until`` on."""

    since: datetime
    reply: str
    tries: int
    until: datetime


def alike(replies: Collection[tuple[str, str]], before: Blocked | None) -> bool:
    """Whether refused recipients, each with the reply, are so many and so much alike that it must
    be us; of one who is refused as all were ``before`` we know it."""
    kinds = {_kind(reply) for _, reply in replies}
    if before and kinds == {_kind(before.reply)}:
        return True
    return len(kinds) == 1 and len({recipient for recipient, _ in replies}) >= ALIKE


def _kind(reply: str) -> tuple[str, str]:
    return reply[:3], status_in(reply)


def read(conn: Connection) -> Blocked | None:
    """Whether the server refuses us, as it was seen last."""
    memo = notes.memo(conn, _MEMO)
    if not memo:
        return None
    since, until = (datetime.fromisoformat(memo[name]) for name in ("since", "until"))
    return Blocked(since, memo["reply"], memo["tries"], until)


def hold(conn: Connection, before: Blocked | None, reply: str, now: datetime) -> Blocked:
    """The server refuses us, still or since now: the outbox is held until the next try."""
    found = before or Blocked(now, "", 0, now)
    wait = WAITS[min(found.tries, len(WAITS) - 1)]
    held = replace(found, reply=reply, tries=found.tries + 1, until=now + wait)
    memo = {
        "since": held.since.isoformat(),
        "reply": held.reply,
        "tries": held.tries,
        "until": held.until.isoformat(),
    }
    notes.set_memo(conn, _MEMO, memo)
    return held


def lift(conn: Connection, now: datetime) -> None:
    """The server took a mail: what it refused before is tried again at once."""
    notes.forget_memos(conn, _MEMO)
    mails.try_again(conn, now)


def doubt(conn: Connection, mail: int, reply: str) -> None:
    """Count that this mail was refused while another was taken. A refusal for a rate or a quota is
    never the mail's."""
    if _RATE.search(reply):
        return
    memo = notes.memo(conn, _DOUBTED)
    memo[str(mail)] = memo.get(str(mail), 0) + 1
    notes.set_memo(conn, _DOUBTED, {key: memo[key] for key in sorted(memo, key=int)[-_KEPT:]})


def is_its_own(conn: Connection, mail: int) -> bool:
    """Whether this mail was refused so often while others were taken that it is refused for
    good."""
    return int(notes.memo(conn, _DOUBTED).get(str(mail), 0)) >= MOST_DOUBTS
