"""Opening the database: SQLite (WAL, synchronous=FULL, BEGIN IMMEDIATE) or PostgreSQL, and its
migrations."""

from __future__ import annotations

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
from pbem.store.schema.tables import Record
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
"""The errors of a DBAPI that are the database's own, not a statement's; the last by itself: the
file is malformed."""
_ITS_CODES = ("25006", "25P03", "25P04", "3F000", "42501", "XX")
"""And those by PostgreSQL's code, which have the class of a statement's."""
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


LOCK_WAIT = 10  # seconds: as long as one writer waits for another, and no signal is heard meanwhile
# seconds for which a transaction may do nothing: its program is frozen, and everybody waits for it
_IDLE = 40
_ALIVE = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""So that a PostgreSQL server that has gone without a word is noticed."""


def connect(url: str) -> Engine:
    """Return the engine of a database URL; SQLite is set up for durability and one writer at a
    time."""
    try:
        # Errors are logged and mailed: the values of a statement are nobody's to read there.
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
    if sqlite:
        _private(engine.url.database or "")
    event.listen(engine, "connect", _sqlite if sqlite else _postgresql)
    if sqlite:
        event.listen(engine, "connect", lambda _raw, record: record.info.update(file=_file(engine)))
    return engine


def _private(name: str) -> None:
    """A new database is nobody else's to read: it holds letters, and the key of all secret
    addresses."""
    if name and not name.startswith((":", "file:")):
        with suppress(OSError):  # what is wrong with the place is told when it is opened
            os.close(os.open(name, os.O_CREAT | os.O_EXCL, 0o600))


def _file(engine: Engine) -> tuple[int, int] | None:
    """Return which file it is that bears the name of an SQLite database; None if none does."""
    try:
        found = os.stat(engine.url.database or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _same_file(connection: Connection) -> None:
    """Raise DatabaseError if the file that is open was moved or deleted: what is written to it
    would be lost."""
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
    # After a lock that was waited for, each statement sees what its last holder committed.
    connection.execute(
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;"
        f" SET lock_timeout = '{LOCK_WAIT}s'; SET idle_in_transaction_session_timeout = '{_IDLE}s';"
        " SET application_name = 'pbem'"
    )
    connection.commit()


@contextmanager
def exclusive_transaction(at: Engine | locks.Writer) -> Iterator[Connection]:
    """Open a transaction during which nobody else writes. It has its own connection, or that of
    :func:`connected`. Errors of the database become DatabaseError."""
    with _writing(at) as connection:
        locks.all_games(connection)
        yield connection


@contextmanager
def shared_transaction(at: Engine | locks.Writer, *games: str) -> Iterator[Connection]:
    """Open a transaction that on PostgreSQL runs beside those of other ``games``. It may change
    rows of these games, and rows of no game that are guarded by a row of their own."""
    with _writing(at) as connection:
        locks.some_games(connection, games)
        yield connection


@contextmanager
def connected(engine: Engine) -> Iterator[locks.Writer]:
    """Hold one connection for several consecutive transactions. Taking it from the pool and
    returning it costs more than some of them."""
    with _telling(engine), closing(locks.Writer(engine)) as writer:
        yield writer


@contextmanager
def _writing(at: Engine | locks.Writer) -> Iterator[locks.Writer]:
    if isinstance(at, Engine):
        with connected(at) as writer, _writing(writer):
            yield writer
        return
    # the first statement not by an event: those cost every statement
    with _telling(at.engine), at.begin():
        _same_file(at)
        yield at


@contextmanager
def migration(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that rebuilds tables. SQLite checks references only at its end: otherwise
    a referenced table could not be dropped while rows refer to it."""
    if engine.dialect.name != "sqlite":
        with exclusive_transaction(engine) as connection:
            yield connection
        return
    with _telling(engine), engine.connect() as connection:
        # without effect within a transaction, so it comes before
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
    """A look at the tables as they were committed last; it waits for no writer, and none waits for
    it."""
    with _telling(engine), engine.connect() as connection:
        connection.exec_driver_sql(_LOOK[engine.dialect.name])
        yield connection


