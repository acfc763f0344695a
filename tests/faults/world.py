"""What stands while the daemon falls: the post office, the clock, the players and the
gamesmaster."""

from __future__ import annotations

import itertools
import os
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import Message
from email.utils import format_datetime
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from pbem.daemon.loop import Daemon
from pbem.post import masters
from pbem.store.engine.database import exclusive_transaction
from tests.faults.child import Child, Shared
from tests.faults.schedules import CLOSE, CONFIRM, LIMITS, SCRIPT, STRANGERS, Fault, Lines, Script
from tests.installation import GAMESMASTER, PASSWORD, REFEREE, SEATS, Installation, address, text_of
from tests.keeping import Mailboxes

OF_A_RUN = frozenset({
    "at", "daemon", "script", "written", "url", "faults", "shared",
    "pid", "line", "daemons", "busy", "still",
})  # fmt: skip
"""What of a world belongs to the run, and is not what has happened in it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A world between two steps of its script, but for its database. ``step``: which is the next;
    ``counts``: how often each point has been passed; ``kept``: what the world knows."""

    step: int
    mailboxes: Mailboxes
    clock: datetime
    next_id: int
    counts: Mapping[str, int]
    kept: Mapping[str, Any]


def backup_step(faults: Sequence[Fault], steps: int) -> int | None:
    """Before which step the backup is made that comes back, where one does."""
    if not any(fault.kind == "restore" for fault in faults):
        return None
    return random.Random(str(faults)).randrange(steps)


class World:
    """The post office, the clock, the players and the gamesmaster."""

    child = Child
    people: Sequence[str] = (GAMESMASTER, *map(address, SEATS), *STRANGERS)

    def __init__(
        self,
        folder: Path,
        start: Start,
        daemon: Daemon,
        url: str,
        faults: Sequence[Fault],
        script: Script = SCRIPT,
    ) -> None:
        self.daemon, self.script = daemon, script
        self.at = Installation(
            folder,
            "coalition",
            seats=SEATS,
            url=url,
            strangers=tuple(self.people[1 + len(SEATS) :]),
            limits=LIMITS,
        )
        self.at.clock, self.secret = start.clock, start.secret
        self.written = format_datetime(
            start.clock
        )  # on every letter, whenever it is sent, so that its bytes are the same
        self.url, self.faults, self.shared = url, faults, Shared(faults)
        self.raws: list[bytes] = []
        self.sent_back = set[str]()
        self.closed: dict[int, datetime] = {}
        self.status, self.period, self.due, self.waiting, self.failed = (
            "running",
            1,
            start.due,
            0,
            0,
        )
        self.pid, self.line = 0, None
        self.kills = 0
        self.restored = False

    def run(
        self, since: Moment | None = None, between: Callable[[Moment], None] | None = None
    ) -> None:
        """The game, from its beginning or ``since`` then; ``between`` two steps the daemon ends, and
        somebody may look."""
        backup = backup_step(self.faults, len(self.script))
        with self.at.office:
            self.at.office.now = lambda: self.at.clock
            if since:
                self._go_on_from(since)
            try:
                for n, step in enumerate(self.script):
                    if since and n < since.step:
                        continue
                    if between and n:
                        self._end()
                        between(self._moment(n))
                    if n == backup and self.url.startswith("sqlite"):
                        self._back_up()
                    if isinstance(step, str):
                        self._step(step)
                    else:
                        self._letters(step)
                for _ in range(8):
                    if not self.waiting:
                        break
                    self.at.clock += timedelta(minutes=15)
                    self._pass()
            finally:
                self._end()
            self.read_mails()

    def _moment(self, step: int) -> Moment:
        kept = {name: copy(value) for name, value in vars(self).items() if name not in OF_A_RUN}
        number = next(self.at.ids)
        self.at.ids = itertools.count(number)
        return Moment(
            step, self.at.office.mailboxes(), self.at.clock, number, self.shared.counts(), kept
        )

    def _go_on_from(self, moment: Moment) -> None:
        self.at.office.take_over(moment.mailboxes)
        self.at.clock, self.at.ids = moment.clock, itertools.count(moment.next_id)
        self.shared.begin(moment.counts)
        vars(self).update({name: copy(value) for name, value in moment.kept.items()})

    def read_mails(self) -> None:
        """What has come to whom, and what became of the letters."""
        self.mails = {
            who: [_head(raw) for raw in self.at.office.messages(who)] for who in self.people
        }
        self.inbox = self.at.office.messages(REFEREE)
        self.processed = self.at.office.messages(REFEREE, "Processed")

    def _step(self, step: str) -> None:
        """Something that is no letter: a deadline, or the time of a reminder."""
        if step == CLOSE:
            self._close()
            return
        assert self.due is not None
        self.at.clock = max(self.at.clock, self.due - timedelta(hours=20))
        self._pass()

    def _letters(self, lines: Lines) -> None:
        for who, words in lines:
            if who == "again":
                raw = (
                    b"Received: from elsewhere by mx; Mon, 2 Mar 2026 10:00:00 +0000\r\n"
                    + self.raws[int(words)]
                )
            else:
                line = (words, f"CONFIRM {self._code(words)}") if who == CONFIRM else (who, words)
                secret = {"To": self.secret} if who == GAMESMASTER else {}
                raw = self.at.letter(*line, Date=self.written, **secret)
            self.raws.append(raw)
            self.at.office.deliver(REFEREE, raw, self.at.clock)
        self._pass()

    def _code(self, who: str) -> str:
        """The code that somebody was mailed and has not sent back; where that mail is in doubt, it
        comes later."""
        for _ in range(6):
            if fresh := [code for code in codes(self.at, who) if code not in self.sent_back]:
                self.sent_back.add(fresh[-1])
                return fresh[-1]
            self.at.clock += timedelta(minutes=15)
            self._pass()
        raise AssertionError(f"{who} was mailed no code")

    def _close(self) -> None:
        number = self.period
        assert self.due is not None
        while self.period == number and self.status != "over":
            assert self.status == "running", self.status
            self.at.clock = max(self.at.clock, self.due)
            self.closed[number] = self.at.clock
            self._pass()

    def _pass(self) -> None:
        """A pass, and again until one goes through."""
        for _ in range(12):
            error = self._ask("pass", self.at.clock)
            self.at.clock += timedelta(minutes=1)
            if not error and self.failed:
                assert any(fault.kind == "burn" for fault in self.shared.struck()), (
                    "a letter failed"
                )
                error = self._ask("retry", self.at.clock) or "a letter burned"
            elif not error:
                return
        raise AssertionError(f"no pass goes through: {error}")

    def _ask(self, what: str, moment: datetime) -> str:
        """Have the daemon do something; it is started again where it was killed."""
        while (answer := self._answer(what, moment)) is None:
            struck = self.shared.struck()
            if not self.restored and any(fault.kind == "restore" for fault in struck):
                self._restore()
                if what == "pass" and moment < self.at.clock:
                    moment = self.at.clock
        error, (self.status, self.period, self.due, self.waiting, self.failed) = answer
        return error

    def _answer(self, what: str, about: object) -> tuple[str, Any] | None:
        """What went wrong when the daemon did something, and how things are then; None where it was
        killed over it."""
        if not self.pid:
            self._fork()
        assert self.line is not None
        try:
            self.line.send((what, about))
            while (answer := self.line.recv())[0] != "done":
                self.heard(answer[0])
                self.line.send("heard")
        except (EOFError, BrokenPipeError, ConnectionResetError):
            status = self._reap()
            assert os.WIFSIGNALED(status), f"the daemon ended by itself: {status}"
            self.kills += 1
            return None
        return str(answer[1]), answer[2]

    def heard(self, what: str) -> None:
        """What the daemon tells while it is at work: the mail server is to drop its line."""
        self.at.office.drop_after_data()

    def _fork(self) -> None:
        self.daemon.engine.dispose()  # no process inherits another's connections
        self.line, other = Pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self.line.close()
                self.child(self.daemon, self.at, self.shared, other).serve()
            except EOFError:
                os._exit(0)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(3)
        other.close()

    def _reap(self) -> int:
        assert self.line is not None
        self.line.close()
        _, status = os.waitpid(self.pid, 0)
        self.pid, self.line = 0, None
        return status

    def _end(self) -> None:
        if self.pid:
            self._reap()

    # A restored backup, and what the gamesmaster does about it (the manual's procedure).

    def _back_up(self) -> None:
        file = self.url.removeprefix("sqlite:///")
        with sqlite3.connect(file) as live, sqlite3.connect(f"{file}.backup") as kept:
            live.backup(kept)
        live.close()
        kept.close()

    def _restore(self) -> None:
        file = self.url.removeprefix("sqlite:///")
        self.restored = True
        if not Path(f"{file}.backup").exists():
            return
        reached = self.period
        for suffix in ("-wal", "-shm"):
            Path(file + suffix).unlink(missing_ok=True)
        shutil.copy(f"{file}.backup", file)
        self._ask("restore", self.at.clock)
        self._pass()
        self._ask("accept", self.closed.get(self.period, self.at.clock))
        self._pass()
        self._ask("release", self.at.clock)
        while self.period < reached and self.status == "running":
            number = self.period
            assert self.due is not None
            kept = self.closed[number]
            self.at.clock = max(self.at.clock, self.due)
            self._pass()
            assert self.period == number + 1, (number, self.period)
            if self.status == "running":
                self._ask("accept", self.closed.get(number + 1, self.at.clock))
                self._pass()
            self.closed[number] = kept


