"""Two texts and the figures of two sheets compared, for a coming bulletin and a tried rewind."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pbem.games.frame.events import Seat
from pbem.pages import sheet
from pbem.pages.plain import plain
from pbem.periods.rewind_pages import Tried
from pbem.referee.acts.word_acts import Preview
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games import bulletins
from pbem.store.games.games import GameAt
from pbem.text import counted, short

NEAR = 2
ALIKE = 0.5
"""Least likeness of one line changed."""
Kind = Literal["same", "changed", "gone", "new", "left out"]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of two texts. A missing side is "". A "left out" row gives the number of lines."""

    kind: Kind
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A table cell that differs. ``table`` is the heading."""

    table: str
    row: str
    column: str
    """"" if only one sheet has the row, which is then whole."""
    before: str
    after: str


def rows(before: str, after: str) -> list[Row]:
    """Compare two texts. Return [] if they are equal."""
    old, new = before.rstrip("\n").split("\n"), after.rstrip("\n").split("\n")
    found: list[Row] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    blocks = matcher.get_opcodes()
    if all(tag == "equal" for tag, *_ in blocks):
        return []
    for place, (tag, a, b, c, d) in enumerate(blocks):
        if tag == "equal":
            first, last = place == 0, place == len(blocks) - 1
            found += _near(old[a:b], first=first, last=last)
        else:
            found += _changed(old[a:b], new[c:d])
    return found


def _near(lines: Sequence[str], *, first: bool, last: bool) -> Iterator[Row]:
    head, tail = (0 if first else NEAR), (0 if last else NEAR)
    out = len(lines) - head - tail
    if out <= 1:
        yield from (Row("same", line, line) for line in lines)
        return
    yield from (Row("same", line, line) for line in lines[:head])
    said = counted(out, "line that is the same", "lines that are the same")
    yield Row("left out", said, said)
    yield from (Row("same", line, line) for line in lines[len(lines) - tail :])


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    if len(old) == len(new) and all(map(_alike, old, new)):
        yield from (Row("changed", *both) for both in zip(old, new, strict=True))
        return
    yield from (Row("gone", line, "") for line in old)
    yield from (Row("new", "", line) for line in new)


def _alike(before: str, after: str) -> bool:
    return difflib.SequenceMatcher(None, before, after, autojunk=False).ratio() >= ALIKE


def figures(before: str, after: str) -> list[Figure]:
    old, new = dict(_tables(before)), dict(_tables(after))
    return [one for key in new if key in old for one in _cells(key, old[key], new[key])]


_Key = tuple[str, tuple[str, ...]]
"""Heading and column titles."""
_Rows = Mapping[str, tuple[str, ...]]


def _tables(source: str) -> Iterator[tuple[_Key, _Rows]]:
    heading = ""
    for block in sheet.blocks(source):
        if isinstance(block, sheet.Heading):
            heading = block.text
        elif isinstance(block, sheet.Table):
            named = {row[0]: row for row in block.rows}
            if len(named) == len(block.rows):
                yield (heading, tuple(column.title for column in block.columns)), named


def _cells(key: _Key, old: _Rows, new: _Rows) -> Iterator[Figure]:
    heading, titles = key
    for name in dict.fromkeys([*new, *old]):
        if name not in old or name not in new:
            yield Figure(heading, name, "", _row(old, name), _row(new, name))
            continue
        cells = zip(titles[1:], old[name][1:], new[name][1:], strict=True)
        yield from (Figure(heading, name, *cell) for cell in cells if cell[1] != cell[2])


def _row(rows: _Rows, name: str) -> str:
    return ", ".join(cell for cell in rows.get(name, ())[1:] if cell)


def plain_rows(before: str, after: str) -> list[Row]:
    return without_head(plain(before), plain(after))


def without_head(before: str, after: str) -> list[Row]:
    """Compare two bulletins without the journal's head."""
    return rows(*(_kept(one) for one in (before, after)))


def _kept(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("Journal: head "))


# --- a coming bulletin, and a rewind that was tried -----------------------------------------------


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
        "figures": figures(before, seen.sheet),
        "rows": plain_rows(before, seen.sheet),
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
        (seat, rows(_lines(before.orders, seat), _lines(after.orders, seat))) for seat in at.seats
    ]
    notices = [(seat, plain_rows(before.notices[seat], after.notices[seat])) for seat in at.seats]
    return {
        "rows": without_head(before.bulletin, after.bulletin),
        "orders": _that_change(orders),
        "notices": _that_change(notices),
        "said": tried.said,
    }


def _that_change(found: Sequence[tuple[Seat, Sequence[Row]]]) -> Sequence[Mapping[str, Any]]:
    return [{"seat": seat, "rows": rows} for seat, rows in found if rows]


def _lines(orders: Mapping[Seat, Sequence[str]], seat: Seat) -> str:
    return "\n".join(orders.get(seat, ()))
