"""The codes that prove control of a mailbox: mailed to one address, worth something from there
only, once, for some days.

A code is on file as the memo ``code:<hash>``. ``kind`` says what it is for, and who takes it when
it comes back (:data:`pbem.referee.words.anybody.CODES`); ``by`` to whom it was mailed; ``until``
how long it works, in ISO form; the rest is the kind's own.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pbem.letters import door_address
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.store.journal import notes

LIVES = timedelta(days=7)
"""How long a code works, unless it is said otherwise."""


def new(work: Work, kind: str, by: str, until: datetime | None = None, **told: Any) -> str:
    """A code for the owner of the address ``by``, on file, to be mailed there and nowhere else;
    ``told``: what is to be known of it when it comes back."""
    said = "/".join(f"{name}={told[name]}" for name in sorted(told))
    code = work.mark.code(f"{kind}/{by}/{said}/{work.now.isoformat()}")
    until = until or work.now + LIVES
    memo = {"kind": kind, "by": by, "until": until.isoformat(), **told}
    notes.set_memo(work.conn, key(code_hash(code)), memo)
    return code


def reply_to(work: Work, code: str) -> str:
    """Return the address to which a yes does what the code does."""
    return work.mark.plus(door_address.part_of(code))


def until(work: Work) -> str:
    """Return the moment to which a code of now works, as it is filed."""
    return (work.now + LIVES).isoformat()


def of_machine(code: str) -> str:
    """Return the memo of how often a machine has answered a mail with this code."""
    return f"code:machine:{code_hash(code)}"


def void(work: Work, *hashes: str) -> None:
    """Codes that are worth nothing any more, by their hashes (:func:`code_hash`)."""
    notes.forget_memos(work.conn, *(key(one) for one in hashes))


def key(hashed: str) -> str:
    """The memo of a code, by its hash."""
    return f"code:{hashed}"
