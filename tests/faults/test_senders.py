"""What a daemon that was killed had leased: on SQLite it goes out with the next pass, unless
another daemon is there that may be sending it."""

import os
import signal

import pytest
from sqlalchemy import select

from pbem.post.outbox import Senders
from pbem.store.engine import database
from pbem.store.schema.tables import Outgoing
from tests.faults.test_attempts import pass_apart
from tests.installation import Installation


@pytest.fixture
def at(at: Installation) -> Installation:
    """With nobody who sends yet."""
    at.once()
    at.daemon.senders.leave()
    return at


def kills(point: str) -> None:
    if point == "outbox.leased":
        os.kill(os.getpid(), signal.SIGKILL)


def leased(at: Installation) -> int:
    with database.reading(at.daemon.engine) as conn:
        return len(conn.execute(select(Outgoing.id).where(Outgoing.state == "leased")).all())


def test_a_receipt_that_the_dead_had_leased_goes_out_at_once(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    assert pass_apart(at, kills) == -signal.SIGKILL
    assert leased(at) == 1
    before = len(at.mails("A"))
    assert pass_apart(at) == 0  # at the same minute
    assert leased(at) == 0 and len(at.mails("A")) == before + 1
    assert "SPECIAL AGR" in at.newest("A")


def test_what_another_may_be_sending_waits(at: Installation) -> None:
    other = Senders(at.daemon.engine)
    assert other.join()
    other.joined()
    at.write("A", "SPECIAL AGR")
    assert pass_apart(at, kills) == -signal.SIGKILL
    assert pass_apart(at) == 0
    assert leased(at) == 1, "the lease may be the other's"
    other.leave()
    assert pass_apart(at) == 0
    assert leased(at) == 0


def test_one_is_alone_only_if_nobody_is_there(at: Installation) -> None:
    first, second, third = (Senders(at.daemon.engine) for _ in range(3))
    assert first.join() and not first.join()
    first.joined()
    assert not second.join()
    first.leave()
    assert not third.join(), "the second is there still"
    second.leave()
    third.leave()
    assert first.join()
    first.leave()
