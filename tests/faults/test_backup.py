"""`pbem backup` and its way back, tested together: on SQLite, and on PostgreSQL with real mail
servers."""

import sqlite3
import stat
import subprocess
import threading
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url, select

from pbem.periods import replay
from pbem.store.engine import backup, database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import periods
from pbem.store.journal import notes
from pbem.store.schema.tables import Letter
from tests.installation import SEATS, SLATE, Installation, address
from tests.mail.test_upgrade import landed
from tests.needs import ROOT
from tests.real import EVERYWHERE
from tests.shell import Shell

FAKE_DUMP = """#!/bin/sh
echo "$@" > "{folder}/arguments"
echo "$PGPASSWORD" > "{folder}/secret"
printf dump
"""


def lose(at: Installation) -> None:
    """The database is gone: the file is spoiled, with its log; the database of a server is new."""
    at.daemon.close()
    if at.file:
        at.file.write_bytes(b"spoiled")
        at.file.with_name("pbem.db-wal").write_bytes(b"a log of other pages")
        return
    place = make_url(at.url)
    with psycopg.connect(
        f"host={place.host} port={place.port} user={place.username} dbname=postgres",
        autocommit=True,
    ) as connection:
        connection.execute(f'DROP DATABASE "{place.database}"')
        connection.execute(f'CREATE DATABASE "{place.database}"')


def ids(at: Installation, seat: str) -> Counter[str]:
    """How often each mail lies in a player's mailbox, whatever the database knows of it."""
    found = at.office.messages(address(seat))
    return Counter(str(message_from_bytes(raw)["Message-ID"]) for raw in found)


