"""States of games, periods and mails, and which may follow which. For letters see
``letters.states``.

Only functions of this room set a state. The statement asks in its WHERE that the tables here allow
the change, so no state is skipped by concurrent writers. CHECK constraints keep the names in the
database.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import ColumnElement, false, or_
from sqlalchemy.orm import InstrumentedAttribute

S = TypeVar("S", bound=StrEnum)


class GameState(StrEnum):
    """The ``status`` of a game: it waits for its start, its clock runs, its clock stands, it is
    over."""

    WAITING = "waiting"
    RUNNING = "running"
    HELD = "held"
    OVER = "over"


class PeriodState(StrEnum):
    """The ``status`` of a period: OPEN takes orders; CLOSING is being adjudicated; REVIEW waits for
    the gamesmaster's release; CLOSED is over."""

    OPEN = "open"
    CLOSING = "closing"
    REVIEW = "review"
    CLOSED = "closed"


class MailState(StrEnum):
    """The ``state`` of a mail in the outbox: READY to go; LEASED by a sender; SENT; REFUSED for
    good; UNKNOWN (connection lost after the data); HELD for the gamesmaster; MERGED (waits to go
    out with others in one mail), then LISTED there."""

    READY = "ready"
    LEASED = "leased"
    SENT = "sent"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    HELD = "held"
    MERGED = "merged"
    LISTED = "listed"


class NoteKind(StrEnum):
    """The ``kind`` of a note for the next bulletin: a gamesmaster's ruling; a house note; one about
    a period's clock; one about orders of a period. The kind for a seen preview dates from before
    looks were counted (``store.journal.looks``)."""

    RULING = "ruling"
    HOUSE = "house"
    PREVIEW = "preview"
    CLOCK = "clock"
    ORDERS = "orders"


class TableState(StrEnum):
    """The ``state`` of an open table: JOINING takes players; CALLED is full and asks each player to
    confirm; BEGUN is a game; CLOSED did not fill or was given up."""

    JOINING = "joining"
    CALLED = "called"
    BEGUN = "begun"
    CLOSED = "closed"


class ApplicantState(StrEnum):
    """The ``state`` of an applicant: ASKED for a code; SIGNED on, seated or waiting by place (no
    place while the gamesmaster must approve); CALLED to confirm; SURE to play; GONE."""

    ASKED = "asked"
    SIGNED = "signed"
    CALLED = "called"
    SURE = "sure"
    GONE = "gone"


class DeputyState(StrEnum):
    """The ``state`` of a deputy: ASKED for codes, as is the player; CONFIRMED by both; ACTING since
    the first day; ENDED by one of them or by the last day."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    ACTING = "acting"
    ENDED = "ended"


class OfferState(StrEnum):
    """The ``state`` of an offer of a free seat: OPEN; TAKEN; VOID, because another took the seat or
    the time is over."""

    OPEN = "open"
    TAKEN = "taken"
    VOID = "void"


class Freed(StrEnum):
    """Why a seat needs another player. QUIT: asked to be relieved (house rule 6). SILENT: was asked
    whether to play on (rule 7). LIST: the period waits for the player's list (rule 8)."""

    QUIT = "quit"
    SILENT = "silent"
    LIST = "list"


class RecordKind(StrEnum):
    """What is counted of a person: a due move MADE or MISSED; a seat LEFT by an order, or GIVEN to
    another by wish or silence; a game FINISHED; a period that waited by GRACE."""

    MADE = "made"
    MISSED = "missed"
    LEFT = "left"
    GIVEN = "given"
    FINISHED = "finished"
    GRACE = "grace"


