"""The outbox: mails are put in by the transaction that caused them, and go out later, each at most
once.

States: *ready* -> *leased* (a sender has it) -> *sent*; *refused* (5xx: for good); *ready* again
with a later try (4xx, no connection); *unknown* (the connection was lost after the data: perhaps it
went out; resent once with the same Message-ID); *held* (the gamesmaster looks first); *merged* (it
waits to go out with others in one mail), then *listed*.

What is ready waits in one of a few lines (:mod:`pbem.store.mails.lanes`): answers first, bulletins
last, and in each a mail of each game in its turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import Connection, Engine

from pbem.letters import failures
from pbem.post import blocked, delivery
from pbem.post.blocked import Blocked
from pbem.post.compose import Mail
from pbem.post.crash_points import no_crash
from pbem.post.smtp import Outcome, Sent
from pbem.post.work import Work
from pbem.store.engine.database import shared_transaction
from pbem.store.letters.letter_rows import MailColumns, MailRow
from pbem.store.mails import mails
from pbem.store.mails.lanes import ANSWERS, BULLETINS, LINE_OF
from pbem.store.schema.states import MailState

LEASE = timedelta(minutes=10)
BACKOFF = [timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360)]
BREAKER = 3
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Leased:
    """A mail that is this sender's for a while; ``in_doubt``: it may have gone out before."""

    mail: MailRow
    in_doubt: bool


class Carrier(Protocol):
    """What takes a mail away: the SMTP transport."""

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        """One mail to one recipient; never raises for what happens to a mail."""
        ...


def put(work: Work, mail: Mail, state: MailState = MailState.READY) -> bool:
    """Into the outbox, unless a mail with this key is there already (then False)."""
    return mails.put(work.conn, _row(mail, work.now), state)


def put_all(work: Work, several: Iterable[Mail]) -> None:
    """Several at once."""
    mails.put_all(work.conn, [_row(mail, work.now) for mail in several], MailState.READY)


def put_within(work: Work, mail: Mail, since: datetime, most: int) -> bool:
    """The same, but where its seat has had ``most`` mails of its kind ``since`` then, the mail is
    only kept to be merged."""
    return mails.put_within(work.conn, _row(mail, work.now), since, most)


def _row(mail: Mail, now: datetime) -> dict[str, Any]:
    return {
        "key": mail.key,
        "kind": mail.kind,
        "line": LINE_OF[mail.kind],
        "game_id": mail.game_id,
        "seat": mail.seat,
        "recipient": mail.recipient,
        "envelope_from": mail.envelope_from,
        "message_id": mail.message_id,
        "raw": mail.raw,
        "pictures": mail.pictures,
        "next_try": now,
        "attempts": 0,
        "resent": False,
        "reply": "",
        "created": now,
    }


def set_right(work: Work) -> None:
    """What is to be tried at a time that no back-off leads to, a clock has named that was wrong: it
    is tried now."""
    mails.set_right(work.conn, work.now, work.now + BACKOFF[-1] + LEASE)


