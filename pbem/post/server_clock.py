"""Reads the mail server's clock from a letter of ours, whose mark makes the referee ignore it."""

import secrets
from datetime import datetime, timedelta

from pbem.errors import OutsideError
from pbem.post.compose import CRLF, LOOP_MARK
from pbem.post.imap import Mailbox


def read(mailbox: Mailbox, folder: str, address: str) -> datetime:
    """Return the server's time. Raise OutsideError."""
    ident = f"<{secrets.token_hex(12)}@{address.rpartition('@')[2]}>"
    fields = {
        "From": address,
        "To": address,
        "Subject": "What time is it?",
        "Message-ID": ident,
        "Auto-Submitted": "auto-generated",
        LOOP_MARK: address,
    }
    head = CRLF.join(f"{name}: {value}" for name, value in fields.items())
    raw = f"{head}{CRLF}{CRLF}Nothing to read here.{CRLF}".encode()
    after = mailbox.select(folder).uidnext - 1
    mailbox.append(folder, raw)
    mailbox.select(folder)
    sizes = mailbox.sizes(mailbox.uids(after))
    small = [uid for uid, size in sizes.items() if size <= 2 * len(raw)]
    # others may have arrived
    probes = [letter for letter in mailbox.fetch(small) if ident.encode() in letter.raw]
    if not probes:
        raise OutsideError(
            f"{mailbox.account}: a letter appended to {folder!r} is not there: its clock cannot be"
            " read."
        )
    mailbox.delete([one.uid for one in probes])
    return probes[0].received


def off(server: datetime, before: datetime, after: datetime) -> timedelta:
    """Return by how much the server's clock surely differs. before, after: ours."""
    return server - min(max(server, before), max(before, after))
