"""``pbem doctor``: is this installation whole? Each check with the mend for its fault."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem import config, daemon, database, resources, shelf, store
from pbem.config import Config
from pbem.errors import PbemError
from pbem.games import GAMES
from pbem.imap import Mailbox
from pbem.render import environment
from pbem.smtp import Transport

SKEW = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what was looked at, whether it is well, and else the mend. ``outside``: another server's fault."""

    what: str
    well: bool
    mend: str = ""
    outside: bool = False


def examine(config_file: Path, now: datetime, offline: bool) -> list[Finding]:
    """All checks; those of the mail servers are left out with ``offline``."""
    found = list(_data())
    try:
        settings = config.load(config_file)
    except PbemError as error:
        return [*found, Finding(f"configuration {config_file}", False, str(error))]
    found.append(Finding(f"configuration {config_file}", True))
    found.extend(_permissions(config_file))
    found.extend(_database(settings, now))
    if not offline:
        found.extend(_imap(settings))
        found.extend(_smtp(settings))
    return found


def _data() -> Iterator[Finding]:
    for key in GAMES:
        try:
            shelf.open_ruleset(key)
            for name in ("events", "bulletin", "notice", "guide"):
                environment().get_template(f"{key}/{name}.txt.j2")
        except Exception as error:
            yield Finding(f"game {key}", False, f"its data files are not whole ({error}); install pbem again")
        else:
            yield Finding(f"game {key}", True)
    well = resources.path("migrations", "env.py").exists()
    yield Finding("migrations", well, f"{resources.path('migrations')} is missing; install pbem again")


def _permissions(config_file: Path) -> Iterator[Finding]:
    mode = config_file.stat().st_mode
    text = config_file.read_text(encoding="utf-8")
    open_to_all = (
        bool(mode & stat.S_IROTH) and "password_command" in text and "password" in text.lower().split("password_")[0]
    )
    yield Finding("configuration's permissions", not open_to_all, f"chmod 640 {config_file}")


def _database(settings: Config, now: datetime) -> Iterator[Finding]:
    url = settings.referee.database
    try:
        engine = database.connect(url)
        fault = database.pending(engine)
        yield Finding(f"database {engine.url.render_as_string()}", not fault, fault)
        if not fault:
            drift = database.drift(engine)
            yield Finding("tables", not drift, f"they differ from the program's records: {drift}; restore a backup")
            with database.transaction(engine) as conn:
                last = store.memo(conn, "last_pass")
            if last:
                ago = now - datetime.fromisoformat(last["at"])
                stale = ago > timedelta(minutes=30)
                yield Finding("last pass of the daemon", not stale, f"{ago} ago; is `pbem serve` running?")
        engine.dispose()
    except PbemError as error:
        yield Finding(f"database {url}", False, f"{error}; check [referee] database", outside=True)


def _imap(settings: Config) -> Iterator[Finding]:
    name = f"IMAP {settings.imap.user} at {settings.imap.host}:{settings.imap.port}"
    mailbox = Mailbox(daemon.imap_account(settings.imap))
    try:
        mailbox.connect()
        folders = mailbox.folders()
        yield Finding(name, True)
        for folder in (*settings.imap.folders, *settings.imap.junk):
            known = any(one.lower() == folder.lower() for one in folders)
            yield Finding(
                f"folder {folder}", known, f"the server has {', '.join(folders)}; mend [imap] folders or junk"
            )
        mailbox.ensure(settings.imap.processed)
        yield Finding(f"folder {settings.imap.processed}", True)
        yield _skew(mailbox, settings)
    except PbemError as error:
        yield Finding(name, False, str(error), outside=True)
    finally:
        mailbox.close()


def _skew(mailbox: Mailbox, settings: Config) -> Finding:
    """The server's clock against ours: a letter of ours is appended without a date and read back."""
    processed = settings.imap.processed
    before = datetime.now(UTC)
    after = mailbox.select(processed).uidnext - 1
    raw = f"From: {settings.referee.address}\r\nSubject: clock\r\nX-Referee-Loop: doctor\r\n\r\n{time.time()}\r\n".encode()
    mailbox.append(processed, raw)
    mailbox.select(processed)
    got = list(mailbox.fetch(mailbox.uids(after)))
    if not got:
        return Finding("the IMAP server's clock", False, "a letter appended to it is not there", outside=True)
    skew = abs(got[-1].received - before)
    return Finding(
        "the IMAP server's clock", skew <= SKEW, f"it differs from ours by {skew}; mend one of them (NTP)", outside=True
    )


def _smtp(settings: Config) -> Iterator[Finding]:
    name = f"SMTP {settings.smtp.user or 'without login'} at {settings.smtp.host}:{settings.smtp.port}"
    try:
        with Transport(daemon.smtp_account(settings.smtp)) as carrier:
            carrier.connect()
        yield Finding(name, True)
    except PbemError as error:
        yield Finding(name, False, str(error), outside=True)
