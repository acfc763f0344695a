"""Comparisons for a coming bulletin and a tried rewind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.desk import differences
from pbem.desk.differences import Figure, Row
from pbem.games.frame.events import Seat
from pbem.periods.rewind_pages import Tried
from pbem.referee.acts.word_acts import Preview
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games import bulletins
from pbem.store.games.games import GameAt
from pbem.text import short


@dataclass(frozen=True, slots=True)
class Count:
    """A seat's score before, after, and signed difference."""

    seat: Seat
    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class Ahead:
    """An unpublished bulletin beside the last one."""

    number: int
    last: int | None
    """None: no bulletin is out."""
    waits: bool
    missing: Sequence[Seat]
    counts: Sequence[Count]
    figures: Sequence[Figure]
    rows: Sequence[Row]
    text: str


def ahead(sight: Sight, at: GameAt, seen: Preview) -> Ahead:
    last = bulletins.newest(sight.conn, at.id)
    out = bulletins.of_period(sight.conn, at.id, last)[""] if last is not None else None
    before, scores = (out.text, out.frame.get("scores") or {}) if out else ("", {})
    return Ahead(
        seen.number,
        last,
        seen.waits,
        seen.missing,
        list(_counts(at, scores, seen.scores)),
        differences.figures(before, seen.sheet),
        differences.plain_rows(before, seen.sheet),
        seen.text,
    )


def _counts(
    at: GameAt, before: Mapping[Seat, float], after: Mapping[Seat, float]
) -> Sequence[Count]:
    return [
        Count(
            seat,
            short(before[seat]) if seat in before else "",
            short(after[seat]),
            _signed(after[seat] - before[seat]) if seat in before else "",
        )
        for seat in at.seats
        if seat in after
    ]


def _signed(change: float) -> str:
    return f"{'+' if change > 0 else ''}{short(change)}" if change else ""


@dataclass(frozen=True, slots=True)
class Orders:
    """A seat's orders before and after a rewind."""

    seat: Seat
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Again:
    """A rewind that was tried."""

    rows: Sequence[Row]
    orders: Sequence[Orders]
    notices: Sequence[Orders]
    said: str


def again(at: GameAt, tried: Tried) -> Again:
    before, after = tried.before, tried.after
    orders = [
        Orders(seat, differences.rows(_lines(before.orders, seat), _lines(after.orders, seat)))
        for seat in at.seats
    ]
    notices = [
        Orders(seat, differences.plain_rows(before.notices[seat], after.notices[seat]))
        for seat in at.seats
    ]
    return Again(
        differences.without_head(before.bulletin, after.bulletin),
        [one for one in orders if one.rows],
        [one for one in notices if one.rows],
        tried.said,
    )


def _lines(orders: Mapping[Seat, Sequence[str]], seat: Seat) -> str:
    return "\n".join(orders.get(seat, ()))