def _head(raw: bytes) -> Message:
    """A mail's header: nobody looks into all the rest of it."""
    return message_from_bytes(raw.partition(b"\r\n\r\n")[0])


def masters_address(at: Installation) -> str:
    """The gamesmaster's secret reply address."""
    with exclusive_transaction(at.daemon.engine) as conn:
        token = masters.token(conn, at.daemon.installation.mark, GAMESMASTER)
    return REFEREE.replace("@", f"+{token}@")


def texts(at: Installation, who: str) -> str:
    """All that somebody was mailed, in the order in which it came; no database is asked."""
    raws = at.office.messages(who if "@" in who else address(who))
    found = (message_from_bytes(raw, policy=policy.default) for raw in raws)
    return "\n".join(text_of(mail) for mail in found)


def codes(at: Installation, who: str) -> list[str]:
    """The codes that somebody was mailed, the newest last."""
    return re.findall(r"(?m)^ +CONFIRM (\S+)", texts(at, who))


@dataclass(frozen=True, slots=True)
class Start:
    """The position every schedule starts from: the game has begun, its first mails are out."""

    file: Path
    clock: datetime
    due: datetime
    secret: str = ""
    """The gamesmaster's reply address."""


def begin(folder: Path, url: str = "") -> Start:
    """Make that position."""
    os.environ["PBEM_TEST_PASSWORD"] = PASSWORD
    with Installation(
        folder, "coalition", seats=SEATS, url=url, strangers=("someone@else.example",)
    ) as at:
        at.start()
        at.once()
        due, secret = at.table().period.due, masters_address(at)
        at.daemon.engine.dispose()
        if not url:
            with sqlite3.connect(folder / "pbem.db") as live:
                live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            live.close()
        return Start(folder / "pbem.db", at.clock, due, secret)
