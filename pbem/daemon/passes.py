"""A pass: read the mailboxes, decide letters, do what is due, send and publish."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import Engine

from pbem.daemon import clocks, servers, upkeep
from pbem.daemon.reading import STALE, Pass, PassContext, Reader
from pbem.daemon.servers import Alarm, smtp_account
from pbem.daemon.stopping import Flag
from pbem.errors import FolderMissing, LoginRefused, NotWritten, OperatorError, OutsideError
from pbem.house import resources
from pbem.house.config import Config
from pbem.periods import due
from pbem.post import alarms, clock, inbox, outbox, server_clock
from pbem.post.clock import Reading
from pbem.post.crash_points import no_crash
from pbem.post.outbox import Senders
from pbem.post.postmark import postmark
from pbem.post.smtp import Transport
from pbem.post.work import Installation, Scan
from pbem.referee.deciding.deciding import Behind, Referee
from pbem.referee.game import merging
from pbem.referee.words import door
from pbem.store.engine.database import connect, pending, shared_transaction
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.text import in_utc, listed

if TYPE_CHECKING:
    from pbem.daemon.sharing import Sharing

log = structlog.get_logger()
LISTEN = 2.0
"""Seconds between looks for letters during long work."""
STEPS, SECONDS = 50, 1.0
"""Letters are due after so many periods or seconds."""
LONGEST = 2.0
"""Seconds for letters. Then as long for periods, at least."""


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
        self.readers = [Reader(imap, engine) for imap in config.mailboxes]
        self.carrier = Transport(smtp_account(config.smtp))
        self.senders = Senders(engine)
        self.referee = Referee(self.installation, crash)
        self.stopping, self.called = Flag(), Flag()
        self._polled: float | None = None  # start of the last pass that was not for news
        self.read: Callable[[], Reading] = clock.read
        self.server: Callable[[Reader], datetime] = lambda reader: server_clock.read(
            reader.mailbox, reader.imap.processed, config.referee.address
        )
        self.clock, self.doubts = clocks.Clock(), clocks.Doubts(self.installation)
        self._sure, self._wrong = True, False  # of this pass's time
        self._served: dict[int, str] = {}  # the last game served in each lane
        self.sharing = self._sharing()
        self._unfinished = False  # letters without proof are left
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
        return Sharing(self)

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
        done = Pass()
        with shared_transaction(self.engine) as conn:
            restored = bool(notes.memo(conn, notes.RESTORED))
            unread = notes.memo(conn, notes.UNREAD)
        with self._turns_end():
            context = self._begun(now, done, unread, compare=compare)
            now = context.now
            self._take_from_the_dead(now)
            out = None if restored else self.sending(now)
            scan = self._letters(context, done, out)
            done.sent = out.sent if out else 0
            if self.stopping.is_set():  # letters may be undecided: nothing may close
                return done
            if self._sure:
                for reader in self.readers:
                    reader.note_read(now)
            if not self._wrong:
                self._do_what_is_due(scan, context, done, out)
            done.sent = out.sent if out else 0
            if self.stopping.is_set():
                return done
            self._keep_up(now)
            self._send_and_publish(now, done, out)
            self._note_pass(now, done)
            return done

    def _keep_up(self, now: datetime) -> None:
        """Merge receipts and purge what is old, if the date is sure."""
        if self._sure:
            with self.installation.work(now) as work:
                merging.merge(work)
                door.merge(work)
                upkeep.keep_up(work)
            self.crash("pass.kept_up")

    def _send_and_publish(self, now: datetime, done: Pass, out: outbox.Sending | None) -> None:
        listening = self._listening()
        if out:
            if self.sharing:
                self.sharing.mails(now)
            out.flush(self.engine, listening)
            done.sent = out.sent
            if self.carrier.trouble:
                self._trouble(done, "smtp", self.carrier.trouble, now)
            elif out.blocked:
                self._trouble(done, "smtp", servers.blocked(out.blocked), now)
        if error := upkeep.write(self.installation, now, self.crash, listening):
            self._trouble(done, "site", error, now)

    def _note_pass(self, now: datetime, done: Pass) -> None:
        unread = [one.account for one in self.readers if one.mine and not one.drained]
        told = {"at": now.isoformat(), "trouble": done.trouble, "unread": unread}
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
        done, reading = Pass(), self.read()
        self.clock.look(reading)
        with shared_transaction(self.engine) as conn:
            unread = notes.memo(conn, notes.UNREAD)
        try:
            context = self._begun(reading.wall, done, unread, compare=True)
            return self._letters(context, done, None), done
        finally:
            for reader in self.readers:
                reader.turn.leave()

    def _begun(
        self, now: datetime, done: Pass, unread: Mapping[str, Any], *, compare: bool
    ) -> PassContext:
        context = self._round(now, done, unread)
        for reader in self.readers:
            reader.begin(context)
        self._sure, self._wrong = True, False
        return replace(context, now=self._settled(context, done)) if compare else context

    def _take_from_the_dead(self, now: datetime) -> None:
        if self.senders.join():
            with shared_transaction(self.engine) as conn:
                mails.end_leases(conn, now)
            self.senders.joined()

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

    def _poll_is_due(self, reading: Reading) -> bool:
        every = self.config.daemon.poll_seconds
        return self._polled is not None and reading.steady - self._polled >= every

    def _enough(self) -> Callable[[], bool]:
        """Return when to leave unproven letters for the next pass, as a proven one may have
        come."""
        began = self.read().steady

        def ends() -> bool:
            if not self._stays or self.read().steady - began < LISTEN:
                return False
            self._unfinished = True
            return True

        return ends

    def _letters(self, context: PassContext, done: Pass, out: outbox.Sending | None) -> Scan | None:
        """Take and decide all letters. Return the scan for what is due, None if other daemons have
        not reported what they read."""
        now = context.now
        for reader in self.readers:
            done.letters += reader.take_in(context)

        def hurries() -> bool:  # also after letters that asked to close a period
            return bool(due.waiting(self.engine, now))

        if self.sharing and self._reads() and not hurries():
            done.decided = self.sharing.letters(now)
        if not self.sharing or self._reads():
            done.decided += self.referee.decide_all(
                now, self.stopping.is_set, hurries=hurries, sending=out, enough=self._enough()
            )
        for reader in self.readers:
            reader.put_away(context)
        return self._scan(now, done)

    def _do_what_is_due(
        self, scan: Scan | None, context: PassContext, done: Pass, out: outbox.Sending | None
    ) -> None:
        """Look at what is due. A daemon that shares but reads no mailbox takes jobs."""
        now = context.now
        storm = Storm(self, scan, context, done, out) if scan and scan.drained else None
        if scan and storm:
            scan = replace(scan, between=storm.between)
        if self.sharing:
            shared = (
                self.sharing.periods(scan) if scan and self._reads() else self.sharing.take(now)
            )
            done.decided, done.closed = done.decided + shared.decided, done.closed + shared.closed
        if scan and (self._reads() or not self.sharing):
            closed = due.due(self.installation, scan)  # a storm adds to ``done`` meanwhile
            done.closed += closed
        if done.closed:
            done.decided += self.referee.decide_all(now, self.stopping.is_set, sending=out)

    def _reads(self) -> bool:
        return any(reader.mine for reader in self.readers)

    def _tell_unread(self, now: datetime, done: Pass) -> None:
        """Raise an alarm if deadlines wait for another daemon."""
        if due.waiting(self.engine, now - STALE):
            accounts = [one.account for one in self.readers if one.until is None]
            alarm = servers.unread(accounts)
            done.trouble.append(f"{alarm.subject}: nobody says that {listed(accounts)} was read")
            log.warning("trouble", what="unread", accounts=accounts)
            self._alarm(done, alarm, now)

    def _scan(self, now: datetime, done: Pass) -> Scan | None:
        """Return a scan as of the last complete reading. None while the clock is wrong."""
        if self._wrong:
            return None
        if any(reader.mine and not reader.drained for reader in self.readers):
            return Scan(now, False, self.crash, self.stopping.is_set)
        read = [reader.until for reader in self.readers]
        known = [until for until in read if until]
        if len(known) < len(read):
            self._tell_unread(now, done)
            return None
        drained = (
            self._sure
            and not self.referee.passed_over
            and not any(inbox.missing(self.engine, reader.account, now) for reader in self.readers)
        )
        return Scan(min(now, *known), drained, self.crash, self.stopping.is_set)

    def _settled(self, context: PassContext, done: Pass) -> datetime:
        """Return this pass's time, and set ``_sure`` and ``_wrong``.

        If unsure ask the server; without a mailbox trust daemons that have one.
        """
        reads = next((reader for reader in self.readers if reader.open), None)
        untils = [reader.until for reader in self.readers]
        if not self.clock.sure and reads is not None:
            self._compare(reads, context, done)
        elif not any(reader.mine for reader in self.readers) and all(untils):
            self.clock.vouched()
        self._sure, self._wrong = self.clock.sure, self.clock.wrong
        if self._sure:
            self.doubts.clear()
        return self.clock.now(self.read())

    def _round(self, now: datetime, done: Pass, unread: Mapping[str, Any]) -> PassContext:
        def trouble(what: str, error: Exception, account: str) -> None:
            self._trouble(done, what, error, now, account if len(self.readers) > 1 else None)

        began = self.read().steady
        return PassContext(
            self.installation,
            now,
            lambda: timedelta(seconds=self.read().steady - began),
            unread,
            0.0 if self._stays else self.patience,
            self.crash,
            self.stopping.is_set,
            trouble,
            lambda folder, error: self._not_written(done, folder, error, now),
            lambda alarm: self._alarm(done, alarm, now),
        )

    def _not_written(self, done: Pass, processed: str, error: NotWritten, now: datetime) -> None:
        done.trouble.append(f"imap: {error}")
        log.warning("trouble", what="imap", full=error.full, error=str(error))
        self._alarm(done, servers.not_written(processed, error), now)

    def _alarm(self, done: Pass, alarm: Alarm, now: datetime) -> None:
        done.alarms.append(alarm.key)
        with self.installation.shared_work(now) as work:
            key, subject, text, commands = alarm
            alarms.tell(work, key, subject, text, commands=commands)

    def _compare(self, reader: Reader, context: PassContext, done: Pass) -> None:
        """Ask the mail server for its time. Hold all games if it differs."""
        try:
            before, server, after = self.read(), self.server(reader), self.read()
            reader.mailbox.select(reader.imap.folders[0])
        except NotWritten as error:
            self._not_written(done, reader.imap.processed, error, context.now)
            return
        except FolderMissing:  # its alarm has gone out: it could not be made
            return
        except (OutsideError, OperatorError) as error:
            reader.leave()
            self._trouble(done, "imap", error, context.now)
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

    def _trouble(
        self, done: Pass, what: str, error: Exception, now: datetime, account: str | None = None
    ) -> None:
        refused = isinstance(error, LoginRefused)
        done.trouble.append(f"{what}: {error}")
        log.warning("trouble", what=what, refused=refused, error=str(error))
        self._alarm(done, servers.failing(what, error, account), now)


class Storm:
    """A scan for what is due, with letters between periods when many are due at once.

    All games are looked at as of a moment when all letters were decided; a game with a later letter
    is looked at before that is decided. So letters count as if the storm took no time. Otherwise a
    letter waits until all are closed: 23 s for 1,000 games.
    """

    def __init__(
        self,
        daemon: Passes,
        scan: Scan,
        context: PassContext,
        done: Pass,
        out: outbox.Sending | None,
    ) -> None:
        self.daemon, self.scan, self.round = daemon, scan, context
        self.done, self.out = done, out
        self._ended = daemon.read().steady
        self._periods, self._took = 0, 0.0

    def between(self) -> None:
        """Take letters if it is time."""
        self._periods += 1
        began = self.daemon.read().steady
        rested = began - self._ended
        is_time = self._periods >= STEPS or rested >= SECONDS
        if self.scan.stopping() or not is_time or rested < self._took:
            return
        self._letters(began + LONGEST)
        self._ended, self._periods = self.daemon.read().steady, 0
        self._took = self._ended - began

    def _letters(self, until: float) -> None:
        def ends() -> bool:
            return self.scan.stopping() or self.daemon.read().steady >= until

        context = self.round.later()
        for reader in self.daemon.readers:
            self.done.letters += reader.take_more(context, ends)
        out = None if self.out is None or self.out.failing else self.out
        with out.only_answers() if out else nullcontext():
            tried = set[str]()
            while not ends():
                unclosed = dict(due.waiting(self.round.installation.engine, self.scan.now))
                behind = Behind(self.scan.now, frozenset(unclosed))
                self.done.decided += self.daemon.referee.decide_all(
                    context.now, ends, sending=out, behind=behind
                )
                first = [game for game in behind.waited_for if game not in tried]
                for game in first:
                    if not self.scan.stopping():
                        looked = due.safely(
                            self.round.installation, game, unclosed[game], self.scan
                        )
                        self.done.closed += looked
                if not first:
                    break
                tried.update(first)
            if out:
                out.flush(self.round.installation.engine, ends)
