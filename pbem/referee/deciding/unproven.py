"""Bound the bytes of letters without proof: the oldest lose theirs, not row and outcome."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from pbem.games.frame.codec import Json
from pbem.post.work import Work
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.text import counted, thousands

MEMO = "unproven"
SHOWN = timedelta(days=30)
"""How long the queue mentions it."""
_NEW = 50
"""Count again after so many new letters."""
_AT_ONCE = 500


def keep_within(work: Work) -> int:
    """Drop bytes beyond the bound. Return the number of letters."""
    conn, memo = work.conn, notes.memo(work.conn, MEMO)
    last = letters.last_id(conn)
    if memo and 0 <= last - memo.get("last", 0) < _NEW:
        return 0
    most = work.limits.unproven_bytes
    over = letters.unproven_bytes(conn) - most
    dropped = list(_dropped(work, over)) if over > 0 else []
    told: Json = {**memo, "last": last}
    if dropped:
        told |= {
            "reached": work.now.isoformat(),
            "letters": memo.get("letters", 0) + len(dropped),
            "bytes": memo.get("bytes", 0) + sum(dropped),
        }
    notes.set_memo(conn, MEMO, told)
    return len(dropped)


def _dropped(work: Work, over: int) -> Iterator[int]:
    reason = (
        "letters that prove nothing came to more than"
        f" {thousands(work.limits.unproven_bytes)} bytes before its turn came"
    )
    for which in letters.ORDER:
        while over > 0 and (found := letters.oldest_unproven(work.conn, which, _AT_ONCE)):
            for letter_id, size in found:
                if over <= 0:
                    return
                letters.drop_bytes(work.conn, letter_id, reason)
                over -= size
                yield size


def last_reached(work: Work) -> dict[str, Any]:
    """Return when the bound was last reached and what was dropped; {} if not recently."""
    memo = notes.memo(work.conn, MEMO)
    since = (work.now - SHOWN).isoformat()
    return memo if memo.get("reached", "") > since else {}


def sentence(told: Json, when: str) -> str:
    """Return it as a sentence. when: the date in words."""
    return (
        f"Letters without proof reached their bound on {when} ([limits] unproven_bytes): the bytes"
        f" of {counted(told['letters'], 'old letter')} are gone"
        f" ({thousands(told['bytes'])} bytes in all); what became of each is still on file."
    )
