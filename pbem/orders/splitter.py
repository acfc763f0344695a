"""From a letter's text to logical orders, each with the line it began on.

What must live here: everything about lines that no grammar should have to know: comments, `;`,
continuation over several lines, quotes and blocks; of characters, `characters` knows. What must
not: the meaning of any order. The splitter knows a game only by its blocks and by what its grammar
answers: does an order begin here? does this line go on with that order?
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Protocol, TypeVar

from pbem.orders import writing
from pbem.orders.characters import heads, open_quote, plain, uncomment, undecorated, unstopped
from pbem.orders.spelling import slips

T = TypeVar("T")
_OUTER = re.compile(r"\A[*_]{1,3}+(?=[^\s*_])|(?<=[^\s*_])[*_]{1,3}+(?=[.!,;]?\Z)")
"""Signs for bold letters around a whole line."""
_WRAPPED = 50
"""A line that goes on in the next one has at least so many characters with the next word."""
_BROKEN = 55
"""So long is the longest line at least of a text whose lines a mail program broke."""
_LINES = 40
"""Over so many lines an order is looked at to see whether it goes on, and a quotation for its
end."""
_SHORT = 100
"""What is found for a line of so many characters at most may be kept."""
_LONGEST = 400
"""Over so many lines an order goes on at most, each ending with a comma."""


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One logical order: its text in plain characters, and the number (from 1) of the line it began
    on."""

    number: int
    text: str


class Grammar(Protocol):
    """What the splitter asks about a game's orders. What it said once of a line it says again."""

    def begins(self, line: str) -> bool:
        """Whether a line begins with an order word, perhaps a misspelt one."""
        ...

    def goes_on(self, order: str, following: str) -> bool:
        """Whether a line that begins no order is the rest of the order before it."""
        ...

    def fits(self, text: str) -> bool:
        """Whether a text is an order, or would be one with more behind it."""
        ...

    def reads(self, text: str) -> bool:
        """Whether a text is an order."""
        ...

    def knows(self, line: str) -> bool:
        """Whether any word of a line means something in this game."""
        ...


def split(
    text: str, blocks: Mapping[str, str], grammar: Grammar, words: Collection[str] = ()
) -> list[LogicalLine]:
    """The logical orders of ``text`` in order.

    ``blocks``: {opening line in capitals: closing line}, a block ends at its closing line, at a
    line that begins with an order word, or with the text; a closing line without its block says
    nothing. ``words``: where they are given, nothing else begins an order, and what can hold none
    may be left out.
    """
    return list(_Splitter(text, blocks, grammar, words).lines())


