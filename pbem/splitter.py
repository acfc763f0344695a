"""From a letter's text to logical orders, each with the line it began on.

What must live here: everything about lines and characters that no grammar should have to know. Comments,
typographic twins, `;`, continuation over several lines, quotes and blocks. What must not: the meaning of
any order. The splitter knows a game only by its blocks and by what its grammar answers: does an order begin
here? does this line go on with that order?
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from pbem.spelling import is_number, slips

_TWINS = str.maketrans(
    {
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-",
        "\u2212": "-", "\ufe63": "-", "\uff0d": "-", "\u2018": "'", "\u2019": "'", "\u201b": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"',
        "\u037e": ";", "\u2044": "/", "\u2215": "/", "\t": " ",
    }
)  # fmt: skip
_LIST_MARK = re.compile(r"^(\s*)(?:[-*\u2022]|\(?[0-9]{1,2}[.)])\s+(?=[A-Za-z])")
_WORD = re.compile(r"\s*([A-Za-z][A-Za-z_/]*)")
_PLAIN = re.compile(r"[ -~\n]*")
_LINES = 40
"""Over so many lines an order is looked at to see whether it goes on, and a quotation for its end."""
_LONGEST = 400
"""Over so many lines an order goes on at most, each ending with a comma."""


@dataclass(frozen=True, slots=True)
class Line:
    """One logical order: its text in plain characters, and the number (from 1) of the line it began on."""

    number: int
    text: str


_DIGITS = range(0xFF10, 0xFF1A)
_OTHER_SIGNS = ("<super>", "<sub>", "<circle>", "<square>", "<fraction>")


def _twin(char: str) -> str:
    """The plain character that this one is but for its form; itself where it is a sign of its own.

    Of numbers only the fullwidth digits are such, which keyboards of the Far East type: who writes 10² or 10① does
    not mean 102 or 101.
    """
    if unicodedata.category(char) in ("Nd", "Nl", "No") and ord(char) not in _DIGITS:
        return char
    same = unicodedata.normalize("NFKC", char)
    alike = len(same) == 1 and not unicodedata.decomposition(char).startswith(_OTHER_SIGNS)
    return same if alike else char


def plain(text: str) -> str:
    """The same characters with typographic twins (curly quotes, dashes, no-break spaces, fullwidth forms)
    as their plain ones and invisible characters left out."""
    if _PLAIN.fullmatch(text):
        return text
    kept = []
    for char in text.translate(_TWINS):
        if ord(char) < 128:
            kept.append(char if char >= " " or char == "\n" else " ")
        elif unicodedata.category(char) not in ("Cf", "Cc"):
            kept.append(_twin(char))
    return "".join(kept)


def first_word(text: str) -> str:
    """The first word in capitals, or "" where the text does not begin with a letter."""
    found = _WORD.match(text)
    return found.group(1).upper() if found else ""


class Grammar(Protocol):
    """What the splitter asks about a game's orders."""

    def begins(self, line: str) -> bool:
        """Whether a line begins with an order word, perhaps a misspelt one."""
        ...

    def goes_on(self, order: str, following: str) -> bool:
        """Whether a line that begins no order is the rest of the order before it."""
        ...

    def fits(self, text: str) -> bool:
        """Whether a text is an order, or would be one with more behind it."""
        ...

    def knows(self, line: str) -> bool:
        """Whether any word of a line means something in this game."""
        ...


def split(text: str, blocks: Mapping[str, str], grammar: Grammar) -> list[Line]:
    """The logical orders of ``text`` in order.

    ``blocks``: {opening line in capitals: closing line}, a block ends at its closing line, at a line that begins with
    an order word, or with the text; a closing line without its block says nothing.
    """
    return list(_Splitter(text, blocks, grammar).lines())


