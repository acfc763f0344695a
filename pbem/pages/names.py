"""Names of players in a sheet: behind parties at the first mention, and for numbered seats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest

from pbem.orders.called import Names, named
from pbem.pages import sheet
from pbem.pages.sheet import Block

_PRESS = "Press from "  # who writes to whom is told in full


@lru_cache(maxsize=8)
def introduced(source: str, known: Names, but: tuple[str, ...] = ()) -> str:
    """Return a sheet with names behind most parties."""
    told = tuple(one for one in known if one[0] not in but)
    if not known or not (told or _PRESS in source):
        return source
    parties = Introduced(told)

    def edit(block: Block) -> Block:
        match block:
            case sheet.Text(text):
                return sheet.Text("\n".join(_line(one, parties, known) for one in text.split("\n")))
            case sheet.Entry(said=said):
                return replace(block, said=parties.in_line(said))
            case _:
                return block

    return sheet.edited(source, edit)


def _line(line: str, parties: Introduced, known: Names) -> str:
    if line.startswith(" "):
        return line
    return (Introduced(known) if line.startswith(_PRESS) else parties).in_line(line)


class Introduced:
    """Parties that a text has yet to mention."""

    def __init__(self, known: Names) -> None:
        self._left = dict(known)
        self._names = tuple(name for _, name in known)

    def in_line(self, text: str) -> str:
        if not any(party in text for party in self._left):
            return text
        made, done = list[str](), 0
        for party_match in _PARTY.finditer(text):
            name = self._left.get(party := party_match[0])
            if name is None or not _is_mention(text, *party_match.span()):
                continue
            if any(start <= party_match.start() < end for start, end in _spans(text, self._names)):
                continue
            del self._left[party]
            before, after = text[: party_match.start()], text[party_match.end() :]
            if before.endswith((f"{name} (", f"({name}, ")) or after.startswith(f" ({name}"):
                continue
            if before.endswith("(") and after.startswith(")"):
                made += [text[done : party_match.start()], f"{name}, {party}"]
            else:
                made += [text[done : party_match.end()], f" ({name})"]
            done = party_match.end()
        return "".join([*made, text[done:]]) if made else text


def _spans(text: str, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    for name in names:
        start = text.find(name)
        while start >= 0:
            yield start, start + len(name)
            start = text.find(name, start + len(name))


_PARTY = re.compile(r"(?<![\w'+/&.-])\w{1,40}(?![\w'+/&-])")
_ORDER_WORD = re.compile(r"[A-Z]{2} ")
_CODE = re.compile(r" [A-Z]{2}| [A-Z]\b(?!\w)| \((?![0-9])")
_LETTER = re.compile(
    r"\Z|[,.;:)]| (?:and|or|to|has|had|is|was|got|won|leads|with|laid|moved|voted) "
)


def _is_mention(text: str, start: int, end: int) -> bool:
    # not in an order, a quotation or a list of codes
    before, after = text[:start], text[end:]
    if before.count('"') % 2 or before.endswith(("\u00a0", "are ", "Leader (")):
        return False
    if _ORDER_WORD.fullmatch(before[-3:]) or _CODE.match(after):
        return False
    return end - start > 1 or bool(_LETTER.match(after))


@lru_cache(maxsize=8)
def called(source: str, known: Names) -> str:
    """Return a sheet with names. Cached: many seats get the same one."""
    if not known:
        return source
    return sheet.edited(source, lambda block: _block(block, known))


def _block(block: Block, known: Names) -> Block:
    match block:
        case sheet.Text(text):  # lines that begin with blanks keep columns
            told = (one if one.startswith(" ") else named(one, known) for one in text.split("\n"))
            return sheet.Text("\n".join(told))
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
            offers = ((order, named(does, known), *choices) for order, does, *choices in lines)
            return sheet.Form(tuple(offers))
        case sheet.Entry():
            below = tuple(_below(block.below, known))
            return replace(block, said=named(block.said, known), below=below)
        case _:
            return block


def _row(cells: tuple[str, ...], known: Names) -> tuple[str, ...]:
    """Name seats, except those whose name is in the row anyway."""
    begun = {cell.partition(", ")[0] for cell in cells}
    left = tuple((seat, name) for seat, name in known if name not in begun)
    return tuple(named(cell, left) for cell in cells)


def _below(lines: tuple[str, ...], known: Names) -> Iterable[str]:
    """Name seats, except in a line with a caret below it."""
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        stays = line.startswith(" ") or following.startswith(" ")
        yield line if stays else named(line, known)
