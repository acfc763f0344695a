"""Installations whose mailboxes can be lost and come back: on the embedded post office, and on real
servers (Dovecot keeps the mailboxes, Postfix takes the mail and hands it to Dovecot)."""

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest
from imapclient import IMAPClient
from sqlalchemy import select

from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Outgoing
from tests.clumsy import ClumsyPostOffice
from tests.installation import GAMESMASTER, PASSWORD, REFEREE, SEATS, Installation, address
from tests.servers import PATIENCE, Dovecot, dovecot, postfix

OTHERS = ("someone@else.example", "new@else.example", *map(address, ("PIP", "LAN", "COM", "KIT")))
BOXES = dict.fromkeys((REFEREE, GAMESMASTER, *map(address, SEATS), *OTHERS), PASSWORD)

EVERYWHERE = pytest.mark.parametrize(
    "place",
    [
        "office-sqlite",
        pytest.param(
            "postfix+dovecot-postgresql",
            marks=pytest.mark.needs("dovecot", "postfix", "postgresql"),
        ),
    ],
    indirect=True,
)
"""For the tests of a file whose fixtures ask for a ``place``: such a test is run in both, every
other in the first."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "game(key, **more): what installation the fixture `at` is")


class Office:
    """Dovecot and Postfix behind the embedded post office's face; letters of players come dated by
    the test's clock."""

    def __init__(self, dovecot: Dovecot, smtp_port: int) -> None:
        self.dovecot = dovecot
        self.imap_port, self.smtp_port = dovecot.imap_port, smtp_port
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def __enter__(self) -> Self:
        for mailbox in (self.dovecot.folder / "mail").iterdir():
            shutil.rmtree(mailbox)
        return self

    def __exit__(self, *_: object) -> None:
        """They go on for the next test."""

    def deliver(self, to: str, raw: bytes, when: datetime | None = None) -> None:
        self.dovecot.deliver(to, raw, when or self.now())

    def messages(self, of: str, folder: str = "INBOX") -> list[bytes]:
        return self.dovecot.messages(of, folder)


@pytest.fixture(scope="session")
def real_office() -> Iterator[Callable[[], Office]]:
    """The real servers, started when they are first asked for."""
    running: list[Office] = []
    with ExitStack() as stack:

        def office() -> Office:
            if not running:
                server = stack.enter_context(dovecot(BOXES))
                running.append(Office(server, stack.enter_context(postfix(server)).smtp_port))
            return running[0]

        yield office


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Callable[..., Installation]:
    """What makes an installation: on the embedded post office and SQLite, or on real servers and
    PostgreSQL."""
    if getattr(request, "param", "office-sqlite") == "office-sqlite":
        return EmbeddedInstallation
    url, office = request.getfixturevalue("postgresql_url"), request.getfixturevalue("real_office")
    return partial(RealInstallation, url=url, office=office())


@pytest.fixture
def at(
    request: pytest.FixtureRequest, tmp_path: Path, place: Callable[..., Installation]
) -> Iterator[Installation]:
    """A game that has begun, its first mails sent: of Coalition for five, if the mark ``game`` does
    not say otherwise."""
    mark = request.node.get_closest_marker("game")
    key = mark.args[0] if mark else "coalition"
    seats = {"seats": SEATS} if key == "coalition" else {}
    with place(tmp_path, key, **seats, **(mark.kwargs if mark else {})) as made:
        made.start()
        yield made


