"""The database is locked, full or gone: one line, a pause that grows, one mail when it is over;
health and metrics wait for nobody."""

import json
import re
import sqlite3
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event, text

from pbem.daemon import logs, metrics
from pbem.errors import DatabaseError
from pbem.post.clock import Reading
from pbem.store.engine import database, locks
from pbem.store.engine.database import exclusive_transaction
from tests.installation import GAMESMASTER, SEATS, Installation, text_of
from tests.wire import Wire

BOTH = pytest.mark.parametrize(
    "on", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))]
)


@pytest.fixture
def at(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Installation]:
    on = (
        request.node.callspec.params.get("on", "sqlite")
        if hasattr(request.node, "callspec")
        else "sqlite"
    )
    url = request.getfixturevalue("postgresql_url") if on == "postgresql" else ""
    with Installation(tmp_path, "coalition", seats=SEATS, url=url) as made:
        made.start()
        yield made


class Stopper:
    """What waits between two tries: it notes how long, mends the trouble after some, and never
    sleeps."""

    def __init__(self, after: int, mend: Callable[[], None]) -> None:
        self.pauses: list[float] = []
        self.after, self.mend = after, mend

    def wait(self, seconds: float) -> bool:
        self.pauses.append(seconds)
        if len(self.pauses) == self.after:
            self.mend()
        return False

    def is_set(self) -> bool:
        return False


def tried(at: Installation, tries: int, mend: Callable[[], None]) -> list[float]:
    """Passes at the test's clock, with the trouble mended after some tries; the pauses between
    them."""
    stopper: Any = Stopper(tries, mend)
    at.daemon.read = lambda: Reading(at.clock, at.clock.timestamp())
    at.daemon.server = lambda _: at.clock
    at.daemon.stopping = stopper
    at.daemon.pass_now()
    return stopper.pauses  # type: ignore[no-any-return]


def impatient(at: Installation) -> None:
    """Its next connections wait for a lock for a moment only."""
    at.daemon.engine.dispose()

    def hurry(raw: Any, _record: object) -> None:
        raw.execute(
            "PRAGMA busy_timeout=10" if at.url.startswith("sqlite") else "SET lock_timeout = '30ms'"
        )
        if not at.url.startswith("sqlite"):
            raw.commit()

    event.listen(at.daemon.engine, "connect", hurry)


class Writer:
    """Another program that writes and does not come to an end."""

    def __init__(self, at: Installation) -> None:
        if at.url.startswith("sqlite"):
            self.held: Any = sqlite3.connect(at.folder / "pbem.db", isolation_level=None)
            self.held.execute("BEGIN IMMEDIATE")
        else:
            self.held = create_engine(at.url).connect()
            self.held.execute(text(f"SELECT pg_advisory_xact_lock({locks.INSTALLATION})"))
            self.held.execute(text("UPDATE memo SET value = value"))

    def end(self) -> None:
        self.held.rollback()
        self.held.close()


@BOTH
def test_a_locked_database_is_one_line_and_one_mail(
    at: Installation, capsys: pytest.CaptureFixture[str], on: str
) -> None:
    impatient(at)
    logs.configure(as_json=True)
    at.write("A", "SPECIAL AGR")
    writer = Writer(at)
    pauses = tried(at, 9, writer.end)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert at.standing("A") == ["SPECIAL AGR"]
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    began, over = [line for line in lines if "database" in line["event"]]
    assert (
        began["event"] == "database trouble"
        and "has been writing for more than 10 s" in began["error"]
    )
    assert ("fuser" if on == "sqlite" else "process ") in began["error"]
    assert over["event"] == "database well again" and over["tries"] == 9
    assert [line["event"] for line in lines] == [
        "database trouble",
        "letter",
        "pass",
        "database well again",
    ]
    at.once()
    told = [
        mail
        for mail in at.mails(GAMESMASTER)
        if str(mail["Subject"]) == "[pbem] the database is well again"
    ]
    assert len(told) == 1 and "9 tries failed" in text_of(told[0])


