"""The door: a link opens a page whose button comes in, for mail scanners open links too; and
whoever has none asks for one to be mailed."""

from __future__ import annotations

from datetime import timedelta

from pbem.desk import sessions
from pbem.desk.asked import Answer, Given, Page
from pbem.desk.sessions import Session
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.store import mails

MAIL = "desk"
"""The kind of the mail with a link."""
_MOST = 3
"""So many links an hour are mailed to an address."""
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where a desk listens that does so at all addresses, and one of them that a browser can open."""


def page(work: Work, given: Given, *, posted: bool) -> Answer | Session:
    """The page of the door; what its button or its form does."""
    code = given.get("code", "")
    if not posted:
        return _door(code, works=bool(code) and sessions.known(work, code))
    if code:
        return sessions.enter(work, code) or _door(code, status=403)
    ask(work, given.get("address", "").strip().lower())
    return _door("", asked_for=True)


def _door(code: str, *, works: bool = False, asked_for: bool = False, status: int = 200) -> Page:
    facts = {"code": code, "works": works, "asked_for": asked_for}
    return Page("enter.html.j2", "Come in", facts, status)


def ask(work: Work, address: str) -> bool:
    """A link is mailed to a gamesmaster's address; whether it was. Whoever asks at the door is not
    told: he would learn who is one."""
    if not masters.is_one(work.conn, work.mark, address):
        return False
    if mails.made_to(work.conn, address, (MAIL,), work.now - timedelta(hours=1)) >= _MOST:
        return False
    where = link(work, sessions.code(work, address))
    text = (
        f"Here is the way to your desk:\n\n{where}\n\n"
        "The link works once, for ten minutes. If you did not ask for it, leave it alone: nobody"
        " comes in by the asking.\n"
    )
    key = f"{MAIL}:{address}:{work.now.isoformat()}"
    alarms.put(work, Draft(key, MAIL, "[pbem] The way to your desk", text), address)
    return True


def link(work: Work, code: str) -> str:
    """The address that comes in with a code."""
    ours = work.config.desk
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(
        ours.host, ours.host
    )  # where it listens to all
    name = f"[{host}]" if ":" in host else host
    base = ours.address.rstrip("/") or f"http://{name}:{ours.port}"
    return f"{base}/enter?code={code}"
