"""``pbem doctor``: check the installation; each fault has its mend.

``--send``: send ourselves a letter to a plus address by SMTP, and find it by IMAP. A running daemon
moves it, as ours, to the processed folder; we look there too. We never move it: a daemon that
cannot fetch a listed letter closes no period for an hour.
"""

import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import click
from sqlalchemy import Engine

from pbem.cli.shared import say
from pbem.errors import FolderMissing, OutsideError, PbemError
from pbem.games import GAMES
from pbem.games.frame.calendar import left
from pbem.games.frame.house_rules import SKEW
from pbem.house import config, lookup, resources, shelf
from pbem.house.config import Config, Imap
from pbem.house.templates import environment
from pbem.letters.bounces import verp
from pbem.letters.letter import RECIPIENTS
from pbem.pages.terminal import one_line
from pbem.post import blocked, clock, server_clock
from pbem.post.compose import LOOP_MARK
from pbem.post.imap import Mailbox
from pbem.post.smtp import Delivery, Transport
from pbem.store.engine import backup, database
from pbem.store.journal import notes
from pbem.text import sentence

ROOM = 10_000_000
"""Bytes that must fit."""
OLDEST, NEWEST = (3, 11), (3, 13)
"""Tested with pbem."""
_STEPS = "`pbem backup FILE`, then `pbem db upgrade`"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check."""

    what: str
    well: bool
    mend: str = ""
    """To do if it is not well, or not meant so."""
    outside: bool = False
    """It is another server's fault."""
    warning: bool = False
    """It is well if it is meant so."""


def _failed(what: str, error: PbemError) -> Finding:
    return Finding(what, False, str(error), outside=isinstance(error, OutsideError))


def examine(config_file: Path, clock: Callable[[], datetime], offline: bool) -> list[Finding]:
    """Run all checks; offline leaves out the mail servers."""
    findings = [*_python(), *_data()]
    try:
        settings = config.load(config_file)
    except PbemError as error:
        mend = str(error).removeprefix(f"{config_file}: ")
        return [*findings, Finding(f"configuration {config_file}", False, mend)]
    findings.append(Finding(f"configuration {config_file}", True))
    findings.extend(_permissions(config_file, settings))
    findings.extend(_room(settings))
    findings.extend(_database(settings, clock()))
    if not offline:
        for imap in settings.mailboxes:
            findings.extend(_imap(imap, settings, clock))
        findings.extend(_smtp(settings))
    return findings


def tell(finding: Finding) -> None:
    told = finding.warning or not finding.well
    mark = "warn" if finding.warning else "ok  " if finding.well else "BAD "
    say(one_line(f"{mark} {finding.what}{f': {finding.mend}' if told else ''}"))


def _python() -> Iterator[Finding]:
    here = sys.version_info[:2]
    if not OLDEST <= here <= NEWEST:
        tested = " to ".join(".".join(map(str, one)) for one in (OLDEST, NEWEST))
        what = f"Python {here[0]}.{here[1]}"
        yield Finding(what, True, f"pbem is tested with {tested}", warning=True)


def _upgrade_tried(engine: Engine) -> Iterator[Finding]:
    """Yield how an upgrade of a copy went, if needed. Not on PostgreSQL, which would need a
    database of its own."""
    before = database.revision(engine)
    if before is None or engine.dialect.name != "sqlite":
        return
    what = f"an upgrade from revision {before}, tried on a copy"
    with TemporaryDirectory(prefix="pbem-upgrade-") as folder:
        file = Path(folder) / "copy.db"
        copy = None
        try:
            backup.back_up(engine.url.render_as_string(hide_password=False), file)
            copy = database.connect(f"sqlite:///{file}")
            _, after = database.upgrade(copy)
            drift = database.drift(copy)
        except PbemError as error:
            yield Finding(what, False, f"{error}; the database is as it was")
        else:
            mend = f"the tables would differ from the program's records: {drift}"
            yield Finding(f"{what}, comes to {after}: {_STEPS}", not drift, mend)
        finally:
            if copy is not None:
                copy.dispose()