def test_a_full_disk_is_trouble_like_another(
    at: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(as_json=True)
    at.write("A", "SPECIAL AGR" + "\n#" * 30_000)  # its bytes do not fit any more
    raw = at.daemon.engine.raw_connection()
    pages = raw.cursor().execute("PRAGMA page_count").fetchone()[0]
    raw.cursor().execute(f"PRAGMA max_page_count={pages}")
    raw.close()
    pauses = tried(at, 3, at.daemon.engine.dispose)
    assert pauses == [1, 2, 4]
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert "Its disk is full or broken: make room" in lines[0]["error"]
    assert [line["event"] for line in lines] == [
        "database trouble",
        "letter",
        "pass",
        "database well again",
    ]
    assert at.outcomes()[-1][0] in ("orders", "quarantine")


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("on", ["postgresql"])
def test_a_server_that_is_gone_is_one_line(
    at: Installation, capfd: pytest.CaptureFixture[str], on: str
) -> None:
    """Its connections break in the middle of a pass, and no new one is to be had until somebody
    starts it again."""
    logs.configure(as_json=True)
    place = at.daemon.engine.url
    with Wire(int(place.port or 0)) as wire:
        url = place.set(port=wire.port).render_as_string(hide_password=False)
        at.change_site(engine=database.connect(url))
        cut = {"letter.decided": wire.leave}
        at.daemon.referee.crash = lambda point: cut.pop(point, lambda: None)()
        at.write("A", "SPECIAL AGR")
        capfd.readouterr()
        assert tried(at, 4, wire.come_back) == [1, 2, 4, 8]
        assert at.standing("A") == ["SPECIAL AGR"]
        lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == [
        "database trouble",
        "letter",
        "pass",
        "database well again",
    ]
    assert "Is the server up" in lines[0]["error"]


def asked(port: int, page: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{page}", timeout=8) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@BOTH
def test_health_and_metrics_wait_for_no_writer(at: Installation, on: str) -> None:
    at.daemon.pulse.beat([])
    writer = Writer(at)
    watch = metrics.Watch(at.daemon.engine, 0, at.daemon.pulse)
    try:
        assert asked(watch.port, "/health")[0] == 200
        status, page = asked(watch.port, "/metrics")
        assert status == 200 and 'pbem_games{status="running"} 1.0' in page
    finally:
        watch.close()
        writer.end()


def test_health_says_what_keeps_the_daemon_from_a_pass_and_metrics_are_away_with_the_database(
    at: Installation,
) -> None:
    at.daemon.pulse.beat(["database: it is away"])
    watch = metrics.Watch(at.daemon.engine, 0, at.daemon.pulse)
    try:
        assert asked(watch.port, "/health") == (
            503,
            "not well\nlast pass 0 seconds ago\ndatabase: it is away\n",
        )
        at.daemon.engine.dispose()
        for suffix in ("", "-wal", "-shm"):
            (at.folder / f"pbem.db{suffix}").unlink(missing_ok=True)
        (at.folder / "pbem.db").write_bytes(b"no database at all" * 100)
        status, said = asked(watch.port, "/metrics")
        assert status == 503 and "put a backup in its place, then `pbem restore`" in said
    finally:
        watch.close()


def test_to_stop_ends_the_waiting(at: Installation) -> None:
    impatient(at)
    with closing(sqlite3.connect(at.folder / "pbem.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.2, at.daemon.stopping.set).start()
        assert at.daemon.pass_now() is None and "has been writing" in at.daemon.database.why


@BOTH
def test_waiting_for_a_lock_has_a_limit(at: Installation, on: str) -> None:
    """As it is set on every connection; and whoever waits in vain is told in one line what to
    do."""
    with at.daemon.engine.connect() as conn:
        if on == "sqlite":
            assert conn.exec_driver_sql("PRAGMA busy_timeout").scalar() == database.LOCK_WAIT * 1000
        else:
            found = [
                conn.exec_driver_sql(f"SHOW {name}").scalar()
                for name in (
                    "lock_timeout",
                    "idle_in_transaction_session_timeout",
                    "application_name",
                )
            ]
            assert found == ["10s", "40s", "pbem"]
    impatient(at)
    writer = Writer(at)
    with pytest.raises(DatabaseError) as refused, exclusive_transaction(at.daemon.engine):
        pass
    writer.end()
    assert re.fullmatch(r"database: .+ Wait for it or end it, then try again\.", str(refused.value))
