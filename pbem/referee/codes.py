"""The codes that prove control of a mailbox: mailed to one address, worth something from there
only, once, for some days.

A code is on file as the memo ``code:<hash>``. ``kind`` says what it is for, and who takes it when
it comes back (:data:`pbem.referee.anybody.CODES`); ``by`` to whom it was mailed; ``until`` how long
it works, in ISO form; the rest is the kind's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.letters.verdict import Decision
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.trust import code_of
from pbem.store import notes, players

LIVES = timedelta(days=7)
"""How long a code works, unless it is said otherwise."""


def new(work: Work, kind: str, by: str, until: datetime | None = None, **told: Any) -> str:
    """A code for the owner of the address ``by``, on file, to be mailed there and nowhere else;
    ``told``: what is to be known of it when it comes back."""
    said = "/".join(f"{name}={told[name]}" for name in sorted(told))
    code = work.mark.code(f"{kind}/{by}/{said}/{work.now.isoformat()}")
    until = until or work.now + LIVES
    memo = {"kind": kind, "by": by, "until": until.isoformat(), **told}
    notes.set_memo(work.conn, _key(code_hash(code)), memo)
    return code


def come_back(work: Work, decision: Decision) -> Mapping[str, Any] | None:
    """What is on file of the code of a CONFIRM, which is used up by it; None where there is none of
    that kind, or where it comes from another address. One that is too old has ``old``."""
    code = code_of(decision)
    told = notes.memo(work.conn, _key(code_hash(code))) if code else {}
    if "kind" not in told or not _same(work, told["by"], decision.sender or ""):
        return None
    void(work, code_hash(code))
    return {**told, "old": datetime.fromisoformat(told["until"]) < work.now}


def void(work: Work, *hashes: str) -> None:
    """Codes that are worth nothing any more, by their hashes (:func:`code_hash`)."""
    notes.forget_memos(work.conn, *(_key(one) for one in hashes))


def _same(work: Work, by: str, sender: str) -> bool:
    """Whether a letter's sender is the owner of the address ``by``: itself, or another registered
    one of the same player."""
    if by == sender:
        return True
    player = players.at_address(work.conn, sender)
    return player is not None and player == players.at_address(work.conn, by)


def _key(hashed: str) -> str:
    return f"code:{hashed}"
