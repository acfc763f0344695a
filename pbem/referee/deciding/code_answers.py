"""Redeem the code of a CONFIRM (:mod:`pbem.post.codes`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbem.letters.verdict import Decision
from pbem.post import codes
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.trust import code_of
from pbem.store.journal import notes
from pbem.store.people import players


def come_back(work: Work, judged: Judged, code: str | None = None) -> Mapping[str, Any] | None:
    """Use up a code; return its memo, ``old`` if expired, or None if not valid here."""
    code = code or code_of(judged)
    told = on_file(work, judged.decision, code)
    if told is None:
        return None
    codes.void(work, code_hash(code))
    return told


def on_file(work: Work, decision: Decision, code: str) -> Mapping[str, Any] | None:
    """Return a code's memo without using it up, or None if not valid here."""
    told = notes.memo(work.conn, codes.key(code_hash(code))) if code else {}
    if "kind" not in told or not players.same(work.conn, told["by"], decision.sender or ""):
        return None
    return {**told, "old": datetime.fromisoformat(told["until"]) < work.now}
