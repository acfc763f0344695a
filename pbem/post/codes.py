"""One-time codes that prove a mailbox. Each counts from its own address.

The memo ``code:<hash>`` has ``kind`` (:data:`pbem.referee.words.door.CODES`), ``by`` (the
address), ``until`` (ISO time) and facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.letters import addresses
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.store.journal import notes
from pbem.store.people import players

LIVES = timedelta(days=7)


def new(work: Work, kind: str, by: str, until: datetime | None = None, **told: Any) -> str:
    """File a code, to be mailed to ``by`` only, with facts."""
    said = "/".join(f"{name}={told[name]}" for name in sorted(told))
    code = work.mark.code(f"{kind}/{by}/{said}/{work.now.isoformat()}")
    until = until or work.now + LIVES
    memo = {"kind": kind, "by": by, "until": until.isoformat(), **told}
    notes.set_memo(work.conn, key(code_hash(code)), memo)
    return code


def on_file(work: Work, code: str, sender: str) -> Mapping[str, Any] | None:
    """Return a code's facts, ``old`` if it is too old; None if it is none of the sender's."""
    told = notes.memo(work.conn, key(code_hash(code))) if code else {}
    if "kind" not in told or not players.same(work.conn, told["by"], sender):
        return None
    return {**told, "old": datetime.fromisoformat(told["until"]) < work.now}


def reply_to(work: Work, code: str) -> str:
    """Return the address where a yes does it."""
    return work.mark.plus(addresses.part_of(code))


def until(work: Work) -> str:
    return (work.now + LIVES).isoformat()


def of_machine(mailbox: str) -> str:
    """Return the memo of a mailbox that was asked again."""
    return f"code:machine:{code_hash(mailbox)}"


def void(work: Work, *hashes: str) -> None:
    """Delete codes by their hashes (:func:`code_hash`)."""
    notes.forget_memos(work.conn, *(key(one) for one in hashes))


def key(hashed: str) -> str:
    return f"code:{hashed}"
