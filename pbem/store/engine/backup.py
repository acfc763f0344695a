"""Backs up the database while others write, and puts it back.

Nothing is overwritten: an SQLite file is set aside, a PostgreSQL database must be empty. The caller
holds the games in the transaction of :func:`put_back`.
"""

import errno
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, Connection, Engine, inspect, make_url

from pbem.errors import DatabaseError, OperatorError, OutsideError
from pbem.store.engine import database
from pbem.store.journal import notes

_MAGIC = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-journal")
_PACKAGE = "apt-get install postgresql-client, of the server's version or newer"


@dataclass(frozen=True, slots=True)
class PutBack:
    """A database being put back."""

    conn: Connection
    """The caller holds the games in it."""
    aside: Path | None
    there: bool = False
    """Whether an earlier try succeeded."""


def back_up(url: str, file: Path) -> int:
    """Write a new private file. Return its bytes. Raise OperatorError if it cannot be made,
    OutsideError if there is no room."""
    if file.exists():
        raise OperatorError(
            f"{file} is there already, and a backup overwrites nothing: name another"
        )
    if not file.parent.is_dir():
        raise OperatorError(f"{file.parent} is no folder: make it, or mount it, and try again")
    engine = _ours(url)
    try:
        with _part(file) as part:
            if engine.dialect.name == "sqlite":
                _copy(engine, part, file)
            else:
                with part.open("wb") as out:
                    _run(["pg_dump", "--format=custom"], engine, out=out)
            size = part.stat().st_size
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise _no_room(file) from error
        raise OperatorError(f"{file}: {error.strerror}; nothing was written") from error
    finally:
        engine.dispose()
    return size


@contextmanager
def put_back(url: str, file: Path) -> Iterator[PutBack]:
    """Put a backup, upgraded, in place once the caller's transaction succeeds."""
    if not file.is_file():
        raise OperatorError(f"{file} is no file")
    place = make_url(url)
    way = _sqlite_back(place, file) if url.startswith("sqlite") else _postgresql_back(url, file)
    with way as found:
        yield found


def _ours(url: str) -> Engine:
    name = make_url(url).database or ""
    if url.startswith("sqlite") and not Path(name).exists():
        raise OperatorError(f"there is no database {name}; see [referee] database")
    engine = database.connect(url)
    if database.revision(engine) is None:
        engine.dispose()
        raise OperatorError(f"database {name} has no tables of ours; see [referee] database")
    return engine


@contextmanager
def _part(file: Path) -> Iterator[Path]:
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)  # mode 0600
    os.close(handle)
    part = Path(name)
    try:
        yield part
        _synced(part)
        if file.exists():
            raise OperatorError(f"{file} has come to be there meanwhile: name another")
        part.rename(file)
        _synced(file.parent)
    finally:
        part.unlink(missing_ok=True)


