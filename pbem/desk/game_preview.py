"""Comparisons for a coming bulletin and a tried rewind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.desk import differences
from pbem.desk.differences import Row
from pbem.games.frame.events import Seat
from pbem.periods.rewind_pages import Tried
from pbem.referee.acts.word_acts import Preview
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games import bulletins
from pbem.store.games.games import GameAt
from pbem.text import short


def ahead(sight: Sight, at: GameAt, seen: Preview) -> Mapping[str, Any]:
    """Return an unpublished bulletin beside the last one (None: no bulletin is out)."""
    last = bulletins.newest(sight.conn, at.id)
    out = bulletins.of_period(sight.conn, at.id, last)[""] if last is not None else None
    before, scores = (out.text, out.frame.get("scores") or {}) if out else ("", {})
    return {
        "number": seen.number,
        "last": last,
        "waits": seen.waits,
        "missing": seen.missing,
        "counts": list(_counts(at, scores, seen.scores)),
        "figures": differences.figures(before, seen.sheet),
        "rows": differences.plain_rows(before, seen.sheet),
        "text": seen.text,
    }


def _counts(
    at: GameAt, before: Mapping[Seat, float], after: Mapping[Seat, float]
) -> Iterator[Mapping[str, str]]:
    """Yield each seat's score before, after, and the signed difference."""
    for seat in at.seats:
        if seat in after:
            old, change = "", 0.0
            if seat in before:
                old, change = short(before[seat]), after[seat] - before[seat]
            signed = f"{'+' if change > 0 else ''}{short(change)}" if change else ""
            yield {"seat": seat, "before": old, "after": short(after[seat]), "change": signed}


def again(at: GameAt, tried: Tried) -> Mapping[str, Any]:
    """Return a rewind that was tried: the bulletin, and by seat the orders and notices that
    change."""
    before, after = tried.before, tried.after
    orders = [
        (seat, differences.rows(_lines(before.orders, seat), _lines(after.orders, seat)))
        for seat in at.seats
    ]
    notices = [
        (seat, differences.plain_rows(before.notices[seat], after.notices[seat]))
        for seat in at.seats
    ]
    return {
        "rows": differences.without_head(before.bulletin, after.bulletin),
        "orders": _changed(orders),
        "notices": _changed(notices),
        "said": tried.said,
    }


def _changed(found: Sequence[tuple[Seat, Sequence[Row]]]) -> Sequence[Mapping[str, Any]]:
    return [{"seat": seat, "rows": rows} for seat, rows in found if rows]


def _lines(orders: Mapping[Seat, Sequence[str]], seat: Seat) -> str:
    return "\n".join(orders.get(seat, ()))
