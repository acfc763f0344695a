"""What may become of a letter."""

from collections.abc import Mapping
from enum import StrEnum


class LetterState(StrEnum):
    """What became of a letter. The first three are undecided."""

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
    # the server delivered it in the end
    _S.UNFETCHABLE: frozenset({_S.STORED, _S.DISMISSED}),
    _S.ORDERS: frozenset(),
    # the gamesmaster's commands have this state before and after they are carried out
    _S.COMMAND: frozenset({_S.COMMAND, _S.UNANSWERED}),
    # a copy came with the proof that this one lacked
    _S.IGNORED: frozenset({_S.DUPLICATE}),
    _S.BOUNCE: frozenset(),
    _S.DUPLICATE: frozenset(),
    _S.UNKNOWN_SENDER: frozenset({_S.DUPLICATE, _S.DISMISSED}),
    _S.QUARANTINE: frozenset({_S.DUPLICATE, _S.DISMISSED}),
    # confirmed by its holder or accepted by the gamesmaster: decide again
    _S.UNVERIFIED: frozenset({_S.STORED, _S.DUPLICATE, _S.DISMISSED}),
    _S.HELD: frozenset({_S.STORED, _S.DISMISSED}),
    _S.LATE: frozenset({_S.STORED, _S.DISMISSED}),
    _S.FAILED: frozenset({_S.STORED, _S.DISMISSED}),
    _S.UNANSWERED: frozenset({_S.DISMISSED}),
    _S.DISMISSED: frozenset(),
}
NEW_LETTER = frozenset({_S.STORED, _S.OVERSIZE, _S.UNFETCHABLE})
TO_DECIDE = (_S.STORED, _S.OVERSIZE)
