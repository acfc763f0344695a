"""The states of a letter: what became of it, and what may still become of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class LetterState(StrEnum):
    """The ``outcome`` of a letter; the first three are of letters that are not decided yet."""

    STORED = "stored"
    OVERSIZE = "oversize"
    UNFETCHABLE = "unfetchable"
    ORDERS = "orders"
    COMMAND = "command"
    IGNORED = "ignored"
    BOUNCE = "bounce"
    DUPLICATE = "duplicate"
    UNKNOWN_SENDER = "unknown-sender"
    QUARANTINE = "quarantine"
    UNVERIFIED = "unverified"
    HELD = "held"
    LATE = "late"
    FAILED = "failed"
    UNANSWERED = "unanswered"
    DISMISSED = "dismissed"


_S = LetterState
LETTER: Mapping[LetterState, frozenset[LetterState]] = {
    _S.STORED: frozenset(_S) - {_S.STORED, _S.OVERSIZE, _S.UNFETCHABLE},
    _S.OVERSIZE: frozenset({_S.QUARANTINE, _S.FAILED, _S.DISMISSED}),
    # the server gave it after all
    _S.UNFETCHABLE: frozenset({_S.STORED, _S.DISMISSED}),
    _S.ORDERS: frozenset(),
    # a letter of the gamesmaster's commands is one before they are carried out, and after
    _S.COMMAND: frozenset({_S.COMMAND, _S.UNANSWERED}),
    # a copy came with the proof that this one lacked
    _S.IGNORED: frozenset({_S.DUPLICATE}),
    _S.BOUNCE: frozenset(),
    _S.DUPLICATE: frozenset(),
    # there was no room for an answer, and now there is: decided again
    _S.UNKNOWN_SENDER: frozenset({_S.STORED, _S.DUPLICATE, _S.DISMISSED}),
    _S.QUARANTINE: frozenset({_S.DUPLICATE, _S.DISMISSED}),
    # confirmed by its holder, or accepted by the gamesmaster: decided again
    _S.UNVERIFIED: frozenset({_S.STORED, _S.DUPLICATE, _S.DISMISSED}),
    _S.HELD: frozenset({_S.STORED, _S.DISMISSED}),
    _S.LATE: frozenset({_S.STORED, _S.DISMISSED}),
    _S.FAILED: frozenset({_S.STORED, _S.DISMISSED}),
    _S.UNANSWERED: frozenset({_S.DISMISSED}),
    _S.DISMISSED: frozenset(),
}
"""What may become of a letter in each state."""
NEW_LETTER = frozenset({_S.STORED, _S.OVERSIZE, _S.UNFETCHABLE})
"""As what a letter comes in."""
TO_DECIDE = (_S.STORED, _S.OVERSIZE)
"""The letters that the referee decides."""
