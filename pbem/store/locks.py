"""Who may write beside whom: on PostgreSQL the transactions of different games run side by side.

Whatever writes holds the lock of the installation: alone (``database.transaction``), or shared with
others (``database.beside``), and then also the locks of the games that it touches. Locks are taken
in one order, before the first row is changed: the installation, a letter's sender, games by their
numbers; whoever finds out later that it needs more begins anew, alone (:class:`NeedsAll`). They are
PostgreSQL's advisory locks and fall with the transaction. SQLite has one writer anyway; there they
are only kept account of, so that the journal refuses what was not locked (:func:`must_hold`) on
both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection

from pbem.errors import RefereeError
from pbem.store import hot
from pbem.store.budget import statement_begins, statement_ended

INSTALLATION = 0x7062656D  # the number of the installation's lock: "pbem" in ASCII


class NeedsAll(Exception):
    """What a transaction is to do touches more than it has locked: it is begun anew, alone."""


class Writer(Connection):
    """A transaction that may write. ``held``: the games that it has locked, None for all there are.

    Its statements are on nobody's budget of processor time: they are neither counted nor
    interrupted."""

    held: set[str] | None = None

    def execute(self, *given: Any, **more: Any) -> Any:
        """As any connection does, with the clock stopped."""
        began = statement_begins()
        try:
            return super().execute(*given, **more)
        finally:
            statement_ended(began)

    def exec_driver_sql(self, *given: Any, **more: Any) -> Any:
        """The same for words that are the driver's."""
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
    """Letters of one writer are decided one after another: copies, and his share of an hour. To be
    taken before any game's lock."""
    if has_company(conn):
        hot.run(conn, "; ".join(_statements("sender", (address,))))


def take(conn: Connection, games: set[str] | None) -> bool:
    """Lock these games (None: all there are). True where that was done now: what was read of them
    before is to be read again. Raises NeedsAll where it is too late for it."""
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
    """Whether other transactions may write at the same time."""
    return _held(conn) is not None and _postgresql(conn)


def must_hold(conn: Connection, game: str) -> None:
    """Raises RefereeError where a transaction changes a game that it has not locked."""
    held = _held(conn)
    if held is not None and game not in held:
        raise RefereeError(f"game {game} is changed without its lock (held: {sorted(held)})")


def _held(conn: Connection) -> set[str] | None:
    return conn.held if isinstance(conn, Writer) else None


def _postgresql(conn: Connection) -> bool:
    return conn.dialect.name == "postgresql"


def _statements(kind: str, names: Iterable[str]) -> list[str]:
    """In the order of their numbers: two that have the same names, or the same number for different
    names, cannot wait for each other."""
    numbers = sorted({number(f"{kind} {name}") for name in names})
    return [f"SELECT pg_advisory_xact_lock({number})" for number in numbers]


def number(name: str) -> int:
    """The number of a lock by its name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
