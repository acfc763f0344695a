"""Open the installation's database for an act."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine

from pbem.errors import OperatorError
from pbem.house import config
from pbem.house.config import Config
from pbem.post import clock
from pbem.post.postmark import postmark
from pbem.post.work import Installation, Work
from pbem.store.engine import backup, database


@contextmanager
def connected(config_file: Path, *, whole: bool = True) -> Iterator[tuple[Config, Engine]]:
    """Connect to the database. Raise OperatorError if it is to be ``whole`` and is not."""
    settings = config.load(config_file)
    engine = database.connect(settings.referee.database)
    try:
        if whole and (fault := database.pending(engine)):
            raise OperatorError(fault)
        yield settings, engine
    finally:
        engine.dispose()


@contextmanager
def working(config_file: Path, game: str | None = None, *, doubted: bool = False) -> Iterator[Work]:
    """Open one transaction. Mails leave at the daemon's next pass. game: others' transactions may
    run meanwhile. Raise OperatorError while the clock is in doubt, unless doubted."""
    with (
        connected(config_file) as (settings, engine),
        database.shared_transaction(engine, game)
        if game
        else database.exclusive_transaction(engine) as conn,
    ):
        if not doubted:
            clock.must_be_sure(conn)
        yield Work(conn, postmark(conn, settings), settings, datetime.now(UTC))


@contextmanager
def installed(config_file: Path) -> Iterator[Installation]:
    """Open the installation, for callers with their own transactions."""
    with connected(config_file) as (settings, engine):
        with database.reading(engine) as conn:
            mark = postmark(conn, settings)
        yield Installation(engine, mark, settings)


@contextmanager
def looking(config_file: Path) -> Iterator[Work]:
    """Open the last committed state for reading."""
    with installed(config_file) as installation, database.reading(installation.engine) as conn:
        yield Work(conn, installation.mark, installation.config, datetime.now(UTC))


@contextmanager
def working_on_backup(config_file: Path, file: Path) -> Iterator[tuple[Work, backup.PutBack]]:
    """Open a transaction on a backup. If it succeeds, the backup replaces the database."""
    settings = config.load(config_file)
    with backup.put_back(settings.referee.database, file) as found:
        conn = found.conn
        work = Work(conn, postmark(conn, settings), settings, datetime.now(UTC))
        yield work, found
