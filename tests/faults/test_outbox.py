"""What may befall a mail between the outbox and its recipient."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event, select

from pbem.house import config
from pbem.post import outbox
from pbem.post.compose import Draft, Mail, compose
from pbem.post.postmark import Postmark
from pbem.post.smtp import Delivery, Sent
from pbem.post.work import Installation, no_crash
from pbem.referee.acts import letter_acts
from pbem.referee.gamesmaster import queue
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Outgoing

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MARK = Postmark("referee@game.example", "The Referee", b"k" * 32, "gm@game.example")


def flush(
    engine: Engine, carrier: outbox.Carrier, now: datetime, crash: Callable[[str], None] = no_crash
) -> int:
    """Send everything that is due; the number sent."""
    sending = outbox.Sending(carrier, now, crash)
    sending.flush(engine)
    return sending.sent


class Carrier:
    """A server that answers as it is told, then takes everything."""

    def __init__(self, *answers: Delivery) -> None:
        self.answers, self.seen = list(answers), list[bytes]()

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        self.seen.append(raw)
        return Sent(self.answers.pop(0) if self.answers else Delivery.SENT, "as told")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = database.connect(f"sqlite:///{tmp_path / 'pbem.db'}")
    database.upgrade(made)
    yield made
    made.dispose()


def site(engine: Engine) -> Installation:
    server = {"host": "127.0.0.1"}
    referee = {"address": MARK.address, "gamesmaster": "gm@game.example"}
    return Installation(
        engine, MARK, config.parse({"referee": referee, "imap": server, "smtp": server})
    )


def mail(n: int) -> Mail:
    draft = Draft(f"k{n}", "receipt", "s", "t\n")
    return compose(MARK, draft, f"u{n}@x.example", NOW)


def fill(engine: Engine, mails: int) -> None:
    with site(engine).work(NOW) as work:
        for n in range(mails):
            outbox.put(work, mail(n))


def states(engine: Engine) -> list[str]:
    with exclusive_transaction(engine) as conn:
        return list(conn.execute(select(Outgoing.state).order_by(Outgoing.id)).scalars())


def test_a_key_is_put_in_once(engine: Engine) -> None:
    with site(engine).work(NOW) as work:
        assert [outbox.put(work, mail(1)), outbox.put(work, mail(1))] == [True, False]
        assert not outbox.put_within(work, mail(1), NOW, 5)
    assert states(engine) == ["ready"]


def test_a_lost_reply_is_sent_once_more_with_the_same_bytes_then_a_person_decides(
    engine: Engine,
) -> None:
    fill(engine, 1)
    carrier = Carrier(*[Delivery.UNKNOWN] * 9)
    for hour in range(9):
        flush(engine, carrier, NOW + timedelta(hours=hour))
    assert len(carrier.seen) == 2 and carrier.seen[0] == carrier.seen[1]
    assert states(engine) == ["unknown"]


class Cut(Exception):
    """A transaction is broken off."""


def test_an_answer_whose_transaction_failed_is_filed_by_the_next(engine: Engine) -> None:
    fill(engine, 2)
    carrier = Carrier()
    sending = outbox.Sending(carrier, NOW)
    with database.shared_transaction(engine) as conn:
        sending.lease_next(conn)
    sending.carry()
    with suppress(Cut), database.shared_transaction(engine) as conn:
        sending.lease_next(conn)
        raise Cut
    sending.settle(engine)
    assert states(engine) == ["sent", "ready"]
    flush(engine, carrier, NOW + timedelta(hours=1))
    assert len(carrier.seen) == 2, "each once"


def test_a_commit_that_fails_amid_a_flush_puts_no_mail_in_doubt(engine: Engine) -> None:
    fill(engine, 3)
    carrier = Carrier()

    def fails(conn: Connection) -> None:
        if len(carrier.seen) == 2:
            event.remove(engine, "commit", fails)
            raise Cut

    event.listen(engine, "commit", fails)
    with pytest.raises(Cut):
        flush(engine, carrier, NOW)
    assert states(engine) == ["sent", "sent", "ready"]
    flush(engine, carrier, NOW + timedelta(hours=1))
    assert len(carrier.seen) == 3, "each once"


def test_a_mail_in_doubt_that_was_not_taken_stays_in_doubt(engine: Engine) -> None:
    fill(engine, 1)
    carrier = Carrier(Delivery.UNKNOWN, Delivery.LATER, Delivery.LATER, Delivery.UNKNOWN)
    for hour in range(30):
        flush(engine, carrier, NOW + timedelta(hours=hour))
    assert len(carrier.seen) == 4, "in doubt, twice not taken, and the one resend"
    assert states(engine) == ["unknown"]


def test_a_sender_that_died_leaves_one_mail_in_doubt(engine: Engine) -> None:
    fill(engine, 3)

    class Killed(Exception):
        pass

    def crash(point: str) -> None:
        if point == "outbox.sent":
            raise Killed

    carrier = Carrier()
    with pytest.raises(Killed):
        flush(engine, carrier, NOW, crash)
    assert states(engine) == ["leased", "ready", "ready"]
    flush(engine, carrier, NOW + timedelta(minutes=1))
    assert states(engine) == ["leased", "sent", "sent"]
    flush(engine, carrier, NOW + outbox.LEASE)
    assert states(engine) == ["sent"] * 3
    assert carrier.seen[0] == carrier.seen[-1] and len(carrier.seen) == 4


def test_the_third_failure_in_a_row_ends_the_pass(engine: Engine) -> None:
    fill(engine, 10)
    carrier = Carrier(*[Delivery.LATER] * 3)
    assert flush(engine, carrier, NOW) == 0
    assert len(carrier.seen) == 3
    assert flush(engine, carrier, NOW + timedelta(seconds=30)) == 7
    assert flush(engine, carrier, NOW + timedelta(minutes=1)) == 3


def test_a_refused_mail_is_never_sent_again_and_stops_nobody(engine: Engine) -> None:
    fill(engine, 5)
    carrier = Carrier(*[Delivery.REFUSED] * 4)
    assert flush(engine, carrier, NOW) == 1
    assert flush(engine, carrier, NOW + timedelta(days=9)) == 0


class Slow(Carrier):
    """A server that takes two minutes for a mail; what was left of each mail's lease then."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine, self.clock, self.left = engine, 0.0, list[timedelta]()

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        self.clock += 120.0
        with exclusive_transaction(self.engine) as conn:
            leased = select(Outgoing.next_try).where(Outgoing.state == "leased")
            self.left += [until - self.now() for until in conn.execute(leased).scalars()]
        return super().send(envelope_from, to, raw)

    def now(self) -> datetime:
        return NOW + timedelta(seconds=self.clock)


