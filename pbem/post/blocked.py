"""When the mail server refuses all our mails: hold the outbox and let one mail try at times. The
first success ends the hold."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from sqlalchemy import Connection

from pbem.errors import SenderRefused
from pbem.games.frame import codec
from pbem.letters.bounces import status_in
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.text import in_utc, sentence

WAITS = tuple(timedelta(minutes=m) for m in (1, 2, 5, 15))
"""Time after each refusal. The last repeats."""
ALIKE = 3
"""Recipients refused alike, and none taken, that mean us."""
MOST_DOUBTS = 3
"""Then the mail itself is at fault."""
_MEMO, _DOUBTED = "blocked", "doubted"
_KEPT = 200  # how many doubted mails are remembered
_SIZE = re.compile(r"^552|\b5\.(?:2\.3|3\.4|6\.[0-9]+)\b|^555")
_POLICY = re.compile(
    r"\b5\.7\.[0-9]+\b|\b5\.4\.5\b|polic|reputation|spam|block ?list|black ?list|blocked|banned"
    r"|\brate\b|quota|\blimits?\b|too many|suspended|relay|not authenticated|authentication",
    re.IGNORECASE,
)
_RATE = re.compile(r"\b5\.4\.5\b|\brate\b|quota|\blimits?\b|too many", re.IGNORECASE)


class SmtpStep(Enum):
    """What an SMTP reply answers."""

    CONNECT = "connect"
    MAIL = "mail"
    RCPT = "rcpt"
    DATA = "data"


def is_ours(step: SmtpStep, reply: str) -> bool:
    """Return whether a 5xx reply concerns us. At RCPT it is taken as the recipient's
    (:func:`alike`)."""
    if step is SmtpStep.CONNECT:
        return True
    if _SIZE.search(reply):
        return False
    return step is SmtpStep.MAIL or (step is SmtpStep.DATA and bool(_POLICY.search(reply)))


@dataclass(frozen=True, slots=True)
class Blocked:
    """The server refuses us."""

    since: datetime
    reply: str
    tries: int
    until: datetime

    @property
    def error(self) -> SenderRefused:
        """It in words, with when mail goes out again."""
        return SenderRefused(
            f"Since {in_utc(self.since)} the server refuses our mail, no matter to whom:"
            f" {sentence(self.reply)} All mails wait, and none is lost. One asks again every"
            " quarter of an hour or sooner; when it is taken, all others follow. Ask your provider"
            " why: a blocked account or network, a bad reputation, or a limit. What was refused for"
            " good meanwhile, `pbem resend --all-refused` sends again."
        )


def alike(replies: Collection[tuple[str, str]], before: Blocked | None) -> bool:
    """Return whether these refused recipients, with replies, mean us. before: an earlier hold of
    the same kind is enough."""
    kinds = {_kind(reply) for _, reply in replies}
    if before and kinds == {_kind(before.reply)}:
        return True
    return len(kinds) == 1 and len({recipient for recipient, _ in replies}) >= ALIKE


def _kind(reply: str) -> tuple[str, str]:
    return reply[:3], status_in(reply)


def read(conn: Connection) -> Blocked | None:
    memo = notes.memo(conn, _MEMO)
    return codec.load(Blocked, memo) if memo else None


def hold(conn: Connection, before: Blocked | None, reply: str, now: datetime) -> Blocked:
    found = before or Blocked(now, "", 0, now)
    wait = WAITS[min(found.tries, len(WAITS) - 1)]
    held = replace(found, reply=reply, tries=found.tries + 1, until=now + wait)
    notes.set_memo(conn, _MEMO, codec.dump(held))
    return held


def lift(conn: Connection, now: datetime) -> None:
    """End the hold and let every mail try."""
    notes.forget_memos(conn, _MEMO)
    mails.try_again(conn, now)


def doubt(conn: Connection, mail: int, reply: str) -> None:
    """Count a refusal of this mail alone, unless for a quota."""
    if _RATE.search(reply):
        return
    memo = notes.memo(conn, _DOUBTED)
    memo[str(mail)] = memo.get(str(mail), 0) + 1
    notes.set_memo(conn, _DOUBTED, {key: memo[key] for key in sorted(memo, key=int)[-_KEPT:]})


def is_its_own(conn: Connection, mail: int) -> bool:
    """Return whether this mail is to be given up."""
    return int(notes.memo(conn, _DOUBTED).get(str(mail), 0)) >= MOST_DOUBTS
