"""The two mail systems that every transport test runs against: the embedded post office, and
Postfix with Dovecot."""

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import pytest

from pbem.house.config import Imap, Server, Smtp
from tests.clumsy import ClumsyPostOffice
from tests.servers import PATIENCE, Dovecot, dovecot, postfix

S = TypeVar("S", bound=Server)
PASSWORD = "correct horse"
MAILBOXES = {f"u{n}@example.org": PASSWORD for n in range(200)}


def letter(n: int, size: int = 0) -> bytes:
    return b"From: a@example.org\r\nSubject: letter %d\r\n\r\nVOTE YES ON %d\r\n" % (
        n,
        n,
    ) + b"x" * 70 * (size // 70)


@dataclass(frozen=True, slots=True)
class Peer:
    """A mail system as a test sees it; `address` is a mailbox no other test uses."""

    name: str
    address: str
    server: ClumsyPostOffice | Dovecot
    smtp_port: int

    def imap(self, password: str = PASSWORD, **other: Any) -> Imap:
        return self._server(Imap, self.server.imap_port, password, {"user": self.address} | other)

    def smtp(self, password: str = PASSWORD, **other: Any) -> Smtp:
        return self._server(Smtp, self.smtp_port, password, other)

    def _server(self, kind: type[S], port: int, password: str, other: dict[str, Any]) -> S:
        way = {"host": "127.0.0.1", "port": port, "security": "none", "timeout": PATIENCE}
        return kind.model_validate(way | {"password_command": f"echo '{password}'"} | other)

    def deliver(self, raw: bytes, when: datetime | None = None) -> None:
        self.server.deliver(self.address, raw, when)

    def messages(self, folder: str = "INBOX") -> list[bytes]:
        return self.server.messages(self.address, folder)

    def arrived(self, n: int) -> list[bytes]:
        """The inbox as soon as it holds `n` letters."""
        until = time.monotonic() + PATIENCE
        while len(found := self.messages()) < n and time.monotonic() < until:
            time.sleep(0.02)
        assert len(found) == n
        return found


@pytest.fixture(scope="session")
def systems() -> Iterator[Callable[[str], tuple[ClumsyPostOffice | Dovecot, int]]]:
    """Each mail system, started when it is first asked for."""
    running: dict[str, tuple[ClumsyPostOffice | Dovecot, int]] = {}
    with ExitStack() as stack:

        def system(name: str) -> tuple[ClumsyPostOffice | Dovecot, int]:
            if name not in running:
                if name == "office":
                    office = stack.enter_context(ClumsyPostOffice(MAILBOXES))
                    running[name] = office, office.smtp_port
                else:
                    server = stack.enter_context(dovecot(MAILBOXES))
                    running[name] = server, stack.enter_context(postfix(server)).smtp_port
            return running[name]

        yield system


numbers = itertools.count()


@pytest.fixture(
    params=[
        "office",
        pytest.param("postfix+dovecot", marks=pytest.mark.needs("dovecot", "postfix")),
    ]
)
def peer(
    request: pytest.FixtureRequest, systems: Callable[[str], tuple[ClumsyPostOffice | Dovecot, int]]
) -> Peer:
    server, smtp_port = systems(request.param)
    return Peer(request.param, f"u{next(numbers)}@example.org", server, smtp_port)
