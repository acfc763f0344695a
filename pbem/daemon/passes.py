"""A pass: read the mailboxes in turn with other daemons, decide letters, do what is due, send and
publish."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import Engine

from pbem.daemon import clocks, upkeep
from pbem.daemon.stopping import Flag
from pbem.errors import (
    DatabaseError,
    FolderMissing,
    LoginRefused,
    NotWritten,
    OperatorError,
    OutsideError,
    SenderRefused,
)
from pbem.house import resources
from pbem.house.config import Config, Imap
from pbem.periods import due
from pbem.post import alarms, clock, inbox, outbox, server_clock
from pbem.post.clock import Reading
from pbem.post.imap import Mailbox
from pbem.post.outbox import Senders
from pbem.post.postmark import postmark
from pbem.post.smtp import Transport
from pbem.post.work import Installation, Scan, no_crash
from pbem.referee.deciding.deciding import Referee
from pbem.referee.game import receipts
from pbem.referee.words import door
from pbem.store.engine.database import connect, exclusive_transaction, pending, shared_transaction
from pbem.store.engine.locks import Turn
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.text import in_utc, listed

log = structlog.get_logger()
_NEARLY_FULL = 0.9
STALE = timedelta(minutes=10)
"""How long another daemon's report counts."""


def name(imap: Imap) -> str:
    return f"{imap.user}@{imap.host}"


