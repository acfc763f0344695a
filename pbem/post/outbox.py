"""The outbox: mails are put in by the transaction that causes them, and sent later.

Their states are those of :class:`pbem.store.schema.states.MailState`.

Returned mails are counted by address; nothing is dropped for it. On SQLite a file lock shows
whether the daemons that leased mails are alive; on PostgreSQL leases only expire.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, Engine

from pbem.letters import bounces
from pbem.letters.bounces import HARD, Failure
from pbem.post import blocked
from pbem.post.blocked import Blocked
from pbem.post.compose import Mail
from pbem.post.smtp import Delivery, Sent
from pbem.post.work import Work, no_crash
from pbem.store.engine.database import shared_transaction
from pbem.store.mails import mails
from pbem.store.mails.lanes import LANE_OF
from pbem.store.people import players
from pbem.store.schema.states import MailState
from pbem.store.schema.tables import Outgoing
from pbem.text import day_words


def note_returned(conn: Connection, address: str, failure: Failure, now: datetime) -> None:
    words = f"{day_words(now)}: {failure.severity}: {failure.status} {failure.diagnostic}"[:500]
    players.came_back(conn, address, words, hard=failure.severity == HARD)


LEASE = timedelta(minutes=10)
BACKOFF = [timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360)]
BREAKER = 3
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Leased:
    """A mail that this sender has leased."""

    mail: Outgoing
    in_doubt: bool


class Carrier(Protocol):
    """Takes mails away, normally by SMTP."""

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        """Send to one recipient; ``envelope_from`` "" is null. Never raise."""
        ...


def put(work: Work, mail: Mail, state: MailState = MailState.READY) -> bool:
    """Return False if its key is there."""
    return mails.put(work.conn, _row(mail, work.now), state)


def put_all(work: Work, several: Iterable[Mail]) -> None:
    mails.put_all(work.conn, [_row(mail, work.now) for mail in several], MailState.READY)


def put_within(work: Work, mail: Mail, since: datetime, most: int) -> bool:
    """Put a mail, to be merged if its seat had ``most`` of its kind ``since`` then."""
    return mails.put_within(work.conn, _row(mail, work.now), since, most)


def _row(mail: Mail, now: datetime) -> dict[str, Any]:
    return {
        **mail._asdict(),
        "line": LANE_OF[mail.kind],
        "next_try": now,
        "attempts": 0,
        "resent": False,
        "reply": "",
        "created": now,
    }


def set_right(work: Work) -> None:
    """Let mails try now that a wrong clock delayed."""
    mails.set_right(work.conn, work.now, work.now + BACKOFF[-1] + LEASE)


class Sending:
    """Sends mails during one pass: :meth:`lease_next` in any transaction, :meth:`carry` after the
    commit. Three failures in a row end it. While the time is not ``sure``, nothing is retried."""

    def __init__(
        self,
        carrier: Carrier,
        now: datetime,
        crash: Callable[[str], None] = no_crash,
        *,
        stopping: Callable[[], bool] = lambda: False,
        served: dict[int, str] | None = None,
        sure: bool = True,
    ) -> None:
        self.carrier, self.crash, self.stopping, self.sure = carrier, crash, stopping, sure
        self.sent = 0
        self.blocked: Blocked | None = None
        self._looked = False  # whether the hold was read
        self._taken = False  # whether the server took a mail
        self._blocking = ""  # its refusals since it last took a mail
        self._refused: list[tuple[Leased, Sent]] = []  # recipients, since it last took a mail
        self._doubted: list[tuple[int, str]] = []  # mails refused because of us
        self._began, self._since = now, time.monotonic()
        self._come: datetime | None = None  # when retries were last queried
        self._served: dict[int, str] = {} if served is None else served
        self._failures = 0
        self._leased: Leased | None = None
        self._answered: tuple[Leased, Sent] | None = None
        self._filed: tuple[Leased, Sent] | None = None  # sent; maybe not committed

    @property
    def now(self) -> datetime:
        """The pass's time, advanced by whole minutes."""
        return self._began + int((time.monotonic() - self._since) / 60) * MINUTE

    def lease_next(self, conn: Connection) -> None:
        """File the last result and lease a mail."""
        if not self._looked:
            self.blocked, self._looked = blocked.read(conn), True
        self._record(conn)
        most = 1 if self.blocked else BREAKER
        held = self.blocked is not None and self.now < self.blocked.until
        may = self._failures < most and not (held or self.stopping())
        self._leased = self._lease(conn) if may else None
        if self._leased is None:
            self._end(conn)

    def carry(self) -> bool:
        """Send the leased mail. Return whether there was one."""
        leased, self._leased, self._answered, self._filed = self._leased, None, None, None
        if leased is None:
            return False
        self.crash("outbox.leased")
        answer = self.carrier.send(
            leased.mail.envelope_from, leased.mail.recipient, leased.mail.raw
        )
        self.crash("outbox.sent")
        self._answered = (leased, answer)
        self.sent += answer.outcome is Delivery.SENT
        failed = answer.outcome not in (Delivery.SENT, Delivery.REFUSED)
        self._failures = self._failures + 1 if failed else 0
        return True

    def settle(self, engine: Engine) -> None:
        """File the last result and lease nothing."""
        if self._answered or self._refused or self._filed:
            with shared_transaction(engine) as conn:
                self._record(conn)
                self._end(conn)
            self._answered = self._filed = None
            self.crash("outbox.recorded")

    def flush(self, engine: Engine, ends: Callable[[], bool] = lambda: False) -> None:
        """Send everything that is due, until ``ends()``."""
        try:
            while not (ends() or self.stopping()):
                with shared_transaction(engine) as conn:
                    self.lease_next(conn)
                if not self.carry():
                    self.crash("outbox.recorded")
                    return
        finally:  # a failed transaction has not filed what was sent
            self.settle(engine)

    def _record(self, conn: Connection) -> None:
        if self._filed:  # by a transaction that failed
            _record(conn, *self._filed, self.now)
        if not self._answered:
            return
        (leased, answer), self._answered = self._answered, None
        # strangers' addresses may be invented; only those of players count as evidence
        if answer.of_recipient and not self._taken and leased.mail.game_id:
            self._refused.append((leased, answer))
            replies = [(one.mail.recipient, said.reply) for one, said in self._refused]
            if blocked.alike(replies, self.blocked):
                for mail, said in self._refused:
                    _record(conn, mail, replace(said, outcome=Delivery.BLOCKED), self.now)
                    self._blocking = said.reply
                self._refused, self._failures = [], BREAKER
            return
        if answer.outcome is Delivery.SENT:
            self._filed = (leased, answer)
            self._taken, self._blocking = True, ""
            self._judge(conn)
            if self.blocked:
                blocked.lift(conn, self.now)
                self.blocked = None
        _record(conn, leased, answer, self.now)
        if answer.outcome is Delivery.BLOCKED:
            self._blocking = answer.reply
            if answer.of_mail:
                self._doubted.append((leased.mail.id, answer.reply))

    def _judge(self, conn: Connection) -> None:
        for leased, answer in self._refused:
            _record(conn, leased, answer, self.now)
        if self._taken:
            for mail, reply in self._doubted:
                blocked.doubt(conn, mail, reply)
            self._doubted = []
        self._refused = []

    def _end(self, conn: Connection) -> None:
        self._judge(conn)
        if self._blocking:
            self.blocked = blocked.hold(conn, self.blocked, self._blocking, self.now)
            self._blocking = ""

    def _lease(self, conn: Connection) -> Leased | None:
        now = self.now
        if self.sure and self._come != now:
            mails.come_again(conn, now)
            self._come = now
        if ready := mails.lease(conn, now + LEASE, self._served):
            self._served[ready.line] = ready.game_id
            return Leased(ready, in_doubt=False)
        if not self.sure:
            return None
        doubtful = mails.lease_in_doubt(conn, now, now + LEASE)
        return Leased(doubtful, in_doubt=True) if doubtful else None


