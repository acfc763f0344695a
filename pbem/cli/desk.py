"""One act of the gamesmaster upon the installation's database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.post.compose import Postmark
from pbem.referee import installation
from pbem.store import config, database


@dataclass(frozen=True, slots=True)
class Desk:
    """One act of the gamesmaster: the configuration, one transaction, our postmark and the time."""

    config: config.Config
    conn: Connection
    mark: Postmark
    now: datetime


@contextmanager
def desk(config_file: Path) -> Iterator[Desk]:
    """The installation's database, for one transaction; mails go to the outbox and leave with the
    daemon's next pass."""
    settings = config.load(config_file)
    engine = database.connect(settings.referee.database)
    try:
        if fault := database.pending(engine):
            raise OperatorError(fault)
        with database.transaction(engine) as conn:
            yield Desk(settings, conn, installation.postmark(conn, settings), datetime.now(UTC))
    finally:
        engine.dispose()
