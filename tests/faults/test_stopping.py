"""SIGTERM in a storm: the service ends after the step in hand (a letter, a period, a mail), and what
is left is done by the next."""

import os
import signal
import time
from collections import Counter
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest
from sqlalchemy import select, update

from pbem.periods import replay
from pbem.post.clock import Reading
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.games import periods
from pbem.store.mails.lanes import BULLETINS
from pbem.store.schema.tables import Letter, Outgoing, Period
from tests.installation import SEATS, Installation

FORK = get_context("fork")
GAMES = ("g", "h", "i")
PATIENCE = 120.0  # seconds, where it does not end
STEPS = ("letter.committed", "deadline.committed", "outbox.sent")


def in_storm(at: Installation) -> None:
    """Some games are due, letters have come, and mails wait."""
    for game in GAMES:
        at._open(game)
    with exclusive_transaction(at.daemon.engine) as conn:
        few = Outgoing.seat.in_(("", "A"))
        conn.execute(update(Outgoing).where(~few).values(state="sent"))
        now = at.clock + timedelta(days=3)
        for game in GAMES[:2]:
            periods.set_period(conn, game, 1, due=now, base=now, next_look=now)
    at.clock = now
    for seat in SEATS[:3]:
        at.write(seat, "GAME g\nSPECIAL AGR")


@pytest.mark.parametrize(
    ("point", "nth"),
    [
        *(("inbox.stored", 1), ("letter.tried", 1), ("letter.decided", 2), ("letter.committed", 1)),
        *(("deadline.claimed", 2), ("deadline.adjudicated", 1), ("deadline.committed", 2)),
        *(("outbox.leased", 2), ("outbox.sent", 2), ("pass.kept_up", 1)),
    ],
)
def test_it_ends_after_the_step_in_hand(tmp_path: Path, point: str, nth: int) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        in_storm(at)
        steps, passed = FORK.Value("i", -1), 0

        def crash(here: str) -> None:
            nonlocal passed
            steps.value += steps.value >= 0 and here in STEPS
            passed += here == point
            if steps.value < 0 and here == point and passed == nth:
                steps.value = 0
                os.kill(os.getpid(), signal.SIGTERM)

        def serve() -> None:
            daemon = at.new_daemon(crash)
            daemon.read = lambda: Reading(at.clock, time.monotonic())
            daemon.server = lambda _reader: at.clock
            daemon.run()

        at.daemon.engine.dispose()
        process = FORK.Process(target=serve)
        process.start()
        process.join(PATIENCE)
        process.kill()
        process.join()
        assert process.exitcode == 0
        assert 0 <= steps.value <= 1, f"{steps.value} steps after the signal"
        with reading(at.daemon.engine) as conn:
            leased = conn.execute(select(Outgoing.id).where(Outgoing.state == "leased")).all()
        assert not leased, "nothing is in doubt"
        at.once()
        assert_whole(at)


def assert_whole(at: Installation) -> None:
    """Nothing is lost, and nothing was done twice."""
    with exclusive_transaction(at.daemon.engine) as conn:
        over = Period.closed.is_not(None) & (Period.number > 0)
        closed = Counter(conn.execute(select(Period.game_id).where(over)).scalars())
        outcomes = Counter(conn.execute(select(Letter.outcome)).scalars())
        assert closed == dict.fromkeys(GAMES[:2], 1)
        assert outcomes == {"orders": len(SEATS[:3])}
        assert {one.line for one in conn.execute(select(Outgoing.line))} <= set(
            range(BULLETINS + 1)
        )
        assert all(replay.replay(conn, game).faults == [] for game in GAMES)
    assert {state for _, state in at.outbox()} == {"sent"}
    for seat in SEATS:
        ids = Counter(str(mail["Message-ID"]) for mail in at.mails(seat))
        assert set(ids.values()) == {1}, seat
