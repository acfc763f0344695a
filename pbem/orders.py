"""The order language: from one logical order to typed orders, or to a refusal that helps.

Three refusals, never mixed up: *not understood* (code E_SYNTAX; a caret under the word, what was expected,
the nearest legal word), *ambiguous* (E_AMBIGUOUS; the candidates) and *not allowed* (any other code; the
paragraph). Grammars take any word where a name belongs and any count; tables and a rule-set's ``check``
decide, so that refusals are precise.

An order is a frozen value with a ``slot`` (the latest valid order for a slot stands) and a canonical text,
``str(order)``, which parses to an equal order: that text is how orders are stored, shown and compared.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Protocol, TypeVar

from lark import Lark, Transformer, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from pbem.quickparse import MISSED, UNFINISHED, is_literal, quick, whole_words
from pbem.splitter import Line, first_word, split


class Order(Protocol):
    """What a player wants done. ``str(order)`` is its canonical text."""

    @property
    def slot(self) -> str:
        """What the order fills, in capitals: its word, and its target where it has one ("VOTE 4")."""
        ...


Standing = Mapping[str, Order]
"""The orders that stand for one seat, by slot, in the order they were first given."""


@dataclass(frozen=True, slots=True)
class Pass:
    """PASS: a move that does nothing more."""

    slot: str = "PASS"

    def __str__(self) -> str:
        return "PASS"


@dataclass(frozen=True, slots=True)
class Resign:
    """RESIGN: out of the game, as its rules have it."""

    slot: str = "RESIGN"

    def __str__(self) -> str:
        return "RESIGN"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line was refused, or (``warning``) what its writer should know although it stands.

    ``message`` is one line, exactly as the specification words it; ``notes`` are further lines (caret, expected
    words, nearest legal word); ``rule`` is the paragraph, "" where none applies; ``line`` is 1, 2, ... or 0 while
    not yet known.
    """

    code: str
    message: str
    rule: str = ""
    notes: tuple[str, ...] = ()
    line: int = 0
    warning: bool = False

    def json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "line": self.line, "code": self.code, "message": self.message, "rule": self.rule,
            "notes": list(self.notes), "warning": self.warning,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of a rule-set's ``check``: what goes on file (one slot each) and what is to be said.

    A refusal has no orders and one problem; an accepted order may carry warnings. ``replaces`` are other slots that the
    order takes off file, where two targets share one slot in this position.
    """

    orders: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()
    replaces: tuple[str, ...] = ()

    @classmethod
    def refused(cls, code: str, message: str, rule: str = "", *notes: str) -> Checked:
        """The refusal of an order."""
        return cls((), (Problem(code, message, rule, notes),))


@dataclass(frozen=True, slots=True)
class Read:
    """One logical order as read: the orders understood, or the problem."""

    line: Line
    orders: tuple[Order, ...]
    problem: Problem | None


_LABELS = {
    "$END": "the end of the order", "INT": "a number", "NUMBER": "a number", "WORD": "a name",
    "STRING": 'a text in "quotes"', "NL": "a new line", "SIGNED": "a number",
}  # fmt: skip


@dataclass(frozen=True)
class Language:
    """One game's orders: a Lark grammar whose start rule is ``order``, and the transformer that makes typed orders.

    The transformer's ``order`` method must give one order or a tuple of them. ``labels`` words the grammar's named
    terminals for players; ``blocks`` are {opening line: closing line} in capitals.
    """

    grammar: str
    terminals: str
    transformer: Callable[[], Transformer[Any, Any]]
    labels: Mapping[str, str] = field(default_factory=dict)
    blocks: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def lark(self) -> Lark:
        """The grammar's parser."""

        def shared(_base: object, name: str) -> tuple[str, str]:
            if name != "terminals.lark":
                raise FileNotFoundError(name)
            return name, self.terminals

        return Lark(
            self.grammar, parser="lalr", start="order", import_paths=[shared], edit_terminals=whole_words,
            transformer=self.transformer(), maybe_placeholders=True,
        )  # fmt: skip

    @cached_property
    def _quick(self) -> Callable[[str], Any]:
        """The short way; its answers are kept, since a line is asked for more than once (does it go on? what is it?)."""
        return lru_cache(maxsize=512)(quick(self.lark, "order"))

    def _parse(self, text: str) -> Any:
        """What the transformer makes of a text; raises UnexpectedInput."""
        result = self._quick(text)
        return self.lark.parse(text) if result is MISSED or result is UNFINISHED else result

    @cached_property
    def words(self) -> frozenset[str]:
        """The order words: what an order can begin with, in capitals."""
        literal = self._literals
        starts = self.lark.parse_interactive("").accepts()  # type: ignore[no-untyped-call]
        return frozenset(literal[name] for name in starts if name in literal)

    @cached_property
    def _literals(self) -> dict[str, str]:
        return {
            terminal.name: terminal.pattern.value.upper() for terminal in self.lark.terminals if is_literal(terminal)
        }

    def split(self, text: str, extra: Iterable[str] = ()) -> list[Line]:
        """The logical orders of a text; ``extra`` are order words that are not this game's (mail-level ones)."""
        words = self.words | frozenset(extra)
        lines = split(text, words, self.blocks, self.complete)
        return [part for line in lines for part in self._apart(line, words)]

    def _apart(self, line: Line, words: frozenset[str]) -> list[Line]:
        """An order that cannot be read because of what stands behind its `;` is cut there, so that a misspelt order
        word costs its own order only."""
        pieces = [piece.strip() for piece in line.text.split(";")]
        if len(pieces) < 2 or '"' in line.text or "\n" in line.text or first_word(line.text) not in words:
            return [line]
        if first_word(line.text) in self.words and (not self.read(line).problem or self._unread(pieces[0])):
            return [line]
        return [Line(line.number, piece) for piece in pieces if piece]

    def _unread(self, text: str) -> bool:
        return self.read(Line(1, text)).problem is not None

    def complete(self, text: str) -> bool:
        """Whether an order could end where this text ends (a text with an error in it could)."""
        try:
            self._parse(text)
        except UnexpectedToken as error:
            return not _at_end(error)
        except UnexpectedInput:
            return True
        return True

    def parse(self, text: str) -> tuple[Order, ...]:
        """The orders one logical order holds; raises ValueError where :meth:`read` gives a problem."""
        result = self.read(Line(1, text))
        if result.problem:
            raise ValueError(result.problem.message)
        return result.orders

    def read(self, line: Line) -> Read:
        """One logical order, understood or refused with E_SYNTAX."""
        try:
            result = self._parse(line.text)
        except UnexpectedInput as error:
            return Read(line, (), replace(self._refusal(line.text, error), line=line.number))
        orders = result if isinstance(result, tuple) else (result,)
        return Read(line, orders, None)

    def _refusal(self, text: str, error: UnexpectedInput) -> Problem:
        """E_SYNTAX with the caret, the words that were expected and the nearest legal one."""
        message = f'I cannot read "{_shorten(text)}".'
        first = first_word(text)
        if first not in self.words:
            return Problem("E_SYNTAX", message, notes=tuple(_nearest(first, sorted(self.words))))
        expected = self._expected(error)
        at = len(text) if _at_end(error) else max(0, (error.column or 1) - 1)
        bad = text[at:].split(maxsplit=1)[0].strip(",;") if text[at:].split() else ""
        literal = set(self._literals.values())
        notes = [*_caret(text, at), f"expected here: {_or(expected)}"] if expected else _caret(text, at)
        near = _nearest(bad.upper(), sorted(e for e in expected if e in literal)) if bad else []
        return Problem("E_SYNTAX", message, notes=(*notes, *near))

    def _expected(self, error: UnexpectedInput) -> list[str]:
        if isinstance(error, UnexpectedToken):
            names: Iterable[str] = error.accepts or error.expected
        elif isinstance(error, UnexpectedCharacters):
            names = error.allowed or ()
        else:
            names = ()
        labels = {**_LABELS, **self._literals, **self.labels}
        shown = {labels.get(name, name.lower()) for name in names if name not in ("NL", "COMMA")}
        return sorted(shown, key=lambda label: (label[:1].islower(), label))


