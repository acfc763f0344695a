"""States of games, periods and mails, and what may follow what. Letters: ``letters.states``.

Only this room sets states. The statement asks for an allowed state before, so that concurrent
writers skip none.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import ColumnElement, false, or_
from sqlalchemy.orm import InstrumentedAttribute

S = TypeVar("S", bound=StrEnum)


class GameState(StrEnum):
    """Of a game: waiting for its start, clock running, clock stopped, over."""

    WAITING = "waiting"
    RUNNING = "running"
    HELD = "held"
    OVER = "over"


class PeriodState(StrEnum):
    """Of a period. CLOSING: being adjudicated. REVIEW: the gamesmaster must release it."""

    OPEN = "open"
    CLOSING = "closing"
    REVIEW = "review"
    CLOSED = "closed"


class MailState(StrEnum):
    """Of a mail. UNKNOWN: connection lost after the data. HELD: the gamesmaster decides. MERGED
    mails wait for one mail that lists them."""

    READY = "ready"
    LEASED = "leased"
    SENT = "sent"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    HELD = "held"
    MERGED = "merged"
    LISTED = "listed"


class NoteKind(StrEnum):
    """Of a note for the next bulletin. PREVIEW is from before looks were counted
    (``store.journal.looks``)."""

    RULING = "ruling"
    HOUSE = "house"
    PREVIEW = "preview"
    CLOCK = "clock"
    ORDERS = "orders"


class TableState(StrEnum):
    """Of an open table. CALLED: full, each player must confirm. CLOSED: given up."""

    JOINING = "joining"
    CALLED = "called"
    BEGUN = "begun"
    CLOSED = "closed"


class ApplicantState(StrEnum):
    """Of an applicant: ASKED for a code, SIGNED on (placed unless to be approved), CALLED to
    confirm, SURE, GONE."""

    ASKED = "asked"
    SIGNED = "signed"
    CALLED = "called"
    SURE = "sure"
    GONE = "gone"


class DeputyState(StrEnum):
    """Of a deputy: ASKED for codes, CONFIRMED by both, ACTING, ENDED."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    ACTING = "acting"
    ENDED = "ended"


class OfferState(StrEnum):
    """Of an offer. VOID: another took the seat, or too late."""

    OPEN = "open"
    TAKEN = "taken"
    VOID = "void"


class Freed(StrEnum):
    """Why a seat needs a player: QUIT (house rule 6), SILENT (7), or LIST: the period needs a list
    from its player (8)."""

    QUIT = "quit"
    SILENT = "silent"
    LIST = "list"


class RecordKind(StrEnum):
    """What is counted of a person. LEFT: a seat, by an order. GIVEN: to another player. GRACE: a
    period that waited."""

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
"""A rewind makes any game run. A restore may hold a held game again."""
PERIOD: Mapping[PeriodState, frozenset[PeriodState]] = {
    _P.REVIEW: frozenset({_P.OPEN, _P.CLOSED}),
    _P.OPEN: frozenset({_P.CLOSING, _P.CLOSED}),
    _P.CLOSING: frozenset({_P.CLOSED}),
    _P.CLOSED: frozenset({_P.CLOSING}),
}
"""The end of the game closes it from any state; a rewind sets CLOSING again."""
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
"""A server's acceptance is filed even if the lease was lost."""
NEW_MAIL = frozenset({_M.READY, _M.MERGED})
TABLE: Mapping[TableState, frozenset[TableState]] = {
    TableState.JOINING: frozenset({TableState.CALLED, TableState.BEGUN, TableState.CLOSED}),
    TableState.CALLED: frozenset({TableState.JOINING, TableState.BEGUN, TableState.CLOSED}),
    TableState.BEGUN: frozenset(),
    TableState.CLOSED: frozenset(),
}
"""A full table takes others if its players do not confirm."""
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
"""A late offer may be taken while the seat is free and nobody is asked alone."""
NEW_OFFER = frozenset({OfferState.OPEN})


def before(table: Mapping[S, frozenset[S]], after: S) -> tuple[S, ...]:
    """Return the states that ``after`` may follow."""
    return tuple(state for state, following in table.items() if after in following)


def may_follow(
    column: InstrumentedAttribute[S], table: Mapping[S, frozenset[S]], after: S
) -> ColumnElement[bool]:
    """Return the condition that ``after`` may follow. Avoids IN, which is slow to bind."""
    return or_(false(), *(column == state for state in before(table, after)))
