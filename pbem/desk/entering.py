"""The door. A button lets the person in, because mail scanners open links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from pbem.desk import sessions
from pbem.desk.asked import Answer, Asked, Given, Page
from pbem.desk.sent import FORMS_OWN
from pbem.desk.sessions import Session
from pbem.post.work import Work
from pbem.referee.gamesmaster import way_in

_SHOWN_FIRST = {"do": "try"}
"""A kept form is tried first."""


def page(work: Work, given: Given, asker: str, *, posted: bool) -> Answer | Session:
    """Return the door, or do what was posted. ``asker``: the network of the request."""
    code = given.get("code", "")
    why = "ended" if given.get("why") == "ended" else ""
    if not posted:
        works = way_in.whose(work.conn, code, work.now) is not None
        return _door({"code": code, "works": works, "why": why})
    if code:
        return sessions.enter(work, code) or _door({"code": code}, status=403)
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
