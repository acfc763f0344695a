"""A bench for forgers: letters are put on file as the inbox does it, and decided by the referee as
the daemon does it, upon a database that can be put back as it was."""

import itertools
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from typing import Any

from pbem.letters.states import LetterState
from pbem.store.engine.database import exclusive_transaction
from pbem.store.letters import letters
from pbem.store.letters.letters import Arrival, FolderNumbering
from tests.installation import REFEREE, Installation, text_of

OUR_SERVER = "mx.game.example"
_PLACE = FolderNumbering("forged", "INBOX", 7)


@dataclass(frozen=True)
class Mail:
    """A mail of ours in the outbox."""

    to: str
    kind: str
    raw: bytes
    state: str

    @cached_property
    def parsed(self) -> EmailMessage:
        return message_from_bytes(self.raw, policy=policy.default)

    @property
    def subject(self) -> str:
        return str(self.parsed["Subject"])

    @property
    def reply_to(self) -> str:
        return str(self.parsed["Reply-To"])

    @cached_property
    def text(self) -> str:
        """Its words on one line."""
        return " ".join(text_of(self.parsed).split())


@dataclass(frozen=True)
class Came:
    """What became of a letter: its row, and the mails that it caused."""

    id: int
    outcome: str
    reason: str
    authentication: str
    mails: tuple[Mail, ...] = field(repr=False, default=())

    def to(self, address: str) -> list[Mail]:
        return [mail for mail in self.mails if mail.to == address]


class Bench:
    """Letters one by one upon an installation, whose mail server has no part in it."""

    def __init__(self, at: Installation) -> None:
        assert at.file
        self.at, self.file = at, at.file
        self.now = at.clock
        self.uids = itertools.count(1)
        self.keep()

    def keep(self) -> None:
        """What there is now is what :meth:`back` brings back."""
        self.kept, self.kept_at = self.at._settled(), self.now

    def back(self) -> None:
        """All is as it was when it was kept."""
        self.at.daemon.engine.dispose()
        for tail in ("-wal", "-shm"):
            Path(f"{self.file}{tail}").unlink(missing_ok=True)
        self.file.write_bytes(self.kept)
        self.now = self.kept_at

    def rows(self, question: str, *values: Any) -> list[sqlite3.Row]:
        """What the database says, without the program's part in it."""
        with closing(sqlite3.connect(self.file)) as conn:
            conn.row_factory = sqlite3.Row
            return conn.execute(question, values).fetchall()

    def mails(self, after: int = 0) -> list[Mail]:
        """The mails that were made since the one with this number."""
        asked = "SELECT recipient, kind, raw, state FROM outgoing WHERE id > ? ORDER BY id"
        return [Mail(*row) for row in self.rows(asked, after)]

    def newest(self, table: str) -> int:
        return int(self.rows(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0])

    def comes(self, *raws: bytes, later: timedelta = timedelta(minutes=1)) -> Came:
        """Letters come in and are decided; what became of the last. The clock goes on."""
        mailed = self.newest("outgoing")
        place = FolderNumbering(*_PLACE)
        with exclusive_transaction(self.at.daemon.engine) as conn:
            arrivals = [
                Arrival(next(self.uids), self.now, on_the_wire(raw), LetterState.STORED)
                for raw in raws
            ]
            letters.add(conn, place, arrivals, self.now, moved=False)
        self.at.daemon.referee.decide_all(self.now)
        self.now += later
        asked = "SELECT id, outcome, reason, authentication FROM letter ORDER BY id DESC LIMIT 1"
        (row,) = self.rows(asked)
        return Came(*row, mails=tuple(self.mails(mailed)))

    def letter(self, sender: str, text: str, **headers: str) -> bytes:
        """A plain letter, written now; headers by name, with _ for -."""
        self.at.clock = self.now
        return self.at.letter(sender, text, **{"Authentication_Results": "", **headers})

    def standing(self, seat: str) -> list[str]:
        return self.at.standing(seat)


_CODE = re.compile(r"CONFIRM ([\w-]{4,})")


def codes(came: Came) -> list[tuple[str, str]]:
    """The codes that were mailed, and to whom."""
    return [(mail.to, one) for mail in came.mails for one in _CODE.findall(mail.text)]


def on_the_wire(raw: bytes) -> bytes:
    """With the line ends of SMTP."""
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def results(*found: str) -> str:
    """The field Authentication-Results of our own server."""
    return "; ".join((OUR_SERVER, *found))


def checked(raw: bytes, *found: str) -> bytes:
    """The letter as our server hands it on, with what it found on top."""
    return f"Authentication-Results: {results(*found)}\r\n".encode() + on_the_wire(raw)


@contextmanager
def bench(folder: Path, key: str = "coalition", **more: Any) -> Iterator[Bench]:
    """A bench upon a game that has just begun."""
    with Installation(folder, key, **more) as at:
        at.start()
        yield Bench(at)


__all__ = [
    "REFEREE",
    "Bench",
    "Came",
    "Mail",
    "bench",
    "checked",
    "codes",
    "on_the_wire",
    "results",
]
