"""One-time codes that prove a mailbox: each counts from whom it was mailed to, in time, once.

The memo ``code:<hash>`` has ``kind``, ``by`` (the address), ``until`` (ISO time) and facts. The
codes of offers, deputies and held letters stand in their rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from pbem.letters import addresses
from pbem.letters.addresses import GAMESMASTER
from pbem.letters.states import LetterState
from pbem.post import masters
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.joining import claimants
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.people import deputies, players
from pbem.store.schema.tables import Letter

LIVES, PROOF_LIVES = timedelta(days=7), timedelta(days=2)
"""PROOF_LIVES: of a gamesmaster's commands."""


class CodeKind(StrEnum):
    """What a code is for."""

    SIGNON = "signon"
    NAMED = "named"
    WATCH = "watch"
    UNWATCH = "unwatch"
    PRACTICE = "practice"
    SUBSCRIBE = "subscribe"
    NO_MORE_MAIL = "no-more-mail"
    LEAVING = "leaving"
    HANDOVER = "handover"
    ACT = "act"
    OFFER = "offer"
    DEPUTY = "deputy"
    LETTER = "letter"


_EXACT = frozenset((CodeKind.HANDOVER, CodeKind.ACT, CodeKind.OFFER, CodeKind.DEPUTY))
"""Not from another address of the same person."""
DOOR = frozenset(CodeKind) - _EXACT - {CodeKind.LEAVING, CodeKind.LETTER}
"""A yes does them too, and their answer may be joined to others."""
_ELSEWHERE = (CodeKind.LEAVING, CodeKind.HANDOVER)
"""A field of that name has the memo with the facts."""
UNKNOWN = "There is nothing that waits for that code, or not any more."
OTHER = "That code works only from the address that it was mailed to. Nothing was done."
LATE = "That code is too old, and nothing was done. Send your first letter again."


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits for a code."""

    kind: CodeKind
    by: str
    """The address it was mailed to."""
    hashed: str
    told: Mapping[str, Any]
    """Facts, or the ``row`` it stands in."""
    until: datetime | None = None
    """None: as long as its row says."""


def new(work: Work, kind: CodeKind, by: str, until: datetime | None = None, **told: Any) -> str:
    """File a code, to be mailed to ``by`` only, with facts."""
    said = "/".join(f"{name}={told[name]}" for name in sorted(told))
    code = work.mark.code(f"{kind}/{by}/{said}/{work.now.isoformat()}")
    file(work, code, kind, by, until or work.now + LIVES, **told)
    return code


def file(work: Work, code: str, kind: CodeKind, by: str, until: datetime, **told: Any) -> None:
    memo = {"kind": kind, "by": by, "until": until.isoformat(), **told}
    notes.set_memo(work.conn, key(code_hash(code)), memo)


def find(work: Work, code: str) -> Pending | None:
    conn, hashed = work.conn, code_hash(code)
    if not code:
        return None
    if stored := notes.memo(conn, key(hashed)):
        kind = stored.get("kind") or next((one for one in _ELSEWHERE if one in stored), "")
        stored = {**stored, **notes.memo(conn, stored.get(kind, ""))}
        if not (kind or "name" in stored) or "until" not in stored:
            return None
        by = stored.get("by") or players.addresses(conn, stored["player"])[0]
        until = None if stored.get("word") == "RESIGN" else datetime.fromisoformat(stored["until"])
        return Pending(CodeKind(kind or CodeKind.ACT), by, hashed, stored, until)
    if offer := claimants.of_code(conn, hashed):
        return Pending(CodeKind.OFFER, offer.address, hashed, {"row": offer})
    if who := deputies.by_code(conn, hashed):
        hers = who.deputy_code == hashed
        by = who.address if hers else games.holders(conn, who.game_id)[who.seat].address
        both = {"row": who, "hers": hers}
        return Pending(CodeKind.DEPUTY, by, hashed, both, min(who.until, who.last or who.until))
    if row := letters.of_code(conn, hashed):
        commands = row.outcome == LetterState.UNVERIFIED and row.seat == GAMESMASTER
        until = row.received + PROOF_LIVES if commands else None
        return Pending(CodeKind.LETTER, _asked(work, row), hashed, {"row": row}, until)
    return None


def _asked(work: Work, row: Letter) -> str:
    """Return whom we asked whether a letter is theirs."""
    if players.at_address(work.conn, row.sender) or masters.is_one(
        work.conn, work.mark, row.sender
    ):
        return row.sender
    holder = games.holders(work.conn, row.game_id).get(row.seat)
    return holder.address if holder else row.sender


def refusal(work: Work, pending: Pending | None, sender: str) -> str:
    """Return why a code does nothing, or ""."""
    if pending is None:
        return UNKNOWN
    same = pending.kind not in _EXACT and players.same(work.conn, pending.by, sender)
    if not same and sender != pending.by:
        return OTHER
    return LATE if pending.until and pending.until < work.now else ""


def reply_to(work: Work, code: str) -> str:
    """Return the address where a yes does it."""
    return work.mark.plus(addresses.part_of(code))


def void(work: Work, *hashes: str) -> None:
    """Delete codes by their hashes (:func:`code_hash`)."""
    notes.forget_memos(work.conn, *(key(one) for one in hashes))


def key(hashed: str) -> str:
    return f"code:{hashed}"