def _record(conn: Connection, leased: Leased, answer: Sent, now: datetime) -> None:
    """File a result; if the lease is not ours, only that it was sent."""
    attempts = leased.mail.attempts + 1
    later = now + BACKOFF[min(attempts, len(BACKOFF)) - 1]
    reply = answer.reply.replace("\0", "")[:500]
    values: dict[str, Any] = {"attempts": attempts, "reply": reply}
    match answer.outcome:
        case Delivery.SENT:
            state = MailState.SENT
            values["sent"] = now
        case Delivery.REFUSED:
            state = MailState.REFUSED
            failure = bounces.refusal(leased.mail.recipient, answer.reply)
            if answer.of_recipient and failure:
                note_returned(conn, leased.mail.recipient, failure, now)
        case Delivery.UNKNOWN:
            state = MailState.UNKNOWN
            values["next_try"] = later
        case Delivery.LATER | Delivery.BLOCKED if leased.in_doubt:
            # not taken; still in doubt, with its one resend to come
            state = MailState.UNKNOWN
            values["next_try"] = later
            values["resent"] = False
        case Delivery.BLOCKED if answer.of_mail and blocked.is_its_own(conn, leased.mail.id):
            state = MailState.REFUSED
        case Delivery.LATER | Delivery.BLOCKED:
            state = MailState.READY
            values["next_try"] = later
    mails.answered(conn, leased.mail.id, state, **values)


class Senders:
    """One daemon's lock."""

    def __init__(self, engine: Engine) -> None:
        database = engine.url.database if engine.dialect.name == "sqlite" else None
        self._file = Path(f"{database}-senders") if database else None
        self._handle: int | None = None

    def join(self) -> bool:
        """Return True if we are alone."""
        if self._handle is not None or self._file is None:
            return False
        try:
            self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:  # without the file leases only expire
            return False
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.joined()
            return False
        return True

    def joined(self) -> None:
        """Share the lock, after ending leases."""
        if self._handle is not None:
            with suppress(OSError):  # another holds it alone for a moment: try again later
                fcntl.flock(self._handle, fcntl.LOCK_SH)

    def leave(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)
