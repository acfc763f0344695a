"""Lanes of the outbox, lower numbers first; in each the games take turns. One reader's mails keep
their order in a lane."""

from __future__ import annotations

from collections.abc import Mapping

ANSWERS, REMINDERS, NOTICES, BULLETINS = LINES = range(4)
LATER = 10
"""Added for another try."""
_KINDS = {
    # what somebody waits for: answers, codes, alarms
    ANSWERS: (
        *("again", "alarm", "answer", "anybody", "canary", "challenge", "challenges"),
        *("confirmed", "deputy", "desk", "gamesmaster", "handover", "leaving", "proof", "question"),
        *("newcomer", "protest", "receipt", "receipts", "review", "standby", "stranger"),
        *("table", "unread", "warned"),
    ),
    # before a near time
    REMINDERS: ("asked", "reminder"),
    # for one player
    NOTICES: (
        *("ballot", "invitation", "invited", "kept", "notice", "observer", "offer", "rematch"),
        *("replaced", "start"),
    ),
    # for all
    BULLETINS: (
        *("bulletin", "changes", "copy", "deadline", "digest", "ended", "event", "hold", "pause"),
        *("press", "report", "restored", "resume", "silence", "statements", "void", "zine"),
    ),
}
LINE_OF: Mapping[str, int] = {kind: line for line, kinds in _KINDS.items() for kind in kinds}
