"""The kill matrix: one short game under seeded faults at the crash points, compared with the undisturbed run.

A schedule is a world (this process: post office, clock, players, gamesmaster) and a daemon (a child forked from it, that
is killed, cut off, starved or robbed of its database at the chosen points, and forked anew). Whatever happens, at the
end every letter has had its one effect, no mail went out more often than its doubts allow, and the game has come out
as if nothing had happened.
"""

from __future__ import annotations

import gc
import mmap
import os
import random
import resource
import shutil
import signal
import socket
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from multiprocessing import Pipe
from multiprocessing.connection import Connection as Line
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Engine, NullPool, create_engine, event, func, select, text

sys.path.insert(0, str(Path(__file__).parents[1]))
from installation import GAMESMASTER, PASSWORD, REFEREE, Installation, address

from pbem import acts, database, inbox_acts, replay, store
from pbem.crash_points import POINTS
from pbem.daemon import Daemon, imap_account, smtp_account
from pbem.database import transaction
from pbem.errors import OutsideError
from pbem.imap import Fetched, Mailbox
from pbem.records import Game, Journal, Letter, OrderSet, Outgoing, Period
from pbem.smtp import Transport

SEATS = ("A", "B", "C", "D", "E")
ONE = "PM A, DEF B, FIN C, FOR D, AGR A, EC B, ENV C, FF D, HW E, INF A, JUS B, ME C, SI D, SEC E, TE A, TRA B"
TWO = ONE.replace("PM A", "PM B").replace("DEF B", "DEF A")
CLOSE, REMIND = "close", "remind"
Lines = Sequence[tuple[str, str]]
Script = Sequence[Lines | str]
SCRIPT: Script = (
    [("A", f"PROPOSE {ONE}"), ("A", "SPECIAL AGR, ENV"), ("B", "SPECIAL JUS\nNAEM x")],
    [("B", 'NAME "Harbour"'), ("again", "1"), ("C", "SPECIAL TRA\nPRESS TO ALL\nBeware.\nEND PRESS"),
     ("B", f"PROPOSE {TWO}"), ("someone@else.example", "VOTE AYE")],
    CLOSE,
    [("A", "VOTE AYE"), ("B", "VOTE AYE"), ("C", "VOTE ABSTAIN")],
    REMIND,
    [("B", "VOTE NAY"), ("again", "8")],
    CLOSE,
    [("A", "VOTE AYE\nWAIT"), ("C", "VOTE AYE"), ("B", "VOTE AYE"), ("E", "VOTE AYE"), ("D", "VOTE AYE")],
    CLOSE,
)  # fmt: skip
"""What the players write, a batch a pass; ("again", n): letter n comes a second time by another way."""

WITHIN = ("letter.decided", "deadline.adjudicated")  # inside a transaction
FATAL = ("kill", "restore")
IN_DOUBT = ("kill", "restore", "smtp-after", "locked", "full", "fsize", "lost")
"""Faults after which a mail may be in doubt."""


@dataclass(frozen=True, slots=True)
class Fault:
    point: str
    nth: int
    kind: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.point} #{self.nth}"


def kinds(point: str, postgresql: bool) -> list[str]:
    """The faults that can occur at a point."""
    found = ["kill", "kill"]
    if point not in WITHIN:
        found += ["locked"] if not postgresql else ["locked", "lost"]
    elif postgresql:
        found.append("lost")
    if not postgresql:
        found += ["full", "fsize", "restore"]
    if point.startswith("inbox") or point.startswith("letter"):
        found.append("imap")
    if point == "inbox.cursor":
        found += ["poison", "poison"]
    if point.startswith("outbox"):
        found += ["smtp-before", "smtp-after"]
    return found


def schedule(seed: int, counts: Mapping[str, int], postgresql: bool) -> list[Fault]:
    """One to three faults; at most one restored backup among them."""
    chance, faults = random.Random(seed), list[Fault]()
    for _ in range(chance.choice((1, 1, 2, 3))):
        point = chance.choice(sorted(point for point, count in counts.items() if count))
        kind = chance.choice(kinds(point, postgresql))
        if kind == "restore" and any(fault.kind == "restore" for fault in faults):
            kind = "kill"
        faults.append(Fault(point, chance.randint(1, counts[point]), kind))
    return faults


# --- the daemon's side ----------------------------------------------------------------------------------------------


