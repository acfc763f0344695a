"""The door, sessions of twelve hours, and forms done in them, as memos: any number of desks act as
one.

Requests of a browser, and whether a page of ours sent them.
"""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from sqlalchemy import Connection
from starlette.requests import Request

from pbem.desk.asked import Answer, Asked, Given, Page
from pbem.post.work import Work
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.journal import notes

LARGEST, MOST = 1_000_000, 2_000
"""Limits of a form, in bytes and fields."""
FORMS_OWN = ("csrf", "step", "token")
"""Ignored in a query."""


async def given(request: Request) -> Given | None:
    """Return the query or form; None if too large. Ignore in a query what only a form may say."""
    if request.method != "POST":
        asked = request.query_params.multi_items()
        return Given([(name, _text(value)) for name, value in asked if name not in FORMS_OWN])
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            return None
    text = body.decode("utf-8", errors="replace")
    try:
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST)
    except ValueError:  # they are more
        return None
    return Given([(name, _text(value)) for name, value in fields])


def path(request: Request) -> Mapping[str, Any]:
    named = request.path_params.items()
    return {name: _text(one) if isinstance(one, str) else one for name, one in named}


def _text(value: str) -> str:
    return value.replace("\x00", "\N{REPLACEMENT CHARACTER}")  # no database has NUL in a text


def is_ours(request: Request, address: str) -> bool:
    """Return whether a page of ours sent the form. ``address``: the proxy's, if it rewrites the
    host."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    if site not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin", "")
    known = {request.headers.get("host", "").lower(), _place(address)} - {""}
    return not origin or _place(origin) in known


def asker(request: Request, *, behind_proxy: bool) -> str:
    """Return the requesting network; behind a proxy, by X-Forwarded-For's last entry."""
    found = request.client.host if request.client else ""
    if behind_proxy and (said := request.headers.get("x-forwarded-for", "")):
        found = said.rpartition(",")[2].strip()
    try:
        address = ipaddress.ip_address(found)
    except ValueError:
        return "nowhere"
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))  # one household has so many


def _place(address: str) -> str:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


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
    who = gamesmaster_words.use(work, code)
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
        works = gamesmaster_words.whose(work.conn, code, work.now) is not None
        return _door({"code": code, "works": works, "why": why})
    if code:
        return enter(work, code) or _door({"code": code}, status=403)
    gamesmaster_words.ask(work, given.get("address", "").strip().lower(), asker)
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
