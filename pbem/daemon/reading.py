"""Reads a mail account, in turn with other daemons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import Engine

from pbem.daemon import servers
from pbem.daemon.servers import Alarm, imap_account
from pbem.daemon.stopping import Flag
from pbem.errors import (
    DatabaseError,
    FolderMissing,
    LoginRefused,
    NotWritten,
    OperatorError,
    OutsideError,
)
from pbem.house.config import Imap
from pbem.post import alarms, inbox
from pbem.post.imap import Mailbox
from pbem.post.work import Installation
from pbem.store.engine.database import exclusive_transaction, shared_transaction
from pbem.store.engine.locks import Turn
from pbem.store.journal import notes
from pbem.store.letters import letters

log = structlog.get_logger()
STALE = timedelta(minutes=10)
"""How long another daemon's report counts."""


def name(imap: Imap) -> str:
    return f"{imap.user}@{imap.host}"


@dataclass(slots=True, eq=False)
class Pass:
    """One pass: its time, what it did, and its trouble."""

    installation: Installation
    now: datetime
    """To judge what is due."""
    elapsed: Callable[[], timedelta]
    """Since then, by the steady clock."""
    patience: float
    """Seconds to wait for a turn."""
    crash: Callable[[str], None]
    stopping: Callable[[], bool]
    unread: Mapping[str, Any]
    """The memo of a restore with processed letters to read."""
    letters: int = 0
    decided: int = 0
    closed: int = 0
    sent: int = 0
    trouble: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    """Keys of alarms that it would raise, mailed today or not."""

    @property
    def moment(self) -> datetime:
        """When a letter is seen: ``now`` plus elapsed whole minutes."""
        return self.now + timedelta(minutes=self.elapsed() // timedelta(minutes=1))

    def alarm(self, alarm: Alarm) -> None:
        self.alarms.append(alarm.key)
        with self.installation.shared_work(self.now) as work:
            key, subject, text, commands = alarm
            alarms.tell(work, key, subject, text, commands=commands)

    def not_written(self, processed: str, error: NotWritten) -> None:
        self.trouble.append(f"imap: {error}")
        log.warning("trouble", what="imap", full=error.full, error=str(error))
        self.alarm(servers.not_written(processed, error))

    def failed(self, what: str, error: Exception, account: str = "") -> None:
        """Report a server that fails, by its account if there are several."""
        refused = isinstance(error, LoginRefused)
        self.trouble.append(f"{what}: {error}")
        log.warning("trouble", what=what, refused=refused, error=str(error))
        several = len(self.installation.config.mailboxes) > 1
        self.alarm(servers.failing(what, error, account if several else ""))


class Reader:
    """A mail account.

    A pass calls :meth:`begin`, :meth:`take_in`, and :meth:`put_away` after deciding.
    """

    def __init__(self, imap: Imap, engine: Engine) -> None:
        self.imap = imap
        self.account = name(imap)
        self.mailbox = Mailbox(imap_account(imap))
        self.turn = Turn(engine, self.account)
        self.mine = False
        self.open = False
        self.drained = False
        """Whether the last pass read all letters."""
        self.until: datetime | None = None
        """Until when any daemon has read it; None if long ago."""
        self.away = False
        """Whether it failed; only a pass tries again."""

    def intake(self, this: Pass) -> inbox.Intake:
        return inbox.Intake(this.installation.engine, self.mailbox, self.account, this.crash)

    def begin(self, this: Pass) -> None:
        """Open the mailbox in our turn; else see how far another has read."""
        self.mine, self.drained, self.away = self.turn.mine(this.patience), False, False
        self.open = self.mine
        if not self.mine:
            self.mailbox.close()
            self.until = self._read_by_another(this)
            return
        with self._trouble(this):
            self.mailbox.renew()
            self._ready_processed(this)

    def take_in(self, this: Pass) -> int:
        """Store all new letters in our turn. Return how many.

        After a restore the older, processed ones come first.
        """
        if self.mine:
            self.until = this.now
        if not self.open:
            return 0
        stored = 0
        with self._trouble(this):
            unread = bool(this.unread) and self.account not in this.unread.get("read", ())
            for folder in (
                *([self.imap.processed] if unread else ()),
                *self.imap.folders,
                *self.imap.junk,
            ):
                if not this.stopping():
                    stored += self.take_in_folder(this, folder)
            if unread and not this.stopping():
                self._note_processed_read(this.installation)
            self.drained = True
        return stored

    def put_away(self, this: Pass) -> None:
        if not (self.drained and self.turn.mine()):
            return
        with self._trouble(this):
            try:
                for folder in self.imap.folders:
                    inbox.move_decided(self.intake(this), folder, self.imap.processed)
                self._watch_room(this)
                self.mailbox.select(self.imap.folders[0])  # for IDLE
            except NotWritten as error:  # decided letters stay there and are not decided again
                this.not_written(self.imap.processed, error)

    def news(self, seconds: float, stopping: Flag) -> bool:
        """Wait at most so long. Return whether there are letters or a turn."""
        if self.away:
            stopping.wait(seconds)
            return False
        had, self.mine = self.mine, self.turn.mine()
        if not self.mine:
            self.mailbox.close()
            stopping.wait(seconds)
            return False
        if not had:
            log.info("reading", account=self.account)
            return True
        try:
            self.mailbox.select(self.imap.folders[0])
            return self.mailbox.idle(seconds)
        except (OutsideError, OperatorError) as error:
            log.warning("idle", error=str(error))
            self.leave()
            return False

    def leave(self) -> None:
        self.mailbox.close()
        self.turn.leave()
        self.away, self.open = True, False

    def note_read(self, now: datetime) -> None:
        """Report to other daemons that letters up to ``now`` are on file."""
        if self.drained and self.turn.shared:
            with shared_transaction(self.turn.engine) as conn:
                letters.note_read(conn, self.account, now)

    def take_in_folder(self, this: Pass, folder: str) -> int:
        """Store a folder's letters. Return how many. Junk may be missing."""
        imap, now = self.imap, this.moment
        most = this.installation.config.limits.letter_bytes
        try:
            intake = self.intake(this)
            stored = inbox.take_in(intake, folder, now, most, processed=folder == imap.processed)
            for letter_id in inbox.retry_unfetchable(intake, folder, now):
                this.alarm(servers.unfetchable(letter_id, folder))
        except FolderMissing as error:
            if folder in imap.folders or folder not in imap.junk:
                raise
            inbox.folder_gone(this.installation.engine, self.account, folder)
            this.alarm(servers.no_folder(folder, error))
            return 0
        return stored

    def _read_by_another(self, this: Pass) -> datetime | None:
        with shared_transaction(this.installation.engine) as conn:
            until = letters.read_until(conn, self.account)
        return until if until and this.now - until < STALE else None

    def _note_processed_read(self, installation: Installation) -> None:
        with exclusive_transaction(installation.engine) as conn:
            memo = notes.memo(conn, notes.UNREAD)
            read = {*memo.get("read", ()), self.account}
            whole = read.issuperset(map(name, installation.config.mailboxes))
            notes.set_memo(conn, notes.UNREAD, {} if whole else {**memo, "read": sorted(read)})

    def _ready_processed(self, this: Pass) -> None:
        try:
            self.mailbox.ensure(self.imap.processed)
        except NotWritten as error:
            this.not_written(self.imap.processed, error)

    def _watch_room(self, this: Pass) -> None:
        """Raise an alarm before the mailbox is full."""
        filled = self.mailbox.filled(self.imap.folders[0])
        if filled is not None and filled >= servers.NEARLY_FULL:
            this.alarm(servers.nearly_full(self.account, self.imap.processed, filled))

    @contextmanager
    def _trouble(self, this: Pass) -> Iterator[None]:
        """Leave a server that fails, and report it."""
        try:
            yield
        except DatabaseError:
            raise
        except (OutsideError, OperatorError) as error:
            self.leave()
            this.failed("imap", error, self.account)