@dataclass(slots=True, eq=False)
class Pass:
    """One pass: its time, what it did, and its trouble."""

    installation: Installation
    now: datetime
    """To judge what is due."""
    elapsed: Callable[[], timedelta]
    """Since then, by the steady clock."""
    patience: float
    """Seconds to wait for a turn."""
    crash: Callable[[str], None]
    stopping: Callable[[], bool]
    unread: Mapping[str, Any]
    """The memo of a restore with processed letters to read."""
    letters: int = 0
    decided: int = 0
    closed: int = 0
    sent: int = 0
    trouble: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    """Keys of alarms that it would raise, mailed today or not."""

    @property
    def moment(self) -> datetime:
        """When a letter is seen: ``now`` plus elapsed whole minutes."""
        return self.now + timedelta(minutes=self.elapsed() // timedelta(minutes=1))

    def alarm(self, key: str, what: str, *commands: str, **known: Any) -> None:
        """Tell the gamesmaster, at most once a day for each ``key``."""
        self.alarms.append(key)
        with self.installation.shared_work(self.now) as work:
            alarms.say(work, key, what, commands=commands, **known)

    def not_written(self, processed: str, error: NotWritten) -> None:
        self.trouble.append(f"imap: {error}")
        log.warning("trouble", what="imap", full=error.full, error=str(error))
        known = {"error": str(error), "full": error.full, "processed": processed}
        self.alarm("full" if error.full else "processed", "processed", **known)

    def failed(self, what: str, error: Exception, account: str = "") -> None:
        """Report a server that fails, by its account if there are several."""
        refused = isinstance(error, LoginRefused)
        self.trouble.append(f"{what}: {error}")
        log.warning("trouble", what=what, refused=refused, error=str(error))
        several = len(self.installation.config.mailboxes) > 1
        found = (how for kind, how in _FAILING if isinstance(error, kind))
        how = "" if what == "site" else next(found, "")
        key = ":".join(filter(None, (what, how, account if several else "")))
        self.alarm(key, "failing", of=what, how=how, error=str(error))


_FAILING = ((LoginRefused, "login"), (SenderRefused, "blocked"), (OperatorError, "secret"))


class MailReader:
    """A mail account.

    A pass calls :meth:`begin`, :meth:`take_in`, and :meth:`put_away` after deciding.
    """

    def __init__(self, imap: Imap, engine: Engine) -> None:
        self.imap = imap
        self.account = name(imap)
        self.mailbox = Mailbox(imap)
        self.turn = Turn(engine, self.account)
        self.mine = False
        self.open = False
        self.drained = False
        """Whether the last pass read all letters."""
        self.until: datetime | None = None
        """Until when any daemon has read it; None if long ago."""
        self.away = False
        """Whether it failed; only a pass tries again."""

    def intake(self, this: Pass) -> inbox.Intake:
        return inbox.Intake(this.installation.engine, self.mailbox, self.account, this.crash)

    def begin(self, this: Pass) -> None:
        """Open the mailbox in our turn; else see how far another has read."""
        self.mine, self.drained, self.away = self.turn.mine(this.patience), False, False
        self.open = self.mine
        if not self.mine:
            self.mailbox.close()
            with shared_transaction(this.installation.engine) as conn:
                until = letters.read_until(conn, self.account)
            self.until = until if until and this.now - until < STALE else None
            return
        with self._trouble(this):
            self.mailbox.renew()
            try:
                self.mailbox.ensure(self.imap.processed)
            except NotWritten as error:
                this.not_written(self.imap.processed, error)

    def take_in(self, this: Pass) -> int:
        """Store all new letters in our turn. Return how many.

        After a restore the older, processed ones come first.
        """
        if self.mine:
            self.until = this.now
        if not self.open:
            return 0
        stored = 0
        with self._trouble(this):
            unread = bool(this.unread) and self.account not in this.unread.get("read", ())
            for folder in (
                *([self.imap.processed] if unread else ()),
                *self.imap.folders,
                *self.imap.junk,
            ):
                if not this.stopping():
                    stored += self.take_in_folder(this, folder)
            if unread and not this.stopping():
                self._note_processed_read(this.installation)
            self.drained = True
        return stored

    def put_away(self, this: Pass) -> None:
        if not (self.drained and self.turn.mine()):
            return
        with self._trouble(this):
            try:
                for folder in self.imap.folders:
                    inbox.move_decided(self.intake(this), folder, self.imap.processed)
                filled = self.mailbox.filled(self.imap.folders[0])
                if filled is not None and filled >= _NEARLY_FULL:
                    known = {"account": self.account, "processed": self.imap.processed}
                    this.alarm("full", "full", percent=int(filled * 100), **known)
                self.mailbox.select(self.imap.folders[0])  # for IDLE
            except NotWritten as error:  # decided letters stay there and are not decided again
                this.not_written(self.imap.processed, error)

    def news(self, seconds: float, stopping: Flag) -> bool:
        """Wait at most so long. Return whether there are letters or a turn."""
        if self.away:
            stopping.wait(seconds)
            return False
        had, self.mine = self.mine, self.turn.mine()
        if not self.mine:
            self.mailbox.close()
            stopping.wait(seconds)
            return False
        if not had:
            log.info("reading", account=self.account)
            return True
        try:
            self.mailbox.select(self.imap.folders[0])
            return self.mailbox.idle(seconds)
        except (OutsideError, OperatorError) as error:
            log.warning("idle", error=str(error))
            self.leave()
            return False

    def leave(self) -> None:
        self.mailbox.close()
        self.turn.leave()
        self.away, self.open = True, False

    def note_read(self, now: datetime) -> None:
        """Report to other daemons that letters up to ``now`` are on file."""
        if self.drained and self.turn.shared:
            with shared_transaction(self.turn.engine) as conn:
                letters.note_read(conn, self.account, now)

    def take_in_folder(self, this: Pass, folder: str) -> int:
        """Store a folder's letters. Return how many. Junk may be missing."""
        imap, now = self.imap, this.moment
        most = this.installation.config.limits.letter_bytes
        try:
            intake = self.intake(this)
            stored = inbox.take_in(intake, folder, now, most, processed=folder == imap.processed)
            for letter_id in inbox.retry_unfetchable(intake, folder, now):
                commands = (f"retry {letter_id}", f"dismiss {letter_id}")
                known = {"letter": letter_id, "folder": folder}
                this.alarm(f"unfetchable:{letter_id}", "unfetchable", *commands, **known)
        except FolderMissing as error:
            if folder in imap.folders or folder not in imap.junk:
                raise
            inbox.folder_gone(this.installation.engine, self.account, folder)
            this.alarm(f"folder:{folder}", "folder", folder=folder, error=str(error))
            return 0
        return stored

    def _note_processed_read(self, installation: Installation) -> None:
        with exclusive_transaction(installation.engine) as conn:
            memo = notes.memo(conn, notes.UNREAD)
            read = {*memo.get("read", ()), self.account}
            whole = read.issuperset(map(name, installation.config.mailboxes))
            notes.set_memo(conn, notes.UNREAD, {} if whole else {**memo, "read": sorted(read)})

    @contextmanager
    def _trouble(self, this: Pass) -> Iterator[None]:
        """Leave a server that fails, and report it."""
        try:
            yield
        except DatabaseError:
            raise
        except (OutsideError, OperatorError) as error:
            self.leave()
            this.failed("imap", error, self.account)


if TYPE_CHECKING:
    from pbem.daemon.sharing import Sharing

LISTEN = 2.0
"""Seconds between looks for letters during long work."""
LONGEST = 10.0
"""Seconds for what is due; then the next pass reads letters first, and goes on."""


class Passes:
    """Makes passes over an installation, one at a time."""

    patience = 0.0
    """Seconds that a single pass waits for a turn."""

    def __init__(self, config: Config, crash: Callable[[str], None] = no_crash) -> None:
        self.crash = crash
        engine = connect(config.referee.database)
        if fault := pending(engine):
            raise OperatorError(fault)
        with shared_transaction(engine) as conn:
            self.installation = Installation(engine, postmark(conn, config), config)
        self.readers = [MailReader(imap, engine) for imap in config.mailboxes]
        self.carrier = Transport(config.smtp)
        self.senders = Senders(engine)
        self.referee = Referee(self.installation, crash)
        self.stopping, self.called = Flag(), Flag()
        self._polled: float | None = None  # start of the last pass that was not for news
        self.read: Callable[[], Reading] = clock.read
        self.server: Callable[[MailReader], datetime] = lambda reader: server_clock.read(
            reader.mailbox, reader.imap.processed, config.referee.address
        )
        self.clock, self.doubts = clocks.Clock(), clocks.Doubts(self.installation)
        self._sure, self._wrong = True, False  # of this pass's time
        self._served: dict[int, str] = {}  # the last game served in each lane
        self.sharing = self._sharing()
        self._unfinished = False  # periods are left that are due
        self._stays = False  # whether turns are kept between passes

    @property
    def engine(self) -> Engine:
        return self.installation.engine

    @property
    def config(self) -> Config:
        return self.installation.config

    def _sharing(self) -> Sharing | None:
        if not self.config.daemon.share_work:
            return None
        try:
            from pbem.daemon.sharing import Sharing  # noqa: PLC0415  an optional extra
        except ImportError as error:
            wanted = (
                f"[daemon] share_work needs Procrastinate: {resources.line('cluster')} ({error})"
            )
            raise OperatorError(wanted) from error
        return Sharing(self.installation, self.referee, self.stopping.is_set, self.sending)

    def close(self) -> None:
        for reader in self.readers:
            reader.mailbox.close()
            reader.turn.leave()
        if self.sharing:
            self.sharing.close()
        self.carrier.close()
        self.senders.leave()
        self.engine.dispose()

    def once(self, now: datetime, *, compare: bool = False) -> Pass:
        """Make a pass: take letters, decide them, do what is due, send.

        compare: ``now`` is :attr:`clock`'s. What depends on the date then waits until it is sure.
        """
        with shared_transaction(self.engine) as conn:
            restored = bool(notes.memo(conn, notes.RESTORED))
        with self._turns_end():
            done = self._begun(now, compare=compare)
            now = done.now
            if self.senders.join():  # the leases of the dead end
                with shared_transaction(self.engine) as conn:
                    mails.end_leases(conn, now)
                self.senders.joined()
            out = None if restored else self.sending(now)
            scan = self._letters(done, out)
            done.sent = out.sent if out else 0
            if self.stopping.is_set():  # letters may be undecided: nothing may close
                return done
            if self._sure:
                for reader in self.readers:
                    reader.note_read(now)
            if not self._wrong:
                self._do_what_is_due(scan, done, out)
            done.sent = out.sent if out else 0
            if self.stopping.is_set():
                return done
            if self._sure:  # what is old is purged by the date
                with self.installation.work(now) as work:
                    receipts.merge(work)
                    door.merge(work)
                    upkeep.keep_up(work)
                self.crash("pass.kept_up")
            self._send_and_publish(done, out)
            self._note_pass(done)
            return done

    def _send_and_publish(self, done: Pass, out: outbox.Sending | None) -> None:
        listening = self._listening()
        if out:
            if self.sharing:
                self.sharing.mails(done.now)
            out.flush(self.engine, listening)
            done.sent = out.sent
            if self.carrier.trouble:
                done.failed("smtp", self.carrier.trouble)
            elif out.blocked:
                done.failed("smtp", out.blocked.error)
        if error := upkeep.write(self.installation, done.now, self.crash, listening):
            done.failed("site", error)

    def _note_pass(self, done: Pass) -> None:
        unread = [one.account for one in self.readers if one.mine and not one.drained]
        told = {"at": done.now.isoformat(), "trouble": done.trouble, "unread": unread}
        with shared_transaction(self.engine) as conn:
            before = notes.memo(conn, "last_pass").get("alarms", [])
            told["alarms"] = done.alarms if self._reads() else before
            notes.set_memo(conn, "last_pass", told)
        self.crash("pass.noted")

    @contextmanager
    def _turns_end(self) -> Iterator[None]:
        """Give back turns, unless kept between passes."""
        try:
            yield
        finally:
            for reader in self.readers if not self._stays else ():
                reader.turn.leave()

    def caught_up(self) -> tuple[Scan | None, Pass]:
        """Take and decide letters only. Return a scan, None if others read."""
        reading = self.read()
        self.clock.look(reading)
        with self._turns_end():
            done = self._begun(reading.wall, compare=True)
            return self._letters(done, None), done

    def _begun(self, now: datetime, *, compare: bool) -> Pass:
        began = self.read().steady
        with shared_transaction(self.engine) as conn:
            unread = notes.memo(conn, notes.UNREAD)
        done = Pass(
            self.installation,
            now,
            lambda: timedelta(seconds=self.read().steady - began),
            0.0 if self._stays else self.patience,
            self.crash,
            self.stopping.is_set,
            unread,
        )
        for reader in self.readers:
            reader.begin(done)
        self._sure, self._wrong = True, False
        if compare:
            done.now = self._settled(done)
        return done

    def sending(self, now: datetime) -> outbox.Sending:
        """Return what sends mails during a pass."""
        return outbox.Sending(
            self.carrier,
            now,
            self.crash,
            stopping=self.stopping.is_set,
            served=self._served,
            sure=self._sure,
        )

    def _listening(self) -> Callable[[], bool]:
        """Return when long work stops: when a poll is due, or for letters."""
        listened = self.read().steady

        def ends() -> bool:
            nonlocal listened
            if self.stopping.is_set():
                return True
            if not self._stays or self.called.is_set():
                return self._stays
            reading = self.read()
            if self._poll_is_due(reading):
                return True
            if reading.steady - listened < LISTEN:
                return False
            listened = reading.steady
            if any(reader.news(0.0, self.stopping) for reader in self.readers):
                self.called.set()  # news is reported once
            return self.called.is_set()

        return ends

    def _long_enough(self) -> Callable[[], bool]:
        """Return when what is due gives way to letters."""
        began = self.read().steady

        def ends() -> bool:
            if self._stays and self.read().steady - began >= LONGEST:
                self._unfinished = True
                return True
            return self.stopping.is_set()

        return ends

    def _poll_is_due(self, reading: Reading) -> bool:
        every = self.config.daemon.poll_seconds
        return self._polled is not None and reading.steady - self._polled >= every

    def _letters(self, done: Pass, out: outbox.Sending | None) -> Scan | None:
        """Take and decide all letters. Return the scan for what is due, None if other daemons have
        not reported what they read."""
        now = done.now
        for reader in self.readers:
            done.letters += reader.take_in(done)

        def hurries() -> bool:  # also after letters that asked to close a period
            return bool(due.waiting(self.engine, now))

        if self.sharing and self._reads() and not hurries():
            done.decided = self.sharing.letters(now)
        if not self.sharing or self._reads():
            done.decided += self.referee.decide_all(
                now, self.stopping.is_set, hurries=hurries, sending=out
            )
        for reader in self.readers:
            reader.put_away(done)
        return self._scan(done)

    def _do_what_is_due(self, scan: Scan | None, done: Pass, out: outbox.Sending | None) -> None:
        """Look at what is due. A daemon that shares but reads no mailbox takes jobs."""
        now = done.now
        if self.sharing:
            shared = (
                self.sharing.periods(scan) if scan and self._reads() else self.sharing.take(now)
            )
            done.decided, done.closed = done.decided + shared.decided, done.closed + shared.closed
        if scan and (self._reads() or not self.sharing):
            scan = replace(scan, stopping=self._long_enough())
            done.closed += due.due(self.installation, scan)
        if done.closed:
            done.decided += self.referee.decide_all(now, self.stopping.is_set, sending=out)

    def _reads(self) -> bool:
        return any(reader.mine for reader in self.readers)

    def _tell_unread(self, done: Pass) -> None:
        """Raise an alarm if deadlines wait for another daemon."""
        if due.waiting(self.engine, done.now - STALE):
            accounts = [one.account for one in self.readers if one.until is None]
            done.trouble.append(f"what is due waits: nobody says that {listed(accounts)} was read")
            log.warning("trouble", what="unread", accounts=accounts)
            done.alarm("unread", "unread", accounts=accounts)

    def _scan(self, done: Pass) -> Scan | None:
        """Return a scan as of the last complete reading. None while the clock is wrong."""
        if self._wrong:
            return None
        now = done.now
        if any(reader.mine and not reader.drained for reader in self.readers):
            return Scan(now, False, self.crash, self.stopping.is_set)
        read = [reader.until for reader in self.readers]
        known = [until for until in read if until]
        if len(known) < len(read):
            self._tell_unread(done)
            return None
        drained = (
            self._sure
            and not self.referee.passed_over
            and not any(inbox.missing(self.engine, reader.account, now) for reader in self.readers)
        )
        return Scan(min(now, *known), drained, self.crash, self.stopping.is_set)

    def _settled(self, done: Pass) -> datetime:
        """Return this pass's time, and set ``_sure`` and ``_wrong``.

        If unsure ask the server; without a mailbox trust daemons that have one.
        """
        reads = next((reader for reader in self.readers if reader.open), None)
        untils = [reader.until for reader in self.readers]
        if not self.clock.sure and reads is not None:
            self._compare(reads, done)
        elif not any(reader.mine for reader in self.readers) and all(untils):
            self.clock.vouched()
        self._sure, self._wrong = self.clock.sure, self.clock.wrong
        if self._sure:
            self.doubts.clear()
        return self.clock.now(self.read())

    def _compare(self, reader: MailReader, done: Pass) -> None:
        """Ask the mail server for its time. Hold all games if it differs."""
        try:
            before, server, after = self.read(), self.server(reader), self.read()
            reader.mailbox.select(reader.imap.folders[0])
        except NotWritten as error:
            done.not_written(reader.imap.processed, error)
            return
        except FolderMissing:  # its alarm has gone out: it could not be made
            return
        except (OutsideError, OperatorError) as error:
            reader.leave()
            done.failed("imap", error)
            return
        knew = self.clock.wrong
        if off := self.clock.compare(server, before, after):
            ahead = "behind" if off > timedelta(0) else "ahead of"
            why = (
                f"the machine's clock ({in_utc(after.wall)}) is {ahead} the mail"
                f" server's ({in_utc(server)})"
            )
            now = self.clock.now(after)
            self.doubts.file(why, now, None if knew else f"clocks:{now:%H%M%S}")