def _data() -> Iterator[Finding]:
    for key in GAMES:
        try:
            shelf.open_ruleset(key)
            for name in ("events", "bulletin", "notice", "guide"):
                environment().get_template(f"{key}/{name}.txt.j2")
        except Exception as error:
            mend = f"its data files are not whole ({error}); install pbem again"
            yield Finding(f"game {key}", False, mend)
        else:
            yield Finding(f"game {key}", True)
    there = resources.path("migrations", "env.py")
    mend = f"{there.parent} is missing; install pbem again"
    yield Finding("migrations", there.exists(), mend)
    mend = "this Python's SQLite has no full-text search (FTS5), so no question is answered"
    yield Finding("full-text search", lookup.is_usable(), mend)


def _permissions(config_file: Path, settings: Config) -> Iterator[Finding]:
    """Check that only we read secrets. The configuration names everybody's ways in, and may hold
    passwords in commands or URLs."""
    database_file = settings.referee.database.partition("sqlite:///")[2]
    passwords = (imap.password_file for imap in settings.mailboxes)
    names = (*passwords, settings.smtp.password_file, database_file)
    for file in [config_file, *map(Path, dict.fromkeys(filter(None, names)))]:
        if file.exists():
            yield _who_reads(file, secret=file != config_file)


def _who_reads(file: Path, *, secret: bool) -> Finding:
    """Check that only the owner reads a file; its group is a warning."""
    what, mode = f"permissions of {file}", file.stat().st_mode
    if mode & stat.S_IROTH:
        mend = f"anybody can read it: chmod go-rwx {file}"
        return Finding(what, not secret, mend, warning=not secret)
    if mode & stat.S_IRGRP:
        mend = f"its group can read it; if that is not meant: chmod g-rwx {file}"
        return Finding(what, True, mend, warning=True)
    return Finding(what, True)


def _room(settings: Config) -> Iterator[Finding]:
    """Check that the database and the pages can be written. The daemon makes a missing folder of
    pages, so check its nearest parent."""
    _, is_sqlite, file = settings.referee.database.partition("sqlite:///")
    if is_sqlite and (folder := Path(file).parent).exists():
        fault = _why_not_written(folder)
        mend = f"the database cannot grow ({fault}): make room, or let `pbem serve` write there"
        yield Finding(f"room in {folder.absolute()}", not fault, mend)
    if settings.site.folder:
        folder = Path(settings.site.folder)
        fault = _why_not_written(next(one for one in (folder, *folder.parents) if one.exists()))
        mend = f"it cannot be written ({fault}): let the account of `pbem serve` do that, or mend"
        yield Finding(f"[site] folder {folder}", not fault, f"{mend} it in the configuration")


def _why_not_written(folder: Path) -> str:
    """Return why ROOM bytes cannot be written, or "". Only writing tests quotas."""
    try:
        with TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _database(settings: Config, now: datetime) -> Iterator[Finding]:
    url = settings.referee.database
    try:
        engine = database.connect(url)
        fault = database.pending(engine)
        yield Finding(f"database {engine.url.render_as_string()}", not fault, fault or "")
        if fault:
            yield from _upgrade_tried(engine)
        else:
            drift = database.drift(engine)
            mend = f"they differ from the program's records: {drift}; restore a backup"
            yield Finding("tables", not drift, mend)
            if settings.daemon.share_work:
                yield _shared(engine)
            with database.exclusive_transaction(engine) as conn:
                last, refused = notes.memo(conn, "last_pass"), blocked.read(conn)
            if last:
                ago = now - datetime.fromisoformat(last["at"])
                mend = f"{left(ago, exact=True)} ago; is `pbem serve` running?"
                yield Finding("last pass of the daemon", ago <= timedelta(minutes=30), mend)
            said = str(refused.error) if refused else ""
            yield Finding("the SMTP server takes our mail", not refused, said, outside=True)
        engine.dispose()
    except PbemError as error:
        mend = f"{sentence(str(error))} Check [referee] database"
        yield Finding(f"database {url}", False, mend, outside=True)


def _shared(engine: Engine) -> Finding:
    what = "work shared by several daemons"
    try:
        from pbem.store.engine import jobs  # noqa: PLC0415  an optional extra
    except ImportError as error:
        return Finding(what, False, f"{resources.line('cluster')} ({error})")
    fault = jobs.fault(engine)
    return Finding(what, not fault, fault or "")