class _Splitter:
    """The walk over the lines of a text, each as it was meant; ``at`` is the next one."""

    def __init__(self, text: str, blocks: Mapping[str, str], grammar: Grammar) -> None:
        self.blocks, self.closings, self.grammar = blocks, frozenset(blocks.values()), grammar
        self.text = [self._line(line) for line in plain(text).splitlines()]
        self.at = 0

    def lines(self) -> Iterator[Line]:
        while self.at < len(self.text):
            line = self.text[self.at]
            self.at += 1
            number = self.at
            if not line or self._closes(line):
                continue
            if line.upper() in self.blocks:
                yield Line(number, self._block(line))
                continue
            *pieces, last = self._pieces(line)
            for piece in pieces:
                yield Line(number, piece)
            yield from self._continued(number, last)

    def _line(self, written: str) -> str:
        """A line as it was meant, without comment, blanks around it and the mark of a list."""
        line = uncomment(written).strip()
        bare = _LIST_MARK.sub(r"\1", line)
        return bare if bare != line and self.grammar.begins(bare) else line

    def _closes(self, line: str) -> bool:
        """Whether a line closes a block, or would but for one slip."""
        words = " ".join(line.upper().split()) if self.closings else ""
        return words in self.closings or bool(slips(words, self.closings))

    def _ends(self, line: str) -> bool:
        """Whether nothing goes on in this line, whatever stands before it."""
        return not line or self.grammar.begins(line) or self._closes(line)

    def _block(self, opening: str) -> str:
        """Everything up to the closing line, as one order with newlines between the lines.

        Without its closing line a block ends with the last line that means something: a signature is not of it.
        """
        held, end = [opening], self.at
        for index in range(self.at, len(self.text)):
            line = self.text[index]
            if line and self._ends(line):
                end = index if self._closes(line) else end
                break
            held.append(line)
            end = index + 1 if self.grammar.knows(line) else end
        block = [line for line in held[: 1 + end - self.at] if line]
        self.at = end
        return "\n".join(block)

    def _continued(self, number: int, order: str) -> Iterator[Line]:
        """The last order of a line, with the lines that continue it; those may hold further orders."""
        for lines in range(_LONGEST if self.grammar.begins(order) else 0):
            rest = self._quotation(order) if open_quote(order) else self._rest(order, by_comma=lines >= _LINES)
            if not rest:
                break
            first, *more = rest
            order = f"{order} {first}".rstrip()
            for piece in more:
                yield Line(number, order)
                number, order = self.at, piece
        order = order.rstrip(",; ") if not open_quote(order) else order
        if order:
            yield Line(number, order)

    def _rest(self, order: str, by_comma: bool) -> list[str]:
        """The pieces of the next line where the first of them belongs to the order, and [] where it does not.

        ``by_comma``: the order is so long already that a comma at its end decides and nobody else is asked.
        """
        if self.at == len(self.text) or self._ends(following := self.text[self.at]):
            return []
        pieces = self._pieces(following)
        if not (order.endswith(",") if by_comma else self.grammar.goes_on(order, pieces[0])):
            return []
        self.at += 1
        return pieces

    def _quotation(self, order: str) -> list[str]:
        """The pieces of the lines up to the one that closes the order's quotation, [] where none is near.

        What begins like an order may be part of a quotation, but only of one that leaves its order readable: a
        quotation mark that somebody forgot must not cost the orders below.
        """
        lines = []
        for index in range(self.at, min(self.at + _LINES, len(self.text))):
            lines.append(self.text[index])
            if open_quote(lines[-1]):
                break
        else:
            return []
        pieces = self._pieces(" ".join(filter(None, lines)), quoted=True)
        if any(map(self.grammar.begins, lines)) and not self.grammar.fits(f"{order} {pieces[0]}"):
            return []
        self.at += len(lines)
        return pieces

    def _pieces(self, line: str, quoted: bool = False) -> list[str]:
        """The line cut at each `;` that stands outside quotes and before an order word (or at the end)."""
        if ";" not in line:
            return [line.strip()]
        groups: list[list[str]] = [[]]
        for piece in line.split(";"):
            if groups[-1] and not quoted and self.grammar.begins(piece):
                groups.append([])
            groups[-1].append(piece)
            quoted ^= open_quote(piece)
        pieces = [";".join(group).strip(" ;") for group in groups]
        if quoted:
            pieces[-1] = ";".join(groups[-1]).strip()
        return [piece for piece in pieces if piece] or [""]


def open_quote(text: str) -> bool:
    """Whether a double quote was opened and not closed."""
    return text.count('"') % 2 == 1


def uncomment(line: str) -> str:
    """The line without its comment: `#` outside quotes, unless a digit follows at once (`VOTE #4`)."""
    if "#" not in line:
        return line
    quoted = False
    for index, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted and not is_number(line[index + 1 : index + 2]):
            return line[:index]
    return line
