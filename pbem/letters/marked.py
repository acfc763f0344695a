"""What a letter says, line by line in the order in which it came, each marked with what was made of
it: read as an order, as a word for the referee, as words for others, or cut off and why."""

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
    """What was made of a line."""

    NOTHING = "nothing"
    """It was read, and says nothing to the referee."""
    ORDER = "order"
    REFUSED = "refused"
    """It was meant as an order, and could not be taken."""
    WORD = "word"
    """A word for the referee, as STATUS or PERIOD 4."""
    PRESS = "press"
    """Words for others."""
    BELOW = "below"
    """It stands below the line END."""
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Understood:
    """What became of the order that begins on line ``number`` of the letter's own text (``text``):
    the ``orders`` in canonical form, and what is ``said`` of them."""

    number: int
    text: str
    orders: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """One line as it came; ``number``: of the letter's own text, 0 where it was cut; ``orders`` and
    ``said`` as in :class:`Understood`."""

    text: str
    mark: Mark
    number: int = 0
    orders: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Lines with one fate: ``reason`` is why they were cut, "" where they were read; ``file``: the
    attached file that they stand in, "" for the letter itself."""

    reason: str
    file: str
    lines: tuple[MarkedLine, ...]


_SIGNS = re.compile(r"[^0-9a-z]+")
_LONGEST = 60
"""Over so many lines an order goes on at most that is marked so."""


def marked(letter: Letter, peeled: Peeled, found: Sequence[Understood]) -> tuple[Block, ...]:
    """The letter in blocks. ``peeled``: its text without the mail-level lines; ``found``: what
    became of its orders."""
    marks = _marks(letter.text.split("\n"), peeled, found)
    return tuple(_blocks(letter.pieces, letter.text.split("\n"), marks))


def _blocks(
    pieces: Sequence[Piece], own: Sequence[str], marks: Sequence[MarkedLine]
) -> Iterator[Block]:
    """Each piece, its own lines with the marks that they have by their numbers: they are those of
    the text that say anything, in their order."""
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
    """The lines of the letter's own text with their marks."""
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
    """The lines of one order: that on which it begins, and those below that it goes on in."""
    mark = Mark.ORDER if one.orders or not one.said else Mark.REFUSED
    first = lines[one.number - 1]
    orders, said = first.orders + one.orders, first.said + one.said
    if first.mark is Mark.REFUSED:  # several on one line
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
    """The letters and digits of a text, by which it is found again however it was set."""
    return _SIGNS.sub("", plain(text).lower())
