"""Split a letter into logical orders. The grammar says what begins or continues one.

Does a line continue the order before it?
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Protocol, TypeVar

from pbem.orders import other_words, sentences, writing
from pbem.orders.characters import (
    first_word,
    heads,
    open_quote,
    plain,
    uncomment,
    undecorated,
    unstopped,
)
from pbem.orders.spelling import is_number, nearest, slips

T = TypeVar("T")
_OUTER = re.compile(r"\A[*_]{1,3}+(?=[^\s*_])|(?<=[^\s*_])[*_]{1,3}+(?=[.!,;]?\Z)")
"""Bold signs around a whole line."""
_WRAPPED = 50  # least width of a broken line, with its next word
_BROKEN = 55  # least width of a broken text
_LINES = 40  # searched for a continuation
_SHORT = 100
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One logical order."""

    number: int
    """From 1."""
    text: str
    """In plain characters."""


class Grammar(Protocol):
    """What the splitter asks. Answers must not change."""

    def begins(self, line: str) -> bool: ...

    def goes_on(self, order: str, following: str) -> bool:
        """Return whether a line without an order word continues ``order``."""
        ...

    def fits(self, text: str) -> bool:
        """Return whether it is an order or begins one."""
        ...

    def reads(self, text: str) -> bool: ...

    def knows(self, line: str) -> bool: ...


def split(
    text: str, blocks: Mapping[str, str], grammar: Grammar, words: Collection[str] = ()
) -> list[LogicalLine]:
    """Return the logical orders.

    blocks: {opening line in capitals: closing line}; a block also ends at an order word. words: if
    given, only these begin orders, and other lines may be left out.
    """
    return list(_Splitter(text, blocks, grammar, words).lines())


class _Splitter:
    def __init__(
        self, text: str, blocks: Mapping[str, str], grammar: Grammar, words: Collection[str]
    ) -> None:
        self.blocks, self.closings, self.grammar = blocks, frozenset(blocks.values()), grammar
        text, closings = plain(text), self.closings
        self.written = written = text.split("\n")
        self.text = cache(lambda index: _meant(grammar, closings, written[index]))
        self.commented = [
            len(line.rstrip()) if "#" in line and uncomment(line) != line else 0 for line in written
        ]
        begun = (line for line, head in heads(text) if head in words and self.text(line))
        self.busy = frozenset(begun if words else range(len(written)))
        self.idle = self._idle() if words else {}
        self.at = 0
        self.last = (0, "")

    @cached_property
    def longest(self) -> int:
        return max(map(len, map(str.rstrip, self.written)))

    def _is_unfilled(self, index: int) -> bool:
        if index == len(self.written):
            return False
        return writing.is_blank(undecorated(uncomment(self.written[index])))

    def _idle(self) -> dict[int, int]:
        """Return {first line of a passage without orders: the empty line below}."""
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
        line = self.text(index)
        if index in self.busy or ";" in line or open_quote(line):
            return False
        return not self.grammar.begins(line)

    def lines(self) -> Iterator[LogicalLine]:
        while self.at < len(self.written):
            if self.at in self.idle:
                self.at = self.idle[self.at]
                continue
            line = self.text(self.at)
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
        """Return whether a mail program broke the comment above."""
        line, above = self.text(index), self.commented[index - 1] if index else 0
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
        self.last = self.at, text = self.at, self._said(number, text)
        return LogicalLine(number, text)

    def _said(self, number: int, text: str) -> str:
        bare = unstopped(text)
        if bare == text or not self.grammar.reads(bare) or self._is_prose(number, bare):
            return text
        return bare

    def _is_prose(self, number: int, order: str) -> bool:
        """Return whether an order ends a broken sentence: "We think that you should (new line)
        resign"."""
        above = self.text(number - 2) if number > 1 else ""
        below, last = self.last
        if not above or above[-1] in ".!?:;" or (below == number - 1 and self.grammar.reads(last)):
            return False
        word, _, more = order.partition(" ")
        return len(above) + 1 + len(word) >= _WRAPPED or (
            not more and word.islower() and above[-1] != ","
        )

    def _closes(self, line: str) -> bool:
        """Allow one slip."""
        return _closes(self.closings, line)

    def _ends(self, line: str) -> bool:
        return not line or self.grammar.begins(line) or self._closes(line)

    def _block(self, opening: str) -> str:
        held, end = [opening], self.at
        for index in range(self.at, len(self.written)):
            line = self.text(index)
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
        """Return the next line's pieces if it goes on with the order. by_comma: by a comma only."""
        while order.endswith(",") and self._is_unfilled(self.at):
            self.at += 1
        if self.at == len(self.written) or self._ends(following := self.text(self.at)):
            return []
        if self._is_comments(self.at) and order[-1:] != "," and self.grammar.reads(order):
            return []
        pieces = self._pieces(following)
        if not (order.endswith(",") if by_comma else self.grammar.goes_on(order, pieces[0])):
            return []
        self.at += 1
        return pieces

    def _quotation(self, order: str) -> list[str]:
        """Return the pieces to the quotation's end, or []: a forgotten mark must not cost the
        orders below."""
        lines = []
        for index in range(self.at, min(self.at + _LINES, len(self.written))):
            lines.append(self.text(index))
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
    kept = lru_cache(maxsize=1024)(function)
    return lambda *given: (kept if len(given[-1]) <= _SHORT else function)(*given)


