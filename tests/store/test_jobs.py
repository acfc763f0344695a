"""What daemons hand out to each other is done once, in its order, whoever takes it."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from pbem.errors import DatabaseError, OperatorError
from pbem.store.engine import database, jobs
from pbem.store.engine.database import exclusive_transaction
from pbem.store.engine.jobs import Hint, Jobs
from tests.apart import FORK, PATIENCE
from tests.installation import SEATS, Installation
from tests.sharing import Cluster
from tests.shell import CONFIG, Shell

pytestmark = pytest.mark.needs("postgresql")


@pytest.fixture
def engine(postgresql_url: str) -> Iterator[Engine]:
    made = database.connect(postgresql_url)
    jobs.upgrade(made)
    yield made
    made.dispose()


def hand(engine: Engine, does: Callable[[Any], object]) -> Jobs:
    """A daemon's hand that does jobs of one kind."""
    return Jobs(engine, ("work",), lambda _, about: does(about["n"]), lambda: False)


def hint(n: int, lock: str | None = None) -> Hint:
    return jobs.hint("work", f"work {n}", lock, {"n": n})


def test_what_is_handed_out_is_done_once_in_its_order(engine: Engine) -> None:
    seen: list[int] = []
    one, two = hand(engine, seen.append), hand(engine, seen.append)
    one.give([hint(1, "g"), hint(2, "g"), hint(3)])
    one.give([hint(2, "g"), hint(4)])  # the second of them waits already
    assert two.waits()
    assert two.take() == 4 and seen == [1, 2, 3, 4]
    assert not one.waits() and one.take() == 0
    one.close()
    two.close()


def test_of_one_lock_one_is_done_at_a_time(engine: Engine) -> None:
    def elsewhere(n: int) -> None:
        seen.append(n)
        if n == 1:
            other.take()

    seen: list[int] = []
    others: list[int] = []
    one = hand(engine, elsewhere)
    one.give([hint(1, "g"), hint(2, "g"), hint(3, "h")])
    other = Elsewhere(engine, others)
    one.take()
    assert others == [3] and seen == [1, 2]
    one.close()


class Elsewhere:
    """Another daemon's hand, in a process of its own: it takes what it can get."""

    def __init__(self, engine: Engine, done: list[int]) -> None:
        self.engine, self.done = engine, done

    def take(self) -> None:
        line, far = FORK.Pipe()

        def run() -> None:
            mine: list[int] = []
            hand(database.connect(self.engine.url.render_as_string(False)), mine.append).take()
            far.send(mine)

        process = FORK.Process(target=run)
        process.start()
        assert line.poll(PATIENCE)
        self.done += line.recv()
        process.join()


def test_what_a_job_raises_ends_the_taking_and_the_others_wait(engine: Engine) -> None:
    def fails(n: int) -> None:
        raise DatabaseError(f"job {n}")

    one = hand(engine, fails)
    one.give([hint(1), hint(2)])
    with pytest.raises(DatabaseError, match="job 1"):
        one.take()
    assert one.waits()
    seen: list[int] = []
    two = hand(engine, seen.append)
    assert two.take() == 1 and seen == [2]
    one.close()
    two.close()


def test_a_job_whose_taker_is_silent_holds_its_lock_no_longer(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(n: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    one = hand(engine, lambda n: None)
    one.give([hint(1, "g")])
    process = FORK.Process(
        target=lambda: hand(database.connect(engine.url.render_as_string(False)), die).take()
    )
    process.start()
    process.join(PATIENCE)
    assert one.taken() == 1
    one.give([hint(2, "g")])
    assert one.take() == 0 and one.waits()
    monkeypatch.setattr(jobs, "SILENCE", 0.0)
    assert one.take() == 1 and not one.waits() and one.taken() == 0
    one.close()


def test_tables_of_another_version_are_made_anew(engine: Engine) -> None:
    one = hand(engine, lambda n: None)
    one.give([hint(1)])
    one.close()
    assert jobs.fault(engine) is None
    jobs.upgrade(engine)
    assert one.waits()
    one.close()
    with exclusive_transaction(engine) as conn:
        conn.exec_driver_sql("COMMENT ON SCHEMA procrastinate IS '1.0.0'")
    assert "wanted and are 1.0.0: run `pbem db upgrade`" in jobs.fault(engine)
    jobs.upgrade(engine)
    assert jobs.fault(engine) is None and not one.waits()
    one.close()
    with exclusive_transaction(engine) as conn:
        conn.exec_driver_sql("DROP SCHEMA procrastinate CASCADE")
    assert "are not there" in jobs.fault(engine)
    with pytest.raises(DatabaseError, match="handing out work"):
        one.waits()


def test_two_upgrades_at_once_of_a_new_database(postgresql_url: str) -> None:
    """One waits for the other, and finds all done."""

    def bring(ready: Any, line: Any) -> None:
        mine = database.connect(postgresql_url)
        ready.wait(PATIENCE)
        try:
            database.upgrade(mine)
            jobs.upgrade(mine)
            line.send(jobs.fault(mine))
        except BaseException as error:
            line.send(repr(error))

    ready, ends = FORK.Barrier(3), []
    for _ in range(3):
        near, far = FORK.Pipe()
        process = FORK.Process(target=bring, args=(ready, far))
        process.start()
        ends.append((near, process))
    for near, process in ends:
        assert near.poll(PATIENCE) and near.recv() is None
        process.join(PATIENCE)


def test_with_sqlite_there_is_nothing_to_share(tmp_path: Path) -> None:
    with (
        pytest.raises(OperatorError, match="share_work is for PostgreSQL"),
        Cluster(tmp_path, "coalition", seats=SEATS),
    ):
        pass


def test_the_shell_makes_its_tables_and_the_doctor_looks_at_them(
    tmp_path: Path, postgresql_url: str
) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, url=postgresql_url) as at:
        shell = Shell(at, tmp_path / "config.toml")
        shell.write(CONFIG.format(**shell.settings) + "\n[daemon]\nshare_work = true\n")
        before = shell.run("doctor", "--offline", code=1).output
        assert "BAD  work shared by several daemons" in before and "`pbem db upgrade`" in before
        shell.run("serve", code=1)
        shell("db", "upgrade")
        assert "ok   work shared by several daemons" in shell("doctor", "--offline")
        shell("db", "check")  # its tables are none of ours
