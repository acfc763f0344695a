"""The order language: typed orders from text, or a refusal that helps.

A grammar accepts any name and count; a rule-set's ``check`` decides. The latest order for a
``slot`` stands. ``str(order)`` is canonical: it is stored, and parses to an equal order.

Where an unreadable text fails, and what fits there.

Refuse IF on an order that cannot wait.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Protocol, TypeVar

from lark import Lark, Transformer, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr, TerminalDef

from pbem.orders import asking, naming, other_words, sentences, splitter
from pbem.orders.characters import first_word, open_quote, unstopped
from pbem.orders.correcting import Corrector
from pbem.orders.order import Order, Problem
from pbem.orders.other_words import ANYWHERE, Place
from pbem.orders.spelling import either, nearest, slips, whole
from pbem.orders.splitter import LogicalLine, split
from pbem.orders.table import Table
from pbem.orders.writing import even, odd

LABELS = {
    "$END": "nothing more",
    "INT": "a number",
    "NUMBER": "a number",
    "WORD": "a name",
    "STRING": 'a text in "quotes"',
    "SIGN": '">="',
    "SIGNED": "a number",
}
"""Terminals that all games share."""

_BETWEEN = re.compile(r"[ ,]+")
_SENTENCE = 6  # a line of more words is a sentence
_WISHES = re.compile(
    r"\b(?:i(?:'d| would) like to|i want to|i(?:'ll| will)) (?!(?:be|know|see|ask|think|wait|try"
    r"|hear|understand|write|do|say|tell|keep|let|look|read|play|come|get back|miss|check)\b)",
    re.IGNORECASE,
)
"""Beside a question, what its writer would do."""
_SPEAKER = ("I", "WE")
"""A line that begins so is one too."""


def caret(text: str, at: int, width: int = 70) -> list[str]:
    flat = text.replace("\n", " ")
    start = max(0, at - width + 20) if len(flat) > width else 0
    return [flat[start : start + width], " " * (at - start) + "^"]


def odd_numbers(text: str) -> list[str]:
    """Return a note on a number like "10²"."""
    odd = (
        one
        for one in text.split()
        if any(unicodedata.category(char)[0] == "N" and char > "\x7f" for char in one)
    )
    return [
        f'"{shorten(one, 30)}" is no number here: write numbers with the digits 0 to 9'
        for one in odd
    ][:1]


def shorten(text: str, limit: int = 300) -> str:
    """Return one line of at most ``limit`` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 3] + "..."


def labelled(names: Iterable[str], behind: Sequence[str], labels: Mapping[str, str]) -> list[str]:
    """Return labels, signs and words first. behind: what stands before. A label "" is skipped."""
    said: set[str] = set()
    for name in names:
        keys = (*(f"{word}.{name}" for word in behind), name)
        said.update(next((labels[key] for key in keys if key in labels), name.lower()).split(", "))
    return sorted(said - {""}, key=lambda one: (one[:1].islower(), one))


def words_of(label: str) -> list[str]:
    return [word for word in _BETWEEN.split(label) if word.isalpha() and word.isupper()]


_IF = re.compile(r"\s(?:IF|UNLESS)(?=\s|\Z)", re.IGNORECASE)
_LONGEST = 1000


class Words(Protocol):
    """What a language knows of its order words."""

    @property
    def words(self) -> frozenset[str]: ...

    def fits(self, text: str) -> bool:
        """Return whether it is an order or begins one."""


@dataclass(frozen=True, slots=True)
class Ifs:
    """Orders of a game that may have IF."""

    words: Collection[str] = ()
    rule: str = ""
    instead: str = ""
    """To use in its place."""
    reads: str = ""

    def refused(self, language: Words, line: LogicalLine) -> Problem | None:
        """Return the problem, or None. An IF in quotes is no condition."""
        found = _IF.search(line.text[:_LONGEST])
        if not found or (first := first_word(line.text)) in self.words:
            return None
        before = line.text[: found.start()]
        if first not in language.words or before.count('"') % 2 or not language.fits(before):
            return None
        only = f"only {either(sorted(self.words))} can" if self.words else "no order here can"
        notes = (self.instead,) if self.instead else ()
        return Problem(
            "E_IF", f"{first} cannot have IF: {only}.", self.rule, notes, line=line.number
        )