class Shared:
    """Numbers that outlive a killed child: how often each point was passed, and which faults have struck."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = faults
        self._map = mmap.mmap(-1, 4 * (len(POINTS) + len(faults)))
        self._numbers = memoryview(self._map).cast("I")
        self._index = {point: n for n, point in enumerate(POINTS)}

    def passed(self, point: str) -> Fault | None:
        """Counts; the fault that strikes here and now."""
        self._numbers[self._index[point]] += 1
        for n, fault in enumerate(self.faults):
            at = len(POINTS) + n
            if fault.point == point and fault.nth == self._numbers[self._index[point]] and not self._numbers[at]:
                self._numbers[at] = 1
                return fault
        return None

    def struck(self) -> list[Fault]:
        return [fault for n, fault in enumerate(self.faults) if self._numbers[len(POINTS) + n]]

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
                if command == "DATA" and self.cut and self._smtp is not None and self._smtp.sock is not None:
                    self.cut = False
                    self._smtp.sock.shutdown(socket.SHUT_RDWR)
                return answer

            self._smtp.docmd = cutting  # type: ignore[method-assign]
        return super()._hand_in(envelope_from, to, raw)


class Server(Mailbox):
    """A mail server that breaks off at its next fetches."""

    poison = 0

    def fetch(self, uids: Sequence[int], most: int | None = None) -> Iterator[Fetched]:
        if self.poison:
            self.poison -= 1
            self._drop()
            raise OutsideError("the server broke off")
        return super().fetch(uids, most)


class Child:
    """The daemon in its own process, doing what the world asks."""

    def __init__(self, daemon: Daemon, at: Installation, shared: Shared, line: Line) -> None:
        self.shared, self.line, self.url, self.daemon = shared, line, at.url, daemon
        self.raws: list[Any] = []
        self.other: Any = None
        daemon.config = daemon.referee.config = at.config()
        daemon.crash = daemon.referee.crash = self.crash
        daemon.mailbox = Server(imap_account(daemon.config.imap))
        daemon.carrier = Cable(smtp_account(daemon.config.smtp))
        event.listen(daemon.engine, "connect", self._connected)

    def _connected(self, raw: Any, _record: object) -> None:
        if self.url.startswith("sqlite"):
            raw.execute("PRAGMA busy_timeout=10")
            raw.execute("PRAGMA synchronous=OFF")  # SIGKILL takes nothing from the page cache
        else:
            raw.execute("SET lock_timeout = '30ms'")
            raw.commit()
        self.raws.append(raw)

    def crash(self, point: str) -> None:
        fault = self.shared.passed(point)
        match fault.kind if fault else "":
            case "kill" | "restore":
                os.kill(os.getpid(), signal.SIGKILL)
            case "imap":
                client = self.daemon.mailbox._client
                if client is not None:
                    client.socket().shutdown(socket.SHUT_RDWR)
            case "poison":
                assert isinstance(self.daemon.mailbox, Server)
                self.daemon.mailbox.poison = 2
            case "smtp-before":
                assert isinstance(self.daemon.carrier, Cable)
                self.daemon.carrier.cut = True
            case "smtp-after":
                self.line.send(("drop",))
                self.line.recv()
            case "locked" if self.url.startswith("sqlite"):
                self.other = sqlite3.connect(self.url.removeprefix("sqlite:///"), isolation_level=None)
                self.other.execute("BEGIN IMMEDIATE")
            case "locked":
                self.other = create_engine(self.url, poolclass=NullPool).connect()
                self.other.execute(text(f"SELECT pg_advisory_lock({database.WRITER})"))
            case "lost":
                with create_engine(self.url, poolclass=NullPool).connect() as conn:
                    conn.execute(text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
                                      "pg_backend_pid() AND datname = current_database()"))  # fmt: skip
            case "full":
                for raw in self.raws:
                    with suppress(sqlite3.Error):
                        pages = raw.execute("PRAGMA page_count").fetchone()[0]
                        raw.execute(f"PRAGMA max_page_count={pages}")
            case "fsize":
                resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))

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
        while True:
            what, now = self.line.recv()
            try:
                getattr(self, f"do_{what}")(now)
                error = ""
            except OutsideError as trouble:
                error = str(trouble)
            self.mend()
            self.line.send(("done", error, self.game()))

    def do_pass(self, now: datetime) -> None:
        done = self.daemon.once(now)
        if done.trouble:
            raise OutsideError("; ".join(done.trouble))

    def do_restore(self, now: datetime) -> None:
        with transaction(self.daemon.engine) as conn:
            inbox_acts.restore(conn, self.daemon.config.imap, now)

    def do_release(self, now: datetime) -> None:
        with transaction(self.daemon.engine) as conn:
            inbox_acts.release_outbox(conn, now)
            if store.game(conn, "g").status == "held":
                acts.resume(conn, self.daemon.mark, "g", now)

    def do_accept(self, received: datetime) -> None:
        """The gamesmaster accepts what was held, as far as it had been received by then."""
        with transaction(self.daemon.engine) as conn:
            held = select(Letter.id).where(Letter.outcome == "held", Letter.received <= received).order_by(Letter.id)
            for letter_id in conn.execute(held).scalars().all():
                inbox_acts.accept(conn, letter_id, received)

    def game(self) -> tuple[str, int, datetime | None, int]:
        """Status, period, deadline, mails that are still to go."""
        with transaction(self.daemon.engine) as conn:
            row = store.game(conn, "g")
            due = conn.execute(select(Period.due).where(Period.game_id == "g", Period.number == row.period)).scalar()
            waits = Outgoing.state.in_(("ready", "leased", "unknown")) & ~Outgoing.resent
            return row.status, row.period, due, store.count(conn, Outgoing.id, waits)


# --- the world ------------------------------------------------------------------------------------------------------


class World:
    """The post office, the clock, the players and the gamesmaster."""

    def __init__(
        self, folder: Path, start: Start, daemon: Daemon, url: str, faults: Sequence[Fault], script: Script = SCRIPT
    ) -> None:
        self.daemon, self.script = daemon, script
        self.at = Installation(folder, "coalition", seats=SEATS, url=url, strangers=("someone@else.example",))
        self.at.clock = start.clock
        self.url, self.faults, self.shared = url, faults, Shared(faults)
        self.raws: list[bytes] = []
        self.closed: dict[int, datetime] = {}
        self.status, self.period, self.due, self.waiting = "running", 1, start.due, 0
        self.pid, self.line = 0, None
        self.kills = 0
        self.restored = False

    def run(self) -> None:
        backup = random.Random(str(self.faults)).randrange(len(self.script))
        with self.at.office:
            self.at.office.now = lambda: self.at.clock
            try:
                for n, step in enumerate(self.script):
                    if n == backup and self.url.startswith("sqlite"):
                        self._back_up()
                    if step == CLOSE:
                        self._close()
                    elif isinstance(step, str):
                        assert self.due is not None
                        self.at.clock = max(self.at.clock, self.due - timedelta(hours=20))
                        self._pass()
                    else:
                        self._letters(step)
                for _ in range(8):
                    if not self.waiting:
                        break
                    self.at.clock += timedelta(minutes=15)
                    self._pass()
            finally:
                self._end()
            self.mails = {who: [message_from_bytes(raw) for raw in self.at.office.messages(who)]
                          for who in (GAMESMASTER, *map(address, SEATS), "someone@else.example")}  # fmt: skip
            self.inbox = self.at.office.messages(REFEREE)
            self.processed = self.at.office.messages(REFEREE, "Processed")

    def _letters(self, lines: Lines) -> None:
        for who, words in lines:
            if who == "again":
                raw = b"Received: from elsewhere by mx; Mon, 2 Mar 2026 10:00:00 +0000\r\n" + self.raws[int(words)]
            else:
                raw = self.at.letter(who, words)
            self.raws.append(raw)
            self.at.office.deliver(REFEREE, raw, self.at.clock)
        self._pass()

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
            if not error:
                return
        raise AssertionError(f"no pass goes through: {error}")

    def _ask(self, what: str, moment: datetime) -> str:
        """Have the daemon do something; it is started again where it was killed."""
        while True:
            if not self.pid:
                self._fork()
            assert self.line is not None
            try:
                self.line.send((what, moment))
                while (answer := self.line.recv())[0] == "drop":
                    self.at.office.drop_after_data()
                    self.line.send("dropped")
            except (EOFError, BrokenPipeError, ConnectionResetError):
                status = self._reap()
                assert os.WIFSIGNALED(status), f"the daemon ended by itself: {status}"
                self.kills += 1
                if not self.restored and any(fault.kind == "restore" for fault in self.shared.struck()):
                    self._restore()
                    if what == "pass" and moment < self.at.clock:
                        moment = self.at.clock
                continue
            _, error, (self.status, self.period, self.due, self.waiting) = answer
            return str(error)

    def _fork(self) -> None:
        self.line, other = Pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self.line.close()
                Child(self.daemon, self.at, self.shared, other).serve()
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
        self._pass()
        self._ask("release", self.at.clock)
        while self.period < reached and self.status == "running":
            number = self.period
            assert self.due is not None
            kept = self.closed[number]
            self.at.clock = max(self.at.clock, self.due)
            self._pass()
            assert self.period == number + 1, (number, self.period)
            self._ask("accept", self.closed.get(number + 1, self.at.clock))
            self._pass()
            self.closed[number] = kept


@dataclass(frozen=True, slots=True)
class Start:
    """The position every schedule starts from: the game has begun, its first mails are out."""

    file: Path
    clock: datetime
    due: datetime


def begin(folder: Path, url: str = "") -> Start:
    """Make that position."""
    os.environ["PBEM_TEST_PASSWORD"] = PASSWORD
    with Installation(folder, "coalition", seats=SEATS, url=url, strangers=("someone@else.example",)) as at:
        at.start()
        at.once()
        due = at.table().period.due
        at.daemon.engine.dispose()
        if not url:
            with sqlite3.connect(folder / "pbem.db") as live:
                live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            live.close()
        return Start(folder / "pbem.db", at.clock, due)


@dataclass(slots=True)
class Facts:
    """What a run left behind, as far as faults must not change it."""

    state: str
    over: str
    periods: list[tuple[int, str, str]]
    standing: dict[tuple[int, str], list[str]]
    sets: dict[tuple[int, str], int]
    letters: dict[str, list[str]]
    duplicates: set[str]
    journal: Counter[str]
    keys: set[str]
    faults: list[str] = field(default_factory=list)


def facts(engine: Engine, world: World) -> Facts:
    """Read them; ``faults`` names what is wrong whatever the undisturbed run was like."""
    with transaction(engine) as conn:
        row = conn.execute(select(Game.__table__)).one()
        periods = conn.execute(select(Period.number, Period.state_hash, Period.status).order_by(Period.number)).all()
        sets = conn.execute(select(OrderSet.__table__).order_by(OrderSet.ordinal)).all()
        letters = conn.execute(select(Letter.__table__).order_by(Letter.id)).all()
        mails = conn.execute(select(Outgoing.__table__)).all()
        notes = conn.execute(select(Journal.data).where(Journal.kind == "letter")).scalars().all()
        report = replay.replay(conn, "g")
        at = store.table(conn, "g")
        seats = sum(at.ruleset.view(at.state, None)["seats"].values())
        doubles = conn.execute(select(OrderSet.letter_id).group_by(OrderSet.letter_id)
                               .having(func.count() > 1)).scalars().all()  # fmt: skip
    outcomes: dict[str, list[str]] = {}
    for letter in letters:
        outcomes.setdefault(letter.raw_hash, []).append(letter.outcome)
    found = Facts(
        periods[-1].state_hash, row.status, [tuple(one) for one in periods],
        {(one.period, one.seat): one.orders for one in sets}, dict(Counter((one.period, one.seat) for one in sets)),
        {key: [one for one in told if one != "duplicate"] for key, told in outcomes.items()},
        {key for key, told in outcomes.items() if "duplicate" in told}, Counter(note["sha256"] for note in notes),
        {mail.key for mail in mails if mail.kind in ("bulletin", "notice", "press", "start")},
    )  # fmt: skip
    wrong = found.faults
    wrong += report.faults
    wrong += ["615 seats are not 615"] * (seats != 615)
    wrong += [f"letter {one} has {count} effects" for one, count in Counter(doubles).items() if one is not None]
    wrong += [f"letter {one.id} is {one.outcome}: {one.reason}" for one in letters
              if one.outcome in ("stored", "unfetchable", "failed", "held", "late")]  # fmt: skip
    wrong += [f"{len(world.inbox)} letters were left in the inbox"] * bool(world.inbox)
    wrong += ["letters are missing on the server"] * (len(set(world.processed)) != len(set(world.raws)))
    wrong += [f"mail {one.key} is {one.state}" for one in mails
              if one.state not in ("sent", "listed") and not one.resent]  # fmt: skip
    return found


def compare(now: Facts, then: Facts, world: World) -> list[str]:
    """What differs from the undisturbed run ``then``, and what no run may show."""
    wrong = list(now.faults)
    for what in ("state", "over", "periods", "standing", "sets", "letters", "journal"):
        if getattr(now, what) != getattr(then, what):
            wrong.append(f"{what} differs: {getattr(now, what)!r} instead of {getattr(then, what)!r}")
    wrong += [f"mails differ: {sorted(now.keys ^ then.keys)}"] * (now.keys != then.keys)
    struck = world.shared.struck()
    doubts = sum(fault.kind in IN_DOUBT for fault in struck)
    extra = 0
    for who, mails in world.mails.items():
        for message_id, count in Counter(mail["Message-ID"] for mail in mails).items():
            extra += count - 1
            if count > (4 if world.restored else 2):
                wrong.append(f"{who} got {message_id} {count} times")
    if extra > doubts and not world.restored:
        wrong.append(f"{extra} mails went out twice, with {doubts} faults that leave one in doubt")
    return wrong


class Matrix:
    """The matrix on one kind of database, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.start = self.begin()
        self.url = self.fresh()
        self.daemon = self.rehearsed()
        world, self.reference = self.play([])
        self.counts = world.shared.counts() | {"inbox.retried": 1}  # passed where a letter was poisoned
        gc.collect()
        gc.freeze()  # what every child shares is nobody's garbage
        assert self.reference.over == "over" and not self.reference.faults, self.reference

    postgresql = False

    def begin(self) -> Start:
        (self.folder / "start").mkdir()
        return begin(self.folder / "start")

    def fresh(self) -> str:
        """A new copy of the position to start from; its URL, always the same."""
        shutil.rmtree(self.folder / "live", ignore_errors=True)
        (self.folder / "live").mkdir()
        shutil.copy(self.start.file, self.folder / "live" / "pbem.db")
        return f"sqlite:///{self.folder / 'live' / 'pbem.db'}"

    def rehearsed(self) -> Daemon:
        """The daemon that every child is forked from: it has played the game once, so that all its caches are full."""
        with Installation(self.folder, "coalition", seats=SEATS, url=self.url) as at:
            at.clock = self.start.clock
            for step in SCRIPT:
                for who, words in () if isinstance(step, str) else step:
                    if who in SEATS:
                        at.write(who, words)
                at.to_deadline() if step == CLOSE else at.once()
        return at.daemon

    def play(self, faults: Sequence[Fault], script: Script = SCRIPT) -> tuple[World, Facts]:
        self.fresh()
        world = World(self.folder, self.start, self.daemon, self.url, faults, script)
        world.run()
        found = facts(self.daemon.engine, world)
        self.daemon.engine.dispose()
        return world, found

    def check(self, seed: int) -> list[str]:
        """One schedule; [] where it passed."""
        faults = schedule(seed, self.counts, self.postgresql)
        told = ", ".join(map(str, faults))
        try:
            world, found = self.play(faults)
        except Exception as error:
            return [f"schedule {seed} ({told}): {type(error).__name__}: {error}"]
        return [f"schedule {seed} ({told}): {one}" for one in compare(found, self.reference, world)]

    def shuffled(self, seed: int) -> list[str]:
        """The same letters in another order across the seats, each one twice, with kills between commits: the same game."""
        chance = random.Random(seed)
        script = shuffled(chance)
        points = sorted(set(POINTS) - set(WITHIN))
        faults = [Fault(chance.choice(points), chance.randint(1, 12), "kill") for _ in range(chance.randint(1, 4))]
        _, found = self.play(faults, script)
        wrong = list(found.faults)
        for what in ("state", "over", "standing", "sets"):
            if getattr(found, what) != getattr(self.reference, what):
                wrong.append(f"{what} differs: {getattr(found, what)!r} instead of {getattr(self.reference, what)!r}")
        return [f"shuffle {seed} ({', '.join(map(str, faults))}): {one}" for one in wrong]


def shuffled(chance: random.Random) -> Script:
    """The script with each period's letters dealt out anew: a seat's own stay in their order, every one comes twice."""
    made: list[Lines | str] = []
    period: list[tuple[str, str]] = []
    sent = 0
    for step in SCRIPT:
        if not isinstance(step, str):
            period += [line for line in step if line[0] != "again"]
            continue
        if step != CLOSE:
            continue
        queues: dict[str, list[tuple[str, str]]] = {}
        for line in period:
            queues.setdefault(line[0], []).append(line)
        batch: list[tuple[str, str]] = []
        again: list[int] = []
        while queues or again:
            if again and (not queues or chance.random() < 0.4):
                batch.append(("again", str(again.pop(chance.randrange(len(again))))))
            else:
                seat = chance.choice(sorted(queues))
                batch.append(queues[seat].pop(0))
                again.append(sent)
                if not queues[seat]:
                    del queues[seat]
            sent += 1
            if chance.random() < 0.2:
                made.append(batch)
                batch = []
        made += [batch, CLOSE]
        period = []
    return made
