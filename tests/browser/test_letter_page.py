"""A letter's page at the desk, in Chromium: its writer learns nothing by it, not even that somebody
looks."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.desks import running
from tests.browser.test_mails import browser
from tests.installation import SEATS, Installation, address
from tests.letter.test_still import AWAY, FETCHING

__all__ = ["browser"]
pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]


@dataclass
class Listener:
    """Somebody who waits on a port of this machine for a connection, and keeps its first line."""

    port: int
    heard: list[str] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Listener]:
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        found = Listener(server.getsockname()[1])

        def hear() -> None:
            with suppress(OSError):  # it is shut
                while True:
                    one, _ = server.accept()
                    found.heard.append("")
                    with one:
                        one.settimeout(5.0)
                        with suppress(OSError):
                            line = one.recv(4096).split(b"\r\n")[0].decode()
                            found.heard[-1] = line
                            one.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")

        thread = threading.Thread(target=hear, daemon=True)
        thread.start()
        yield found
        server.shutdown(socket.SHUT_RDWR)
    thread.join(30.0)


def letter(at: Installation, page: str, number: int) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address("A"), "referee@game.example", "orders"
    mail["Message-ID"] = f"<{number}@legit.example>"
    mail.set_content(page, subtype="html")
    at.post(mail.as_bytes())


def test_nobody_hears_that_a_letter_is_looked_at(tmp_path: Path, browser: Browser) -> None:
    """Ten ways to fetch in each letter. The listener is there: it hears who asks it last."""
    with Installation(tmp_path, "coalition", seats=SEATS) as at, listening() as listener:
        at.start()
        there = f"http://127.0.0.1:{listener.port}"
        ways = [way.replace(AWAY, f"{there}/{n}") for n, way in enumerate(FETCHING)]
        pages = ["<p>Words.</p>".join(ways[n : n + 10]) for n in range(0, len(ways), 10)]
        for number, page in enumerate(pages, 1):
            letter(at, f"<p>The first.</p>{page}<p>The last.</p>", number)
        at.once()
        with running(at, browser) as desk, desk.seat() as seat:
            for number in range(1, len(pages) + 1):
                page = seat.go(f"/letters/{number}")
                source = page.locator("iframe[sandbox]").get_attribute("src")
                page.goto(f"{desk.base}{source}", wait_until="networkidle")
                assert page.get_by_text("The first.").count() == 1
            page.goto(f"{there}/last")
    assert listener.heard[0].startswith("GET /last"), listener.heard
