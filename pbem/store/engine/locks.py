"""Locks that let transactions of different games run side by side on PostgreSQL.

The order is: installation (alone or shared), sender, games by number. A transaction that needs more
later starts again alone (:class:`NeedsAll`). SQLite has one writer; locks are only recorded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection

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
