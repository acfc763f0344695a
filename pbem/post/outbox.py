"""The outbox: mails are put in by the transaction that caused them, and go out later, each at most
once.

States: *ready* -> *leased* (a sender has it) -> *sent*; *refused* (5xx: for good); *ready* again
with a later try (4xx, no connection); *unknown* (the connection was lost after the data: perhaps it
went out; resent once with the same Message-ID); *held* (the gamesmaster looks first); *merged* (it
waits to go out with others in one mail), then *listed*.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Executable,
    Row,
    bindparam,
    case,
    func,
    insert,
    select,
    true,
    update,
)

from pbem.letters import bounces
from pbem.post import delivery
from pbem.post.compose import Mail
from pbem.post.crash_points import no_crash
from pbem.post.smtp import Outcome, Sent
from pbem.post.work import Work
from pbem.store.database import transaction
from pbem.store.records import Outgoing

READY, LEASED, SENT, REFUSED, UNKNOWN, HELD = (
    "ready",
    "leased",
    "sent",
    "refused",
    "unknown",
    "held",
)
MERGED, LISTED = "merged", "listed"
LEASE = timedelta(minutes=10)
BACKOFF = [timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360)]
BREAKER = 3


_CARRIED = (
    Outgoing.id,
    Outgoing.envelope_from,
    Outgoing.recipient,
    Outgoing.raw,
    Outgoing.attempts,
)
_COLUMNS = [column for column in Outgoing.__table__.c if column.name not in ("id", "sent")]
_KEYED = select(Outgoing.id).where(Outgoing.key == bindparam("key"))
_RECENT = (
    select(Outgoing.id)
    .where(
        Outgoing.game_id == bindparam("game_id"),
        Outgoing.seat == bindparam("seat"),
        Outgoing.kind == bindparam("kind"),
        Outgoing.created > bindparam("since"),
        Outgoing.state != MERGED,
    )
    .limit(bindparam("most"))
    .subquery()
)
_WITHIN = case(
    (select(func.count()).select_from(_RECENT).scalar_subquery() < bindparam("most"), READY),
    else_=MERGED,
)


def _new(state: ColumnElement[str]) -> Executable:
    """A row for the outbox, unless one with its key is there."""
    values = (bindparam(column.name, type_=column.type) for column in _COLUMNS)
    chosen = select(*(state if value.key == "state" else value for value in values))
    return (
        insert(Outgoing)
        .from_select(_COLUMNS, chosen.where(~_KEYED.exists()))
        .returning(Outgoing.id)
    )


_NEW, _NEW_WITHIN = _new(bindparam("state", type_=Outgoing.state.type)), _new(_WITHIN)
_ONE = (
    select(Outgoing.id)
    .where(Outgoing.next_try <= bindparam("now"))
    .limit(1)
    .with_for_update(skip_locked=True)
)
_DUE = _ONE.where(Outgoing.state == READY).order_by(
    Outgoing.next_try, Outgoing.id
)  # as the index has them
_IN_DOUBT = _ONE.where(Outgoing.state.in_((LEASED, UNKNOWN)), ~Outgoing.resent).order_by(
    Outgoing.id
)
_LEASE, _LEASE_IN_DOUBT = (
    update(Outgoing)
    .where(Outgoing.id == one.scalar_subquery())
    .values(state=LEASED, next_try=bindparam("until"), resent=again)
    .returning(*_CARRIED)
    for one, again in ((_DUE, Outgoing.resent), (_IN_DOUBT, true()))
)
_CHANGE = update(Outgoing).where(Outgoing.id == bindparam("mail"))


@dataclass(frozen=True, slots=True)
class Leased:
    """A mail that is this sender's for a while; ``in_doubt``: it may have gone out before."""

    mail: Row[int, str, str, bytes, int]  # id, envelope_from, recipient, raw, attempts
    in_doubt: bool


class Carrier(Protocol):
    """What takes a mail away: the SMTP transport."""

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        """One mail to one recipient; never raises for what happens to a mail."""
        ...


def put(work: Work, mail: Mail, state: str = READY) -> bool:
    """Into the outbox, unless a mail with this key is there already (then False)."""
    return work.conn.execute(_NEW, _row(mail, work.now) | {"state": state}).first() is not None


def put_within(work: Work, mail: Mail, since: datetime, most: int) -> bool:
    """The same, but where its seat has had ``most`` mails of its kind ``since`` then, the mail is
    only kept to be merged."""
    return (
        work.conn.execute(
            _NEW_WITHIN, _row(mail, work.now) | {"since": since, "most": most}
        ).first()
        is not None
    )