_G, _P, _M = GameState, PeriodState, MailState
GAME: Mapping[GameState, frozenset[GameState]] = {
    _G.WAITING: frozenset({_G.RUNNING}),
    _G.RUNNING: frozenset({_G.RUNNING, _G.HELD, _G.OVER}),
    _G.HELD: frozenset({_G.RUNNING, _G.HELD, _G.OVER}),
    _G.OVER: frozenset({_G.RUNNING}),
}
"""What may become of a game: a rewound one runs, whatever it was; a backup holds a held one once
more."""
NEW_GAME = frozenset({_G.WAITING})
PERIOD: Mapping[PeriodState, frozenset[PeriodState]] = {
    _P.REVIEW: frozenset({_P.OPEN, _P.CLOSED}),
    _P.OPEN: frozenset({_P.CLOSING, _P.CLOSED}),
    _P.CLOSING: frozenset({_P.CLOSED}),
    _P.CLOSED: frozenset({_P.CLOSING}),
}
"""What may become of a period: it is closed from any state where its game ends, and closing again
where it is rewound."""
NEW_PERIOD = frozenset({_P.REVIEW, _P.CLOSED})
MAIL: Mapping[MailState, frozenset[MailState]] = {
    _M.READY: frozenset({_M.LEASED, _M.HELD, _M.SENT}),
    _M.LEASED: frozenset({_M.LEASED, _M.READY, _M.SENT, _M.REFUSED, _M.UNKNOWN, _M.HELD}),
    _M.UNKNOWN: frozenset({_M.LEASED, _M.READY, _M.SENT, _M.HELD}),
    _M.REFUSED: frozenset({_M.READY, _M.SENT}),
    _M.HELD: frozenset({_M.READY, _M.SENT}),
    _M.MERGED: frozenset({_M.READY, _M.LISTED}),
    _M.SENT: frozenset(),
    _M.LISTED: frozenset(),
}
"""What may become of a mail. A server's word that it took a mail is filed whatever became of the
lease meanwhile."""
NEW_MAIL = frozenset({_M.READY, _M.MERGED})
TABLE: Mapping[TableState, frozenset[TableState]] = {
    TableState.JOINING: frozenset({TableState.CALLED, TableState.BEGUN, TableState.CLOSED}),
    TableState.CALLED: frozenset({TableState.JOINING, TableState.BEGUN, TableState.CLOSED}),
    TableState.BEGUN: frozenset(),
    TableState.CLOSED: frozenset(),
}
"""What may become of an open table: one that is full of players who do not answer takes others."""
NEW_TABLE = frozenset({TableState.JOINING})
DEPUTY: Mapping[DeputyState, frozenset[DeputyState]] = {
    DeputyState.ASKED: frozenset({DeputyState.CONFIRMED, DeputyState.ENDED}),
    DeputyState.CONFIRMED: frozenset({DeputyState.ACTING, DeputyState.ENDED}),
    DeputyState.ACTING: frozenset({DeputyState.ENDED}),
    DeputyState.ENDED: frozenset(),
}
"""What may become of a deputy."""
_A = ApplicantState
APPLICANT: Mapping[ApplicantState, frozenset[ApplicantState]] = {
    _A.ASKED: frozenset({_A.ASKED, _A.SIGNED, _A.GONE}),
    _A.SIGNED: frozenset({_A.CALLED, _A.SURE, _A.GONE}),
    _A.CALLED: frozenset({_A.SURE, _A.GONE}),
    _A.SURE: frozenset({_A.GONE}),
    _A.GONE: frozenset({_A.ASKED, _A.SIGNED}),
}
"""What may become of an applicant, who may also come again. A proven letter needs no code."""
NEW_APPLICANT = frozenset({_A.ASKED, _A.SIGNED})

OFFER: Mapping[OfferState, frozenset[OfferState]] = {
    OfferState.OPEN: frozenset({OfferState.TAKEN, OfferState.VOID}),
    OfferState.VOID: frozenset({OfferState.TAKEN}),
    OfferState.TAKEN: frozenset(),
}
"""What may become of an offer: one whose time is over is taken all the same while nobody else has
the seat, or is asked alone."""
NEW_OFFER = frozenset({OfferState.OPEN})


def before(table: Mapping[S, frozenset[S]], after: S) -> tuple[S, ...]:
    """Return the states that ``after`` may follow."""
    return tuple(state for state, following in table.items() if after in following)


def may_follow(
    column: InstrumentedAttribute[S], table: Mapping[S, frozenset[S]], after: S
) -> ColumnElement[bool]:
    """``column`` has a state that ``after`` may follow; no IN, which costs some time at each
    execution."""
    return or_(false(), *(column == state for state in before(table, after)))
