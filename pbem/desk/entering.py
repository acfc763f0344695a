"""The door. A link opens a page whose button lets the person in, because mail scanners open links
too. A person without a link can have one mailed."""

from __future__ import annotations

from pbem.desk import sessions
from pbem.desk.asked import Answer, Given, Page
from pbem.desk.sessions import Session
from pbem.post.work import Work
from pbem.referee.gamesmaster import way_in


def page(work: Work, given: Given, asker: str, *, posted: bool) -> Answer | Session:
    """Return the page of the door; what its button or its form does for an ``asker``, who is known
    by where he asks from."""
    code = given.get("code", "")
    if not posted:
        return _door(code, works=way_in.whose(work.conn, code, work.now) is not None)
    if code:
        return sessions.enter(work, code) or _door(code, status=403)
    way_in.ask(work, given.get("address", "").strip().lower(), asker)
    return _door("", asked_for=True)


def _door(code: str, *, works: bool = False, asked_for: bool = False, status: int = 200) -> Page:
    facts = {"code": code, "works": works, "asked_for": asked_for}
    return Page("enter.html.j2", "Come in", facts, status)
