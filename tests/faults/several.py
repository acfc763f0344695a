"""The kill matrix of several daemons on one PostgreSQL: while one is killed, or stands still for a
while at some point, the others go on; the game comes out as one daemon plays it undisturbed."""

import os
import random
import signal
import time
from datetime import datetime, timedelta
from multiprocessing.connection import Connection as Line
from multiprocessing.connection import wait
from typing import Any

from pbem.errors import OutsideError
from pbem.store.engine import database, locks
from tests.faults.child import Child
from tests.faults.matrix import OnPostgresql
from tests.faults.schedules import POINTS, Fault
from tests.faults.tally import Tally
from tests.faults.world import World

SILENCE = 1  # seconds after which the server ends the session of a daemon that stands still
PATIENCE = 60.0
TRIES = 40
KINDS = ("kill", "kill", "stop", "stop", "lost", "smtp-after")


class One(Child):
    """One daemon of several: it reads the mailbox if it is its turn."""

    lock_wait = "5s"

    def __init__(self, *given: Any) -> None:
        locks.SILENCE = database._IDLE = SILENCE
        super().__init__(*given)
        self.daemon.patience = 0.0

    def crash(self, point: str) -> None:
        """A point is passed; where it is to stand still, it does."""
        fault = self.shared.passed(point)
        if fault and fault.kind == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        elif fault:
            self.strike(fault)

    def do_pass(self, now: datetime) -> None:
        super().do_pass(now)
        if not self.daemon.readers[0].drained:
            raise OutsideError("another reads")


class Several(World):
    """The post office, the clock, the players, and some daemons."""

    child = One
    number = 2

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.daemons: dict[int, Line] = {}
        self.busy: set[int] = set()
        self.still: set[int] = set()

    def _pass(self) -> None:
        """All of them pass; until one has read everything, and has done what was due."""
        for _ in range(TRIES):
            if self._passed():
                self.at.clock += timedelta(minutes=1)
                return
            self.at.clock += timedelta(minutes=1)
            time.sleep(0.1)
        raise AssertionError(f"no pass goes through: {self.error}")

    error = ""

    def _passed(self) -> bool:
        while len(self.daemons) < self.number:
            self._fork()
            assert self.line is not None
            self.daemons[self.pid] = self.line
            self.pid, self.line = 0, None
        for pid, line in self.daemons.items():
            if pid not in self.busy:
                line.send(("pass", self.at.clock))
                self.busy.add(pid)
        done = self._hear()
        if done or self.still == self.daemons.keys():  # where all stand still, none takes over
            self._go_on()
        return done

    def _go_on(self) -> None:
        """Whoever stands still goes on; what he was at is over by now."""
        for pid in self.still:
            os.kill(pid, signal.SIGCONT)
        self.still.clear()
        self._hear()

    def _hear(self) -> bool:
        """Hear whoever is at work, each when it speaks: who waits for an answer may hold what
        another waits for. Whether one has read everything, and done what was due."""
        done, until = False, time.monotonic() + PATIENCE
        while working := self.busy - self.still:
            lines = {self.daemons[pid]: pid for pid in working}
            if spoken := wait([*lines], 0.05):
                until = time.monotonic() + PATIENCE
                answers = [self._heard(one, pid) for one, pid in lines.items() if one in spoken]
                done = done or any(answers)
            else:
                self.still |= {pid for pid in working if stands(pid)}
            assert time.monotonic() < until, "a daemon does not answer"
        return done

    def _heard(self, line: Line, pid: int) -> bool:
        """What one daemon says; whether it has read everything, and done what was due."""
        try:
            answer = line.recv()
        except (EOFError, ConnectionResetError):
            self._gone(pid)
            return False
        if answer[0] != "done":
            self.heard(answer[0])
            line.send("heard")
            return False
        self.busy.discard(pid)
        _, error, (self.status, self.period, self.due, self.waiting, self.failed) = answer
        self.error = str(error) or self.error
        return not error

    def _gone(self, pid: int) -> None:
        self.daemons.pop(pid).close()
        self.busy.discard(pid)
        _, status = os.waitpid(pid, 0)
        assert os.WIFSIGNALED(status), f"the daemon ended by itself: {status}"
        self.kills += 1

    def _end(self) -> None:
        for pid in [*self.daemons]:
            os.kill(pid, signal.SIGKILL)
            self._gone(pid)


def stands(pid: int) -> bool:
    """Whether a daemon stands still since it was last asked. What ended is left to who waits."""
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG) is not None
    except ChildProcessError:  # it has ended
        return False


class Four(Several):
    """The same with four."""

    number = 4


class OfSeveral(OnPostgresql):
    """The matrix of them: two mostly, now and then four."""

    name = "several"

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.world = Several

    def run(self, seed: int) -> Tally:
        """One schedule."""
        self.world = Four if seed % 8 == 7 else Several
        return super().run(seed)

    def faults(self, seed: int) -> list[Fault]:
        chance, found = random.Random(f"several {seed}"), list[Fault]()
        points = sorted(one for one in POINTS if self.counts[one])
        for _ in range(chance.choice((1, 1, 2))):
            point, kind = chance.choice(points), chance.choice(KINDS)
            found.append(Fault(point, chance.randint(1, self.counts[point]), kind))
        return found
