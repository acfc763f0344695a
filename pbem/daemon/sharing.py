"""Shares a pass's work among the daemons on one database.

A job is a due period, letters of dependent games, or some mails. The daemon that reads mail gives
and takes; others take. It then does what is left.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.errors import OperatorError
from pbem.periods import due
from pbem.post import outbox
from pbem.post.work import Installation, Scan
from pbem.referee.deciding import deciding
from pbem.referee.deciding.deciding import Referee
from pbem.store.engine import jobs
from pbem.store.engine.database import shared_transaction
from pbem.store.engine.jobs import Hint, Jobs, hint
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.store.schema.states import MailState

PERIOD, LETTERS, MAILS = "period", "letters", "mails"
FEW = 20  # fewer letters or mails are done faster alone
SHARE = 50  # mails in a job
MOST_SHARES = 8  # jobs for mails at a time
STALE = timedelta(minutes=10)
"""After so long in a job the mailbox must be read first."""


@dataclass(slots=True)
class Done:
    """What this daemon did."""

    decided: int = 0
    closed: int = 0
    sent: int = 0


class Sharing:
    """One daemon's part in shared work."""

    def __init__(
        self,
        installation: Installation,
        referee: Referee,
        stopping: Callable[[], bool],
        sending: Callable[[datetime], outbox.Sending],
    ) -> None:
        """sending: what sends mails during a pass."""
        if wrong := jobs.fault(installation.engine):
            raise OperatorError(wrong)
        self.installation, self.referee, self.done = installation, referee, Done()
        self.stopping, self.sending = stopping, sending
        self._jobs = Jobs(installation.engine, (PERIOD, LETTERS, MAILS), self._do, stopping)
        self._now = datetime.min.replace(tzinfo=UTC)

    def letters(self, now: datetime) -> int:
        """Decide many letters, in order for each seat. Return our number."""
        decided = self.take(now).decided
        while not self.stopping():
            found = deciding.of_waiting(self.installation, now)
            if sum(len(one.letters) for one in found) <= FEW or len(found) == 1:
                break
            self._jobs.give([_letters(one) for one in found])
            if not (done := self.take(now).decided):
                break
            decided += done
        return decided

    def periods(self, scan: Scan) -> Done:
        waiting = due.waiting(self.installation.engine, scan.now) if scan.drained else ()
        if len(waiting) > 1:
            self._jobs.give([_period(*one, scan.now.isoformat()) for one in waiting])
        return self.take(scan.now)

    def mails(self, now: datetime) -> None:
        with shared_transaction(self.installation.engine) as conn:
            waiting = mails.waiting(conn).get(MailState.READY)
        if waiting and waiting.number > FEW:
            shares = min(-(-waiting.number // SHARE), MOST_SHARES)
            self._jobs.give([hint(MAILS, f"{MAILS} {n}", None, {}) for n in range(shares)])

    def take(self, now: datetime) -> Done:
        """Do jobs until none are left."""
        self._now, self.done = now, Done()
        self._jobs.take()
        return self.done

    def waits(self) -> bool:
        return self._jobs.waits()

    def close(self) -> None:
        self._jobs.close()

    def _do(self, kind: str, about: Mapping[str, Any]) -> None:
        match kind:
            case "period":
                self._scan(**about)
            case "letters":
                self._decide(about["letters"])
            case "mails":
                if out := self._sending():
                    out.flush(self.installation.engine, lambda: out.sent >= SHARE)
                    self.done.sent += out.sent

    def _scan(self, game: str, number: int, until: str) -> None:
        """Look as of when the giver knew that all letters were decided."""
        moment = min(datetime.fromisoformat(until), self._now)
        if self._now - moment < STALE:
            scan = Scan(moment, True, self.referee.crash, self.stopping)
            self.done.closed += due.safely(self.installation, game, number, scan)

    def _decide(self, letters: list[int]) -> None:
        out = self._sending()
        self.done.decided += self.referee.decide_these(letters, self._now, self.stopping, out)

    def _sending(self) -> outbox.Sending | None:
        """None while a restore holds mails."""
        with shared_transaction(self.installation.engine) as conn:
            if notes.memo(conn, notes.RESTORED):
                return None
        return self.sending(self._now)


def _letters(batch: deciding.Batch) -> Hint:
    first = batch.games[0]
    return hint(LETTERS, f"{LETTERS} {first}", first, {"letters": list(batch.letters)})


def _period(game: str, number: int, until: str) -> Hint:
    about = {"game": game, "number": number, "until": until}
    return hint(PERIOD, f"{PERIOD} {game} {number}", game, about)