def test_a_long_sending_goes_on_and_each_lease_counts_from_its_own_time(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than a lease: what is leased late is nobody else's at once, and what is not taken
    comes again in its time."""
    fill(engine, 12)
    carrier = Slow(engine)
    monkeypatch.setattr("pbem.post.outbox.time.monotonic", lambda: carrier.clock)
    carrier.answers = [Delivery.LATER]
    assert flush(engine, carrier, NOW) == 12
    assert carrier.now() - NOW > 2 * outbox.LEASE
    assert len(carrier.left) == 13
    assert all(outbox.LEASE - timedelta(minutes=3) <= left for left in carrier.left)


def test_a_mail_whose_sender_died_twice_is_shown_and_can_be_resent(engine: Engine) -> None:
    fill(engine, 1)

    class Killed(Exception):
        pass

    def crash(point: str) -> None:
        raise Killed

    later = NOW
    for _ in range(2):
        with pytest.raises(Killed):
            flush(engine, Carrier(), later, crash)
        later += outbox.LEASE
    assert flush(engine, Carrier(), later) == 0
    with site(engine).work(later) as work:
        assert queue.queue(work)["mails"][0]["release"] == "pbem resend 1"
        letter_acts.resend(work, 1)
    assert flush(engine, Carrier(), later) == 1
