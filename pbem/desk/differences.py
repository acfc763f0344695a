"""Two texts beside each other, line by line, and the figures in which two sheets differ. Pure.

Of equal lines, only those next to a change are kept: a bulletin is long.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.pages import sheet
from pbem.pages.plain import plain
from pbem.text import counted

NEAR = 2
"""So many lines that are the same stand beside a change."""
ALIKE = 0.5
"""The part of two lines that is the same where one is the other changed."""
Kind = Literal["same", "changed", "gone", "new", "left out"]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of two texts beside each other. A missing side is "". A "left out" row says in words
    how many lines were left out."""

    kind: Kind
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A table cell in which two sheets differ. ``table`` is the heading above the table."""

    table: str
    row: str
    column: str
    """"" for a row that only one sheet has; ``before`` or ``after`` is then the whole row."""
    before: str
    after: str


def rows(before: str, after: str) -> list[Row]:
    """Two texts beside each other; [] if they are the same."""
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
    """Lines that are the same, those in the middle left out."""
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
    """Pair replaced lines with similar lines in their place. If they are not similar, give the
    removed lines, then the new ones."""
    if len(old) == len(new) and all(map(_alike, old, new)):
        yield from (Row("changed", *both) for both in zip(old, new, strict=True))
        return
    yield from (Row("gone", line, "") for line in old)
    yield from (Row("new", "", line) for line in new)


def _alike(before: str, after: str) -> bool:
    """Return whether a line is another one changed, and not just in its place."""
    return difflib.SequenceMatcher(None, before, after, autojunk=False).ratio() >= ALIKE


def figures(before: str, after: str) -> list[Figure]:
    """The cells of tables that are in both sheets and are otherwise in one, in the order of the
    later."""
    old, new = dict(_tables(before)), dict(_tables(after))
    return [one for key in new if key in old for one in _cells(key, old[key], new[key])]


_Key = tuple[str, tuple[str, ...]]
"""By what a table is known: the heading above it and the titles of its columns."""
_Rows = Mapping[str, tuple[str, ...]]


def _tables(source: str) -> Iterator[tuple[_Key, _Rows]]:
    """The tables of a sheet whose rows are known by their first cell."""
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
    """Return what a row holds besides its name."""
    return ", ".join(cell for cell in rows.get(name, ())[1:] if cell)


def plain_rows(before: str, after: str) -> list[Row]:
    """Two sheets beside each other as they are read in plain text."""
    return without_head(plain(before), plain(after))


def without_head(before: str, after: str) -> list[Row]:
    """Two bulletins beside each other, but for the journal's head, which always differs."""
    return rows(*(_kept(one) for one in (before, after)))


def _kept(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("Journal: head "))