@EVERYWHERE
def test_nothing_is_lost_or_doubled_on_the_whole_way_back(at: Installation) -> None:
    """Play, backup, play on, lose the database, put it back, look, accept, go on."""
    shell, kept = Shell(at, at.folder / "config.toml"), at.folder / "kept"
    at.clock = datetime.now(UTC)
    later = at.clock + timedelta(days=3)
    with exclusive_transaction(at.daemon.engine) as conn:
        periods.set_period(conn, "g", 1, base=later, due=later)
    at.send("A", f"PERIOD 1\nPROPOSE {SLATE}")
    assert "bytes" in shell("backup", str(kept))
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    at.write("A", "PERIOD 1\nSPECIAL AGR")
    at.write("B", "PERIOD 1\nSPECIAL ENV")
    at.send("C", "SPECIAL SEC")
    standing = {seat: at.standing(seat) for seat in SEATS}
    for seat in SEATS:
        at.mails(seat)  # waits until all have arrived
    mailed = {seat: len(ids(at, seat)) for seat in SEATS}
    lose(at)
    said = " ".join(shell("restore", "--from", str(kept)).split())
    assert f"{kept} is in the database's place" in said and "pbem accept --game GAME" in said
    at.daemon = at.new_daemon()
    at.once()
    assert {seat: len(ids(at, seat)) for seat in SEATS} == mailed, "nothing goes out yet"
    queue = " ".join(shell("queue").split())
    assert "no mail goes out since the restore" in queue and "accept --game g" in queue
    assert "takes letters 2 and 3 of g.\nStill held: 4" in shell("accept", "--game", "g")
    tomorrow = (at.clock + timedelta(days=1)).strftime("%Y-%m-%d %H:%M")
    shell("accept", "--game", "g", "--before", tomorrow)
    at.once()
    assert {seat: at.standing(seat) for seat in SEATS} == standing
    shell("restore", "--release-outbox")
    shell("resume", "--all")
    at.once()
    at.once()
    with exclusive_transaction(at.daemon.engine) as conn:
        taken = Counter(conn.execute(select(Letter.raw_hash)).scalars())
        assert replay.replay(conn, "g").faults == []
    assert set(taken.values()) == {1} and len(taken) == 4
    assert [outcome for outcome, _ in at.outcomes()] == ["orders"] * 4
    assert {state for _, state in at.outbox()} == {"sent"}
    for seat in SEATS:
        at.mails(seat)
        assert set(ids(at, seat).values()) == {1} and len(ids(at, seat)) > mailed[seat]
    assert at.to_deadline().closed == 1
    with exclusive_transaction(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []


@EVERYWHERE
def test_what_is_put_back_never_overwrites(at: Installation) -> None:
    shell, kept = Shell(at, at.folder / "config.toml"), at.folder / "kept"
    shell("backup", str(kept))
    before = kept.read_bytes()
    assert "overwrites nothing: name another" in shell.fails("backup", str(kept))
    assert kept.read_bytes() == before
    at.send("A", "SPECIAL AGR")
    if not at.file:
        assert "is not empty, and nothing is overwritten" in shell.fails(
            "restore", "--from", str(kept)
        )
        assert at.standing("A") == ["SPECIAL AGR"]
        return
    at.daemon.close()
    said = " ".join(shell("restore", "--from", str(kept)).split())
    (aside,) = at.folder.glob("pbem.db.before-*[0-9]")
    assert f"what was there is kept as {aside}" in said
    with closing(sqlite3.connect(aside)) as former, closing(sqlite3.connect(at.file)) as now:
        count = "SELECT count(*) FROM letter"
        assert [one.execute(count).fetchone() for one in (former, now)] == [(1,), (0,)]
    at.daemon = at.new_daemon()


def test_an_older_backup_is_brought_to_the_newest_form(at: Installation) -> None:
    shell, kept = Shell(at, at.folder / "config.toml"), at.folder / "kept"
    landed(f"sqlite:///{kept}")
    at.daemon.close()
    shell("restore", "--from", str(kept))
    assert "as they should be" in shell("db", "check")
    at.daemon, at.game = at.new_daemon(), "autumn"
    assert at.table().row.status == "held"


def test_what_is_no_backup_changes_nothing(at: Installation) -> None:
    shell = Shell(at, at.folder / "config.toml")
    assert at.file
    shell("backup", str(at.folder / "kept"))
    half = (at.folder / "kept").read_bytes()[:100_000]
    empty = sqlite3.connect(at.folder / "empty")
    empty.execute("CREATE TABLE other (n)")
    empty.close()
    (at.folder / "half").write_bytes(half)
    (at.folder / "text").write_text("[referee]\n")
    before = sorted(path.name for path in at.folder.iterdir())
    assert "nothing was changed" in shell.fails(
        "restore", "--from", str(at.folder / "half"), code=3
    )
    assert "not a database" in shell.fails("restore", "--from", str(at.folder / "text"), code=3)
    assert "no backup of ours" in shell.fails("restore", "--from", str(at.folder / "empty"))
    assert "is no file" in shell.fails("restore", "--from", str(at.folder / "nothing"))
    shell.fails("restore", "--from", str(at.folder / "kept"), "--release-outbox", code=2)
    assert sorted(path.name for path in at.folder.iterdir()) == before
    assert at.table().row.status == "running"


def test_a_backup_that_cannot_be_written_says_what_to_do(at: Installation) -> None:
    shell = Shell(at, at.folder / "config.toml")
    assert "is no folder: make it" in shell.fails("backup", str(at.folder / "none" / "kept"))
    assert "Permission denied" in shell.fails("backup", "/sys/kept") or not ROOT
    good = shell.file.read_text()
    shell.write(good.replace("pbem.db", "other.db"))
    assert "there is no database" in shell.fails("backup", str(at.folder / "kept"))
    assert not (at.folder / "other.db").exists(), "and none is made"
    shell.write(good)


@pytest.mark.skipif(not ROOT, reason="mounts a small disk")
def test_a_full_disk_leaves_no_half_of_a_backup(at: Installation) -> None:
    shell, small = Shell(at, at.folder / "config.toml"), at.folder / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(small)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        pytest.skip(f"no small disk can be mounted: {mounted.stderr.decode()}")
    try:
        said = shell.fails("backup", str(small / "kept"), code=3)
        assert f"{small / 'kept'}: there is no room for it: make some" in said
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


def pairs(engine: database.Engine) -> tuple[object, object]:
    with exclusive_transaction(engine) as conn:
        return notes.memo(conn, "one").get("n"), notes.memo(conn, "two").get("n")


def test_a_backup_is_of_one_moment_while_others_write(at: Installation) -> None:
    """Two rows that are always changed together are the same in every backup."""
    stop, writes = threading.Event(), 0

    def write() -> None:
        nonlocal writes
        engine = database.connect(at.url)
        while not stop.is_set():
            writes += 1
            with exclusive_transaction(engine) as conn:
                for key in ("one", "two"):
                    notes.set_memo(conn, key, {"n": writes, "text": "x" * 20_000})
        engine.dispose()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(8):
            backup.back_up(at.url, at.folder / f"kept{number}")
    finally:
        stop.set()
        writer.join()
    assert writes > 8
    for number in range(8):
        engine = database.connect(f"sqlite:///{at.folder}/kept{number}")
        one, two = pairs(engine)
        assert one == two
        engine.dispose()


def test_the_password_is_no_argument_of_pg_dump(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody on the machine can read those."""
    fake = tmp_path / "pg_dump"
    fake.write_text(FAKE_DUMP.format(folder=tmp_path))
    fake.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")  # ours before the machine's
    url = "postgresql+psycopg://pbem:hunter22@db.example:5433/games?sslmode=require"
    monkeypatch.setattr(backup, "_ours", database.connect)
    assert backup.back_up(url, tmp_path / "kept") == 4
    said = (tmp_path / "arguments").read_text()
    assert "hunter22" not in said and "host=db.example" in said and "sslmode=require" in said
    assert (tmp_path / "secret").read_text() == "hunter22\n"
    fake.unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(database.OperatorError, match=r"pg_dump is not installed: apt-get install"):
        backup.back_up(url, tmp_path / "other")
    assert not (tmp_path / "other").exists()
