"""Finds dead senders on SQLite by a file lock. On PostgreSQL leases only expire."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine


class Senders:
    """One daemon's lock."""

    def __init__(self, engine: Engine) -> None:
        database = engine.url.database if engine.dialect.name == "sqlite" else None
        self._file = Path(f"{database}-senders") if database else None
        self._handle: int | None = None

    def join(self) -> bool:
        """Return True if we are alone."""
        if self._handle is not None or self._file is None:
            return False
        try:
            self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:  # without the file leases only expire
            return False
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._share()
            return False
        return True

    def joined(self) -> None:
        """Share the lock, after ending leases."""
        self._share()

    def leave(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def _share(self) -> None:
        if self._handle is not None:
            with suppress(OSError):  # another holds it alone for a moment: try again later
                fcntl.flock(self._handle, fcntl.LOCK_SH)
