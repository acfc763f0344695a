"""Locks that let transactions of different games run side by side on PostgreSQL.

The order is: installation (alone or shared), sender, games by number. A transaction that needs more
later starts again alone (:class:`NeedsAll`). SQLite has one writer; locks are only recorded.
"""

import hashlib
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pbem.budget import statement_begins, statement_ended
from pbem.errors import RefereeError
from pbem.store.engine import hot

INSTALLATION = 0x7062656D  # the installation's lock: "pbem" in ASCII


class NeedsAll(Exception):
    """Start the transaction again alone."""


class Writer(Connection):
    """A writing connection, outside budgets of processor time."""

    held: set[str] | None = None
    """Locked games; None for all."""

    def execute(self, *given: Any, **more: Any) -> Any:
        """Run a statement with the budget stopped."""
        began = statement_begins()
        try:
            return super().execute(*given, **more)
        finally:
            statement_ended(began)

    def exec_driver_sql(self, *given: Any, **more: Any) -> Any:
        """Run driver SQL with the budget stopped."""
        began = statement_begins()
        try:
            return super().exec_driver_sql(*given, **more)
        finally:
            statement_ended(began)


def all_games(conn: Connection) -> None:
    """Lock everything, as the first statement."""
    if isinstance(conn, Writer):
        conn.held = None
    if _postgresql(conn):
        hot.run(conn, f"SELECT pg_advisory_xact_lock({INSTALLATION})")
    else:
        hot.run(conn, "BEGIN IMMEDIATE")


def some_games(conn: Writer, games: Iterable[str]) -> None:
    """Lock these games, as the first statements."""
    conn.held = set(games)
    if _postgresql(conn):
        shared = f"SELECT pg_advisory_xact_lock_shared({INSTALLATION})"
        hot.run(conn, "; ".join((shared, *_statements("game", conn.held))))
    else:
        hot.run(conn, "BEGIN IMMEDIATE")


def sender(conn: Connection, address: str) -> None:
    """Lock a sender, before any game: one letter at a time."""
    if has_company(conn):
        hot.run(conn, "; ".join(_statements("sender", (address,))))


def take(conn: Connection, games: set[str] | None) -> bool:
    """Lock games (None: all). Return True if they must be read again. Raise NeedsAll."""
    held = _held(conn)
    if held is None or (games is not None and games <= held):
        return False
    if not has_company(conn):
        assert isinstance(conn, Writer)
        conn.held = None if games is None else held | games
        return False
    if games is None or held:
        raise NeedsAll
    hot.run(conn, "; ".join(_statements("game", games)))
    held |= games
    return True


def has_company(conn: Connection) -> bool:
    return _held(conn) is not None and _postgresql(conn)


def must_hold(conn: Connection, game: str) -> None:
    """Raise RefereeError if a game is not locked."""
    held = _held(conn)
    if held is not None and game not in held:
        raise RefereeError(f"game {game} is changed without its lock (held: {sorted(held)})")


def _held(conn: Connection) -> set[str] | None:
    return conn.held if isinstance(conn, Writer) else None


def _postgresql(conn: Connection) -> bool:
    return conn.dialect.name == "postgresql"


def _statements(kind: str, names: Iterable[str]) -> list[str]:
    """Sort by lock number, against deadlocks."""
    numbers = sorted({number(f"{kind} {name}") for name in names})
    return [f"SELECT pg_advisory_xact_lock({number})" for number in numbers]


def number(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


SILENCE = 30  # seconds
_PAUSE = 0.05  # seconds between checks
_KNOWS_SILENCE = (14,)  # first version that ends idle sessions


class Turn:
    """One daemon's turn at reading one mailbox."""

    def __init__(self, engine: Engine, mailbox: str) -> None:
        self.engine = engine
        self.shared = engine.dialect.name == "postgresql"
        """Whether another daemon may have it."""
        self._number = number(f"mailbox {mailbox}")
        self._session: Connection | None = None
        self._held = False

    def mine(self, patience: float = 0.0) -> bool:
        """Return whether we get the turn within ``patience`` seconds. False if the database is
        silent."""
        until = time.monotonic() + patience
        while not (found := self._now()) and time.monotonic() < until:
            time.sleep(_PAUSE)
        return found

    def _now(self) -> bool:
        if not self.shared:
            return True
        for _ in range(2):  # the session may be gone: try a new one
            with suppress(SQLAlchemyError):
                return self._asked()
            self.leave()
        return False

    def leave(self) -> None:
        session, self._session, held, self._held = self._session, None, self._held, False
        if session is None:
            return
        with suppress(SQLAlchemyError):
            if held:
                session.exec_driver_sql(f"SELECT pg_advisory_unlock({self._number})")
        with suppress(SQLAlchemyError):
            session.close()

    def _asked(self) -> bool:
        if self._session is None:
            session = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            session.detach()
            if (self.engine.dialect.server_version_info or ()) >= _KNOWS_SILENCE:
                session.exec_driver_sql(f"SET idle_session_timeout = '{SILENCE}s'")
            self._session = session
        if self._held:
            self._session.exec_driver_sql("SELECT 1")
        else:
            asked = f"SELECT pg_try_advisory_lock({self._number})"
            self._held = bool(self._session.exec_driver_sql(asked).scalar())
        return self._held