def _imap(imap: Imap, settings: Config, clock: Callable[[], datetime]) -> Iterator[Finding]:
    name = f"IMAP {imap.user} at {imap.host}:{imap.port}"
    mailbox = Mailbox(imap)
    try:
        mailbox.connect()
        yield Finding(name, True)
        for folder in imap.folders:
            yield _folder(mailbox, folder, "folders; until then no period closes")
        for folder in imap.junk:
            yield _folder(mailbox, folder, "junk; the games go on without it")
        mailbox.ensure(imap.processed)
        yield Finding(f"folder {imap.processed}", True)
        before = clock()
        server = server_clock.read(mailbox, imap.processed, settings.referee.address)
        skew = abs(server_clock.off(server, before, clock()))
        mend = f"it differs from ours by {left(skew, exact=True)}; mend one of them (NTP)"
        yield Finding("the IMAP server's clock", skew <= SKEW, mend, outside=True)
    except PbemError as error:
        yield _failed(name, error)
    finally:
        mailbox.close()


def _folder(mailbox: Mailbox, folder: str, key: str) -> Finding:
    try:
        mailbox.select(folder)
    except FolderMissing:
        there = f"there is no such folder on the server, which has {', '.join(mailbox.folders())}"
        return Finding(f"folder {folder}", False, f"{there}; create it there, or mend [imap] {key}")
    return Finding(f"folder {folder}", True)


def _smtp(settings: Config) -> Iterator[Finding]:
    smtp = settings.smtp
    name = f"SMTP {smtp.user or 'without login'} at {smtp.host}:{smtp.port}"
    try:
        with Transport(smtp) as carrier:
            carrier.connect()
        yield Finding(name, True)
    except PbemError as error:
        yield _failed(name, error)


PATIENCE = 120  # seconds
WAIT = click.option(
    "--wait",
    type=click.IntRange(min=1),
    default=PATIENCE,
    show_default=True,
    metavar="SECONDS",
    help="how long to wait for the letter to ourselves",
)
_POLL = 2.0
_LARGEST = 65_536  # bytes looked at of each letter


@dataclass(frozen=True, slots=True)
class Parcel:
    """The letter that goes round."""

    tag: str
    address: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Arrived:
    """What came back."""

    mail: EmailMessage
    folder: str
    seconds: float
    bounced: bool
    """It reports a failed delivery."""


def parcel(settings: Config) -> Parcel:
    """Make a letter to ourselves with a unique tag."""
    tag, ours = f"doctor{secrets.token_hex(6)}", settings.referee.address
    local, _, domain = ours.rpartition("@")
    mail = EmailMessage()
    mail["From"], mail["To"] = ours, f"{local}+{tag}@{domain}"
    mail["Subject"] = f"A letter of the doctor's ({tag})"
    mail["Date"], mail["Message-ID"] = formatdate(), f"<{tag}@{domain}>"
    mail["Auto-Submitted"], mail[LOOP_MARK] = "auto-generated", ours
    mail.set_content(
        "`pbem doctor --send` has sent this to itself. There is nothing to do: the referee passes\n"
        "it over.\n"
    )
    return Parcel(tag, str(mail["To"]), mail.as_bytes(policy=policy.SMTP))


def travel(settings: Config, sent: Parcel, patience: float) -> Arrived | Finding | None:
    """Send it and wait patience seconds. Return what came back, None if nothing did, or a finding
    if it could not be sent."""
    what = f"a letter to {sent.address}"
    try:
        with Mailbox(settings.imap) as mailbox, Transport(settings.smtp) as carrier:
            known = _ends(mailbox, settings)
            began = time.monotonic()
            # our usual envelope, which some servers refuse
            sender = verp(settings.referee.address, sent.tag, sent.tag.encode())
            answer = carrier.send(sender, sent.address, sent.raw)
            if answer.outcome is not Delivery.SENT:
                mend = (
                    f"the server did not take it from {sender}: {answer.reply}. It must let us"
                    " write from, and to, our address with a plus (in Postfix: recipient_delimiter"
                    " = +)"
                )
                return Finding(what, False, mend, outside=True)
            return _awaited(mailbox, sent, known, began, patience)
    except PbemError as error:
        return _failed(what, error)


