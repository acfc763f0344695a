"""Opens SQLite (WAL, synchronous=FULL) or PostgreSQL, and migrates."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pbem.errors import DatabaseError, OperatorError
from pbem.house import resources
from pbem.store.engine import locks
from pbem.store.schema.tables import Game
from pbem.text import sentence

_LOOK = {
    "sqlite": "BEGIN",
    "postgresql": (
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL lock_timeout = '2s'"
    ),
}
_WRITER = f"""SELECT pid, application_name, usename, state
FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND classid = 0 AND objid = {locks.INSTALLATION} AND granted
ORDER BY xact_start LIMIT 1"""
_ITS_OWN = ("OperationalError", "InterfaceError", "DatabaseError")
"""DBAPI errors that mean the database is in trouble, not that the statement is wrong. A bare
DatabaseError means a malformed file."""
_ITS_CODES = ("25006", "25P03", "25P04", "3F000", "42501", "XX")
"""PostgreSQL codes that mean the same."""
_BUSY = (
    "Another program has been writing for more than {wait} s ({who}). Wait for it or end it, then"
    " try again."
)
_DISK = "Its disk is full or broken: make room (`df`), or mend it."
_BROKEN = "The file is not whole: put a backup in its place, then `pbem restore`."
_RIGHTS = (
    "Give our role the rights on the tables: it must own them, and have USAGE and CREATE on their"
    " schema."
)
_MENDS = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "55P03": _BUSY,
    "SQLITE_FULL": _DISK,
    "SQLITE_IOERR": _DISK,
    "53100": _DISK,
    "53": "It is out of memory or of connections: its log says of which.",
    "40": "Two of us waited for each other, or both wrote the same: the next pass does it again.",
    "SQLITE_CORRUPT": _BROKEN,
    "SQLITE_NOTADB": _BROKEN,
    "25006": (
        "The server takes nothing (read-only: a standby, or default_transaction_read_only): name"
        " the one that does in [referee] database, or set that off."
    ),
    "42501": _RIGHTS,
    "3F000": _RIGHTS,
    "XX": "The server is in trouble itself, or its files are not whole: its log says more.",
    "25P0": "We did nothing for too long: is the machine overloaded?",
    "SQLITE": "Look at {file}: let us read and write it, and its folder.",
    "": "Is the server up, and does [referee] database name it?",
}

OLDEST = "0018"
"""The revision of 1.0.0: what is older goes through that program."""
LOCK_WAIT = 10  # seconds a writer waits for another; signals wait too
# seconds a transaction may be idle: a frozen program would block everybody
_IDLE = 40
_ALIVE = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""Notices a PostgreSQL server that vanished."""


def connect(url: str) -> Engine:
    """Return a URL's engine. SQLite has one writer at a time."""
    try:
        # Errors are logged and mailed: they must not show values.
        place, sqlite = make_url(url), url.startswith("sqlite")
        alive = (
            {}
            if sqlite
            else {name: value for name, value in _ALIVE.items() if name not in place.query}
        )
        engine = create_engine(
            place, pool_pre_ping=not sqlite, hide_parameters=True, connect_args=alive
        )
    except (SQLAlchemyError, ImportError, ValueError) as error:  # the last of a port
        raise OperatorError(f"database url {url!r}: {error}") from error
    event.listen(engine, "connect", _sqlite if sqlite else _postgresql)
    if sqlite:
        name = engine.url.database or ""
        if name and not name.startswith((":", "file:")):
            with suppress(OSError):  # opening it will report the error
                os.close(os.open(name, os.O_CREAT | os.O_EXCL, 0o600))
        event.listen(engine, "connect", lambda _raw, record: record.info.update(file=_file(engine)))
    return engine