@contextmanager
def taken_back(connection: Connection) -> Iterator[None]:
    """A trial within a transaction: what it writes is taken back at its end, however it ends."""
    within = connection.begin_nested()
    try:
        yield
    finally:
        within.rollback()


@contextmanager
def _telling(engine: Engine) -> Iterator[None]:
    """What the database itself refuses, as one line that says what to do."""
    try:
        yield
    except DBAPIError as error:
        if not _its_own(error):
            raise
        said = sentence(" ".join(str(error.orig).split()))
        raise DatabaseError(f"database: {said} {_mend(engine, error.orig)}") from error


def _its_own(error: DBAPIError) -> bool:
    """Return whether it is the database's trouble, and not ours with a statement."""
    code = getattr(error.orig, "sqlstate", None) or ""
    return (
        error.connection_invalidated
        or type(error).__name__ in _ITS_OWN
        or code.startswith(_ITS_CODES)
    )


def _mend(engine: Engine, error: Any) -> str:
    """Return what to do about it: by SQLite's name of the error, or PostgreSQL's code."""
    code = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""
    advice = next(words for start, words in _MENDS.items() if code.startswith(start))
    return advice.format(wait=LOCK_WAIT, who=_writer(engine), file=engine.url.database)


def _writer(engine: Engine) -> str:
    """Return who writes, as far as PostgreSQL tells."""
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
    """Upgrade the tables to the newest form; a new database gets all. Return the former form (None:
    no tables) and the new one."""
    with migration(engine) as connection:
        _, fault = _revisions(connection)
        if fault:
            raise OperatorError(fault)
        before = MigrationContext.configure(connection).get_current_revision()
        command.upgrade(_config(connection), "head")
        return before, MigrationContext.configure(connection).get_current_revision()


def upgrade_restored(connection: Connection, name: str) -> None:
    """Upgrade the tables that came back from the backup ``name`` in this transaction. Raise
    OperatorError if that was no backup of ours, or a newer program's."""
    if MigrationContext.configure(connection).get_current_revision() is None:
        raise OperatorError(f"{name} is no backup of ours: it has no tables that we know")
    _, fault = _revisions(connection)
    if fault:
        raise OperatorError(fault)
    command.upgrade(_config(connection), "head")


def downgrade(engine: Engine, revision: str) -> None:
    """Bring the tables back to an older form, for a program that is put back."""
    with migration(engine) as connection:
        command.downgrade(_config(connection), revision)


def pending(engine: Engine) -> str:
    """Return what is wrong with the tables' form: "" if they are the newest, else one line that
    says so."""
    with shared_transaction(engine) as connection:
        outdated, fault = _revisions(connection)
    return fault or outdated


def revision(engine: Engine) -> str | None:
    """Return the form that the tables have; None if there are none of ours."""
    with shared_transaction(engine) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _revisions(connection: Connection) -> tuple[str, str]:
    """Return what is wrong with the tables' form that an upgrade mends, and what it does not: ""
    each where nothing is."""
    here = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(_config(connection))
    head, known = scripts.get_current_head(), {one.revision for one in scripts.walk_revisions()}
    if here == head:
        return "", ""
    if here is not None and here not in known:
        return "", (
            f"the database is at revision {here}, which this program ({head}) does not know: run"
            " the newer program that made it"
        )
    at = "is empty" if here is None else f"is at revision {here}"
    wanted = f"the database {at}, this program needs {head}"
    return f"{wanted}: run `pbem db upgrade`", ""


def drift(engine: Engine) -> list[Any]:
    """Differences between the migrated tables and the records (alembic check); [] is clean."""
    with exclusive_transaction(engine) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Record.metadata))
