"""What a transaction works with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, Engine

from pbem.house.config import Config, Limits
from pbem.post.postmark import Postmark
from pbem.store.engine.database import connected, exclusive_transaction, shared_transaction
from pbem.store.engine.locks import Writer


@dataclass(frozen=True, slots=True)
class Work:
    """One transaction: its changes become true together."""

    conn: Connection
    mark: Postmark
    config: Config
    now: datetime
    """Aware, UTC."""

    @property
    def limits(self) -> Limits:
        return self.config.limits


@dataclass(frozen=True, slots=True)
class Installation:
    """Shared by the transactions of an installation."""

    engine: Engine
    mark: Postmark
    config: Config
    connection: Writer | None = None
    """Shared by consecutive transactions; None opens one each time."""

    @contextmanager
    def connected(self) -> Iterator[Installation]:
        with connected(self.engine) as connection:
            yield replace(self, connection=connection)

    @contextmanager
    def work(self, now: datetime) -> Iterator[Work]:
        """Yield a transaction without other writers."""
        with exclusive_transaction(self.connection or self.engine) as conn:
            yield Work(conn, self.mark, self.config, now)

    @contextmanager
    def shared_work(self, now: datetime, *games: str) -> Iterator[Work]:
        """Yield a transaction on these games only."""
        with shared_transaction(self.connection or self.engine, *games) as conn:
            yield Work(conn, self.mark, self.config, now)


def no_crash(point: str) -> None:
    """Do nothing, where the kill matrix (tests/faults) interrupts the process."""


@dataclass(frozen=True, slots=True)
class Scan:
    """A look for what is due."""

    now: datetime
    drained: bool
    """Whether all up to ``now`` is decided."""
    crash: Callable[[str], None]
    stopping: Callable[[], bool] = lambda: False
