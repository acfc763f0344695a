"""Whoever comes to the desk with a browser that runs no scripts: he opens pages, fills forms in and
presses buttons. The desk is the real application, in this process and on a test's clock."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import unquote, urlencode, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pbem.desk.app import Desk, application
from pbem.house import config
from pbem.post import masters
from pbem.referee.gamesmaster import gamesmaster_words
from tests.installation import Installation

OF_THE_SHELL = {"desk", "db", "doctor", "forget", "once", "serve"}
"""The commands that have no page at the desk, and are named there as they are."""
_COMMAND = re.compile(r"`pbem ([a-z-]+)")


@dataclass
class Visitor:
    """One browser. ``status``, ``headers``, ``text``: of the page that is open; ``url``: where."""

    at: Installation
    host: str = "127.0.0.1:8642"
    settings: dict[str, Any] = field(default_factory=dict)
    """What the configuration says of the desk."""
    cookies: dict[str, str] = field(default_factory=dict)
    sent: dict[str, str] = field(default_factory=dict)
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    url: str = "/"
    last: bytes = b""
    """The form that was sent last."""
    client: str = "127.0.0.1"
    """Where he asks from."""

    def __post_init__(self) -> None:
        settings = self.at.config()
        if self.settings:
            settings = settings.model_copy(update={"desk": config.Desk(**self.settings)})
        self.desk = Desk(self.at.daemon.engine, settings, lambda: self.at.clock)
        self.app = application(self.desk)

    @property
    def text(self) -> str:
        """The page's source."""
        return self.body.decode()

    @property
    def words(self) -> str:
        """What is read on it, on one line."""
        node = LexborHTMLParser(self.text).css_first("main")
        return " ".join(node.text().split()) if node else ""

    def come_in(self, who: str = "") -> Visitor:
        """By a link for the gamesmaster with that address, "" for whoever has the shell."""
        if who:
            self.at.act(lambda work: masters.enter(work.conn, work.mark, who))
        code = self.at.act(gamesmaster_words.code, who)
        self.get(f"/enter?code={code}")
        return self.press("Come in")

    def get(self, url: str) -> Visitor:
        """Open a page; where it leads to another, that one."""
        return self._open("GET", url, b"")

    def post(self, url: str, fields: dict[str, Any]) -> Visitor:
        """Send a form, whatever page it stands on."""
        return self._open("POST", url, urlencode(fields, doseq=True).encode())

    def press(self, button: str, **fields: Any) -> Visitor:
        """Press the button with these words, once its form's ``fields`` are filled in."""
        found = self.button(button)
        form = found.parent
        while form is not None and form.tag != "form":
            form = form.parent
        assert form is not None, f"the button {button} stands in no form"
        given = _fields(form) | fields
        unknown = set(fields) - set(_names(form))
        assert not unknown, f"there are no fields {unknown} in {form.html}"
        if name := found.attributes.get("name"):
            given[name] = found.attributes.get("value")
        action = form.attributes.get("action") or self.url
        if (form.attributes.get("method") or "get").lower() == "post":
            return self.post(action, given)
        return self.get(f"{action.partition('?')[0]}?{urlencode(given, doseq=True)}")

    def button(self, words: str) -> LexborNode:
        """The first button with these words."""
        buttons = LexborHTMLParser(self.text).css("button")
        found = [one for one in buttons if " ".join(one.text().split()) == words]
        assert found, f"no button {words!r}; there are {[one.text() for one in buttons]}"
        return found[0]

    def find(self, selector: str) -> list[LexborNode]:
        """What a selector finds on the page."""
        return LexborHTMLParser(self.text).css(selector)

    def ask(self, method: str, url: str, body: bytes = b"") -> Visitor:
        """One request, whose answer is not followed."""
        self.url, self.last = urljoin(self.url, url), body
        asyncio.run(self._request(method, urlsplit(self.url), body))
        return self

    def _open(self, method: str, url: str, body: bytes) -> Visitor:
        for _ in range(5):
            self.ask(method, url, body)
            if self.status not in (301, 302, 303, 307):
                break
            method, url, body = "GET", self.headers["location"], b""
        return self

    async def _request(self, method: str, url: Any, body: bytes) -> None:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {
            "host": self.host,
            "content-type": "application/x-www-form-urlencoded",
            **({"cookie": cookie} if cookie else {}),
            **self.sent,
        }
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(url.path),
            "raw_path": url.path.encode(),
            "query_string": url.query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "server": ("127.0.0.1", 8642),
            "client": (self.client, 50_000),
        }
        answer: list[dict[str, Any]] = []

        given = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if not given:  # whoever listens for his going waits, as at a server
                await asyncio.Event().wait()
            return given.pop()

        async def send(message: Any) -> None:
            answer.append(message)

        await self.app(scope, receive, send)
        start = answer[0]
        self.status = start["status"]
        self.headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        self.body = b"".join(one.get("body", b"") for one in answer[1:])
        if self.headers.get("content-type", "").startswith("text/html"):
            named = set(_COMMAND.findall(self.words))
            assert named <= OF_THE_SHELL, f"{url.path} names commands: {self.words}"
        for name, value in start["headers"]:
            if name.lower() == b"set-cookie":
                for key, morsel in SimpleCookie(value.decode()).items():
                    self.cookies[key] = morsel.value
                    if not morsel.value:
                        del self.cookies[key]


def _names(form: LexborNode) -> list[str]:
    return [str(one.attributes.get("name")) for one in form.css("input, select, textarea")]


def _fields(form: LexborNode) -> dict[str, Any]:
    """What a form holds before anything is filled in."""
    found: dict[str, Any] = {}
    for one in form.css("input, select, textarea"):
        name, given = one.attributes.get("name"), one.attributes
        if not name or (given.get("type") in ("checkbox", "radio") and "checked" not in given):
            continue
        value = given.get("value") or ""
        if one.tag == "textarea":
            value = one.text().removeprefix("\n")
        elif one.tag == "select":
            chosen = one.css_first("option[selected]") or one.css_first("option")
            value = (chosen.attributes.get("value") or "") if chosen else ""
        if name in found:
            before = found[name] if isinstance(found[name], list) else [found[name]]
            found[name] = [*before, value]
        else:
            found[name] = value
    return found
