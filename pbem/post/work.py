"""What one transaction works with: its connection, our postmark, the configuration, the time."""

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
    """One transaction at the time ``now`` (aware, UTC). What it does to games, letters and the
    outbox becomes true together; mails leave with the daemon's next pass."""

    conn: Connection
    mark: Postmark
    config: Config
    now: datetime

    @property
    def limits(self) -> Limits:
        """What one letter, one sender and one stranger may cost."""
        return self.config.limits


@dataclass(frozen=True, slots=True)
class Installation:
    """What the transactions of one installation have in common. ``connection``: the one that
    they have in common too, in turn (None: each has its own)."""

    engine: Engine
    mark: Postmark
    config: Config
    connection: Writer | None = None

    @contextmanager
    def connected(self) -> Iterator[Installation]:
        """The same for several transactions, one after another."""
        with connected(self.engine) as connection:
            yield replace(self, connection=connection)

    @contextmanager
    def work(self, now: datetime) -> Iterator[Work]:
        """One transaction, beside which nobody else writes."""
        with exclusive_transaction(self.connection or self.engine) as conn:
            yield Work(conn, self.mark, self.config, now)

    @contextmanager
    def shared_work(self, now: datetime, *games: str) -> Iterator[Work]:
        """One transaction upon these games; those of others run at the same time."""
        with shared_transaction(self.connection or self.engine, *games) as conn:
            yield Work(conn, self.mark, self.config, now)


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at all that is due needs besides the installation. ``drained``: everything that
    the server had received up to ``now`` is on file and decided. ``between`` two periods is done
    what cannot wait for the last of them, if there is a storm."""

    now: datetime
    drained: bool
    crash: Callable[[str], None]
    stopping: Callable[[], bool] = lambda: False
    between: Callable[[], None] = lambda: None
