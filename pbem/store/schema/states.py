"""States of games, periods and mails, and what may follow. Only this room sets them. The statement
asks for the state before, against concurrent writers."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from pbem.letters.states import LETTER

S = TypeVar("S", bound=StrEnum)


class GameState(StrEnum):
    """A game's: waiting for its start, running, stopped, over."""

    WAITING = "waiting"
    RUNNING = "running"
    HELD = "held"
    OVER = "over"


class PeriodState(StrEnum):
    """A period's. CLOSING: being adjudicated. REVIEW: to be released."""

    OPEN = "open"
    CLOSING = "closing"
    REVIEW = "review"
    CLOSED = "closed"


class MailState(StrEnum):
    """A mail's. UNKNOWN: connection lost after the data. HELD: the gamesmaster decides. MERGED: to
    be listed in another."""

    READY = "ready"
    LEASED = "leased"
    SENT = "sent"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    HELD = "held"
    MERGED = "merged"
    LISTED = "listed"


class NoteKind(StrEnum):
    """A note's. PREVIEW: before looks were counted (``store.journal.notes``)."""

    RULING = "ruling"
    HOUSE = "house"
    PREVIEW = "preview"
    CLOCK = "clock"
    ORDERS = "orders"


class TableState(StrEnum):
    """An open table's. CALLED: full, to be confirmed. CLOSED: given up."""

    JOINING = "joining"
    CALLED = "called"
    BEGUN = "begun"
    CLOSED = "closed"


class ApplicantState(StrEnum):
    """An applicant's: ASKED for a code, SIGNED on, CALLED to confirm, SURE, GONE."""

    ASKED = "asked"
    SIGNED = "signed"
    CALLED = "called"
    SURE = "sure"
    GONE = "gone"


class DeputyState(StrEnum):
    """A deputy's: ASKED for codes, CONFIRMED by both, ACTING, ENDED."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    ACTING = "acting"
    ENDED = "ended"


class OfferState(StrEnum):
    """An offer's. VOID: another took the seat, or too late."""

    OPEN = "open"
    TAKEN = "taken"
    VOID = "void"


class Freed(StrEnum):
    """Why a seat is free: QUIT (house rule 6), SILENT (7), LIST: no list came (8), or BOT: a house
    bot has played it."""

    QUIT = "quit"
    SILENT = "silent"
    LIST = "list"
    BOT = "bot"


class RecordKind(StrEnum):
    """What is counted. LEFT: a seat by an order. GIVEN: to another. GRACE: a period waited."""

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
"""A rewind makes any game run."""
PERIOD: Mapping[PeriodState, frozenset[PeriodState]] = {
    _P.REVIEW: frozenset({_P.OPEN, _P.CLOSED}),
    _P.OPEN: frozenset({_P.CLOSING, _P.CLOSED}),
    _P.CLOSING: frozenset({_P.CLOSED}),
    _P.CLOSED: frozenset({_P.CLOSING}),
}
"""The end closes it; a rewind sets CLOSING."""
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
"""Acceptance is filed even without the lease."""
NEW_MAIL = frozenset({_M.READY, _M.MERGED})
TABLE: Mapping[TableState, frozenset[TableState]] = {
    TableState.JOINING: frozenset({TableState.CALLED, TableState.BEGUN, TableState.CLOSED}),
    TableState.CALLED: frozenset({TableState.JOINING, TableState.BEGUN, TableState.CLOSED}),
    TableState.BEGUN: frozenset(),
    TableState.CLOSED: frozenset(),
}
"""A full table may reopen."""
NEW_TABLE = frozenset({TableState.JOINING})
DEPUTY: Mapping[DeputyState, frozenset[DeputyState]] = {
    DeputyState.ASKED: frozenset({DeputyState.CONFIRMED, DeputyState.ENDED}),
    DeputyState.CONFIRMED: frozenset({DeputyState.ACTING, DeputyState.ENDED}),
    DeputyState.ACTING: frozenset({DeputyState.ENDED}),
    DeputyState.ENDED: frozenset(),
}
_A = ApplicantState
APPLICANT: Mapping[ApplicantState, frozenset[ApplicantState]] = {
    _A.ASKED: frozenset({_A.ASKED, _A.SIGNED, _A.GONE}),
    _A.SIGNED: frozenset({_A.CALLED, _A.SURE, _A.GONE}),
    _A.CALLED: frozenset({_A.SURE, _A.GONE}),
    _A.SURE: frozenset({_A.GONE}),
    _A.GONE: frozenset({_A.ASKED, _A.SIGNED}),
}
"""An applicant may return. Proven letters need no code."""
NEW_APPLICANT = frozenset({_A.ASKED, _A.SIGNED})

OFFER: Mapping[OfferState, frozenset[OfferState]] = {
    OfferState.OPEN: frozenset({OfferState.TAKEN, OfferState.VOID}),
    OfferState.VOID: frozenset({OfferState.TAKEN}),
    OfferState.TAKEN: frozenset(),
}
"""A late offer may be taken while the seat is free."""


FOLLOWING: Mapping[type[StrEnum], Mapping[Any, frozenset[Any]]] = {
    type(next(iter(table))): table
    for table in (GAME, PERIOD, LETTER, MAIL, TABLE, DEPUTY, APPLICANT, OFFER)
}


def before(table: Mapping[S, frozenset[S]], after: S) -> tuple[S, ...]:
    """Return the states that ``after`` may follow."""
    return tuple(state for state, following in table.items() if after in following)