def written_by(mail: EmailMessage) -> list[str]:
    """Return the authserv-ids that vouched for senders, the last server's first."""
    said: list[str] = []
    for value in mail.get_all("Authentication-Results", []):
        said += str(value).lower().partition(";")[0].split()[:1]
    return list(dict.fromkeys(said))


def _ends(mailbox: Mailbox, settings: Config) -> dict[str, int]:
    """Return the last number in each folder it may reach. Missing ones were reported."""
    imap, ends = settings.imap, dict[str, int]()
    for folder in dict.fromkeys((*imap.folders, *imap.junk, imap.processed)):
        with suppress(FolderMissing):
            ends[folder] = mailbox.select(folder).uidnext - 1
    return ends


def _awaited(
    mailbox: Mailbox, sent: Parcel, known: dict[str, int], began: float, patience: float
) -> Arrived | None:
    while True:
        for folder, after in known.items():
            mailbox.select(folder)
            for letter in mailbox.fetch(mailbox.uids(after), _LARGEST):
                known[folder] = max(known[folder], letter.uid)
                if sent.tag.encode() in letter.raw:
                    mail: Any = message_from_bytes(letter.raw, policy=policy.default)
                    bounced = sent.tag not in str(mail["Subject"])
                    return Arrived(mail, folder, time.monotonic() - began, bounced)
        if time.monotonic() - began > patience:
            return None
        clock.rest(_POLL)


def judged(
    settings: Config, sent: Parcel, arrived: Arrived | Finding | None, patience: float
) -> Iterator[Finding]:
    """Say whether it arrived, where, and what the servers made of it."""
    if isinstance(arrived, Finding):
        yield arrived
        return
    what = f"a letter to {sent.address}"
    if arrived is None:
        mend = (
            f"the server took it, and it did not arrive within {patience:.0f} s: does mail to our"
            " address with a plus reach the mailbox (in Postfix: recipient_delimiter = +)? A slow"
            " server may want `--wait 600`"
        )
        yield Finding(what, False, mend, outside=True)
        return
    if arrived.bounced:
        mend = (
            f'it came back ("{arrived.mail["Subject"]}", in {arrived.folder}): mail to our address'
            " with a plus must reach the mailbox (in Postfix: recipient_delimiter = +)"
        )
        yield Finding(what, False, mend, outside=True)
        return
    yield Finding(f"{what} arrived in {arrived.folder} after {arrived.seconds:.0f} s", True)
    if arrived.folder in settings.imap.junk:
        mend = (
            "it was taken for junk: mark it as wanted there; players' letters, and ours to them,"
            " may go the same way (SPF, DKIM and DMARC of our domain?)"
        )
        yield Finding(f"the way to {settings.imap.folders[0]}", False, mend, outside=True)
    yield _plus(sent, arrived.mail)
    yield _authentication(settings, arrived.mail)


def _plus(sent: Parcel, mail: EmailMessage) -> Finding:
    said = {name: " ".join(map(str, mail.get_all(name, []))).lower() for name in RECIPIENTS}
    kept = [name for name in RECIPIENTS if sent.address.lower() in said[name]]
    where = ", ".join(name.title() for name in kept)
    mend = (
        "no header has it any more: the server rewrites addresses, and no answer to a secret"
        " address would be known by it: letters are proven by DMARC alone, or by codes"
    )
    return Finding(f"its plus part{f', in {where}' if kept else ''}", bool(kept), mend, True)


def _authentication(settings: Config, mail: EmailMessage) -> Finding:
    """Check that our server's Authentication-Results are recognised."""
    ours = settings.referee.authserv_id.lower()
    servers = written_by(mail)
    names = ", ".join(servers)
    if ours and ours in servers:
        return Finding(f"Authentication-Results of {ours}", True)
    if not servers:
        note = "none on a letter from ourselves, which is usual; look at one from outside"
        return Finding(f"Authentication-Results: {note}", True)
    if not ours:
        note = "authserv_id is empty, so no letter is proven by DMARC"
        return Finding(f"Authentication-Results of {names}; {note}", True)
    mend = f'they are of {names}: if that is our own mail server, set authserv_id = "{servers[0]}"'
    return Finding(f"Authentication-Results of {ours}", False, mend)
