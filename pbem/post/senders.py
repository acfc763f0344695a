"""Who sends beside us, on SQLite: whether a mail that somebody has leased can still be his.

Every daemon holds a lock on a file beside the database, shared with the others. The lock falls with
its process, however that ends. A daemon that comes and can have the lock alone knows that no other
one is left, so whatever is leased was leased by one that has died. PostgreSQL's daemons may be on
other machines: there a lease runs out by the clock only.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine


class Senders:
    """One daemon's part in the sending."""

    def __init__(self, engine: Engine) -> None:
        database = engine.url.database if engine.dialect.name == "sqlite" else None
        self._file = Path(f"{database}-senders") if database else None
        self._handle: int | None = None

    def join(self) -> bool:
        """Take part. Return True if we had not, and nobody else does: leases are of the dead."""
        if self._handle is not None or self._file is None:
            return False
        try:
            self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:  # no room, no right: leases run out by the clock then
            return False
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._share()
            return False
        return True

    def joined(self) -> None:
        """The leases of the dead are dealt with: let others come."""
        self._share()

    def leave(self) -> None:
        """Take part no longer."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def _share(self) -> None:
        if self._handle is not None:
            with suppress(OSError):  # another is alone for a moment: ours comes when his goes
                fcntl.flock(self._handle, fcntl.LOCK_SH)