def _at_end(error: UnexpectedInput) -> bool:
    return isinstance(error, UnexpectedToken) and str(error.token.type) == "$END"


def _caret(text: str, at: int, width: int = 70) -> list[str]:
    """The text around position ``at`` and a caret under it."""
    flat = text.replace("\n", " ")
    start = max(0, at - width + 20) if len(flat) > width else 0
    return [flat[start : start + width], " " * (at - start) + "^"]


def _nearest(word: str, legal: Sequence[str]) -> list[str]:
    near = difflib.get_close_matches(word, legal, n=1, cutoff=0.6)
    return [f"did you mean {near[0]}?"] if near else []


def _or(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _shorten(text: str, limit: int = 300) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 3] + "..."


N = TypeVar("N")


def resolve(word: str, names: Mapping[str, N]) -> N | Problem | None:
    """What a word names: the value of the exact name in any case, else of the only name that begins so.

    Several: an E_AMBIGUOUS problem with the candidates. None: None (the caller has the precise message).
    """
    exact = {name.casefold(): value for name, value in names.items()}
    folded = word.casefold()
    if folded in exact:
        return exact[folded]
    begins = sorted(name for name in names if name.casefold().startswith(folded))
    if len({id(names[name]) for name in begins}) == 1:
        return names[begins[0]]
    return ambiguous(word, begins) if begins else None


def ambiguous(word: str, candidates: Sequence[str]) -> Problem:
    """E_AMBIGUOUS in the wording of the specification."""
    return Problem("E_AMBIGUOUS", f'"{word}" may mean {_or(list(candidates))}.')
