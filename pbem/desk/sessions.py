"""The door, sessions, and forms done in them, as memos: any number of desks act as one."""

import hashlib
import ipaddress
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from sqlalchemy import Connection
from starlette.requests import Request

from pbem.desk.asked import Answer, Asked, Given, Led, Page
from pbem.post import masters
from pbem.post.work import Work
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.journal import notes
from pbem.store.schema.tables import Session

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


LIVES, STAYS = timedelta(hours=12), timedelta(days=30)
_DONE = "desk-done:"
_BROWSERS = {"Edg": "Edge"} | {one: one for one in ("Firefox", "Chrome", "Safari")}
_SYSTEMS = {one: one for one in ("Android", "iPhone", "iPad", "Windows", "Mac", "Linux")}
"""What stands in a browser's name for itself, the telling first -> how people call it."""


def came(row: Session) -> datetime:
    return row.until - (STAYS if row.stays else LIVES)


class NewSession(NamedTuple):
    """What a browser keeps of a new session."""

    secret: str
    lives: timedelta


def enter(work: Work, code: str, browser: str = "", *, stays: bool = False) -> NewSession | None:
    """Use a code up. Return None if it is wrong or old. Only who had it by mail stays."""
    who = gamesmaster_words.use(work, code)
    if who is None:
        return None
    Session.drop(work.conn, Session.until < work.now)
    notes.forget_old(work.conn, work.now, _DONE)
    stays = stays and bool(who)
    found = NewSession(secrets.token_urlsafe(24), STAYS if stays else LIVES)
    until = work.now + found.lives
    Session.add(work.conn, Session(_hash(found.secret), until, who, browser, stays))
    return found


def session(work: Work, secret: str) -> Session | None:
    """Return the session of a secret, unless it is over or its address is no gamesmaster's now."""
    found = Session.one(work.conn, key=_hash(secret)) if secret else None
    if found is None or found.until <= work.now:
        return None
    return found if not found.who or masters.is_one(work.conn, work.mark, found.who) else None


def devices(asked: Asked) -> Answer:
    """Return the gamesmaster's sessions. If posted, end one of them, or all but this one."""
    mark, conn, ended = asked.work.mark, asked.work.conn, asked.given.get("end")
    whose = {asked.who, "", mark.gamesmaster} if asked.sight.owner else {asked.who}
    found = [one for one in Session.many(conn) if one.who in whose and one.until > asked.work.now]
    if ended and asked.given.get("csrf") == asked.csrf:
        for one in found:
            if one.key == ended or (ended == "others" and one.key != asked.session):
                Session.drop(conn, key=one.key)
        return Led("/devices")
    found.sort(key=lambda one: (one.key != asked.session, one.until, one.browser))
    return Page("devices.html.j2", "Your devices", {"devices": found, "came": came})


def browser(says: str) -> str:
    """Return what a browser is, by what it says: "Firefox, Linux"."""
    both = (_BROWSERS, _SYSTEMS)
    found = (next((one for mark, one in of.items() if mark in says), "") for of in both)
    return ", ".join(filter(None, found))


def done(conn: Connection, form: str) -> str | None:
    told = notes.memo(conn, _DONE + _hash(form))
    return str(told["said"]) if told else None


def set_done(work: Work, form: str, said: str) -> None:
    until = work.now + LIVES
    notes.set_memo(work.conn, _DONE + _hash(form), {"said": said, "until": until.isoformat()})


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


_FACTS = ("code", "works", "mailed", "asked_for", "why", "to", "kept", "fields")
_SHOWN_FIRST = {"do": "try"}
"""A kept form is tried first."""


def page(work: Work, given: Given, asker: str, says: str, *, posted: bool) -> Answer | NewSession:
    """Return the door, or do what was posted. A button lets the person in, because mail scanners
    open links. ``asker``: the network of the request; ``says``: what the browser calls itself."""
    code = given.get("code", "")
    why = "ended" if given.get("why") == "ended" else ""
    if not posted:
        who = gamesmaster_words.whose(work.conn, code, work.now)
        return _door({"code": code, "works": who is not None, "mailed": who, "why": why})
    if code:
        entry = enter(work, code, browser(says), stays="stay" in given)
        return entry or _door({"code": code}, status=403)
    gamesmaster_words.ask(work, given.get("address", "").strip().lower(), asker)
    return _door({"asked_for": True, **_kept(given.get("to", ""), given.get("kept", ""))})


def kept(path: str, given: Given, why: str = "ended") -> Page:
    return _door({"why": why, **_kept(path, urlencode(_again(given)))}, status=401)


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
    return Page("enter.html.j2", "Come in", {**dict.fromkeys(_FACTS, ""), **facts}, status)
