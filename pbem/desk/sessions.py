"""The door, sessions of twelve hours, and forms done in them, as memos: any number of desks act as
one."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import Connection

from pbem.desk.asked import Answer, Asked, Given, Page
from pbem.desk.sent import FORMS_OWN
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


# --- the door -------------------------------------------------------------------------------------


_SHOWN_FIRST = {"do": "try"}
"""A kept form is tried first."""


def page(work: Work, given: Given, asker: str, *, posted: bool) -> Answer | Session:
    """Return the door, or do what was posted. A button lets the person in, because mail scanners
    open links. ``asker``: the network of the request."""
    code = given.get("code", "")
    why = "ended" if given.get("why") == "ended" else ""
    if not posted:
        works = way_in.whose(work.conn, code, work.now) is not None
        return _door({"code": code, "works": works, "why": why})
    if code:
        return enter(work, code) or _door({"code": code}, status=403)
    way_in.ask(work, given.get("address", "").strip().lower(), asker)
    return _door({"asked_for": True, **_kept(given.get("to", ""), given.get("kept", ""))})


def kept(path: str, given: Given) -> Page:
    return _door({"why": "ended", **_kept(path, urlencode(_again(given)))}, status=401)


def again(asked: Asked) -> Page:
    facts = {"fields": _again(asked.given), "to": asked.at}
    return Page("again.html.j2", "Is this still meant?", facts, 403)


def _again(given: Given) -> list[tuple[str, str]]:
    step = given.get("step", "")
    fields = [(name, value) for name, value in given.multi_items() if name not in FORMS_OWN]
    return [*fields, *([("step", _SHOWN_FIRST.get(step, step))] if step else [])]


def _kept(path: str, query: str) -> Mapping[str, Any]:
    if not path.startswith("/") or path[1:2] in ("/", "\\"):
        return {}
    fields = parse_qsl(query, keep_blank_values=True)
    return {"to": path, "kept": query, "fields": fields}


def _door(facts: Mapping[str, Any], *, status: int = 200) -> Page:
    told = {"code": "", "works": False, "asked_for": False, "why": "", "to": "", "kept": ""}
    return Page("enter.html.j2", "Come in", {**told, "fields": (), **facts}, status)
