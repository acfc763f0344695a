"""A letter line by line, with what became of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pbem.letters.letter import Letter
from pbem.letters.reading.quoting import Piece
from pbem.orders.characters import plain
from pbem.orders.mailwords import Peeled


class Mark(StrEnum):
    """What became of a line."""

    NOTHING = "nothing"
    ORDER = "order"
    REFUSED = "refused"
    WORD = "word"
    """For the referee, such as STATUS."""
    PRESS = "press"
    BELOW = "below"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Understood:
    """What became of one order."""

    number: int
    """Where it begins in the own text."""
    text: str
    orders: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """One line as it came."""

    text: str
    mark: Mark
    number: int = 0
    """0 if cut."""
    orders: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Lines with one fate."""

    reason: str
    """"" if read."""
    file: str
    lines: tuple[MarkedLine, ...]


_SIGNS = re.compile(r"[^0-9a-z]+")
_LONGEST = 60


def marked(letter: Letter, peeled: Peeled, found: Sequence[Understood]) -> tuple[Block, ...]:
    """found: its orders."""
    marks = _marks(letter.text.split("\n"), peeled, found)
    return tuple(_blocks(letter.pieces, letter.text.split("\n"), marks))


def _blocks(
    pieces: Sequence[Piece], own: Sequence[str], marks: Sequence[MarkedLine]
) -> Iterator[Block]:
    numbers = iter([at for at, line in enumerate(own) if line.strip()])
    for piece in pieces:
        lines = piece.text.split("\n")
        if piece.reason:
            shown = [MarkedLine(line, Mark.CUT) for line in lines]
        else:
            shown = []
            for line in lines:
                at = next(numbers, None) if line.strip() else None
                shown.append(MarkedLine(line, Mark.NOTHING) if at is None else marks[at])
        yield Block(piece.reason, piece.file, tuple(shown))


def _marks(own: Sequence[str], peeled: Peeled, found: Sequence[Understood]) -> list[MarkedLine]:
    kept = peeled.text.split("\n")
    lines = [MarkedLine(text, Mark.NOTHING, at) for at, text in enumerate(own, 1)]
    for at, text in enumerate(own):
        if peeled.ended and at >= peeled.ended:
            lines[at] = MarkedLine(text, Mark.BELOW, at + 1)
        elif text.strip() and at < len(kept) and kept[at] != text:
            lines[at] = MarkedLine(text, Mark.WORD, at + 1)
    for press in peeled.press:
        for at in range(press.line - 1, min(len(own), press.line + press.text.count("\n") + 2)):
            if lines[at].mark is Mark.WORD:
                lines[at] = MarkedLine(own[at], Mark.PRESS, at + 1)
    for one in found:
        if 0 < one.number <= len(lines) and (one.orders or not one.quiet):
            _mark(lines, one)
    return lines


def _mark(lines: list[MarkedLine], one: Understood) -> None:
    mark = Mark.ORDER if one.orders or not one.said else Mark.REFUSED
    first = lines[one.number - 1]
    orders, said = first.orders + one.orders, first.said + one.said
    if first.mark is Mark.REFUSED:  # several orders share the line
        mark = Mark.REFUSED
    lines[one.number - 1] = MarkedLine(first.text, mark, one.number, orders, said)
    rest = _signs(one.text).partition(_signs(first.text))[2] if first.text.strip() else ""
    for at in range(one.number, min(len(lines), one.number + _LONGEST)):
        signs = _signs(lines[at].text)
        if not rest or (signs and not rest.startswith(signs)):
            break
        rest = rest[len(signs) :]
        if signs:
            lines[at] = MarkedLine(lines[at].text, mark, at + 1)


def _signs(text: str) -> str:
    return _SIGNS.sub("", plain(text).lower())