class EmbeddedInstallation(Installation):
    """A mailbox that comes back does so in a post office opened anew: its numbers begin again,
    under another UIDVALIDITY."""

    def backup(self) -> dict[str, list[tuple[bytes, datetime]]]:
        """The inbox of each mailbox, with the time of each letter's arrival."""
        return {box: list(self._inbox(box)) for box in self.boxes}

    def _inbox(self, box: str) -> Iterator[tuple[bytes, datetime]]:
        with IMAPClient("127.0.0.1", self.office.imap_port, ssl=False) as client:
            client.normalise_times = False
            client.login(box, PASSWORD)
            client.select_folder("INBOX", readonly=True)
            found = client.fetch(client.search(), ["BODY.PEEK[]", "INTERNALDATE"])
        for uid in sorted(found):
            yield found[uid][b"BODY[]"], found[uid][b"INTERNALDATE"]

    def come_back(self, kept: dict[str, list[tuple[bytes, datetime]]]) -> None:
        """The mailboxes as they were once."""
        self.leave()
        self.office.__exit__(None, None, None)
        self.office = ClumsyPostOffice(dict.fromkeys(self.boxes, PASSWORD))
        self.office.__enter__()
        for box, letters in kept.items():
            for raw, when in letters:
                self.office.deliver(box, raw, when)
        self.enter()

    def renumber(self) -> None:
        """The same letters under another UIDVALIDITY."""
        self.come_back(self.backup())


class RealInstallation(Installation):
    """Letters are appended with a date; our own mail goes by Postfix, and is waited for."""

    def post(self, raw: bytes) -> None:
        self.office.deliver(REFEREE, raw)

    def backup(self) -> Path:
        """A copy of the referee's mailbox."""
        copy = self.folder / "backup"
        shutil.copytree(self._mailbox, copy)
        return copy

    def come_back(self, copy: Path) -> None:
        """The referee's mailbox as it was once: Dovecot gives its numbers out again, under the same
        UIDVALIDITY."""
        self.daemon.readers[0].mailbox.close()
        owner = self._mailbox.stat()
        shutil.rmtree(self._mailbox)
        shutil.copytree(copy, self._mailbox)
        subprocess.run(
            ["chown", "-R", f"{owner.st_uid}:{owner.st_gid}", str(self._mailbox)], check=True
        )

    def renumber(self) -> None:
        """The same letters under another UIDVALIDITY, while the daemon is connected."""
        self.office.dovecot.renumber(REFEREE, 424242)

    @property
    def _mailbox(self) -> Path:
        return Path(self.office.dovecot.folder / "mail" / REFEREE)

    def hand_in(self, raw: bytes) -> None:
        """By SMTP to the address it names, through Postfix and LMTP, stamped with the time of the
        machine."""
        before = len(self.office.messages(REFEREE))
        message = message_from_bytes(raw)
        assert (
            self.carrier.send(str(message["From"]), str(message["To"]), raw).outcome.name == "SENT"
        )
        wait_for(lambda: len(self.office.messages(REFEREE)) > before)

    def mails(self, who: str) -> list[EmailMessage]:
        """Everything that we sent to a mailbox, in the order in which we did: Postfix hands mails
        in side by side."""
        box = who if "@" in who else address(who)
        place = {message_id: n for n, message_id in enumerate(self._sent(box))}
        found: list[EmailMessage] = []

        def arrived() -> bool:
            found[:] = [
                m for m in super(RealInstallation, self).mails(box) if str(m["Message-ID"]) in place
            ]
            return len({str(mail["Message-ID"]) for mail in found}) == len(place)

        wait_for(arrived)
        return sorted(found, key=lambda mail: place[str(mail["Message-ID"])])

    def _sent(self, box: str) -> Sequence[str]:
        with exclusive_transaction(self.daemon.engine) as conn:
            where = (Outgoing.recipient == box, Outgoing.state == "sent")
            return (
                conn.execute(select(Outgoing.message_id).where(*where).order_by(Outgoing.id))
                .scalars()
                .all()
            )

    def leave(self) -> None:
        """Not before all mails are where they belong: what Postfix still has would come to the next
        test."""
        try:
            for box in self.boxes:
                self.mails(box)
        finally:
            super().leave()


def wait_for(what: Callable[[], Any]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, "it did not arrive"
        time.sleep(0.05)
