"""Opening the database: SQLite (WAL, synchronous=FULL, BEGIN IMMEDIATE) or PostgreSQL, and its migrations."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pbem import resources
from pbem.budget import paused
from pbem.errors import DatabaseError, OperatorError
from pbem.records import Record

WRITER = 0x7062656D  # the advisory lock of whoever writes: "pbem" in ASCII
_ALONE = {"sqlite": "BEGIN IMMEDIATE", "postgresql": f"SELECT pg_advisory_xact_lock({WRITER})"}
"""One writer at a time, so that no two daemons number one journal or decide one game at once."""


def connect(url: str) -> Engine:
    """The engine of a database URL; SQLite is set up for durability and one writer at a time."""
    try:
        # Errors are logged and mailed: the values of a statement are nobody's to read there.
        engine = create_engine(url, pool_pre_ping=not url.startswith("sqlite"), hide_parameters=True)
    except (SQLAlchemyError, ImportError) as error:
        raise OperatorError(f"database url {url!r}: {error}") from error
    if engine.dialect.name == "sqlite":
        _private(engine.url.database or "")
        event.listen(engine, "connect", _sqlite)
    return engine


def _private(name: str) -> None:
    """A new database is nobody else's to read: it holds letters, and the key of all secret addresses."""
    if name and not name.startswith((":", "file:")):
        with suppress(OSError):  # what is wrong with the place is told when it is opened
            os.close(os.open(name, os.O_CREAT | os.O_EXCL, 0o600))


def _sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=20000"):
        connection.execute(f"PRAGMA {pragma}")


class _Connection(Connection):
    """Its statements are on nobody's budget of processor time: they are neither counted nor interrupted."""

    def execute(self, *given: Any, **more: Any) -> Any:
        with paused:
            return super().execute(*given, **more)

    def exec_driver_sql(self, *given: Any, **more: Any) -> Any:
        with paused:
            return super().exec_driver_sql(*given, **more)


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """One transaction; whatever the database itself refuses becomes a DatabaseError."""
    try:
        with _Connection(engine) as connection, connection.begin():
            connection.exec_driver_sql(_ALONE[engine.dialect.name])  # not by an event: those cost every statement
            yield connection
    except DBAPIError as error:
        if error.connection_invalidated or type(error).__name__ in ("OperationalError", "InterfaceError"):
            raise DatabaseError(f"database: {error.orig}") from error
        raise


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.path("migrations")))
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine) -> None:
    """Bring the tables to the newest form; a new database gets them all."""
    with transaction(engine) as connection:
        command.upgrade(_config(connection), "head")


def pending(engine: Engine) -> str:
    """What is wrong with the tables' form: "" where they are the newest, else one line that says so."""
    with transaction(engine) as connection:
        here = MigrationContext.configure(connection).get_current_revision()
        head = ScriptDirectory.from_config(_config(connection)).get_current_head()
    return (
        "" if here == head else f"the database is at revision {here}, this program needs {head}: run `pbem db upgrade`"
    )


def drift(engine: Engine) -> list[Any]:
    """Differences between the migrated tables and the records (alembic check); [] is clean."""
    with transaction(engine) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Record.metadata))
