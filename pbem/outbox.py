"""The outbox: mails are put in by the transaction that caused them, and go out later, each at most once.

States: *ready* -> *leased* (a sender has it) -> *sent*; *refused* (5xx: for good); *ready* again with a later try (4xx, no
connection); *unknown* (the connection was lost after the data: perhaps it went out; resent once with the same
Message-ID); *held* (the gamesmaster looks first); *merged* (its text went into another mail).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, Row, bindparam, insert, select, update

from pbem.crash_points import no_crash
from pbem.database import transaction
from pbem.mailing import Mail
from pbem.records import Outgoing
from pbem.smtp import Outcome, Sent

READY, LEASED, SENT, REFUSED, UNKNOWN, HELD, MERGED = "ready", "leased", "sent", "refused", "unknown", "held", "merged"
LEASE = timedelta(minutes=10)
BACKOFF = [timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360)]
BREAKER = 3


_KEYED = select(Outgoing.id).where(Outgoing.key == bindparam("key"))
_NEW = insert(Outgoing)
_ONE = (
    select(Outgoing.__table__).where(Outgoing.next_try <= bindparam("now")).limit(1).with_for_update(skip_locked=True)
)
_DUE = _ONE.where(Outgoing.state == READY).order_by(Outgoing.next_try, Outgoing.id)  # as the index has them
_IN_DOUBT = _ONE.where(Outgoing.state.in_((LEASED, UNKNOWN)), ~Outgoing.resent).order_by(Outgoing.id)
_CHANGE = update(Outgoing).where(Outgoing.id == bindparam("mail"))


class Carrier(Protocol):
    """What takes a mail away: the SMTP transport."""

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        """One mail to one recipient; never raises for what happens to a mail."""
        ...


def put(conn: Connection, mail: Mail, now: datetime, state: str = READY) -> bool:
    """Into the outbox, unless a mail with this key is there already (then False)."""
    if conn.execute(_KEYED, {"key": mail.key}).first():
        return False
    conn.execute(_NEW, {
        "key": mail.key, "kind": mail.kind, "game_id": mail.game_id, "seat": mail.seat, "recipient": mail.recipient,
        "envelope_from": mail.envelope_from, "message_id": mail.message_id, "raw": mail.raw, "state": state,
        "next_try": now, "attempts": 0, "resent": False, "reply": "", "created": now,
    })  # fmt: skip
    return True


def flush(engine: Engine, carrier: Carrier, now: datetime, crash: Callable[[str], None] = no_crash) -> int:
    """Send what is due; the number sent. Stops at the third failure of the server in a row (a breaker).

    One commit a mail: it records what became of the last one and leases the next, so that a crash leaves at most one
    mail in doubt. Leases count from ``now``, so no mail is leased when half a lease has gone by: the next pass goes on.
    """
    sent = failures = 0
    until = time.monotonic() + LEASE.total_seconds() / 2
    last: tuple[Row[Any], Sent] | None = None
    while True:
        with transaction(engine) as conn:
            if last:
                _record(conn, *last, now)
            row = _lease(conn, now) if failures < BREAKER and time.monotonic() < until else None
        if row is None:
            crash("outbox.recorded")
            return sent
        crash("outbox.leased")
        answer = carrier.send(row.envelope_from, row.recipient, row.raw)
        crash("outbox.sent")
        last = (row, answer)
        sent += answer.outcome is Outcome.SENT
        failures = failures + 1 if answer.outcome in (Outcome.LATER, Outcome.UNKNOWN) else 0


def _lease(conn: Connection, now: datetime) -> Row[Any] | None:
    """The mail whose time came first; it is this sender's for :data:`LEASE`.

    In doubt are a lease that ran out (its sender died) and a lost reply: such a mail goes out once more, then a person
    decides.
    """
    row = conn.execute(_DUE, {"now": now}).first() or conn.execute(_IN_DOUBT, {"now": now}).first()
    if row:
        values = {"state": LEASED, "next_try": now + LEASE, "resent": row.resent or row.state != READY}
        conn.execute(_CHANGE, {"mail": row.id, **values})
    return row


def _record(conn: Connection, row: Row[Any], answer: Sent, now: datetime) -> None:
    attempts = row.attempts + 1
    later = now + BACKOFF[min(attempts, len(BACKOFF)) - 1]
    values: dict[str, Any] = {"mail": row.id, "attempts": attempts, "reply": answer.reply[:500]}
    match answer.outcome:
        case Outcome.SENT:
            values |= {"state": SENT, "sent": now}
        case Outcome.REFUSED:
            values |= {"state": REFUSED}
        case Outcome.UNKNOWN:
            values |= {"state": UNKNOWN, "next_try": later}
        case Outcome.LATER:
            # Not taken this time; what was in doubt before stays so, and has its one resend still to come.
            values |= {"state": READY if row.state == READY else UNKNOWN, "next_try": later, "resent": row.resent}
    conn.execute(_CHANGE, values)