class _Splitter:
    """The walk over the lines of a text, each as it was meant; ``at`` is the next one."""

    def __init__(
        self, text: str, blocks: Mapping[str, str], grammar: Grammar, words: Collection[str]
    ) -> None:
        self.blocks, self.closings, self.grammar = blocks, frozenset(blocks.values()), grammar
        text = plain(text)
        self.written = text.split("\n")
        self.text = _Meant(partial(_meant, grammar, self.closings), self.written)
        self.commented = [_commented(line) for line in self.written]
        """The length of each line that ends with a comment, 0 for the others."""
        self.busy = self._busy(text, words) if words else frozenset(range(len(self.written)))
        """The lines on which an order may begin."""
        self.idle = self._idle() if words else {}
        self.at = 0
        self.last = (0, "")
        """The latest order, and the line below it."""

    @cached_property
    def longest(self) -> int:
        """Characters of the longest line."""
        return max(map(len, map(str.rstrip, self.written)))

    def _is_unfilled(self, index: int) -> bool:
        """Whether a line is of a form and was not filled in."""
        if index == len(self.written):
            return False
        return writing.is_blank(undecorated(uncomment(self.written[index])))

    def _busy(self, text: str, words: Collection[str]) -> frozenset[int]:
        """The lines on which an order of these words may begin; a line of a form that was not
        filled in begins none."""
        return frozenset(line for line, head in heads(text) if head in words and self.text[line])

    def _idle(self) -> dict[int, int]:
        """{first line of a passage in which no order begins: the empty line below it}.

        No order goes on over an empty line but within quotation marks or as a block; so a passage
        has none where none of its lines begins one and every quotation in it is closed in its line.
        """
        found, first, idle = dict[int, int](), 0, True
        for index, line in enumerate((*self.written, "")):
            if line.strip():
                idle = idle and index not in self.busy and not open_quote(line)
                continue
            if idle and first < index:
                found[first] = index
            first, idle = index + 1, True
        return found

    def _is_idle(self, index: int) -> bool:
        """Whether no order begins on a line, not even a misspelt one that would go on below it."""
        line = self.text[index]
        if index in self.busy or ";" in line or open_quote(line):
            return False
        return not self.grammar.begins(line)

    def lines(self) -> Iterator[LogicalLine]:
        while self.at < len(self.text):
            if self.at in self.idle:
                self.at = self.idle[self.at]
                continue
            line = self.text[self.at]
            self.at += 1
            number = self.at
            if not line or self._closes(line) or self._is_comments(number - 1):
                continue
            if (opening := unstopped(line)).upper() in self.blocks:
                yield LogicalLine(number, self._block(opening))
                continue
            if self._is_idle(number - 1):
                continue
            *pieces, last = self._pieces(line)
            for piece in pieces:
                yield self._order(number, piece)
            yield from self._continued(number, last)

    def _is_comments(self, index: int) -> bool:
        """Whether a line is the rest of the comment above it, which a mail program broke: "VOTE YES
        ON 4  # the income tax: (new line) W +2, B -2". Then the line above had no room for the next
        word, and what follows is no order, or a single word in small letters as a sentence has it.
        """
        line, above = self.text[index], self.commented[index - 1] if index else 0
        if not line or not above or self.longest < _BROKEN:
            return False
        word, _, more = line.partition(" ")
        if above + 1 + len(word) <= self.longest:
            return False
        begins = self.grammar.begins(line)
        if begins and more and (line.isupper() or self.grammar.reads(unstopped(line))):
            return False
        if begins and not more and not word.islower() and self.grammar.reads(unstopped(line)):
            return False
        self.commented[index] = self.commented[index] or len(line)
        return True

    def _order(self, number: int, text: str) -> LogicalLine:
        """An order, without the full stop behind it where it is an order then."""
        self.last = self.at, text = self.at, self._said(number, text)
        return LogicalLine(number, text)

    def _said(self, number: int, text: str) -> str:
        bare = unstopped(text)
        if bare == text or not self.grammar.reads(bare) or self._is_prose(number, bare):
            return text
        return bare

    def _is_prose(self, number: int, order: str) -> bool:
        """Whether an order with a full stop is the end of a sentence that a mail program broke: "We
        all think that you should (new line) resign." A line above that is an order, is short or has
        an end of its own is none."""
        above = self.text[number - 2] if number > 1 else ""
        below, last = self.last
        if not above or above[-1] in ".!?:;" or (below == number - 1 and self.grammar.reads(last)):
            return False
        word, _, more = order.partition(" ")
        return len(above) + 1 + len(word) >= _WRAPPED or (
            not more and word.islower() and above[-1] != ","
        )

    def _closes(self, line: str) -> bool:
        """Whether a line closes a block, or would but for one slip."""
        return _closes(self.closings, line)

    def _ends(self, line: str) -> bool:
        """Whether nothing goes on in this line, whatever stands before it."""
        return not line or self.grammar.begins(line) or self._closes(line)

    def _block(self, opening: str) -> str:
        """Everything up to the closing line, as one order with newlines between the lines.

        Without its closing line a block ends with the last line that means something: a signature
        is not of it.
        """
        held, end = [opening], self.at
        for index in range(self.at, len(self.text)):
            line = self.text[index]
            if line and not self.grammar.knows(line) and self._is_comments(index):
                continue
            if line and self._ends(line):
                end = index if self._closes(line) else end
                break
            held.append(line)
            end = index + 1 if self.grammar.knows(line) else end
        block = [
            line if '"' in line else unstopped(undecorated(line))
            for line in held[: 1 + end - self.at]
            if line
        ]
        self.at = end
        return "\n".join(block)

    def _continued(self, number: int, order: str) -> Iterator[LogicalLine]:
        """The last order of a line, with the lines that continue it; those may hold further
        orders."""
        for lines in range(_LONGEST if self.grammar.begins(order) else 0):
            if (bare := unstopped(order)) != order and self.grammar.reads(bare):
                break
            rest = (
                self._quotation(order)
                if open_quote(order)
                else self._rest(order, by_comma=lines >= _LINES)
            )
            if not rest:
                break
            first, *more = rest
            order = f"{order} {first}".rstrip()
            for piece in more:
                yield self._order(number, order)
                number, order = self.at, piece
        order = order.rstrip(",; ") if not open_quote(order) else order
        if order:
            yield self._order(number, order)

    def _rest(self, order: str, by_comma: bool) -> list[str]:
        """The pieces of the next line where the first of them belongs to the order, and [] where it
        does not.

        ``by_comma``: the order is so long already that a comma at its end decides and nobody else
        is asked.
        """
        while order.endswith(",") and self._is_unfilled(self.at):
            self.at += 1
        if self.at == len(self.text) or self._ends(following := self.text[self.at]):
            return []
        if self._is_comments(self.at) and order[-1:] != "," and self.grammar.reads(order):
            return []
        pieces = self._pieces(following)
        if not (order.endswith(",") if by_comma else self.grammar.goes_on(order, pieces[0])):
            return []
        self.at += 1
        return pieces

    def _quotation(self, order: str) -> list[str]:
        """The pieces of the lines up to the one that closes the order's quotation, [] where none is
        near.

        What begins like an order may be part of a quotation, but only of one that leaves its order
        readable: a quotation mark that somebody forgot must not cost the orders below.
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
        """The line cut at each `;` that stands outside quotes and before an order word (or at the
        end)."""
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


def _of_short(function: Callable[..., T]) -> Callable[..., T]:
    """A function of a line, its last argument, as our own mails and forms have it again and again:
    what it said of the last short lines is kept."""
    kept = lru_cache(maxsize=1024)(function)
    return lambda *given: (kept if len(given[-1]) <= _SHORT else function)(*given)


@_of_short
def _closes(closings: frozenset[str], line: str) -> bool:
    """Whether a line is one of the closing lines, or would be but for one slip."""
    words = " ".join(unstopped(line).upper().split()) if closings else ""
    return words in closings or bool(slips(words, closings))


@_of_short
def _meant(grammar: Grammar, closings: frozenset[str], written: str) -> str:
    """A line as it was meant, without comment, blanks around it, the mark of a list and the signs
    for bold letters."""
    line = uncomment(written).strip()
    bare = undecorated(line)
    if writing.is_ours(bare) or writing.is_blank(bare):
        return ""
    asked = writing.bare(bare)
    if asked != bare and _is_asked(grammar, asked):
        return asked
    if bare == line or grammar.begins(bare) or _closes(closings, bare):
        return bare
    return _OUTER.sub("", line) if "*" in line or "_" in line else line


def _is_asked(grammar: Grammar, order: str) -> bool:
    """Whether a text with politeness around it is an order; "please pass" may be said to
    anybody."""
    said = unstopped(order)
    return grammar.reads(said) and (" " in said or said.isupper())


class _Meant:
    """Lines as they were meant, each looked at when it is asked for."""

    def __init__(self, meant: Callable[[str], str], written: Sequence[str]) -> None:
        self._meant, self._written = meant, written
        self._known: list[str | None] = [None] * len(written)

    def __len__(self) -> int:
        return len(self._written)

    def __getitem__(self, index: int) -> str:
        known = self._known[index]
        if known is None:
            known = self._known[index] = self._meant(self._written[index])
        return known


def _commented(line: str) -> int:
    """The length of a line that ends with a comment, 0 for another."""
    return len(line.rstrip()) if "#" in line and uncomment(line) != line else 0