def _synced(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _no_room(file: Path) -> OutsideError:
    return OutsideError(f"{file}: there is no room for it: make some (`df {file.parent}`)")


# --- SQLite ---------------------------------------------------------------------------------------


def _copy(engine: Engine, part: Path, file: Path) -> None:
    with engine.connect() as connection:
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        _copied(source, part, file, "the database")


def _copied(source: sqlite3.Connection, part: Path, file: Path, what: str) -> None:
    try:
        with closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_FULL", "SQLITE_IOERR")):
            raise _no_room(file) from error
        raise DatabaseError(f"{what}: {error}; nothing was changed") from error
    if verdict != "ok":
        raise DatabaseError(f"{what} is not whole ({verdict}): an earlier backup may be")


@contextmanager
def _sqlite_back(place: URL, file: Path) -> Iterator[PutBack]:
    """Put a file in place. If killed, one complete database is there."""
    name = Path(place.database or "")
    start = f".{name.name}.restore-"
    for part_of_another in name.parent.glob(f"{start}*"):
        part_of_another.unlink(missing_ok=True)
    handle, made = tempfile.mkstemp(prefix=start, dir=name.parent)
    os.close(handle)
    part = Path(made)
    engine = database.connect(f"sqlite:///{part}")
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source:
            _copied(source, part, name, str(file))
        with database.migration(engine) as conn:
            database.upgrade_restored(conn, str(file))
        aside = _aside(name)
        with database.exclusive_transaction(engine) as conn:
            yield PutBack(conn, aside if name.exists() else None)
        engine.dispose()
        _by_itself(part)
        _set_aside(name, aside)
        part.replace(name)
        _synced(name.parent)
    finally:
        engine.dispose()
        for tail in ("", *_BESIDE):
            part.with_name(part.name + tail).unlink(missing_ok=True)


def _by_itself(file: Path) -> None:
    with file.open("rb") as begins:
        if begins.read(len(_MAGIC)) != _MAGIC:
            return
    try:
        with closing(sqlite3.connect(file)) as connection:
            (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite3.OperationalError as error:
        raise _in_use(file, str(error)) from error
    except sqlite3.DatabaseError:
        return
    if mode != "delete":
        raise _in_use(file, "its log stays")
    _synced(file)


def _in_use(file: Path, why: str) -> DatabaseError:
    return DatabaseError(
        f"{file}: {why}; nothing was changed. Stop the service and whatever else has it open"
        f" (`fuser {file}` names it), or move it away yourself, and try again"
    )


def _set_aside(name: Path, aside: Path) -> None:
    """Link the former file to a second name, and remove its log: SQLite would replay it."""
    if name.exists():
        _by_itself(name)
        try:
            os.link(name, aside, follow_symlinks=False)
        except OSError as error:
            raise DatabaseError(
                f"{name} cannot be kept as {aside.name}: {error.strerror}; nothing was changed."
                " Move it away yourself, and try again"
            ) from error
    for tail in _BESIDE:
        with suppress(FileNotFoundError):
            name.with_name(name.name + tail).rename(aside.with_name(aside.name + tail))
    _synced(name.parent)


def _aside(name: Path) -> Path:
    now = datetime.now(UTC)
    while True:
        aside = name.with_name(f"{name.name}.before-{now:%Y%m%d-%H%M%S}")
        if not any(aside.with_name(aside.name + tail).exists() for tail in ("", *_BESIDE)):
            return aside
        now += timedelta(seconds=1)


# --- PostgreSQL -----------------------------------------------------------------------------------


_PUT_BACK = "put_back"


@contextmanager
def _postgresql_back(url: str, file: Path) -> Iterator[PutBack]:
    engine = database.connect(url)
    name = engine.url.database
    with file.open("rb") as backup:
        mark = {"sha256": hashlib.file_digest(backup, "sha256").hexdigest()}
    try:
        with database.exclusive_transaction(engine) as conn:
            if tables := inspect(conn).get_table_names():
                held = "memo" in tables and notes.memo(conn, notes.RESTORED)
                if not held or notes.memo(conn, _PUT_BACK) != mark:
                    raise OperatorError(
                        f"database {name} is not empty, and nothing is overwritten: make a new one"
                        " (`createdb`), name it in [referee] database, and try again"
                    )
            else:
                conn.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
                with _script(file) as lines:
                    play(conn, lines, file.name)
                database.upgrade_restored(conn, file.name)
                notes.set_memo(conn, _PUT_BACK, mark)
            yield PutBack(conn, None, there=bool(tables))
    finally:
        engine.dispose()


@contextmanager
def _script(file: Path) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as complaints:
        words = [_installed("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(file)]
        failed: OutsideError | None = None
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=complaints) as process:
            assert process.stdout
            try:
                yield process.stdout
            except OutsideError as error:  # perhaps for the reason that the program gives
                failed = error
        if process.returncode > 0 or (process.returncode and not failed):
            complaints.seek(0)
            raise _complaint(words[0], process.returncode, complaints.read()) from failed
        if failed:
            raise failed


def _installed(program: str) -> str:
    if shutil.which(program) is None:
        raise OperatorError(f"{program} is not installed: {_PACKAGE}")
    return program


def _run(words: list[str], engine: Engine, *more: str, out: IO[bytes] | None = None) -> None:
    """Run a PostgreSQL program. The password goes by environment."""
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415  an extra

    program = _installed(words[0])
    _, options = engine.dialect.create_connect_args(engine.url)
    given = {name: str(value) for name, value in options.items() if isinstance(value, str | int)}
    password = given.pop("password", None)
    secret = {"PGPASSWORD": password} if password else {}
    command = [*words, "--no-password", f"--dbname={make_conninfo(**given)}", *more]
    done = subprocess.run(
        command, stdout=out, stderr=subprocess.PIPE, env={**os.environ, **secret}, check=False
    )
    if done.returncode:
        raise _complaint(program, done.returncode, done.stderr)


def _complaint(program: str, code: int, stderr: bytes) -> OutsideError:
    text = stderr.decode("utf-8", "replace").strip()
    lines = text.split("\n")
    said = next((line for line in lines if "error:" in line), lines[-1])
    old = "version mismatch" in text or "unsupported version" in text
    return OutsideError(
        f"{said or f'{program} ended with {code}'}{f' ({_PACKAGE})' if old else ''}"
    )


_COPY = re.compile(rb"COPY [^\n]* FROM stdin;\n")
_END = b"\\.\n"
_FOR_PSQL = (b"\\restrict ", b"\\unrestrict ")
"""Commands for `psql` only."""
_BLOCK = 1 << 18  # bytes of rows sent together


def play(conn: Connection, script: Iterable[bytes], name: str) -> None:
    """Run a script. Raise OutsideError, naming the backup, if refused; then roll back."""
    from psycopg import Error  # noqa: PLC0415  an extra

    cursor = conn.connection.cursor()
    try:
        _play(cursor, iter(script), name)
        # The script emptied the search path, and more.
        cursor.execute("RESET ALL; SET LOCAL idle_in_transaction_session_timeout = 0")
    except Error as error:
        # without its context, which shows rows
        said = error.diag.message_primary or " ".join(str(error).split())
        raise OutsideError(f"{name}: {said}; nothing was changed") from error


def _play(cursor: Any, lines: Iterator[bytes], name: str) -> None:
    statements: list[bytes] = []
    for line in lines:
        if _COPY.fullmatch(line):
            cursor.execute(b"".join(statements))
            statements = []
            with cursor.copy(line) as copy:
                for block in _rows(lines, name):
                    copy.write(block)
        elif not line.startswith(_FOR_PSQL):
            statements.append(line)
    cursor.execute(b"".join(statements))


def _rows(lines: Iterator[bytes], name: str) -> Iterator[bytes]:
    block = bytearray()
    for line in lines:
        if line == _END:
            yield bytes(block)
            return
        block += line
        if len(block) > _BLOCK:
            yield bytes(block)
            block.clear()
    raise OutsideError(f"{name}: it ends among its rows; nothing was changed")
