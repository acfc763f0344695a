"""`pbem doctor --send`: send ourselves a letter to a plus address by SMTP, and find it by IMAP.

A running daemon moves it, as ours, to the processed folder; we look there too. We never move it: a
daemon that cannot fetch a listed letter closes no period for an hour.
"""

import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate
from typing import Any

from pbem.cli.doctor import Finding
from pbem.daemon import servers
from pbem.errors import FolderMissing, OutsideError, PbemError
from pbem.house.config import Config
from pbem.letters.bounces import verp
from pbem.letters.letter import RECIPIENTS
from pbem.post import clock
from pbem.post.compose import LOOP_MARK
from pbem.post.imap import Mailbox
from pbem.post.smtp import Outcome, Transport

PATIENCE = 120  # seconds
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


def examine(settings: Config, sent: Parcel, patience: float) -> Iterator[Finding]:
    """Send it, wait patience seconds, and yield findings."""
    found = travel(settings, sent, patience)
    if isinstance(found, Finding):
        yield found
    else:
        yield from judged(settings, sent, found, patience)


def travel(settings: Config, sent: Parcel, patience: float) -> Arrived | Finding | None:
    """Send it and wait patience seconds. Return what came back, None if nothing did, or a finding
    if it could not be sent."""
    what = f"a letter to {sent.address}"
    try:
        with (
            Mailbox(servers.imap_account(settings.imap)) as mailbox,
            Transport(servers.smtp_account(settings.smtp)) as carrier,
        ):
            known = _ends(mailbox, settings)
            began = time.monotonic()
            # our usual envelope, which some servers refuse
            sender = verp(settings.referee.address, sent.tag, sent.tag.encode())
            answer = carrier.send(sender, sent.address, sent.raw)
            if answer.outcome is not Outcome.SENT:
                mend = (
                    f"the server did not take it from {sender}: {answer.reply}. It must let us"
                    " write from, and to, our address with a plus (in Postfix: recipient_delimiter"
                    " = +)"
                )
                return Finding(what, False, mend, outside=True)
            return _awaited(mailbox, sent, known, began, patience)
    except PbemError as error:
        return Finding(what, False, str(error), outside=isinstance(error, OutsideError))


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
    settings: Config, sent: Parcel, arrived: Arrived | None, patience: float
) -> Iterator[Finding]:
    """Say whether it arrived, where, and what the servers made of it."""
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
    kept = [
        name
        for name in RECIPIENTS
        if any(sent.address.lower() in str(value).lower() for value in mail.get_all(name, []))
    ]
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
