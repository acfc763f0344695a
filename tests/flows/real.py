"""An installation on real servers: Dovecot keeps the mailboxes, Postfix takes the mail and hands it to Dovecot."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Self

from sqlalchemy import select

sys.path.insert(0, str(Path(__file__).parents[1]))
from installation import GAMESMASTER, PASSWORD, REFEREE, Installation, address

from pbem.database import transaction
from pbem.records import Outgoing
from tests.servers import PATIENCE, Dovecot

SEATS = ("A", "B", "C", "D", "E")
BOXES = dict.fromkeys((REFEREE, GAMESMASTER, *map(address, SEATS)), PASSWORD)


class Office:
    """Dovecot and Postfix behind the embedded post office's face; letters of players come dated by the test's clock."""

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


class RealInstallation(Installation):
    """Letters are appended with a date; our own mail goes by Postfix, and is waited for."""

    def post(self, raw: bytes) -> None:
        self.office.deliver(REFEREE, raw)

    def hand_in(self, raw: bytes) -> None:
        """By SMTP, through Postfix and LMTP, stamped with the time of the machine."""
        before = len(self.office.messages(REFEREE))
        super().post(raw)
        wait_for(lambda: len(self.office.messages(REFEREE)) > before)

    def mails(self, who: str) -> list[EmailMessage]:
        """Everything in a mailbox in the order in which we sent it: Postfix hands mails in side by side."""
        box = who if "@" in who else address(who)
        with transaction(self.daemon.engine) as conn:
            where = (Outgoing.recipient == box, Outgoing.state == "sent")
            sent = conn.execute(select(Outgoing.message_id).where(*where).order_by(Outgoing.id)).scalars().all()
        wait_for(lambda: len(self.office.messages(box)) >= len(sent))
        order = {message_id: place for place, message_id in enumerate(sent)}
        return sorted(super().mails(who), key=lambda mail: order.get(str(mail["Message-ID"]), len(order)))


def wait_for(what: Callable[[], Any]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, "it did not arrive"
        time.sleep(0.05)
