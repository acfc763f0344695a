"""``X-Pbem`` and ``List-Id``, to sort our mails by. They name a game only to its players and
observers, or if the subject does."""

from __future__ import annotations

import re
from collections.abc import Mapping

FIELD = "X-Pbem"
_KINDS = {
    "welcome": ("start",),
    "notice": (
        *("alarm", "ballot", "canary", "digest", "notice", "offer", "replaced", "silence"),
        *("protest", "warned"),
    ),
    "bulletin": (
        *("bulletin", "changes", "copy", "deadline", "event", "hold", "pause", "report"),
        *("restored", "resume", "void", "zine"),
    ),
    "receipt": ("again", "receipt", "receipts", "review"),
    "reminder": ("asked", "reminder"),
    "door": (
        *("anybody", "invitation", "invited", "newcomer", "observer", "rematch"),
        *("standby", "stranger", "table", "unread"),
    ),
    "answer": (
        *("answer", "challenge", "challenges", "confirmed", "deputy", "desk"),
        *("gamesmaster", "handover", "kept", "leaving", "proof", "question"),
    ),
    "press": ("press",),
    "end": ("ended", "statements"),
}
KIND_OF: Mapping[str, str] = {kind: shown for shown, kinds in _KINDS.items() for kind in kinds}
"""As its header says."""
_NAMED = re.compile(r"(?:Re: )?\[([a-z][a-z0-9-]{0,63})\]")
_OURS = "pbem"
"""In mails about the installation."""


def named(subject: str) -> str | None:
    """Return the game that a subject begins with, or None."""
    found = _NAMED.match(subject)
    return found[1] if found and found[1] != _OURS else None


def sorting(kind: str, game: str | None, period: int | None, domain: str) -> dict[str, str]:
    """Return both fields. game: None if the mail is of no game."""
    said = [f"kind={KIND_OF[kind]}"]
    if game:
        said.append(f"game={game}")
        if period is not None:
            said.append(f"period={period}")
    listed = f"{game}.{domain}" if game else domain
    return {FIELD: "; ".join(said), "List-Id": f"<{listed}>"}