def _row(mail: Mail, now: datetime) -> dict[str, Any]:
    return {
        "key": mail.key,
        "kind": mail.kind,
        "game_id": mail.game_id,
        "seat": mail.seat,
        "recipient": mail.recipient,
        "envelope_from": mail.envelope_from,
        "message_id": mail.message_id,
        "raw": mail.raw,
        "next_try": now,
        "attempts": 0,
        "resent": False,
        "reply": "",
        "created": now,
    }


def set_right(work: Work) -> None:
    """What is to be tried at a time that no back-off leads to, a clock has named that was wrong: it
    is tried now."""
    wrong = (
        Outgoing.state.in_((READY, LEASED, UNKNOWN)),
        Outgoing.next_try > work.now + BACKOFF[-1] + LEASE,
    )
    work.conn.execute(update(Outgoing).where(*wrong).values(next_try=work.now))


class Sending:
    """The way out during one pass of the daemon, one mail at a time.

    :meth:`turn` stands in a transaction: it files the answer to the last mail and leases the next.
    :meth:`carry` follows the commit and takes that mail away. A letter's own transaction is as good
    as any for it, so that receipts go out while other letters are decided, at no commit of their
    own; and a crash leaves at most one mail in doubt.

    The third failure of the server in a row ends the sending of this pass (a breaker). Leases count
    from ``now``, so none is taken when half a lease has gone by: the next pass goes on.
    """

    def __init__(
        self, carrier: Carrier, now: datetime, crash: Callable[[str], None] = no_crash
    ) -> None:
        self.carrier, self.now, self.crash = carrier, now, crash
        self.sent = 0
        self._failures, self._until = 0, time.monotonic() + LEASE.total_seconds() / 2
        self._leased: Leased | None = None
        self._answered: tuple[Leased, Sent] | None = None

    def turn(self, conn: Connection) -> None:
        """File what became of the last mail, lease the next."""
        self._record(conn)
        may = self._failures < BREAKER and time.monotonic() < self._until
        self._leased = _lease(conn, self.now) if may else None

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
        self._failures = (
            self._failures + 1 if answer.outcome in (Outcome.LATER, Outcome.UNKNOWN) else 0
        )
        return True

    def settle(self, engine: Engine) -> None:
        """File what became of the last mail, and lease no other."""
        if self._answered:
            with transaction(engine) as conn:
                self._record(conn)
            self._answered = None
            self.crash("outbox.recorded")

    def flush(self, engine: Engine, stopping: Callable[[], bool] = lambda: False) -> None:
        """Send everything that is due, or until it is time to stop."""
        while not stopping():
            with transaction(engine) as conn:
                self.turn(conn)
            if not self.carry():
                self.crash("outbox.recorded")
                return
        self.settle(engine)

    def _record(self, conn: Connection) -> None:
        if self._answered:
            _record(conn, *self._answered, self.now)


def _lease(conn: Connection, now: datetime) -> Leased | None:
    """The mail whose time came first; it is this sender's for :data:`LEASE`.

    In doubt are a lease that ran out (its sender died) and a lost reply: such a mail goes out once
    more, then a person decides.
    """
    times = {"now": now, "until": now + LEASE}
    if ready := conn.execute(_LEASE, times).first():
        return Leased(ready, in_doubt=False)
    doubtful = conn.execute(_LEASE_IN_DOUBT, times).first()
    return Leased(doubtful, in_doubt=True) if doubtful else None


def _record(conn: Connection, leased: Leased, answer: Sent, now: datetime) -> None:
    attempts = leased.mail.attempts + 1
    later = now + BACKOFF[min(attempts, len(BACKOFF)) - 1]
    values: dict[str, Any] = {
        "mail": leased.mail.id,
        "attempts": attempts,
        "reply": answer.reply.replace("\0", "")[:500],
    }
    match answer.outcome:
        case Outcome.SENT:
            values |= {"state": SENT, "sent": now}
        case Outcome.REFUSED:
            values |= {"state": REFUSED}
            if answer.of_recipient and (
                failure := bounces.refusal(leased.mail.recipient, answer.reply)
            ):
                delivery.count(conn, leased.mail.recipient, failure, now)
        case Outcome.UNKNOWN:
            values |= {"state": UNKNOWN, "next_try": later}
        case Outcome.LATER if (
            leased.in_doubt
        ):  # not taken this time; it stays in doubt and has its one resend still to come
            values |= {"state": UNKNOWN, "next_try": later, "resent": False}
        case Outcome.LATER:
            values |= {"state": READY, "next_try": later}
    conn.execute(_CHANGE, values)
