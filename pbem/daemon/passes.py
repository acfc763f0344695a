"""The daemon: ``once(now)`` takes letters, does what is due, sends; ``run()`` does that on every
tick.

Tests, cron and the running daemon all call ``once``. The clock is an argument; only
:meth:`Daemon.run` reads it, and it goes by the steady clock: APScheduler ticks by the wall clock,
and a tick is no more than one reason for a pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import structlog
from apscheduler.schedulers.background import BackgroundScheduler
from sqlalchemy import Engine

from pbem.daemon import metrics, pages, servers, trouble, upkeep
from pbem.daemon.servers import Alarm, imap_account, smtp_account
from pbem.daemon.stopping import Flag, heeding
from pbem.errors import (
    DatabaseError,
    FolderMissing,
    LoginRefused,
    NotWritten,
    OperatorError,
    OutsideError,
    OverBudget,
)
from pbem.games.frame.calendar import left
from pbem.periods import due, holding
from pbem.post import alarms, clock, inbox, masters, outbox, server_clock
from pbem.post.clock import Reading
from pbem.post.compose import Draft
from pbem.post.crash_points import no_crash
from pbem.post.imap import Mailbox
from pbem.post.postmark import code_hash, postmark
from pbem.post.smtp import Transport
from pbem.post.work import Look, Site
from pbem.referee import merging
from pbem.referee.deciding import Referee
from pbem.store import games, notes
from pbem.store.config import Config
from pbem.store.database import beside, connect, pending, transaction
from pbem.store.states import GameState

log = structlog.get_logger()


@dataclass(slots=True)
class Pass:
    """What one pass did."""

    letters: int = 0
    decided: int = 0
    closed: int = 0
    sent: int = 0
    trouble: list[str] = field(default_factory=list)


class Daemon:
    """One installation: database, mailbox, carrier and referee."""

    def __init__(self, config: Config, crash: Callable[[str], None] = no_crash) -> None:
        self.crash = crash
        engine = connect(config.referee.database)
        if fault := pending(engine):
            raise OperatorError(fault)
        with beside(engine) as conn:
            self.site = Site(engine, postmark(conn, config), config)
        self.mailbox = Mailbox(imap_account(config.imap))
        self.carrier = Transport(smtp_account(config.smtp))
        self.referee = Referee(self.site, crash)
        self.account = f"{config.imap.user}@{config.imap.host}"
        self.stopping, self.ticked = Flag(), Flag()
        self.read: Callable[[], Reading] = clock.read
        self.server: Callable[[], datetime] = lambda: server_clock.read(
            self.mailbox, config.imap.processed, config.referee.address
        )
        self.database = trouble.Database()
        self.pulse = metrics.Pulse(lambda: self.read().steady)
        self._last: Reading | None = None
        self._polled: float | None = None  # when the last pass began that was no answer to news
        self._compared = (
            False  # our clock with the mail server's, since this process began or its clock jumped
        )
        self._away = False  # the mailbox, as far as is known: then only a pass asks again

    @property
    def engine(self) -> Engine:
        """The installation's database."""
        return self.site.engine

    @property
    def config(self) -> Config:
        """Its configuration."""
        return self.site.config

    def close(self) -> None:
        """Leave the servers and the database."""
        self.mailbox.close()
        self.carrier.close()
        self.engine.dispose()

    def once(self, now: datetime, *, compare: bool = False) -> Pass:
        """One pass: take letters, decide them, do what is due, send. ``compare``: ``now`` is the
        machine's own time, and nothing is done by it before the mail server's clock has been seen
        to agree with it."""
        done = Pass()
        with beside(self.engine) as conn:
            restored, unread = (
                bool(notes.memo(conn, notes.RESTORED)),
                bool(notes.memo(conn, notes.UNREAD)),
            )
        out = None if restored else outbox.Sending(self.carrier, now, self.crash)
        drained = self._letters(now, done, unread, out)
        done.sent = out.sent if out else 0
        if (
            self.stopping.is_set()
        ):  # letters may be left undecided: nothing must be closed upon them
            return done
        if compare and not self._compared and drained and due.anything(self.site, now):
            drained = self._compared = self._clocks_agree(done, now)
        look = Look(now, drained, self.crash, self.stopping.is_set)
        done.closed = due.due(self.site, look)
        if done.closed:
            done.decided += self.referee.decide_all(now, self.stopping.is_set, sending=out)
        with self.site.work(now) as work:
            merging.merge(work)
            upkeep.keep_up(work)
        self.crash("pass.kept_up")
        if out:
            out.flush(self.engine, self.stopping.is_set)
            done.sent = out.sent
            if self.carrier.trouble:
                self._trouble(done, "smtp", self.carrier.trouble, now)
        if error := pages.write(self.site, now, self.crash, self.stopping.is_set):
            self._trouble(done, "site", error, now)
        with beside(self.engine) as conn:
            notes.set_memo(conn, "last_pass", {"at": now.isoformat(), "trouble": done.trouble})
        self.crash("pass.noted")
        return done

    def _letters(self, now: datetime, done: Pass, unread: bool, out: outbox.Sending | None) -> bool:
        """Everything the server has received up to now is stored and decided; False where it could
        not be read, or where the daemon is being stopped. After a restore the processed letters are
        read first: they are older."""
        imap = self.config.imap
        drained, self._away = True, False
        try:
            self.mailbox.renew()
            self._ready_processed(done, now)
            for folder in (*([imap.processed] if unread else ()), *imap.folders, *imap.junk):
                if not self.stopping.is_set():
                    done.letters += self._take_in(folder, now)
            if unread and not self.stopping.is_set():
                with transaction(self.engine) as conn:
                    notes.set_memo(conn, notes.UNREAD, {})
        except DatabaseError:
            raise
        except (OutsideError, OperatorError) as error:
            drained = False
            self._trouble(done, "imap", error, now)
        everything = bool(due.waiting(self.engine, now))
        done.decided = self.referee.decide_all(
            now, self.stopping.is_set, everything=everything, sending=None if everything else out
        )  # no slow server stands between a deadline and its closing
        try:
            for folder in imap.folders if drained else ():
                inbox.move_decided(self._intake(), folder, imap.processed)
            if drained:
                self._watch_room(now)
                self.mailbox.select(imap.folders[0])  # where IDLE waits
        except DatabaseError:
            raise
        except NotWritten as error:  # what is decided stays where it is, and is not decided again
            self._not_written(done, error, now)
        except (OutsideError, OperatorError) as error:
            self._trouble(done, "imap", error, now)
        return (
            drained
            and not self.stopping.is_set()
            and not self.referee.passed_over
            and not inbox.missing(self.engine, self.account, now)
        )

    def _ready_processed(self, done: Pass, now: datetime) -> None:
        """The folder of processed letters is there. Where the server does not let us make it,
        letters are read all the same."""
        try:
            self.mailbox.ensure(self.config.imap.processed)
        except NotWritten as error:
            self._not_written(done, error, now)

    def _not_written(self, done: Pass, error: NotWritten, now: datetime) -> None:
        """The folder of processed letters takes nothing: an alarm, and the games go on."""
        done.trouble.append(f"imap: {error}")
        log.warning("trouble", what="imap", full=error.full, error=str(error))
        self._alarm(servers.not_written(self.config.imap.processed, error), now)

    def _watch_room(self, now: datetime) -> None:
        """An alarm before the mailbox is full."""
        imap = self.config.imap
        filled = self.mailbox.filled(imap.folders[0])
        if filled is not None and filled >= servers.NEARLY_FULL:
            self._alarm(servers.nearly_full(self.account, imap.processed, filled), now)

    def _alarm(self, alarm: Alarm, now: datetime) -> None:
        with self.site.beside(now) as work:
            alarms.tell(work, *alarm)

    def _clocks_agree(self, done: Pass, now: datetime) -> bool:
        """Whether the mail server's clock was read, and is ours; where they differ, all games are
        held."""
        try:
            before, server, after = self.read().wall, self.server(), self.read().wall
            self.mailbox.select(self.config.imap.folders[0])
        except NotWritten as error:
            self._not_written(done, error, now)
            return False
        except (OutsideError, OperatorError) as error:
            self._trouble(done, "imap", error, now)
            return False
        if abs(off := server_clock.off(server, before, after)) > clock.JUMP:
            ahead = "behind" if off > timedelta(0) else "ahead of"
            self._hold_all(
                f"the machine's clock ({after:%Y-%m-%d %H:%M} UTC) is {ahead} the mail server's"
                f" ({server:%Y-%m-%d %H:%M} UTC)",
                now,
                f"clocks:{now:%H%M%S}",  # he may have resumed them, and mended nothing
            )
            return False
        return True

    def _intake(self) -> inbox.Intake:
        return inbox.Intake(self.engine, self.mailbox, self.account, self.crash)

    def _take_in(self, folder: str, now: datetime) -> int:
        """Store what a folder has; the number of letters. A Junk folder that is not there is passed
        over, with an alarm: many accounts have none, and no letter can be in it."""
        imap = self.config.imap
        try:
            stored = inbox.take_in(
                self._intake(),
                folder,
                now,
                self.config.limits.letter_bytes,
                processed=folder == imap.processed,
            )
            lacking = inbox.retry_unfetchable(self._intake(), folder, now)
            for letter_id in lacking:
                self._alarm(servers.unfetchable(letter_id, folder), now)
        except FolderMissing as error:
            if folder in imap.folders or folder not in imap.junk:
                raise
            inbox.folder_gone(self.engine, self.account, folder)
            self._alarm(servers.no_folder(folder, error), now)
            return 0
        return stored

    def _trouble(self, done: Pass, what: str, error: Exception, now: datetime) -> None:
        """A server that does not do its part: logged, the gamesmaster told, the pass goes on."""
        if what == "imap":
            self._leave()
        refused = isinstance(error, LoginRefused)
        done.trouble.append(f"{what}: {error}")
        log.warning("trouble", what=what, refused=refused, error=str(error))
        self._alarm(servers.failing(what, error), now)

    def run(self) -> None:
        """Pass after pass, in the main thread, until SIGTERM or SIGINT, which let the letter in
        hand be finished."""
        ticks = BackgroundScheduler(timezone=UTC)
        every = self.config.daemon.poll_seconds
        ticks.add_job(
            self.ticked.set, "interval", seconds=every, coalesce=True, misfire_grace_time=None
        )
        port = self.config.daemon.metrics_port
        watch = metrics.Watch(self.engine, port, self.pulse) if port else None
        with heeding(self.stopping):
            ticks.start()
            log.info("serving", address=self.config.referee.address)
            while not self.stopping.is_set():
                self.turn()
            ticks.shutdown(wait=False)
            if watch:
                watch.close()
            self.close()
            log.info("stopped")

    def turn(self) -> None:
        """One look around: a pass where a tick or the steady clock asks for one, else up to a
        second's wait for news. What breaks a pass off ends nothing; the next one comes in its
        time."""
        try:
            reading = self.read()
            if self.ticked.is_set() or self._poll_is_due(reading):
                self.ticked.clear()
                self._polled = reading.steady
                self.pass_now()
            elif self._jumped(reading) or self._news():
                self.pass_now()
        except OutsideError as error:
            log.warning("pass broken off", error=str(error))
            self._failed(str(error))
        except (Exception, OverBudget) as error:
            log.exception("pass failed")
            self._failed(f"{type(error).__name__}: {error}")

    def _poll_is_due(self, reading: Reading) -> bool:
        return (
            self._polled is None or reading.steady - self._polled >= self.config.daemon.poll_seconds
        )

    def _failed(self, why: str) -> None:
        self.pulse.beat([why])
        self._leave()
        self.stopping.wait(1.0)  # what broke it off may be there at once again

    def pass_now(self) -> Pass:
        """One pass at the clock's time, as soon as the database takes one, or we are to stop."""
        while True:
            try:
                done = self.pass_once()
                if self.database.why:
                    self._database_well_again()
                return done
            except DatabaseError as error:
                pause = self.database.struck(str(error), self.read())
                self.pulse.beat([self.database.why])
            if self.stopping.wait(pause):
                return Pass(trouble=[self.database.why])

    def _database_well_again(self) -> None:
        """One mail to the gamesmaster for each spell of trouble, but no more than one an hour."""
        now = self.read()
        key, subject = f"alarm:database:{now.wall:%Y%m%d%H}", "[pbem] the database is well again"
        with self.site.beside(now.wall) as work:
            draft = Draft(key, "alarm", subject, self.database.told(now))
            alarms.put(work, draft, work.mark.gamesmaster)
        self.database.over(now)

    def pass_once(self) -> Pass:
        """One pass at the clock's time; a wall clock that jumped since the last one holds the games
        first."""
        reading = self.read()
        off = self._jumped(reading)
        if off:
            self._compared = False
            way = "forward" if off > timedelta(0) else "back"
            by = left(abs(off), exact=True)
            self._hold_all(f"the machine's clock jumped {way} by {by}", reading.wall)
        self._last = reading
        done = self.once(reading.wall, compare=True)
        self.pulse.beat(done.trouble)
        if done.letters or done.decided or done.closed or done.sent:
            log.info(
                "pass",
                letters=done.letters,
                decided=done.decided,
                closed=done.closed,
                sent=done.sent,
            )
        return done

    def _jumped(self, reading: Reading) -> timedelta:
        """By how much the wall clock jumped since the last pass; nothing where it did not."""
        off = clock.jump(self._last, reading) if self._last else timedelta(0)
        return off if abs(off) > clock.JUMP else timedelta(0)

    def _hold_all(self, why: str, now: datetime, key: str = "jump") -> None:
        log.error("held", why=why)
        with beside(self.engine) as conn:
            running = games.in_state(conn, GameState.RUNNING)
        for game_id in running:
            holding.hold(self.site, game_id, why, now)
        text = (
            f"All games are held: {why}.\nLook whether the time is right now, then `pbem resume"
            " --all`."
        )
        if running and key == "jump":  # the second jump of a day may hold what was resumed since
            key = f"jump:{now:%H%M%S}"
        self._alarm(Alarm(key, "all games are held", text), now)
        if running:
            self._tell_others(f"{key}:{now:%Y%m%d}", why, now)

    def _tell_others(self, key: str, why: str, now: datetime) -> None:
        """The gamesmasters who have not the machine: their games are held as well."""
        text = (
            f"All games are held: {why}. The gamesmaster of the installation has been told to look"
            " whether the time is right now. After that the word RESUME lets a game go on."
        )
        with self.site.beside(now) as work:
            for who in masters.everybody(work.conn, work.mark):
                acts = any(masters.his(work.conn, work.mark, who).values())
                if acts and who != work.mark.gamesmaster:
                    whose = f"held:{key}:{code_hash(who)[:16]}"
                    draft = Draft(whose, "alarm", "[pbem] all games are held", text)
                    alarms.put(work, draft, who)

    def _news(self) -> bool:
        """Whether the server has something new; looks for a signal to stop every second. Of one
        that is away there is no news until the next poll."""
        if self._away:
            self.stopping.wait(1.0)
            return False
        try:
            self.mailbox.select(self.config.imap.folders[0])
            return self.mailbox.idle(1.0)
        except (OutsideError, OperatorError) as error:
            log.warning("idle", error=str(error))
            self._leave()
            return False

    def _leave(self) -> None:
        """The mailbox does not do its part: no more of it until the next pass."""
        self.mailbox.close()
        self._away = True
