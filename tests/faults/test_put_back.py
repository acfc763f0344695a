"""`pbem restore --from` is killed at every step that it takes with files: the database is then the
former one whole, or the backup whole, and the same command again finishes it."""

import itertools
import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import main
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.journal import notes
from tests.apart import FORK, PATIENCE
from tests.installation import Installation
from tests.shell import Shell

STEPS = ("os.rename", "os.link", "os.remove", "os.truncate", "sqlite3.connect")
"""What changes a folder, or opens a database in it: by Python's names of such events. What SQLite
does within one is its own promise."""
TAILS = ("", "-wal", "-shm", "-journal")


def plug(folder: Path, nth: int) -> None:
    """From now on the process is killed before its ``nth`` step in the folder."""
    numbers = itertools.count(1)

    def step(event: str, given: tuple[Any, ...]) -> None:
        if event in STEPS and str(folder) in str(given[0]) and next(numbers) == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)


def killed_restore(shell: Shell, kept: Path, nth: int) -> bool:
    """The command in a process that is killed before its ``nth`` step; whether it was."""

    def run() -> None:
        plug(shell.at.folder, nth)
        words = ["restore", "--from", str(kept), "--config", str(shell.file)]
        main(words, standalone_mode=False)

    process = FORK.Process(target=run)
    process.start()
    process.join(PATIENCE)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def letters(file: Path) -> int:
    """How many a database has that is whole."""
    with closing(sqlite3.connect(file)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
        return int(conn.execute("SELECT count(*) FROM letter").fetchone()[0])


def is_held(file: Path) -> bool:
    """Whether it is the backup, as a daemon may see it."""
    engine = database.connect(f"sqlite:///{file}")
    with exclusive_transaction(engine) as conn:
        held = bool(notes.memo(conn, notes.RESTORED))
    engine.dispose()
    return held


@pytest.fixture
def crashed(at: Installation) -> dict[str, bytes]:
    """The files of a database whose program was killed: a letter is in its log alone."""
    at.send("A", "SPECIAL AGR")
    with closing(sqlite3.connect(at.folder / "pbem.db")) as conn:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    at.send("B", "SPECIAL ENV")
    files = {
        tail: path.read_bytes() for tail in TAILS if (path := at.folder / f"pbem.db{tail}").exists()
    }
    assert len(files["-wal"]) > 10_000
    at.daemon.close()
    return files


def put(folder: Path, files: dict[str, bytes]) -> None:
    """Only these files of a database are there."""
    for path in folder.glob("*pbem.db*"):
        path.unlink()
    for tail, data in files.items():
        (folder / f"pbem.db{tail}").write_bytes(data)


@pytest.mark.parametrize("spoiled", [False, True])
def test_killed_at_any_step_one_of_both_is_there_whole(
    at: Installation, crashed: dict[str, bytes], spoiled: bool
) -> None:
    file, kept = at.folder / "pbem.db", at.folder / "kept"
    shell = Shell(at, at.folder / "config.toml")
    put(at.folder, crashed)
    shell("backup", str(kept))
    with closing(sqlite3.connect(kept)) as conn:
        conn.execute("DELETE FROM order_set")
        conn.execute("DELETE FROM letter")
        conn.commit()
    if spoiled:
        crashed[""] = b"spoiled" + crashed[""][7:]  # with the log it would still open
    came, nth = set[bool](), 0
    while True:
        nth += 1
        put(at.folder, crashed)
        if not killed_restore(shell, kept, nth):
            break
        if file.read_bytes()[:7] == b"spoiled":
            assert spoiled
            came.add(False)
        else:
            came.add(is_held(file))
            assert letters(file) == (0 if is_held(file) else 2)
        shell("restore", "--from", str(kept))
        assert is_held(file) and letters(file) == 0
        asides = [*at.folder.glob("pbem.db.before-*[0-9]")]
        if spoiled:
            logs = [path.read_bytes() for path in at.folder.glob("pbem.db.before-*-wal")]
            assert logs == [crashed["-wal"]]
            assert crashed[""] in [path.read_bytes() for path in asides]
        else:
            assert 2 in {letters(path) for path in asides}
        assert not [*at.folder.glob(".*")], "no part is left behind"
    assert nth > 5 and came == {False, True}


def test_who_has_it_open_is_waited_for_by_a_person(at: Installation) -> None:
    """What he commits later would be lost."""
    shell, kept = Shell(at, at.folder / "config.toml"), at.folder / "kept"
    shell("backup", str(kept))
    with exclusive_transaction(at.daemon.engine) as conn:
        notes.set_memo(conn, "one", {"n": 1})
    before = sorted(path.name for path in at.folder.iterdir())
    said = shell.fails("restore", "--from", str(kept), code=3)
    assert "database is locked" in said and "Stop the service" in said
    assert sorted(path.name for path in at.folder.iterdir()) == before
    with exclusive_transaction(at.daemon.engine) as conn:
        assert notes.memo(conn, "one") == {"n": 1}
