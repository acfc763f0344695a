"""Turns at reading a mailbox: one daemon at a time.

A turn is a session's advisory lock, which ends after :data:`SILENCE`. SQLite always has it.
"""

from __future__ import annotations

import time
from contextlib import suppress

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pbem.store.engine import locks

SILENCE = 30  # seconds
_PAUSE = 0.05  # seconds between checks
_KNOWS_SILENCE = (14,)  # first version that ends idle sessions


class Turn:
    """One daemon's turn at one mailbox."""

    def __init__(self, engine: Engine, mailbox: str) -> None:
        self.engine = engine
        self.shared = engine.dialect.name == "postgresql"
        """Whether another daemon may have it."""
        self._number = locks.number(f"mailbox {mailbox}")
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
            self._session = self._begun()
        if self._held:
            self._session.exec_driver_sql("SELECT 1")
        else:
            asked = f"SELECT pg_try_advisory_lock({self._number})"
            self._held = bool(self._session.exec_driver_sql(asked).scalar())
        return self._held

    def _begun(self) -> Connection:
        session = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        session.detach()
        if (self.engine.dialect.server_version_info or ()) >= _KNOWS_SILENCE:
            session.exec_driver_sql(f"SET idle_session_timeout = '{SILENCE}s'")
        return session
