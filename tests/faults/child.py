"""The daemon in a process of its own, that the faults strike from within."""

import gc
import mmap
import os
import resource
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from multiprocessing.connection import Connection as Line
from typing import Any, NoReturn

from sqlalchemy import NullPool, create_engine, event, func, select, text

from pbem.daemon.loop import Daemon
from pbem.errors import DatabaseError, OutsideError
from pbem.letters.states import LetterState
from pbem.periods import deadline_acts
from pbem.post.imap import Fetched, Mailbox
from pbem.post.smtp import Transport
from pbem.referee.acts import letter_acts
from pbem.referee.deciding import deciding
from pbem.referee.game import arrivals
from pbem.store.engine import locks
from pbem.store.engine.database import reading
from pbem.store.games import games
from pbem.store.schema.tables import Letter, Outgoing, Period
from tests.faults.schedules import ACT_POINTS, LIMITS, POINTS, STAGES, Fault
from tests.installation import Installation

ENDLESS = 60.0
"""Seconds of processor time that no work of a schedule has."""


class Shared:
    """Numbers that outlive a killed child: how often each point was passed, and which faults have
    struck."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = faults
        self._index = {point: n for n, point in enumerate((*POINTS, *STAGES, *ACT_POINTS))}
        self._map = mmap.mmap(-1, 4 * (len(self._index) + len(faults)))
        self._numbers = memoryview(self._map).cast("I")

    def passed(self, point: str) -> Fault | None:
        """Counts; the fault that strikes here and now."""
        self._numbers[self._index[point]] += 1
        for n, fault in enumerate(self.faults):
            at = len(self._index) + n
            if (
                fault.point == point
                and fault.nth == self._numbers[self._index[point]]
                and not self._numbers[at]
            ):
                self._numbers[at] = 1
                return fault
        return None

    def begin(self, counts: Mapping[str, int]) -> None:
        """So often each point has been passed before any fault could strike."""
        for point, count in counts.items():
            self._numbers[self._index[point]] = count

    def struck(self) -> list[Fault]:
        return [fault for n, fault in enumerate(self.faults) if self._numbers[len(self._index) + n]]

    def counts(self) -> dict[str, int]:
        return {point: int(self._numbers[n]) for point, n in self._index.items()}


class Cable(Transport):
    """A connection to the mail server that can be cut between DATA and the final dot."""

    cut = False

    def _hand_in(self, envelope_from: str, to: str, raw: bytes) -> Any:
        if self.cut and self._smtp is not None:
            docmd = self._smtp.docmd

            def cutting(command: str, args: str = "") -> Any:
                answer = docmd(command, args)
                if (
                    command == "DATA"
                    and self.cut
                    and self._smtp is not None
                    and self._smtp.sock is not None
                ):
                    self.cut = False
                    self._smtp.sock.shutdown(socket.SHUT_RDWR)
                return answer

            self._smtp.docmd = cutting  # type: ignore[method-assign]
        return super()._hand_in(envelope_from, to, raw)


class Server(Mailbox):
    """A mail server that breaks off at its next fetches."""

    poison = 0

    def fetch(self, uids: Sequence[int], *more: Any) -> Iterator[Fetched]:
        if self.poison:
            self.poison -= 1
            self._drop()
            raise OutsideError("the server broke off")
        return super().fetch(uids, *more)


def burn(stage: str) -> NoReturn:
    """Work that has no end, until somebody ends it; whom nobody ends is on no budget."""
    until = time.process_time() + ENDLESS
    while time.process_time() < until:
        pass
    print(f"{stage} burns on nobody's budget", file=sys.stderr, flush=True)
    os._exit(3)


class Child:
    """The daemon in its own process, doing what the world asks."""

    lock_wait = "30ms"

    def __init__(self, daemon: Daemon, at: Installation, shared: Shared, line: Line) -> None:
        self.shared, self.line, self.url, self.daemon = shared, line, at.url, daemon
        self.raws: list[Any] = []
        self.other: Any = None
        deciding.READ_AHEAD = 2  # so that the letters of a pass are more than one group
        mark = replace(daemon.installation.mark, seconds=LIMITS["letter_seconds"])
        daemon.installation = daemon.referee.installation = replace(
            daemon.installation, config=at.config(), mark=mark
        )
        for stage, where in STAGES.items():
            self._watch(stage, where)
        daemon.crash = daemon.referee.crash = self.crash
        daemon.patience = 60.0  # the session of a killed child may end a little later than it
        daemon.readers[0].mailbox = Server(daemon.config.imap)
        daemon.carrier = Cable(daemon.config.smtp)
        event.listen(daemon.engine, "connect", self._connected)

    def _watch(self, stage: str, where: str) -> None:
        """A function that is a point of its own."""
        module, _, name = where.rpartition(".")
        real = getattr(sys.modules[module], name)

        def watched(*given: Any, **more: Any) -> Any:
            if fault := self.shared.passed(stage):
                if fault.kind == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                if fault.kind == "burn":
                    burn(stage)
            return real(*given, **more)

        setattr(sys.modules[module], name, watched)

    def _connected(self, raw: Any, _record: object) -> None:
        if self.url.startswith("sqlite"):
            raw.execute("PRAGMA busy_timeout=10")
            raw.execute("PRAGMA synchronous=OFF")  # SIGKILL takes nothing from the page cache
        else:
            raw.execute(f"SET lock_timeout = '{self.lock_wait}'")
            raw.commit()
        self.raws.append(raw)

    def crash(self, point: str) -> None:
        """A point is passed, and a fault strikes there."""
        if fault := self.shared.passed(point):
            self.strike(fault)

    def strike(self, fault: Fault) -> None:
        """What a fault does to the daemon."""
        match fault.kind:
            case "kill" | "restore":
                os.kill(os.getpid(), signal.SIGKILL)
            case "imap":
                client = self.daemon.readers[0].mailbox._client
                if client is not None:
                    with suppress(OSError):  # it is cut already
                        client.socket().shutdown(socket.SHUT_RDWR)
            case "poison":
                assert isinstance(self.daemon.readers[0].mailbox, Server)
                self.daemon.readers[0].mailbox.poison = 2
            case "smtp-before":
                assert isinstance(self.daemon.carrier, Cable)
                self.daemon.carrier.cut = True
            case "smtp-after":
                self.tell("drop")
            case "locked" if self.other is None and self.url.startswith("sqlite"):
                self.other = sqlite3.connect(
                    self.url.removeprefix("sqlite:///"), isolation_level=None
                )
                self.other.execute("BEGIN IMMEDIATE")
            case "locked" if self.other is None:
                self.other = create_engine(self.url, poolclass=NullPool).connect()
                self.other.execute(text(f"SELECT pg_advisory_lock({locks.INSTALLATION})"))
            case "lost":
                with create_engine(self.url, poolclass=NullPool).connect() as conn:
                    conn.execute(
                        text(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
                            "pg_backend_pid() AND datname = current_database()"
                        )
                    )
            case "full":
                for raw in self.raws:
                    with suppress(sqlite3.Error):
                        pages = raw.execute("PRAGMA page_count").fetchone()[0]
                        raw.execute(f"PRAGMA max_page_count={pages}")
            case "fsize":
                resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))

    def tell(self, what: str) -> None:
        """The world hears of something, and acts."""
        self.line.send((what,))
        self.line.recv()

    def mend(self) -> None:
        """The operator takes the fault away."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if self.other is not None:
            self.other.close()
            self.other = None
        if self.url.startswith("sqlite"):
            for raw in self.raws:
                with suppress(sqlite3.Error):
                    raw.execute("PRAGMA max_page_count=1073741823")

    def serve(self) -> None:
        gc.disable()  # nothing that lives so short has garbage worth a copy of all it shares
        while True:
            what, about = self.line.recv()
            try:
                self.ask(what, about)
                error = ""
            except OutsideError as trouble:
                error = str(trouble)
            self.mend()
            try:
                found = self.game()
            except DatabaseError:  # another daemon has lost the connections of all
                found = self.game()
            self.line.send(("done", error, found))

    def ask(self, what: str, about: Any) -> None:
        """One thing that the world asks for; ``about``: at what time."""
        getattr(self, f"do_{what}")(about)

    def do_pass(self, now: datetime) -> None:
        done = self.daemon.once(now)
        if done.trouble:
            raise OutsideError("; ".join(done.trouble))

    def do_restore(self, now: datetime) -> None:
        with self.daemon.installation.work(now) as work:
            letter_acts.restore(work)

    def do_release(self, now: datetime) -> None:
        with self.daemon.installation.work(now) as work:
            letter_acts.restore(work, release_outbox=True)
            if games.game(work.conn, "g").status == "held":
                deadline_acts.resume(work, "g")

    def do_accept(self, received: datetime) -> None:
        """The gamesmaster accepts what was held, as far as it had been received by then: so long
        the period was open."""
        with self.daemon.installation.work(received) as work:
            arrivals.accept(work, "g", received)

    def do_retry(self, now: datetime) -> None:
        """The gamesmaster has failed letters tried again."""
        with self.daemon.installation.work(now) as work:
            for letter_id in (
                work.conn.execute(select(Letter.id).where(Letter.outcome == "failed"))
                .scalars()
                .all()
            ):
                letter_acts.retry(work, letter_id)

    def game(self) -> tuple[str, int, datetime | None, int, int]:
        """Status, period, deadline, mails that are still to go, letters that failed."""
        with reading(self.daemon.engine) as conn:
            row = games.game(conn, "g")
            due = conn.execute(
                select(Period.due).where(Period.game_id == "g", Period.number == row.period)
            ).scalar()
            waits = Outgoing.state.in_(("ready", "leased", "unknown")) & ~Outgoing.resent
            waiting = conn.execute(select(func.count(Outgoing.id)).where(waits)).scalar_one()
            failed = Letter.how_many(conn, outcome=LetterState.FAILED)
            return row.status, row.period, due, waiting, failed
