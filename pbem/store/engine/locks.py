"""Who may write at the same time: on PostgreSQL, transactions of different games run side by side.

Every writer holds the installation's lock: alone (``database.exclusive_transaction``), or shared
(``database.shared_transaction``) together with locks of the games it touches. Locks are taken in
one order, before the first row changes: installation, sender of a letter, games by number. A
transaction that needs more later begins again, alone (:class:`NeedsAll`). They are PostgreSQL's
advisory locks and end with the transaction. SQLite has one writer anyway. There the locks are only
recorded, so that the journal refuses unlocked games (:func:`must_hold`) on both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection

from pbem.budget import statement_begins, statement_ended
from pbem.errors import RefereeError
from pbem.store.engine import hot

INSTALLATION = 0x7062656D  # the number of the installation's lock: "pbem" in ASCII


class NeedsAll(Exception):
    """What a transaction is to do touches more than it has locked: it is begun again, alone."""


class Writer(Connection):
    """A transaction that may write. Its statements are not counted or interrupted by a budget of
    processor time."""

    held: set[str] | None = None
    """Games that it has locked; None for all."""

    def execute(self, *given: Any, **more: Any) -> Any:
        """As any connection does, with the clock stopped."""
        began = statement_begins()
        try:
            return super().execute(*given, **more)
        finally:
            statement_ended(began)

    def exec_driver_sql(self, *given: Any, **more: Any) -> Any:
        """Run a statement in the driver's SQL, with the clock stopped."""
        began = statement_begins()
        try:
            return super().exec_driver_sql(*given, **more)
        finally:
            statement_ended(began)


def all_games(conn: Connection) -> None:
    """The first statement of a transaction that writes alone."""
    if isinstance(conn, Writer):
        conn.held = None
    if _postgresql(conn):
        hot.run(conn, f"SELECT pg_advisory_xact_lock({INSTALLATION})")
    else:
        hot.run(conn, "BEGIN IMMEDIATE")


def some_games(conn: Writer, games: Iterable[str]) -> None:
    """The first statements of a transaction that writes beside those of other games."""
    conn.held = set(games)
    if _postgresql(conn):
        shared = f"SELECT pg_advisory_xact_lock_shared({INSTALLATION})"
        hot.run(conn, "; ".join((shared, *_statements("game", conn.held))))
    else:
        hot.run(conn, "BEGIN IMMEDIATE")


def sender(conn: Connection, address: str) -> None:
    """Lock the sender: letters of one writer are decided one after another, so that copies and the
    hourly share are counted right. Take this lock before any game's."""
    if has_company(conn):
        hot.run(conn, "; ".join(_statements("sender", (address,))))


def take(conn: Connection, games: set[str] | None) -> bool:
    """Lock these games; None: all. Return True if this locked them now: the caller must then read
    them again. Raise NeedsAll if it is too late to lock."""
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
    """Return whether other transactions may write at the same time."""
    return _held(conn) is not None and _postgresql(conn)


def must_hold(conn: Connection, game: str) -> None:
    """Raise RefereeError if a transaction changes a game that it has not locked."""
    held = _held(conn)
    if held is not None and game not in held:
        raise RefereeError(f"game {game} is changed without its lock (held: {sorted(held)})")


def _held(conn: Connection) -> set[str] | None:
    return conn.held if isinstance(conn, Writer) else None


def _postgresql(conn: Connection) -> bool:
    return conn.dialect.name == "postgresql"


def _statements(kind: str, names: Iterable[str]) -> list[str]:
    """Return the statements in the order of lock numbers. So two writers never wait for each other,
    even if two games share a number."""
    numbers = sorted({number(f"{kind} {name}") for name in names})
    return [f"SELECT pg_advisory_xact_lock({number})" for number in numbers]


def number(name: str) -> int:
    """Return the number of a lock by its name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
