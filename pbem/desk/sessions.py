"""Who has come in: by a link whose code works once, for ten minutes, and then for twelve hours.

Both are on file as memos, by the hash of their secret, so that a desk keeps nothing itself: any
number of them are one.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.post.work import Work
from pbem.store import notes

CODE_LIVES = timedelta(minutes=10)
SESSION_LIVES = timedelta(hours=12)
_CODE, _SESSION, _DONE = "desk-code:", "desk-session:", "desk-done:"


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who has come in: ``who`` is the address that his link was mailed to, "" for whoever
    has the shell; ``secret`` what his cookie holds; ``until`` when it ends."""

    who: str
    secret: str
    until: datetime


def code(work: Work, who: str) -> str:
    """A code with which somebody comes in, once."""
    _forget_old(work)
    return _new(work, _CODE, who, CODE_LIVES).secret


def known(work: Work, secret: str) -> bool:
    """Whether a code works still."""
    return _found(work.conn, _CODE, secret, work.now) is not None


def enter(work: Work, secret: str) -> Session | None:
    """The session that a code opens; None where it is none, is too old or has been used. Two who
    bring the same code: the first gets in."""
    found = _found(work.conn, _CODE, secret, work.now)
    if found is None or not notes.take_memo(work.conn, _key(_CODE, secret)):
        return None
    return _new(work, _SESSION, found.who, SESSION_LIVES)


def session(conn: Connection, secret: str, now: datetime) -> Session | None:
    """The session that a cookie is of."""
    return _found(conn, _SESSION, secret, now)


def leave(work: Work, who: Session) -> None:
    """It ends."""
    notes.forget_memos(work.conn, _key(_SESSION, who.secret))


def leave_all(work: Work, who: str) -> None:
    """All of somebody's sessions end, and his codes are void."""
    for prefix in (_CODE, _SESSION):
        told = notes.memos(work.conn, prefix)
        notes.forget_memos(work.conn, *(key for key, one in told.items() if one["who"] == who))


def done(conn: Connection, form: str) -> str | None:
    """What was said when that form was sent before; None where it was not."""
    told = notes.memo(conn, _key(_DONE, form))
    return str(told["said"]) if told else None


def set_done(work: Work, form: str, said: str) -> None:
    """A form is done, so that whoever sends it again is told the same, and nothing is done."""
    until = work.now + SESSION_LIVES
    notes.set_memo(work.conn, _key(_DONE, form), {"said": said, "until": until.isoformat()})


def _new(work: Work, prefix: str, who: str, lives: timedelta) -> Session:
    secret, until = secrets.token_urlsafe(24), work.now + lives
    notes.set_memo(work.conn, _key(prefix, secret), {"who": who, "until": until.isoformat()})
    return Session(who, secret, until)


def _found(conn: Connection, prefix: str, secret: str, now: datetime) -> Session | None:
    told = notes.memo(conn, _key(prefix, secret)) if secret else {}
    until = datetime.fromisoformat(told["until"]) if told else now
    return Session(told["who"], secret, until) if until > now else None


def _key(prefix: str, secret: str) -> str:
    return prefix + hashlib.sha256(secret.encode()).hexdigest()


def _forget_old(work: Work) -> None:
    for prefix in (_CODE, _SESSION, _DONE):
        told = notes.memos(work.conn, prefix)
        old = [key for key, one in told.items() if datetime.fromisoformat(one["until"]) < work.now]
        notes.forget_memos(work.conn, *old)
