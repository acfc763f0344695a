"""The queue in which a mail waits to go out, by its kind. The more urgent queue goes first.

Within a queue the games take turns, and mails of one game go in the order they were made. Mails
that one reader must get in order share a queue: a correction and what it corrects, or public news
of a game.
"""

from __future__ import annotations

from collections.abc import Mapping

ANSWERS, REMINDERS, NOTICES, BULLETINS = LINES = range(4)
LATER = 10
"""That much behind its line stands what waits for another try."""
_KINDS = {
    # what somebody waits for: answers to his letter, codes that he has asked for, alarms
    ANSWERS: (
        *("absence", "again", "alarm", "anybody", "canary", "challenge", "challenges", "confirmed"),
        *("deputy", "desk", "gamesmaster", "handover", "leaving", "proof", "question"),
        *("forged", "newcomer", "receipt", "receipts", "review", "standby", "stranger"),
        *("table", "unread"),
    ),
    # before a time that is near
    REMINDERS: ("asked", "reminder"),
    # what one player is told
    NOTICES: (
        *("ballot", "invitation", "invited", "kept", "notice", "observer", "offer", "replaced"),
        *("start", "tables"),
    ),
    # what all are told
    BULLETINS: (
        *("bulletin", "changes", "copy", "deadline", "digest", "ended", "event", "hold", "pause"),
        *("press", "report", "restored", "resume", "silence", "statements", "void"),
    ),
}
LINE_OF: Mapping[str, int] = {kind: line for line, kinds in _KINDS.items() for kind in kinds}
"""The line of each kind of mail that there is."""
