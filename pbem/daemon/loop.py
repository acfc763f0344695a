"""The daemon: makes passes until it is stopped, by the steady clock.

Keeps track of database trouble.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from pbem.daemon import metrics
from pbem.daemon.passes import Pass, Passes
from pbem.daemon.stopping import heeding
from pbem.errors import DatabaseError, OutsideError, OverBudget
from pbem.games.frame.calendar import left
from pbem.house.config import Config
from pbem.post import alarms
from pbem.post.clock import Reading
from pbem.post.compose import Draft
from pbem.post.work import no_crash
from pbem.text import counted, in_utc

LONGEST = 60.0  # seconds between two tries


@dataclass(slots=True)
class Database:
    """A spell of trouble."""

    why: str | None = None
    """None if all is well."""
    tries: int = 0
    began: Reading | None = None

    def struck(self, why: str, now: Reading) -> float:
        """Note a failed try. Return the seconds until the next one."""
        first, self.why = not self.why, why
        if first:
            self.began, self.tries = now, 0
            log.error("database trouble", error=why)
        self.tries += 1
        return min(LONGEST, 2.0 ** min(self.tries - 1, 10))

    def report(self, now: Reading) -> str:
        began = f"from {in_utc(self.began.wall)} " if self.began else ""
        tries = counted(self.tries, "try", "tries")
        return (
            f"The database did not do its part {began}for {left(self._lasted(now), exact=True)};"
            f" {tries} failed. Nothing is lost: what was not stored was"
            f" done again. At last it said:\n\n{self.why}\n"
        )

    def over(self, now: Reading) -> None:
        seconds = int(self._lasted(now).total_seconds())
        log.warning("database well again", seconds=seconds, tries=self.tries, error=self.why)
        self.why = None

    def _lasted(self, now: Reading) -> timedelta:
        return timedelta(seconds=round(now.steady - self.began.steady) if self.began else 0)


log = structlog.get_logger()


class Daemon(Passes):
    """An installation at work. It alone reads the clock."""

    def __init__(self, config: Config, crash: Callable[[str], None] = no_crash) -> None:
        super().__init__(config, crash)
        self.database = Database()
        self.pulse = metrics.Pulse(lambda: self.read().steady)

    def run(self) -> None:
        """Make passes in the main thread until SIGTERM or SIGINT."""
        port = self.config.daemon.metrics_port
        watch = metrics.Watch(self.engine, port, self.pulse) if port else None
        self._stays = True
        with heeding(self.stopping):
            log.info("serving", address=self.config.referee.address)
            while not self.stopping.is_set():
                self.turn()
            if watch:
                watch.close()
            self.close()
            log.info("stopped")

    def turn(self) -> None:
        """Make a pass if it is time, else wait a second for news. Failed passes end nothing."""
        try:
            reading = self.read()
            first = self._polled is None
            if first or self.called.is_set() or self._unfinished or self._poll_is_due(reading):
                self.called.clear()
                self._unfinished = False
                self._polled = reading.steady
                self.pass_now()
            elif self.clock.jumped(reading) or self._news():
                self.pass_now()
        except OutsideError as error:
            log.warning("pass broken off", error=str(error))
            self._failed(str(error))
        except (Exception, OverBudget) as error:
            log.exception("pass failed")
            self._failed(f"{type(error).__name__}: {error}")

    def _failed(self, why: str) -> None:
        self.pulse.beat([why])
        for reader in self.readers:
            reader.leave()
        self.stopping.wait(1.0)  # the cause may persist

    def pass_now(self) -> Pass | None:
        """Make a pass, once the database works. None if it is stopped before."""
        while True:
            try:
                done = self.pass_once()
                if self.database.why:
                    now = self.read()
                    key = f"alarm:database:{now.wall:%Y%m%d%H}"
                    subject = "[pbem] the database is well again"
                    with self.installation.shared_work(now.wall) as work:
                        draft = Draft(key, "alarm", subject, self.database.report(now))
                        alarms.put(work, draft, work.mark.gamesmaster)
                    self.database.over(now)
                return done
            except DatabaseError as error:
                why = str(error)
                pause = self.database.struck(why, self.read())
                self.pulse.beat([why])
            if self.stopping.wait(pause):
                return None

    def pass_once(self) -> Pass:
        """Make a pass. If the wall clock jumped, hold the games first."""
        reading = self.read()
        if off := self.clock.jumped(reading):
            way = "forward" if off > timedelta(0) else "back"
            by = left(abs(off), exact=True)
            now = self.clock.now(replace(reading, wall=reading.wall - off))
            self.doubts.file(f"the machine's clock jumped {way} by {by}", now, "jump")
        self.clock.look(reading)
        done = self.once(self.clock.now(reading), compare=True)
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

    def _news(self) -> bool:
        """Return whether a server has news, after about a second."""
        share = 1.0 / len(self.readers)
        if any(reader.news(share, self.stopping) for reader in self.readers):
            return True
        return self.sharing is not None and self.sharing.waits()