class Sending:
    """The way out during one pass of the daemon, one mail at a time.

    :meth:`turn` stands in a transaction: it files the answer to the last mail and leases the next.
    :meth:`carry` follows the commit and takes that mail away. A letter's own transaction is as good
    as any for it, so that receipts go out while other letters are decided, at no commit of their
    own; and a crash leaves at most one mail in doubt.

    The third failure of the server in a row ends the sending of this pass (a breaker). If the
    server refuses us (:mod:`pbem.post.blocked`), the outbox is held, and ``blocked`` says so: one
    mail asks now and then, and the first that is taken ends it.

    Its time is the pass's, and goes on by the steady clock, a minute at a time, so that it may
    last. ``served`` remembers from pass to pass whose turn it was in each line. Once we are to
    stop nothing more is leased. ``sure``: whether the time is; while it is not, no lease has run
    out and nothing is tried again.
    """

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
        self._last, self._hurry = BULLETINS, False
        self.blocked: Blocked | None = None
        self._looked = False  # whether it was read that we are blocked
        self._taken = False  # whether the server took a mail
        self._blocking = ""  # what it said when it refused us, and took none since
        self._refused: list[tuple[Leased, Sent]] = []  # recipients, while it took none
        self._doubted: list[tuple[int, str]] = []  # mails that were refused for our sake
        self._began, self._since = now, time.monotonic()
        self._come: datetime | None = None  # when what is tried again was last asked for
        self._served: dict[int, str] = {} if served is None else served
        self._failures = 0
        self._leased: Leased | None = None
        self._answered: tuple[Leased, Sent] | None = None

    @property
    def now(self) -> datetime:
        """The time by which mails are leased, and tried again."""
        return self._began + int((time.monotonic() - self._since) / 60) * MINUTE

    @property
    def failing(self) -> bool:
        """Whether the server did not take the last mail."""
        return self._failures > 0

    def turn(self, conn: Connection) -> None:
        """File what became of the last mail, lease the next."""
        if not self._looked:
            self.blocked, self._looked = blocked.read(conn), True
        self._record(conn)
        may = self._failures < self._most and not (self._held or self.stopping())
        self._leased = self._lease(conn) if may else None
        if self._leased is None:
            self._end(conn)

    @property
    def _most(self) -> int:
        """How many failures in a row end the sending: one if we are in a hurry, or blocked."""
        return 1 if self._hurry or self.blocked else BREAKER

    @property
    def _held(self) -> bool:
        """Whether it is too soon to ask a server that refuses us."""
        return self.blocked is not None and self.now < self.blocked.until

    def carry(self) -> bool:
        """After the commit: send what was leased; False where nothing was."""
        leased, self._leased, self._answered = self._leased, None, None
        if leased is None:
            return False
        self.crash("outbox.leased")
        answer = self.carrier.send(
            leased.mail.envelope_from, leased.mail.recipient, leased.mail.raw
        )
        self.crash("outbox.sent")
        self._answered = (leased, answer)
        self.sent += answer.outcome is Outcome.SENT
        failed = answer.outcome not in (Outcome.SENT, Outcome.REFUSED)
        self._failures = self._failures + 1 if failed else 0
        return True

    def settle(self, engine: Engine) -> None:
        """File what became of the last mail, and lease no other."""
        if self._answered or self._refused:
            with shared_transaction(engine) as conn:
                self._record(conn)
                self._end(conn)
            self._answered = None
            self.crash("outbox.recorded")

    def flush(self, engine: Engine, ends: Callable[[], bool] = lambda: False) -> None:
        """Send everything that is due, or until it is time to end."""
        while not (ends() or self.stopping()):
            with shared_transaction(engine) as conn:
                self.turn(conn)
            if not self.carry():
                self.crash("outbox.recorded")
                return
        self.settle(engine)

    @contextmanager
    def only_answers(self) -> Iterator[None]:
        """Within it nothing but answers is sent, and nothing more once the server has failed:
        something else is in a hurry."""
        self._last, self._hurry = ANSWERS, True
        try:
            yield
        finally:
            self._last, self._hurry = BULLETINS, False

    def _record(self, conn: Connection) -> None:
        """File the last answer. Whether a refused recipient is to blame is seen by the others:
        until one is taken, or none is left, his mail stays leased."""
        if not self._answered:
            return
        (leased, answer), self._answered = self._answered, None
        # strangers' addresses may be invented: only a game's people tell that it must be us
        if answer.of_recipient and not self._taken and leased.mail.game_id:
            self._refused.append((leased, answer))
            replies = [(one.mail.recipient, said.reply) for one, said in self._refused]
            if blocked.alike(replies, self.blocked):
                self._blame_us(conn)
            return
        if answer.outcome is Outcome.SENT:
            self._took_one(conn)
        _record(conn, leased, answer, self.now)
        if answer.outcome is Outcome.BLOCKED:
            self._blocking = answer.reply
            if answer.of_mail:
                self._doubted.append((leased.mail.id, answer.reply))

    def _blame_us(self, conn: Connection) -> None:
        for leased, answer in self._refused:
            _record(conn, leased, replace(answer, outcome=Outcome.BLOCKED), self.now)
            self._blocking = answer.reply
        self._refused, self._failures = [], BREAKER

    def _took_one(self, conn: Connection) -> None:
        """The server takes mail: what it refused before was the recipients' or the mails' own."""
        self._taken, self._blocking = True, ""
        self._judge(conn)
        if self.blocked:
            blocked.lift(conn, self.now)
            self.blocked = None

    def _judge(self, conn: Connection) -> None:
        for leased, answer in self._refused:
            _record(conn, leased, answer, self.now)
        if self._taken:
            for mail, reply in self._doubted:
                blocked.doubt(conn, mail, reply)
            self._doubted = []
        self._refused = []

    def _end(self, conn: Connection) -> None:
        """No mail follows: if the last ones were refused for our sake, the outbox is held."""
        self._judge(conn)
        if self._blocking:
            self.blocked = blocked.hold(conn, self.blocked, self._blocking, self.now)
            self._blocking = ""

    def _lease(self, conn: Connection) -> Leased | None:
        """The mail whose turn it is; it is this sender's for :data:`LEASE`.

        In doubt are a lease that ran out or was ended (its sender died; `post.senders`) and a lost
        reply: such a mail goes out once more, then a person decides.
        """
        now = self.now
        if self.sure and self._come != now:
            mails.come_again(conn, now)
            self._come = now
        if ready := mails.lease(conn, now + LEASE, self._served, self._last):
            self._served[ready.line] = ready.game_id
            return Leased(ready, in_doubt=False)
        if self._last == ANSWERS or not self.sure:
            return None
        doubtful = mails.lease_in_doubt(conn, now, now + LEASE)
        return Leased(doubtful, in_doubt=True) if doubtful else None


def _record(conn: Connection, leased: Leased, answer: Sent, now: datetime) -> None:
    """What became of a mail, unless its lease was another's by then, who filed his answer, or a
    restore holds it; that it was sent is filed all the same."""
    attempts = leased.mail.attempts + 1
    later = now + BACKOFF[min(attempts, len(BACKOFF)) - 1]
    reply = answer.reply.replace("\0", "")[:500]
    values: MailColumns = {"attempts": attempts, "reply": reply}
    match answer.outcome:
        case Outcome.SENT:
            state = MailState.SENT
            values["sent"] = now
        case Outcome.REFUSED:
            state = MailState.REFUSED
            if answer.of_recipient and (
                failure := failures.refusal(leased.mail.recipient, answer.reply)
            ):
                delivery.count(conn, leased.mail.recipient, failure, now)
        case Outcome.UNKNOWN:
            state = MailState.UNKNOWN
            values["next_try"] = later
        case Outcome.LATER | Outcome.BLOCKED if leased.in_doubt:
            # not taken this time; it stays in doubt and has its one resend still to come
            state = MailState.UNKNOWN
            values["next_try"] = later
            values["resent"] = False
        case Outcome.BLOCKED if answer.of_mail and blocked.is_its_own(conn, leased.mail.id):
            state = MailState.REFUSED
        case Outcome.LATER | Outcome.BLOCKED:
            state = MailState.READY
            values["next_try"] = later
    mails.answered(conn, leased.mail.id, state, **values)