NONE_MAY = Ifs()


@dataclass(frozen=True, slots=True)
class Read:
    """One logical order: orders or a problem."""

    line: LogicalLine
    orders: tuple[Order, ...]
    problem: Problem | None


_INNER_WORD = re.compile(r"(?<=[\s,;.])[A-Za-z]+(?![\w/-])")
_TRIES = 3
_MOST = 12
_SHORT = 100
_LONG = 1000  # characters of a line searched for orders


@dataclass(frozen=True, eq=False)
class Language:
    """One game's orders."""

    grammar: str
    """For Lark; its start rule is ``order``."""
    terminals: str
    transformer: Callable[[], Transformer[Any, Any]]
    """Its ``order`` returns one order or a tuple."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Terminals in words for players. "PAY.WORD" is WORD in an order PAY; "SPEAK AFTER.WORD" is
    WORD after AFTER in SPEAK."""
    blocks: Mapping[str, str] = field(default_factory=dict)
    """{opening line: closing line}, in capitals."""
    names: Collection[str] = ()
    numbers: Collection[str] = ("INT",)
    """Terminals that become int (:func:`~pbem.orders.spelling.whole`)."""
    ifs: Ifs = NONE_MAY

    @cached_property
    def lark(self) -> Lark:
        def shared(_base: object, name: str) -> tuple[str, str]:
            if name != "terminals.lark":
                raise FileNotFoundError(name)
            return name, self.terminals

        transformer = self.transformer()
        for terminal in self.numbers:
            setattr(transformer, terminal, whole)
        return Lark(
            self.grammar,
            parser="lalr",
            start="order",
            import_paths=[shared],
            edit_terminals=_whole_words,
            transformer=transformer,
            maybe_placeholders=True,
        )

    @cached_property
    def _parsed(self) -> Callable[[str], Any]:
        """Lark's result or its UnexpectedInput; kept, since lines are looked at again and again."""
        return lru_cache(maxsize=512)(self._parse)

    def _parse(self, text: str) -> Any:
        try:
            return self.lark.parse(even(text))
        except UnexpectedInput as error:
            return error.with_traceback(None)

    @cached_property
    def words(self) -> frozenset[str]:
        literal = self._literals
        return frozenset(literal[name] for name in self._accepted("") if name in literal)

    @cached_property
    def far(self) -> frozenset[str]:
        """Words of orders that may cross empty lines."""
        return frozenset(map(first_word, self.blocks))

    @cached_property
    def _literals(self) -> dict[str, str]:
        return {
            terminal.name: terminal.pattern.value.upper()
            for terminal in self.lark.terminals
            if is_literal(terminal)
        }

    @cached_property
    def _labels(self) -> dict[str, str]:
        literals = {
            name: said if said.isalpha() else f'"{said}"' for name, said in self._literals.items()
        }
        return {**LABELS, **literals, **self.labels}

    @cached_property
    def keywords(self) -> frozenset[str]:
        """Words that are not names, in capitals."""
        return frozenset(word for said in self._labels.values() for word in words_of(said))

    @cached_property
    def other_words(self) -> other_words.OtherWords:
        return other_words.other_words(
            self.terminals + self.grammar,
            {*self.known, *self._literals.values(), other_words.CANCEL},
        )

    @cached_property
    def corrector(self) -> Corrector:
        table, said = Table(self.lark, self.name_words), self.other_words
        words, names = frozenset(table.literals.values()), self.name_words
        return Corrector(table, self.words, names, words, said.alone, said.said, said.lists)

    @cached_property
    def known(self) -> frozenset[str]:
        """Keywords and names, word by word."""
        return self.keywords | self.name_words

    @cached_property
    def name_words(self) -> frozenset[str]:
        return frozenset(splitter.plain_words(" ".join(self.names)))

    @cached_property
    def _for_splitter(self) -> Callable[[frozenset[str]], _SplitterWords]:
        return lru_cache(maxsize=8)(lambda extra: _SplitterWords(self, self.words | extra))

    def split(
        self, text: str, extra: Iterable[str] = (), *, readable: bool = False
    ) -> list[LogicalLine]:
        """Return the logical orders. extra: mail-level words. readable: leave out all others."""
        asked = self._for_splitter(frozenset(extra))
        words = asked.words
        lines = split(text, self.blocks, asked, words if readable else ())
        lines = lines if readable else self._unbroken(lines, words, extra)
        said = [part for line in lines for part in self._beside_questions(line)]
        parts = [part for line in said for part in self._apart(line, words)]
        return [one for part in parts for one in self._sentences(part)]

    def _beside_questions(self, line: LogicalLine) -> list[LogicalLine]:
        """Part questions from what else an unreadable line says: that may be an order."""
        if "?" not in line.text or self.reads(line.text):
            return [line]
        rest, parts = line.text, list[str]()
        for question in (one for one in sentences.of_line(rest) if one.endswith("?")):
            before, _, rest = rest.partition(question[:-1])
            parts += unstopped(before.strip(" ,")), question
            rest = rest.lstrip("?!. ")
        return [replace(line, text=part) for part in (*parts, rest) if part]

    def _unbroken(
        self, lines: Sequence[LogicalLine], words: frozenset[str], extra: Iterable[str]
    ) -> list[LogicalLine]:
        """Join lines of prose that a mail program broke; never one that has an order."""

        def orders(text: str) -> bool:
            parts = [one.text for one in self.split(text, extra, readable=True)]
            return any(first_word(one) in words or self.reads(one) for one in parts)

        made, before = list[LogicalLine](), LogicalLine(-1, "")
        for line in lines:
            above = before.text if before.number == line.number - 1 else ""
            if (
                sentences.goes_on(above.rpartition("\n")[2], line.text)
                and not self._alike(first_word(line.text))
                and not orders(made[-1].text)
                and not orders(line.text)
            ):
                made[-1] = replace(made[-1], text=f"{made[-1].text} {line.text}")
            else:
                made.append(line)
            before = line
        return made

    def _sentences(self, line: LogicalLine) -> list[LogicalLine]:
        """Split an unreadable order if that makes all parts readable."""
        rest, said = line.text, list[str]()
        if '"' in rest or "\n" in rest or first_word(rest) not in self.words:
            return [line]
        while (cut := self._next_order(rest)) and len(said) < _MOST:
            said.append(splitter.closed(rest[:cut]))
            rest = unstopped(rest[cut:])
        if not said or not self.reads(rest):
            return [line]
        return [LogicalLine(line.number, one) for one in (*said, rest)]

    def _next_order(self, text: str) -> int:
        for found in self._inner(text):
            before = splitter.closed(text[: found.start()])
            if (
                before != text[: found.start()].strip()
                and self.reads(before)
                and found.group().upper() not in self.expected_words(before, len(before))
            ):
                return found.start()
        return 0

    def _inner(self, text: str) -> list[re.Match[str]]:
        found = _INNER_WORD.finditer(text[:_LONG])
        return [one for one in found if one.group().upper() in self.words][:_TRIES]

    def _apart(self, line: LogicalLine, words: frozenset[str]) -> list[LogicalLine]:
        """Split an unreadable order at `;`."""
        pieces = [piece.strip() for piece in line.text.split(";")]
        if (
            len(pieces) < 2
            or '"' in line.text
            or "\n" in line.text
            or first_word(line.text) not in words
        ):
            return [line]
        if first_word(line.text) in self.words and (
            self.reads(line.text) or self._broken(*pieces[:2])
        ):
            return [line]
        said = ((piece, unstopped(piece)) for piece in pieces if piece)
        return [
            LogicalLine(line.number, bare if self.reads(bare) else piece) for piece, bare in said
        ]

    def _broken(self, piece: str, following: str) -> bool:
        return not self.reads(piece) and (self.complete(piece) or self.goes_on(piece, following))

    def _mistake(self, text: str) -> UnexpectedInput | None:
        """None for an order."""
        result = self._parsed(text)
        return result if isinstance(result, UnexpectedInput) else None

    def reads(self, text: str) -> bool:
        return self._mistake(text) is None

    def fits(self, text: str) -> bool:
        return self.reach(text) == len(text)

    def complete(self, text: str) -> bool:
        """Return whether it could end here."""
        mistake = self._mistake(text)
        return mistake is None or _place(text, mistake) < len(text)

    def reach(self, text: str) -> int:
        """Return the number of readable characters."""
        mistake = self._mistake(text)
        return len(text) if mistake is None else _place(text, mistake)

    def goes_on(self, order: str, following: str) -> bool:
        return splitter.goes_on(self, order, following)

    def parse(self, text: str) -> tuple[Order, ...]:
        """Return the orders. Raise ValueError if unreadable."""
        result = self._parsed(text)
        if isinstance(result, UnexpectedInput):
            raise ValueError(f'I cannot read "{shorten(text)}".') from result
        return result if isinstance(result, tuple) else (result,)

    def read(self, line: LogicalLine, place: Place = ANYWHERE) -> Read:
        """place: what would be taken there is suggested first."""
        if refused := self.ifs.refused(self, line):
            return Read(line, (), refused)
        if mistake := self._mistake(line.text):
            return Read(line, (), self._problem(line, _place(line.text, mistake), place))
        return Read(line, self.parse(line.text), None)

    def _problem(self, line: LogicalLine, at: int, place: Place) -> Problem:
        number, choices = odd(line.text) if first_word(line.text) in self.words else ("", [])
        if wholes := [
            whole for one in choices if self.reads(whole := line.text.replace(number, one))
        ]:
            notes = tuple(f"write it without a point or comma, as {whole}" for whole in wholes)
            return replace(ambiguous(number, choices), notes=notes, line=line.number)
        message = f'I cannot read "{shorten(line.text)}".'
        return Problem(
            "E_SYNTAX", message, notes=self._notes(line.text, at, place), line=line.number
        )

    def _notes(self, text: str, at: int, place: Place) -> tuple[str, ...]:
        first = first_word(text)
        meant, odd = self.suggestion(text, at, place), naming.lookalike(text)
        if meant and odd and self.reads(naming.latin(text)):
            return (f"its {odd} letters only look like ours", f"did you mean {meant}?")
        if not meant and self.begins(text) and other_words.negated(text):
            return ("an order says what to do; CANCEL takes one back",)
        if first not in self.words:
            if " " not in meant and (use := asking.use(text)):
                return (use,)
            alien = (
                f"no order begins with {shorten(first, 30)}"
                if first
                else "an order begins with a word"
            )
            return (f"did you mean {meant}?" if meant else alien, *odd_numbers(text))
        notes = [*caret(text, at), *odd_numbers(text)]
        if expected := self._expected(text, at):
            notes.append(f"expected here: {either(expected)}")
        second = self._second(text)
        if meant and not second:
            notes.append(f"did you mean {meant}?")
        if open_quote(text):
            notes.append('a " is missing: the quotation is not closed')
        if second:
            notes.append(f'two orders? begin a new line before {second}, or put ";" there')
        return tuple(notes)

    def suggestion(self, text: str, at: int = 0, place: Place = ANYWHERE) -> str:
        """Return the line or word that was meant, or ""."""
        text = naming.latin(text) if naming.lookalike(text) else text
        return other_words.suggestion(self, text, at, self._alike, place)

    def _alike(self, first: str) -> str:
        if first == "GAME":  # "Game on!" is no slip for NAME
            return ""
        likely = self.words - {"RESIGN"}
        missed = slips(first, (*asking.SLIPS, "RESIGN"))
        return nearest(first, (*likely, "CANCEL", *missed), 0.7)

    def begins(self, text: str) -> bool:
        """Return whether a text begins like an order or a word for the referee."""
        first = first_word(text)
        return first in self.words or bool(asking.use(text) or self._alike(first))

    def meant(self, text: str) -> bool:
        """Return whether an unreadable text may have been an order."""
        has_word = not self.words.isdisjoint(splitter.plain_words(text))
        means = has_word and (self.may_mean(text) or bool(self.suggestion(text)))
        return self.begins(text) or means

    def is_prose(self, text: str) -> bool:
        """Return whether it is a sentence, which is never "not taken"."""
        word = first_word(text)
        shouted = len(word) > 1 and text.lstrip().startswith(word)
        said = word in self.words or shouted or asking.use(text)
        return not said and len(text.split()) > (1 if word in _SPEAKER else _SENTENCE)

    def may_mean(self, sentence: str, *, beside: bool = False) -> bool:
        """Return whether a sentence that no order was read from may have been one."""
        wishes = beside and bool(_WISHES.search(sentence))
        return "?" not in sentence and (wishes or self.corrector.may_mean(sentence, beside=beside))

    def expected_words(self, text: str, at: int) -> list[str]:
        """Return the words that could stand at ``at``."""
        return [word for said in self._expected(text, at) for word in words_of(said)]

    def _second(self, text: str) -> str:
        for found in self._inner(text):
            if self.reads(text[: found.start()].rstrip(" ,;")) and self.reads(
                text[found.start() :]
            ):
                return found.group().upper()
        return ""

    def _expected(self, text: str, at: int) -> list[str]:
        before = text[:at].upper().split()
        behind = [f"{before[0]} {before[-1].strip(',')}", before[0]] if before else []
        names = self._accepted(text[:at]) - {"_NL", "COMMA"}
        return labelled(names, behind, self._labels)

    def _accepted(self, text: str) -> set[str]:
        state: Any = self.lark.parse_interactive(even(text))
        with suppress(UnexpectedInput):
            state.exhaust_lexer()
        return set(state.accepts())


