"""`pbem restore --from` on PostgreSQL is killed before any message to the server: the database is
then empty, or the backup whole and held, and the same command again finishes it."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect, make_url, text

from pbem.cli import main
from pbem.post import alarms
from pbem.store.engine import database
from tests.apart import FORK, PATIENCE
from tests.cutting import Line
from tests.installation import SEATS, Installation
from tests.postgresql import Postgresql
from tests.shell import Shell

pytestmark = pytest.mark.needs("postgresql")
POINTS = 8
"""So many kills are spread over the whole; all of the last ones, around the commit, are made
too."""
LAST = 4


@pytest.fixture
def at(tmp_path: Path, postgresql_url: str) -> Iterator[Installation]:
    """A running game with a letter on file and mails that wait."""
    with Installation(tmp_path, "coalition", seats=SEATS, url=postgresql_url) as made:
        made.start()
        made.send("A", "SPECIAL AGR")
        made.act(alarms.tell, "test", "a mail that waits", "It is held after a restore.")
        yield made


def restored(shell: Shell, kept: Path, line: Line) -> bool:
    """The command in a process that the line may kill; whether it came to its end."""

    def run() -> None:
        words = ["restore", "--from", str(kept), "--config", str(shell.file)]
        main(words, standalone_mode=False)

    process = FORK.Process(target=run)
    process.start()
    line.victim = process.pid or 0
    process.join(PATIENCE)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode == 0


def found(url: str) -> tuple[int, str, int] | None:
    """How many letters there are, how the game stands, and how many mails may go out; None for an
    empty database. What was killed is gone from the server before."""
    engine = database.connect(url)
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid()"
    )
    until = time.monotonic() + PATIENCE
    try:
        while True:
            with engine.connect() as conn:
                if not conn.execute(text(others)).scalar_one():
                    break
            assert time.monotonic() < until
            time.sleep(0.02)
        with engine.connect() as conn:
            if not inspect(conn).get_table_names():
                return None
            letters = conn.execute(text("SELECT count(*) FROM letter")).scalar_one()
            game = conn.execute(text("SELECT status FROM game")).scalar_one()
            ready = "SELECT count(*) FROM outgoing WHERE state IN ('ready', 'leased', 'unknown')"
            return letters, game, conn.execute(text(ready)).scalar_one()
    finally:
        engine.dispose()


@pytest.mark.slow
def test_killed_before_any_message_it_is_all_or_nothing(
    at: Installation, postgresql_cluster: Postgresql
) -> None:
    shell, kept = Shell(at, at.folder / "config.toml"), at.folder / "kept"
    shell("backup", str(kept))
    good, first = shell.file.read_text(), at.url

    def use(url: str) -> None:
        shell.write(good.replace(first, url))

    whole = (1, "held", 0)
    with Line(postgresql_cluster.port) as line:
        url = postgresql_cluster.database()
        use(str(make_url(url).set(port=line.port)))
        assert restored(shell, kept, line) and found(url) == whole
    points = sorted(
        {*range(1, line.sent, line.sent // POINTS), *range(line.sent - LAST, line.sent + 1)}
    )
    came = []
    for nth in points:
        url = postgresql_cluster.database()
        with Line(postgresql_cluster.port, nth) as line:
            use(str(make_url(url).set(port=line.port)))
            done = restored(shell, kept, line)  # it may be done before its last messages
        came.append(found(url))
        assert not done or came[-1] == whole, f"done without message {nth}"
        use(url)
        said = " ".join(shell("restore", "--from", str(kept)).split())
        again = " already; all is held again" if came[-1] else ""
        assert f"{kept} is in the database's place{again}" in said
        assert found(url) == whole
    assert set(came) == {None, whole}, came


def test_what_is_no_whole_backup_leaves_an_empty_database(
    at: Installation, postgresql_cluster: Postgresql
) -> None:
    shell, kept = Shell(at, at.folder / "config.toml"), at.folder / "kept"
    shell("backup", str(kept))
    (at.folder / "half").write_bytes(kept.read_bytes()[: kept.stat().st_size * 2 // 3])
    (at.folder / "text").write_text("[referee]\n")
    url = postgresql_cluster.database()
    shell.write(shell.file.read_text().replace(at.url, url))
    for name, says in (
        ("half", "pg_restore: error:"),
        ("text", "not appear to be a valid archive"),
    ):
        said = shell.fails("restore", "--from", str(at.folder / name), code=3)
        assert says in " ".join(said.split()), said
        assert found(url) is None
    shell("restore", "--from", str(kept))
    assert found(url) == (1, "held", 0)
