"""Two daemons on one database do nothing twice. Each is a process of its own, as they would be."""

import time
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.periods import replay
from pbem.store.engine.database import exclusive_transaction
from pbem.store.journal import notes
from pbem.store.schema.tables import Letter, OrderSet
from tests.installation import SEATS, Installation, address

FORK = get_context("fork")


def daemon_apart(
    at: Installation, passes: int, crash: Callable[[str], None] = lambda point: None
) -> BaseProcess:
    """A second daemon, in its own process: so many passes at the clock's time."""

    def run() -> None:
        daemon = at.new_daemon(crash)
        for _ in range(passes):
            daemon.once(at.clock)
        daemon.close()

    at.daemon.engine.dispose()  # no process inherits another's connections
    process = FORK.Process(target=run)
    process.start()
    return process


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))]
)
def test_two_daemons_on_one_database(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgresql_url") if kind == "postgresql" else ""
    with Installation(
        tmp_path, "coalition", seats=SEATS, url=url, limits={"receipts_an_hour": 99}
    ) as at:
        at.start()
        start = {seat: len(at.mails(seat)) for seat in SEATS}

        def both(passes: int) -> None:
            daemons = [daemon_apart(at, passes) for _ in range(2)]
            for daemon in daemons:
                daemon.join()
            assert [daemon.exitcode for daemon in daemons] == [0, 0]

        for n in range(6):
            raws = [at.write(seat, f'NAME "{seat} {n}{n}"') for seat in SEATS]
            at.post(raws[0])
        both(2)
        at.clock = at.table().period.due
        both(2)
        with exclusive_transaction(at.daemon.engine) as conn:
            outcomes = Counter(conn.execute(select(Letter.outcome)).scalars())
            sets = Counter(conn.execute(select(OrderSet.letter_id)).scalars())
            assert replay.replay(conn, "g").faults == []
        assert outcomes == {"orders": 30, "duplicate": 6}
        assert set(sets.values()) == {1} and len(sets) == 30
        assert at.table().period.number == 2
        assert Counter(state for _, state in at.outbox()) == {"sent": len(at.outbox())}
        for seat in SEATS:
            ids = Counter(mail["Message-ID"] for mail in at.mails(seat)[start[seat] :])
            assert set(ids.values()) == {1}, address(seat)


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))]
)
def test_one_journal_is_written_by_one_at_a_time(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgresql_url") if kind == "postgresql" else ""
    with Installation(tmp_path, "coalition", seats=SEATS, url=url) as at:
        at.start()
        deciding = FORK.Event()

        def crash(point: str) -> None:
            if point == "letter.decided":
                deciding.set()
                time.sleep(0.5)

        at.write("A", "SPECIAL AGR")
        second = daemon_apart(at, 1, crash)
        assert deciding.wait(120)
        with exclusive_transaction(at.daemon.engine) as conn:
            notes.note(conn, "g", at.clock, "ruling", text="in the meantime")
        second.join()
        assert second.exitcode == 0
        assert [outcome for outcome, _ in at.outcomes()] == ["orders"]
        with exclusive_transaction(at.daemon.engine) as conn:
            assert replay.replay(conn, "g").faults == []
