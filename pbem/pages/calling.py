"""A sheet with players' names for seats that are only a number.

Orders keep their numbers, as do players' own words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest

from pbem.orders.called import Names, named
from pbem.pages import sheet
from pbem.pages.sheet import Block


@lru_cache(maxsize=8)
def called(source: str, known: Names) -> str:
    """Return a sheet with names. Cached: many seats get the same one."""
    if not known:
        return source
    return sheet.edited(source, lambda block: _block(block, known))


def _lines(text: str, known: Names) -> str:
    """Name seats, except in lines that begin with blanks and keep columns."""
    return "\n".join(
        line if line.startswith(" ") else named(line, known) for line in text.split("\n")
    )


def _block(block: Block, known: Names) -> Block:
    match block:
        case sheet.Text(text):
            return sheet.Text(_lines(text, known))
        case sheet.Masthead(title, line):
            return sheet.Masthead(title, named(line, known))
        case sheet.Heading(text):
            return sheet.Heading(named(text, known))
        case sheet.Aside(text):
            return sheet.Aside(called(text, known))
        case sheet.Picture(name, alt):
            return sheet.Picture(name, named(alt, known))
        case sheet.Table(columns, rows):
            titles = (replace(one, title=named(one.title, known)) for one in columns)
            return replace(block, columns=tuple(titles), rows=tuple(_row(r, known) for r in rows))
        case sheet.Form(lines):
            return sheet.Form(tuple(_offer(line, known) for line in lines))
        case sheet.Entry():
            return replace(
                block, said=named(block.said, known), below=tuple(_below(block.below, known))
            )
        case _:
            return block


def _row(cells: tuple[str, ...], known: Names) -> tuple[str, ...]:
    """Name seats, except those whose name is in the row anyway."""
    left = tuple((seat, name) for seat, name in known if name not in cells)
    return tuple(named(cell, left) for cell in cells)


def _offer(line: tuple[str, ...], known: Names) -> tuple[str, ...]:
    order, effect, *choices = line
    return (order, named(effect, known), *choices)


def _below(lines: tuple[str, ...], known: Names) -> Iterable[str]:
    """Name seats, except in a line with a caret below it."""
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        stays = line.startswith(" ") or following.startswith(" ")
        yield line if stays else named(line, known)
