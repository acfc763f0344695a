"""Whose turn it is to read a mailbox: of several daemons on one PostgreSQL one has it at a time.

A turn is a lock of a session of its own (an advisory one), and falls with that session: at once
where the process ends, and where nothing is heard of it for :data:`SILENCE` (it stands still, its
machine hangs, its network is cut), since the server then ends the session. Whoever has the turn
asks for it again and again, and so is heard. That somebody wakes up who has lost it meanwhile does
no harm: what is read twice has one row, and what is moved twice is moved once. With SQLite there is
one machine, and everybody has the turn.
"""

from __future__ import annotations

import time
from contextlib import suppress

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pbem.store import locks

SILENCE = 30  # seconds
_PAUSE = 0.05  # seconds between two questions
_KNOWS_SILENCE = (14,)  # the first PostgreSQL that ends a session for it


class Turn:
    """One daemon's part in reading one mailbox."""

    def __init__(self, engine: Engine, mailbox: str) -> None:
        self.engine = engine
        self.shared = engine.dialect.name == "postgresql"
        """Whether another daemon may have it."""
        self._number = locks.number(f"mailbox {mailbox}")
        self._session: Connection | None = None
        self._held = False

    def mine(self, patience: float = 0.0) -> bool:
        """Whether we have it, or can take it now, or within so many seconds. A database that does
        not answer says no."""
        until = time.monotonic() + patience
        while not (found := self._now()) and time.monotonic() < until:
            time.sleep(_PAUSE)
        return found

    def _now(self) -> bool:
        if not self.shared:
            return True
        for _ in range(2):  # the session may have been ended; then in a new one
            with suppress(SQLAlchemyError):
                return self._asked()
            self.leave()
        return False

    def leave(self) -> None:
        """It is another's to take, from now on: the server ends a session in its own time."""
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
            self._session = self._begun()
        if self._held:
            self._session.exec_driver_sql("SELECT 1")
        else:
            asked = f"SELECT pg_try_advisory_lock({self._number})"
            self._held = bool(self._session.exec_driver_sql(asked).scalar())
        return self._held

    def _begun(self) -> Connection:
        """A session that is nobody else's afterwards: not one of the pool."""
        session = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        session.detach()
        if (self.engine.dialect.server_version_info or ()) >= _KNOWS_SILENCE:
            session.exec_driver_sql(f"SET idle_session_timeout = '{SILENCE}s'")
        return session