@dataclass(frozen=True, eq=False)
class _SplitterWords:
    """A language as the splitter asks it."""

    language: Language
    words: frozenset[str]
    """The order words, mail-level ones included."""

    def begins(self, line: str) -> bool:
        if first_word(line) in self.words:
            return True
        return self._mended(line) if len(line) <= _SHORT else self._is_mended(line)

    @cached_property
    def _mended(self) -> Callable[[str], bool]:
        """Cached: our mails repeat lines."""
        return lru_cache(maxsize=512)(self._is_mended)

    def _is_mended(self, line: str) -> bool:
        return bool(splitter.mended(self.language, unstopped(line), self.words))

    def goes_on(self, order: str, following: str) -> bool:
        meant = splitter.mended(self.language, order, self.words) or order
        return self.language.goes_on(meant, following)

    def fits(self, text: str) -> bool:
        return self.language.fits(text)

    def reads(self, text: str) -> bool:
        if self.language.reads(text):
            return True
        first = first_word(text)
        return first in self.words and first not in self.language.words

    def knows(self, line: str) -> bool:
        return not self.language.known.isdisjoint(splitter.plain_words(line))


def is_literal(terminal: TerminalDef) -> bool:
    """Return whether it is a fixed word or sign."""
    return isinstance(terminal.pattern, PatternStr)


def _whole_words(terminal: TerminalDef) -> None:
    """End a word where its letters end: Lark reads "TOO" as TO and O."""
    pattern = terminal.pattern
    if is_literal(terminal) and "i" in pattern.flags and pattern.value.isalpha():
        whole = pattern.to_regexp() + r"(?![^\W\d_])"
        pattern.to_regexp = lambda: whole  # type: ignore[method-assign]


def _place(text: str, error: UnexpectedInput) -> int:
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    return len(text) if at_end else error.pos_in_stream or 0


N = TypeVar("N")


def resolve(word: str, names: Mapping[str, N]) -> N | Problem | None:
    """Return the value of a name or its only beginning; E_AMBIGUOUS for several, None for none."""
    exact = {name.casefold(): value for name, value in names.items()}
    folded = word.casefold()
    if folded in exact:
        return exact[folded]
    begins = sorted(name for name in names if name.casefold().startswith(folded))
    if len({id(names[name]) for name in begins}) == 1:
        return names[begins[0]]
    return ambiguous(word, begins) if begins else None


def ambiguous(word: str, candidates: Sequence[str]) -> Problem:
    return Problem("E_AMBIGUOUS", f'"{word}" may mean {either(candidates)}.')
