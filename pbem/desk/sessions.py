"""Sessions of twelve hours, and forms done in them, as memos, so that any number of desks act as
one."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.post.work import Work
from pbem.referee.gamesmaster import way_in
from pbem.store.journal import notes

LIVES = timedelta(hours=12)
_SESSION, _DONE = "desk-session:", "desk-done:"


@dataclass(frozen=True, slots=True)
class Session:
    """A person's session."""

    who: str
    """"" for the shell's owner."""
    secret: str
    until: datetime


def enter(work: Work, code: str) -> Session | None:
    """Return the session of a code, or None if invalid or old."""
    who = way_in.use(work, code)
    if who is None:
        return None
    notes.forget_old(work.conn, work.now, _SESSION, _DONE)
    found = Session(who, secrets.token_urlsafe(24), work.now + LIVES)
    _set(work, _key(_SESSION, found.secret), who=who)
    return found


def session(conn: Connection, secret: str, now: datetime) -> Session | None:
    told = notes.memo(conn, _key(_SESSION, secret)) if secret else {}
    until = datetime.fromisoformat(told["until"]) if told else now
    return Session(told["who"], secret, until) if until > now else None


def leave(work: Work, who: Session) -> None:
    notes.forget_memos(work.conn, _key(_SESSION, who.secret))


def done(conn: Connection, form: str) -> str | None:
    told = notes.memo(conn, _key(_DONE, form))
    return str(told["said"]) if told else None


def set_done(work: Work, form: str, said: str) -> None:
    _set(work, _key(_DONE, form), said=said)


def _set(work: Work, key: str, **told: str) -> None:
    until = work.now + LIVES
    notes.set_memo(work.conn, key, {**told, "until": until.isoformat()})


def _key(prefix: str, secret: str) -> str:
    return prefix + hashlib.sha256(secret.encode()).hexdigest()
