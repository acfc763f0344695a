"""From a letter's text to logical orders, each with the line it began on.

What must live here: everything about lines and characters that no grammar should have to know. Comments,
typographic twins, `;`, continuation over several lines, quotes and blocks. What must not: the meaning of
any order. The splitter knows a game only by its order words, its blocks and one question, "could this
order end here?", which the grammar answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_TWINS = str.maketrans(
    {
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-",
        "\u2212": "-", "\ufe63": "-", "\uff0d": "-", "\u2018": "'", "\u2019": "'", "\u201b": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"',
        "\u037e": ";", "\u2044": "/", "\u2215": "/", "\t": " ",
    }
)  # fmt: skip
_LIST_MARK = re.compile(r"^(\s*)(?:[-*\u2022]|\(?\d{1,2}[.)])\s+(?=[A-Za-z])")
_WORD = re.compile(r"\s*([A-Za-z][A-Za-z_/]*)")
_PLAIN = re.compile(r"[ -~\n]*")
_QUOTED_LINES = 40


@dataclass(frozen=True, slots=True)
class Line:
    """One logical order: its text in plain characters, and the number (from 1) of the line it began on."""

    number: int
    text: str


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
            same = unicodedata.normalize("NFKC", char)
            kept.append(same if len(same) == 1 else char)
    return "".join(kept)


def first_word(text: str) -> str:
    """The first word in capitals, or "" where the text does not begin with a letter."""
    found = _WORD.match(text)
    return found.group(1).upper() if found else ""


def split(
    text: str,
    words: frozenset[str],
    blocks: Mapping[str, str],
    complete: Callable[[str], bool],
) -> list[Line]:
    """The logical orders of ``text`` in order.

    ``words``: the order words, in capitals. ``blocks``: {opening line in capitals: closing line}, a block ends at
    its closing line, at a line that begins with an order word, or with the text; a closing line without its block
    says nothing. ``complete(order)`` says whether an order could end there.
    """
    return list(_Splitter(text, words, blocks, complete).lines())


class _Splitter:
    """The walk over the physical lines; ``at`` is the next one."""

    def __init__(
        self, text: str, words: frozenset[str], blocks: Mapping[str, str], complete: Callable[[str], bool]
    ) -> None:
        self.physical = [uncomment(line) for line in plain(text).splitlines()]
        self.words, self.blocks, self.complete = words, blocks, complete
        self.at = 0

    def lines(self) -> Iterator[Line]:
        while self.at < len(self.physical):
            number, line = self.at + 1, self._line(self.at)
            self.at += 1
            if not line or self._closes(line):
                continue
            if line.upper() in self.blocks:
                yield Line(number, self._block(line))
                continue
            pieces = self._pieces(line)
            for piece in pieces[:-1]:
                yield Line(number, piece)
            yield from self._continued(number, pieces[-1])

    def _line(self, index: int) -> str:
        line = self.physical[index].strip()
        bare = _LIST_MARK.sub(r"\1", line)
        return bare if bare != line and first_word(bare) in self.words else line

    def _begins_order(self, line: str) -> bool:
        return first_word(line) in self.words

    def _closes(self, line: str) -> bool:
        return " ".join(line.upper().split()) in self.blocks.values()

    def _block(self, opening: str) -> str:
        """Everything up to the closing line, as one order with newlines between the lines."""
        held = [opening]
        while self.at < len(self.physical):
            line = self._line(self.at)
            if self._closes(line) or self._begins_order(line):
                break
            self.at += 1
            if line:
                held.append(line)
        return "\n".join(held)

    def _continued(self, number: int, order: str) -> Iterator[Line]:
        """The last order of a line, with the lines that continue it; those may hold further orders."""
        while self._begins_order(order) and self.at < len(self.physical):
            following = self._line(self.at)
            ends = not following or self._begins_order(following) or self._closes(following)
            quoting = open_quote(order)
            if quoting:
                if not any('"' in later for later in self.physical[self.at : self.at + _QUOTED_LINES]):
                    break
            elif ends or (not order.endswith(",") and self.complete(order)):
                break
            self.at += 1
            pieces = self._pieces(f"{order} {following}".rstrip())
            for piece in pieces[:-1]:
                yield Line(number, piece)
            if len(pieces) > 1:
                number = self.at
            order = pieces[-1]
        order = order.rstrip(",; ") if not open_quote(order) else order
        if order:
            yield Line(number, order)

    def _pieces(self, line: str) -> list[str]:
        """The line cut at each `;` that stands outside quotes and before an order word (or at the end)."""
        if ";" not in line:
            return [line.strip()]
        pieces, start, quoted = [], 0, False
        for index, char in enumerate(line):
            if char == '"':
                quoted = not quoted
            elif char == ";" and not quoted:
                rest = line[index + 1 :]
                if not rest.strip(" ;") or self._begins_order(rest.lstrip(" ;")):
                    pieces.append(line[start:index].strip())
                    start = index + 1
        pieces.append(line[start:].strip(" ;") if not quoted else line[start:].strip())
        kept = [piece for piece in pieces if piece]
        return kept or [""]


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
        elif char == "#" and not quoted and not line[index + 1 : index + 2].isdigit():
            return line[:index]
    return line
