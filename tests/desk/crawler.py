"""A visitor who opens every page of the desk and presses every button on it.

Each form is sent empty, half filled and filled. What is done is done to a copy, twice: the second
sending of the same form changes nothing.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy import func, select

from pbem.acts.acts import BY_NAME
from pbem.desk.app import application
from pbem.store.engine import database
from pbem.store.engine.database import reading
from pbem.store.schema.tables import Game
from tests.desk.visitor import Visitor

_NUMBER = re.compile(r"\d+")
_KEY = re.compile(r"/(games|tables|seats)/[^/?]+")


@dataclass(frozen=True)
class Sent:
    """A form as it is sent: from which page, to where, with what."""

    page: str
    method: str
    to: str
    fields: Mapping[str, Any]
    how: str
    """Empty, half filled or filled."""

    def __str__(self) -> str:
        shown = {name: one for name, one in self.fields.items() if name not in ("csrf", "token")}
        return f"{self.how} from {self.page}: {self.method} {self.to} {shown}"


@dataclass
class Crawl:
    """The walk. ``most``: so many pages of one shape are opened, and so many forms of one shape on
    pages of one shape are sent; None for all."""

    visitor: Visitor
    fill: Mapping[str, Mapping[str, Any]]
    """What the fields of an act are filled with, by the act's name."""
    most: int | None = None
    does: bool = True
    """Whether what a page shows that it would do is done, on a copy."""
    wrong: list[str] = field(default_factory=list)
    shapes: Counter[str] = field(default_factory=Counter)
    pages: set[str] = field(default_factory=set)
    forms: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    """The acts that were done, by name."""
    waiting: deque[str] = field(default_factory=deque)

    def walk(self, start: str = "/") -> Crawl:
        """Everything that can be reached from there."""
        self.waiting.append(start)
        while self.waiting:
            url = self.waiting.popleft()
            if url in self.pages or not self._room(self.shapes, _shape(url)):
                continue
            self.pages.add(url)
            self.visitor.get(url)
            self._looked(f"GET {url}", url)
        return self

    def _room(self, counted: Counter[str], shape: str) -> bool:
        counted[shape] += 1
        return self.most is None or counted[shape] <= self.most

    # --- a page -----------------------------------------------------------------------------------

    def _looked(self, how: str, url: str, *, follow: bool = True) -> None:
        """Judge the page that is open, and ``follow`` what stands on it."""
        visitor = self.visitor
        if visitor.status >= 500:
            self.wrong.append(f"{visitor.status}: {how}: {visitor.words[:200]}")
        if not visitor.headers.get("content-type", "").startswith("text/html"):
            return
        page = LexborHTMLParser(visitor.text)
        main = page.css_first("main")
        if main is None:
            return  # a letter's or a mail's own page
        if not main.css("a[href], button") and not page.css("nav a[href]"):
            self.wrong.append(f"no way on: {how}")
        if not follow:
            return
        for found in page.css("a[href], img[src], iframe[src]"):
            to = str(found.attributes.get("href") or found.attributes.get("src"))
            if (link := urlsplit(urljoin(f"http://desk{url}", to))).netloc == "desk":
                self.waiting.append(link.path + (f"?{link.query}" if link.query else ""))
        for form in page.css("form"):
            self._form(url, form)

    def _form(self, page: str, form: LexborNode) -> None:
        action = form.attributes.get("action") or page
        if action.endswith("/leave"):
            return
        method = (form.attributes.get("method") or "get").upper()
        for button in form.css("button"):
            words = " ".join(button.text().split())
            if not self._room(self.forms, f"{_shape(page)} {_shape(action)} {words}"):
                continue
            for sent in self._filled(page, method, action, form, button):
                self._send(sent)

    def _filled(
        self, page: str, method: str, action: str, form: LexborNode, button: LexborNode
    ) -> Iterator[Sent]:
        pressed = {}
        if name := button.attributes.get("name"):
            pressed[name] = button.attributes.get("value") or ""
        controls = form.css("input, select, textarea")
        shown = [one for one in controls if one.attributes.get("type") != "hidden"]
        hidden: dict[str, Any] = {}
        for one in controls:
            if one.attributes.get("type") == "hidden":
                key, value = str(one.attributes["name"]), one.attributes.get("value") or ""
                hidden[key] = [*_many(hidden.get(key)), value] if key in hidden else value
        known = self.fill.get(_act(action), {})
        ways = {"empty": 0, "half filled": len(shown) // 2, "filled": len(shown)}
        if not shown:
            ways = {"pressed": 0}
        for how, filled in ways.items():
            fields = dict(hidden)
            for place, one in enumerate(shown):
                key = str(one.attributes.get("name"))
                value = _value(one, known.get(key)) if place < filled else _empty(one)
                if value is not None:
                    fields[key] = [*_many(fields.get(key)), value] if key in fields else value
            yield Sent(page, method, action, {**fields, **pressed}, how)

    def _send(self, sent: Sent) -> None:
        if sent.method == "GET":
            query = urlencode(sent.fields, doseq=True)
            self.waiting.append(sent.to.partition("?")[0] + (f"?{query}" if query else ""))
            return
        if sent.fields.get("step") == "do":
            if not self.does:
                return
            with self._copy():
                self._done(sent)
            return
        self.visitor.post(sent.to, dict(sent.fields))
        self._looked(str(sent), sent.to)

    # --- what is done -----------------------------------------------------------------------------

    @contextmanager
    def _copy(self) -> Iterator[None]:
        """The desk stands on a copy of its database meanwhile."""
        visitor, desk, app = self.visitor, self.visitor.desk, self.visitor.app
        engine = database.connect(f"sqlite:///{self._copied()}")
        visitor.desk = replace(desk, engine=engine)
        visitor.app = application(visitor.desk)
        try:
            yield
        finally:
            visitor.desk, visitor.app = desk, app
            engine.dispose()

    def _copied(self) -> Path:
        file = Path(str(self.visitor.desk.engine.url.database))
        copy = file.with_name("copy.db")
        for left in copy.parent.glob("copy.db*"):
            left.unlink()
        with closing(sqlite3.connect(file)) as one, closing(sqlite3.connect(copy)) as other:
            one.backup(other)
        return copy

    def _done(self, sent: Sent) -> None:
        """Do it twice, on a copy."""
        before = self._counted()
        self.visitor.post(sent.to, dict(sent.fields))
        after, status = self._counted(), self.visitor.status
        self._looked(str(sent), sent.to, follow=False)
        if status >= 400:
            return
        self.done[_act(sent.to)] += 1
        self.visitor.post(sent.to, dict(sent.fields))
        self._looked(f"again: {sent}", sent.to, follow=False)
        act = BY_NAME.get(_act(sent.to))
        if act and not act.asks and (twice := self._counted()) != after:
            changed = {
                name: twice[name] - after[name] for name in twice if twice[name] != after[name]
            }
            self.wrong.append(f"done twice: {sent}: {changed} after {before}")

    def _counted(self) -> dict[str, int]:
        """How many rows each table has, but for looks and notes of the desk itself."""
        with reading(self.visitor.desk.engine) as conn:
            return {
                name: conn.execute(select(func.count()).select_from(table)).scalar_one()
                for name, table in Game.metadata.tables.items()
                if name in ("journal", "outgoing", "letter", "note", "order_set", "press")
            }


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _shape(url: str) -> str:
    """A page's address without what it is about."""
    parts = urlsplit(url)
    path = _NUMBER.sub("0", _KEY.sub(r"/\1/x", parts.path))
    names = sorted({name for name, value in parse_qsl(parts.query) if value})
    return f"{path}?{'&'.join(names)}" if names else path


def _act(action: str) -> str:
    path = urlsplit(action).path
    if path.endswith("/rewind"):  # its own page
        return "rewind"
    return path.removeprefix("/do/") if path.startswith("/do/") else ""


def _empty(one: LexborNode) -> str | None:
    kind = one.attributes.get("type")
    if kind in ("checkbox", "radio"):
        return None
    return ""


def _value(one: LexborNode, known: Any) -> Any:
    """Something of the kind that a control takes."""
    given = one.attributes
    if known is not None:
        return known
    if one.tag == "select":
        values = [option.attributes.get("value") or "" for option in one.css("option")]
        return next((value for value in values if value), "")
    if one.tag == "textarea":
        return "Some words."
    kind = given.get("type") or "text"
    if kind in ("checkbox", "radio"):
        return given.get("value") or "on"
    return given.get("value") or _USUAL.get(kind, "words")


_USUAL = {
    "number": "1",
    "email": "new@else.example",
    "date": "2026-04-20",
    "time": "20:00",
    "datetime-local": "2026-03-02T09:00",
}
