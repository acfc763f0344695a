"""Two daemons on one database do nothing twice."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

sys.path.insert(0, str(Path(__file__).parents[1]))
from installation import Installation, address

from pbem import replay, store
from pbem.daemon import Daemon
from pbem.database import transaction
from pbem.records import Letter, OrderSet

SEATS = ("A", "B", "C", "D", "E")


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))])
def test_two_daemons_on_one_database(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("postgresql_url") if kind == "postgresql" else ""
    with Installation(tmp_path, "coalition", seats=SEATS, url=url, limits={"receipts_an_hour": 99}) as at:
        at.start()
        start = {seat: len(at.mails(seat)) for seat in SEATS}
        second = at.new_daemon()
        wrong: list[BaseException] = []

        def run(daemon: Daemon, passes: int) -> None:
            try:
                for _ in range(passes):
                    daemon.once(at.clock)
            except BaseException as error:
                wrong.append(error)

        def both(passes: int) -> None:
            threads = [threading.Thread(target=run, args=(daemon, passes)) for daemon in (at.daemon, second)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert wrong == []

        for n in range(6):
            raws = [at.write(seat, f'NAME "{seat} {n}{n}"') for seat in SEATS]
            at.post(raws[0])
        both(2)
        at.clock = at.table().period.due
        both(2)
        with transaction(at.daemon.engine) as conn:
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
        second.close()


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))])
def test_one_journal_is_written_by_one_at_a_time(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("postgresql_url") if kind == "postgresql" else ""
    with Installation(tmp_path, "coalition", seats=SEATS, url=url) as at:
        at.start()
        deciding = threading.Event()

        def crash(point: str) -> None:
            if point == "letter.decided":
                deciding.set()
                time.sleep(0.5)

        second = at.new_daemon(crash)
        at.write("A", "SPECIAL AGR")
        thread = threading.Thread(target=second.once, args=(at.clock,))
        thread.start()
        assert deciding.wait(120)
        with transaction(at.daemon.engine) as conn:
            store.note(conn, "g", at.clock, "ruling", text="in the meantime")
        thread.join()
        second.close()
        assert [outcome for outcome, _ in at.outcomes()] == ["orders"]
        with transaction(at.daemon.engine) as conn:
            assert replay.replay(conn, "g").faults == []
