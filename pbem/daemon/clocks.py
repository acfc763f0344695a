"""Keeps the time, and knows whether it can be trusted.

While it cannot, all games are held, and passes only take and decide letters and send mails.
"""

from datetime import datetime, timedelta

import structlog

from pbem.house import templates
from pbem.periods import due
from pbem.post import alarms, clock, masters, server_clock
from pbem.post.clock import Reading
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.work import Installation
from pbem.store.engine.database import shared_transaction
from pbem.store.games import games
from pbem.store.schema.states import GameState

log = structlog.get_logger()


class Clock:
    """The mail server's time when last asked, continued by the steady clock.

    ``sure``: the server agreed; no jump since. ``wrong``: a jump, or it disagrees. First neither.
    """

    def __init__(self) -> None:
        self.sure = self.wrong = False
        self.last: Reading | None = None
        self._right: Reading | None = None
        self._was_sure = False  # whether it was sure before it went wrong

    def jumped(self, reading: Reading) -> timedelta:
        """Return the wall clock's jump since the last look."""
        off = clock.jump(self.last, reading) if self.last else timedelta(0)
        came_back = self.wrong and abs(self._off(reading)) <= clock.JUMP
        return off if abs(off) > clock.JUMP and not came_back else timedelta(0)

    def look(self, reading: Reading) -> None:
        if self.jumped(reading):
            self._was_sure, self.sure, self.wrong = self.sure or self._was_sure, False, True
        elif self.wrong and abs(self._off(reading)) <= clock.JUMP:
            self.sure, self.wrong, self._was_sure = self._was_sure, False, False
            log.info("the clock is right again")
        if not self.wrong:
            self._right = reading
        self.last = reading

    def now(self, reading: Reading) -> datetime:
        """Return the time: the wall clock's, unless that is wrong."""
        if self._right is None or not self.wrong:
            return reading.wall
        return self._right.wall + timedelta(seconds=reading.steady - self._right.steady)

    def compare(self, server: datetime, before: Reading, after: Reading) -> timedelta:
        """Take the server's time, asked between two readings. Return the difference."""
        off = server_clock.off(server, before.wall, after.wall)
        self.sure = abs(off) <= clock.JUMP
        self.wrong, self._was_sure = not self.sure, not self.sure
        self._right = after if self.sure else Reading(server, after.steady)
        return off if self.wrong else timedelta(0)

    def vouched(self) -> None:
        """Trust the clock: it agrees with another daemon's, which was compared."""
        self.sure, self.wrong, self._was_sure = True, False, False

    def _off(self, reading: Reading) -> timedelta:
        return clock.jump(self._right, reading) if self._right else timedelta(0)


class Doubts:
    """Doubts about the time, on file for all daemons."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self._filed = True  # one may be left from an earlier process

    def file(self, why: str, now: datetime, key: str | None) -> None:
        """File a doubt and hold all games. key: None if this process has."""
        with shared_transaction(self.installation.engine) as conn:
            knew = clock.in_doubt(conn)
            running = games.in_state(conn, GameState.RUNNING)
        if key and (running or not knew):
            self.hold_all(why, now, key)
        with shared_transaction(self.installation.engine) as conn:
            clock.doubt(conn, why)
        self._filed = True

    def clear(self) -> None:
        if self._filed:
            with shared_transaction(self.installation.engine) as conn:
                clock.doubt(conn, None)
            self._filed = False

    def hold_all(self, why: str, now: datetime, key: str) -> None:
        hold_all(self.installation, why, now, key)


def hold_all(installation: Installation, why: str, now: datetime, key: str) -> None:
    """Hold all running games and tell every gamesmaster. key: once a day, but "jump"."""
    log.error("held", why=why)
    with shared_transaction(installation.engine) as conn:
        running = games.in_state(conn, GameState.RUNNING)
    for game_id in running:
        due.hold(installation, game_id, why, now)
    if running and key == "jump":  # a second jump may hold games resumed since the first
        key = f"jump:{now:%H%M%S}"
    with installation.shared_work(now) as work:
        alarms.say(work, key, "all-held", commands=("resume --all",), why=why)
    if not running:
        return
    subject, text = templates.mail("alarms", what="all-held", why=why, public=True)
    with installation.shared_work(now) as work:
        for who in masters.everybody(work.conn, work.mark):
            acts = any(masters.games_of(work.conn, work.mark, who).values())
            if acts and who != work.mark.gamesmaster:
                whose = f"alarm:{key}:{code_hash(who)[:16]}:{now:%Y%m%d}"
                draft = Draft(whose, "alarm", f"[pbem] {subject}", text)
                alarms.put(work, draft, who)