def _file(engine: Engine) -> tuple[int, int] | None:
    try:
        found = os.stat(engine.url.database or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _same_file(connection: Connection) -> None:
    if (opened := connection.info.get("file")) and opened != _file(connection.engine):
        name = connection.engine.url.database
        raise DatabaseError(
            f"database: {name} is not the file any more that was opened. Stop the service, put that"
            " file (or a backup, then `pbem restore`) in its place, and start it again."
        )


def _sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={LOCK_WAIT * 1000}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _postgresql(connection: Any, _record: object) -> None:
    # After waiting for a lock, each statement must see what its last holder committed.
    connection.execute(
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;"
        f" SET lock_timeout = '{LOCK_WAIT}s'; SET idle_in_transaction_session_timeout = '{_IDLE}s';"
        " SET application_name = 'pbem'"
    )
    connection.commit()


@contextmanager
def exclusive_transaction(at: Engine | locks.Writer) -> Iterator[Connection]:
    """Open a transaction without other writers. Raise DatabaseError."""
    with _writing(at) as connection:
        locks.all_games(connection)
        yield connection


@contextmanager
def shared_transaction(at: Engine | locks.Writer, *games: str) -> Iterator[Connection]:
    """Open a transaction beside those of other games (PostgreSQL). It may change rows of ``games``,
    and others with locks of their own."""
    with _writing(at) as connection:
        locks.some_games(connection, games)
        yield connection


@contextmanager
def connected(engine: Engine) -> Iterator[locks.Writer]:
    """Hold one connection: the pool is slow."""
    with _telling(engine), closing(locks.Writer(engine)) as writer:
        yield writer


@contextmanager
def _writing(target: Engine | locks.Writer) -> Iterator[locks.Writer]:
    if isinstance(target, Engine):
        with connected(target) as writer, _writing(writer):
            yield writer
        return
    # no event for the first statement: it would cost every statement
    with _telling(target.engine), target.begin():
        _same_file(target)
        yield target


@contextmanager
def migration(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that rebuilds tables. SQLite checks references at its end."""
    if engine.dialect.name != "sqlite":
        with exclusive_transaction(engine) as connection:
            yield connection
        return
    with _telling(engine), engine.connect() as connection:
        # no effect within a transaction
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.rollback()
        try:
            with connection.begin():
                _same_file(connection)
                locks.all_games(connection)
                yield connection
                if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all():
                    raise DatabaseError(f"database: rows refer to others that are gone: {broken}")
        finally:
            connection.exec_driver_sql("PRAGMA foreign_keys=ON")
            connection.rollback()


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a view that makes no writer wait."""
    with _telling(engine), engine.connect() as connection:
        connection.exec_driver_sql(_LOOK[engine.dialect.name])
        yield connection


@contextmanager
def taken_back(connection: Connection) -> Iterator[None]:
    """Roll back at the end."""
    within = connection.begin_nested()
    try:
        yield
    finally:
        within.rollback()


@contextmanager
def _telling(engine: Engine) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        code = getattr(error.orig, "sqlstate", None) or ""
        ours = type(error).__name__ not in _ITS_OWN and not code.startswith(_ITS_CODES)
        if ours and not error.connection_invalidated:
            raise
        said = sentence(" ".join(str(error.orig).split()))
        raise DatabaseError(f"database: {said} {_mend(engine, error.orig)}") from error


def _mend(engine: Engine, error: Any) -> str:
    code = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""
    advice = next(words for start, words in _MENDS.items() if code.startswith(start))
    return advice.format(wait=LOCK_WAIT, who=_writer(engine), file=engine.url.database)


def _writer(engine: Engine) -> str:
    if engine.dialect.name != "postgresql":
        return f"`fuser {engine.url.database}` names those who have it open"
    with suppress(SQLAlchemyError), engine.connect() as connection:
        if found := connection.exec_driver_sql(_WRITER).first():
            return (
                f"process {found.pid} of the database server, {found.application_name!r} of"
                f" {found.usename}, {found.state}"
            )
    return "pg_stat_activity names it"


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.path("migrations")))
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine) -> tuple[str | None, str | None]:
    """Upgrade the tables. Return the former revision (None: no tables) and the new one."""
    with migration(engine) as connection:
        before = MigrationContext.configure(connection).get_current_revision()
        _to_head(connection)
        return before, MigrationContext.configure(connection).get_current_revision()


def _to_head(connection: Connection) -> None:
    _, fault = _revisions(connection)
    if fault:
        raise OperatorError(fault)
    command.upgrade(_config(connection), "head")


def upgrade_restored(connection: Connection, name: str) -> None:
    """Upgrade restored tables. Raise OperatorError if the backup ``name`` is not ours, or
    too new."""
    if MigrationContext.configure(connection).get_current_revision() is None:
        raise OperatorError(f"{name} is no backup of ours: it has no tables that we know")
    _to_head(connection)


def pending(engine: Engine) -> str | None:
    """Return what is wrong with the revision, or None."""
    with reading(engine) as connection:
        outdated, fault = _revisions(connection)
    return fault or outdated


def revision(engine: Engine) -> str | None:
    with shared_transaction(engine) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _revisions(connection: Connection) -> tuple[str | None, str | None]:
    here = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(_config(connection))
    head, known = scripts.get_current_head(), {one.revision for one in scripts.walk_revisions()}
    if here == head:
        return None, None
    if here is not None and here not in known:
        older = "`pbem db upgrade` of pbem 1.0.0 first"
        return None, (
            f"the database is at revision {here}, which this program ({head}) does not know: run"
            f" {older if here < OLDEST else 'the newer program that made it'}"
        )
    at = "is empty" if here is None else f"is at revision {here}"
    wanted = f"the database {at}, this program needs {head}"
    return f"{wanted}: run `pbem db upgrade`", None


def drift(engine: Engine) -> list[Any]:
    """Return differences between tables and records."""
    with exclusive_transaction(engine) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Game.metadata))