@_of_short
def _closes(closings: frozenset[str], line: str) -> bool:
    words = " ".join(unstopped(line).upper().split()) if closings else ""
    return words in closings or bool(slips(words, closings))


@_of_short
def _meant(grammar: Grammar, closings: frozenset[str], written: str) -> str:
    line = uncomment(written).strip()
    bare = undecorated(line)
    if writing.is_ours(bare) or writing.is_blank(bare):
        return ""
    asked = sentences.bare(bare)
    colon, said = asked and ":" in bare.partition(asked)[0], unstopped(asked)
    # "please pass" may be said to anybody
    if asked != bare and not colon and (" " in said or said.isupper()) and grammar.reads(said):
        return asked
    if bare == line or grammar.begins(bare) or _closes(closings, bare):
        return bare
    return _OUTER.sub("", line) if "*" in line or "_" in line else line


_CONDITION = re.compile(r"IF\b|[<>=\u2264\u2265]|NONE\W*$", re.IGNORECASE)
_KEPT = "STANDING "
"""Begins an order kept for later periods."""
_PLAIN_WORD = re.compile(r"[^\W_]+")


class Reader(other_words.Reader, Protocol):
    """What is asked about a language."""

    @property
    def known(self) -> frozenset[str]: ...

    def complete(self, text: str) -> bool: ...


def goes_on(reader: Reader, order: str, following: str) -> bool:
    """Return whether a line without an order word continues ``order``."""
    last = order.rsplit(maxsplit=1)[-1] if order.strip() else ""
    comma = last.endswith(",") or last.upper() in ("&", "AND")
    joined, start = f"{order} {following}", len(order) + 1
    if _CONDITION.match(following) and reader.reach(joined) == len(joined):
        return True
    if not comma and reader.complete(order):
        return _adds(reader, order, following)
    at = reader.reach(joined)
    if at == len(joined) or at < start or not following[:1].isalpha():
        return True
    fitting = joined[start:at].split()
    bad = joined[at:].split(maxsplit=1)[0].strip(",;").upper()
    return len(fitting) > (0 if comma else 1) or bool(
        nearest(bad, reader.expected_words(joined, at))
    )


def closed(order: str) -> str:
    """Return an order without its link to the next."""
    words = order.rstrip(" ,.!&").split(" ")
    while words and words[-1].upper() in ("", "AND", "THEN", "&"):
        words.pop()
    return " ".join(words).rstrip(" ,.!&")


def _adds(reader: Reader, order: str, following: str) -> bool:
    words = plain_words(following)
    if not words or not all(word in reader.known or not word.isalpha() for word in words):
        return False
    joined = f"{order} {following}"
    return any(_no_signature(reader, order, following)) and reader.reach(joined) == len(joined)


def _no_signature(reader: Reader, order: str, following: str) -> Iterator[bool]:
    items = following.replace(",", " ").split()
    last, first = order.rsplit(maxsplit=1)[-1].upper(), items[0].upper()
    yield any(
        not item.isalpha() and any(map(str.isalpha, item)) for item in items
    )  # a card or motion
    yield len(items) > 1 and last in reader.keywords  # a list below its keyword
    yield is_number(first) and last.isalpha()  # the count of a name
    kept = order[len(_KEPT) :] if order.upper().startswith(_KEPT) else order
    yield first in reader.expected_words(kept, len(kept))


def mended(reader: Reader, text: str, words: frozenset[str]) -> str:
    """Return the text with its order word corrected, if the rest fits; else ""."""
    first = first_word(text)
    rest = text.lstrip()[len(first) :]
    for meant in () if first in reader.known else slips(first, words):
        if meant not in reader.words or reader.reach(meant + rest) == len(meant + rest):
            return meant + rest
    return ""


def plain_words(text: str) -> list[str]:
    return _PLAIN_WORD.findall(text.upper())


def passages(text: str, words: Collection[str], far: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (lines above, passage) between empty lines. The text is whole if an order may cross
    these: ``far`` word, open quotation, comment."""
    begun = [(line, head) for line, head in heads(text) if head in words]
    if not begun:
        return
    lines = text.split("\n")
    if (
        any(head in far for _, head in begun)
        or "#" in text
        or ('"' in text and any(map(open_quote, lines)))
    ):
        yield 0, text
        return
    end = 0
    for line, _ in begun:
        if line >= end:
            end = next((at for at in range(line, len(lines)) if not lines[at].strip()), len(lines))
            first = next((at for at in range(line, 0, -1) if not lines[at - 1].strip()), 0)
            yield first, "\n".join(lines[first:end])
