"""A matcher that works as Python's does, by backtracking, and counts its steps.

It walks the parse tree of :mod:`re` itself, so that possessive quantifiers, atomic groups and
looking around cost what they cost there. What it counts are the characters compared and the places
tried: no clock, the same on any machine.
"""

import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Next = Callable[[int], bool]
Step = Callable[[int, Next], bool]
Node = tuple[Any, Any]

SINGLE = (constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN)
REPEATS = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)


class TooMany(Exception):
    """More steps than were allowed."""


def parse(pattern: re.Pattern[Any]) -> tuple[list[Node], int]:
    """The parse tree of an expression and its flags; one over bytes is read as one over Latin-1."""
    text = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    tree = parser.parse(text, pattern.flags & ~re.UNICODE)
    flags = tree.state.flags | pattern.flags
    return list(tree), flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else flags


def fits(node: Node, flags: int) -> Callable[[str], bool]:
    """Whether a character is what a node for one character wants."""
    source = _source(node)
    return re.compile(source, flags & (re.IGNORECASE | re.DOTALL | re.ASCII)).fullmatch  # type: ignore[return-value]


def _source(node: Node) -> str:
    kind, value = node
    if kind is constants.ANY:
        return "."
    if kind in (constants.LITERAL, constants.NOT_LITERAL):
        return f"[{'^' * (kind is constants.NOT_LITERAL)}{_escaped(value)}]"
    return f"[{''.join(map(_member, value))}]"


def _member(one: Node) -> str:
    kind, value = one
    if kind is constants.NEGATE:
        return "^"
    if kind is constants.LITERAL:
        return _escaped(value)
    if kind is constants.RANGE:
        return f"{_escaped(value[0])}-{_escaped(value[1])}"
    names = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}
    *negated, name = str(value).removeprefix("CATEGORY_").split("_")
    return "\\" + (names[name].upper() if negated else names[name])


def _escaped(code: int) -> str:
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"


class Matcher:
    """An expression that counts: ``steps`` since the last :meth:`cost`."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self.tree, self.flags = parse(pattern)
        self.text, self.steps, self.most = "", 0, 0
        self.known: dict[tuple[int, str], bool] = {}
        self.start = self._sequence(self.tree, self.flags)

    def cost(self, text: str, use: str, most: int) -> int:
        """The steps of one use over a whole text: "fullmatch", "match", "search", or "every" match
        in turn."""
        self.text, self.steps, self.most = text, 0, most
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(1_000_000)
        try:
            self._run(use)
        finally:
            sys.setrecursionlimit(depth)
        return self.steps

    def _run(self, use: str) -> None:
        size, at = len(self.text), 0
        if use == "fullmatch":
            self.start(0, lambda end: end == size)
            return
        while at <= size:
            self._count(1)
            end = self._at(at)
            if use == "match" or (use == "search" and end is not None):
                return
            at = at + 1 if end is None or end == at else end

    def _at(self, at: int) -> int | None:
        ends: list[int] = []

        def stop(end: int) -> bool:
            ends.append(end)
            return True

        return ends[0] if self.start(at, stop) else None

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.most:
            raise TooMany

    def _sequence(self, nodes: Iterable[Node], flags: int) -> Step:
        steps = [self._node(node, flags) for node in nodes]
        if not steps:
            return lambda at, then: then(at)
        whole = steps.pop()
        while steps:
            whole = _joined(steps.pop(), whole)
        return whole

    def _node(self, node: Node, flags: int) -> Step:
        kind, value = node
        if kind in SINGLE:
            return self._single(fits(node, flags))
        if kind is constants.SUBPATTERN:
            _, more, less, inner = value
            return self._sequence(inner, (flags | more) & ~less)
        if kind is constants.BRANCH:
            return self._branch([self._sequence(one, flags) for one in value[1]])
        if kind in REPEATS:
            return self._repeat(kind, *value, flags)
        if kind is constants.ATOMIC_GROUP:
            return self._atomic(self._sequence(value, flags))
        if kind in (constants.ASSERT, constants.ASSERT_NOT):
            return self._around(kind is constants.ASSERT, value[0], value[1], flags)
        if kind is constants.AT:
            return self._place(value, flags)
        raise NotImplementedError(f"{kind}: what it costs is not known here")

    def _single(self, wanted: Callable[[str], bool]) -> Step:
        known: dict[str, bool] = {}

        def step(at: int, then: Next) -> bool:
            self._count(1)
            if at >= len(self.text):
                return False
            char = self.text[at]
            if char not in known:
                known[char] = bool(wanted(char))
            return known[char] and then(at + 1)

        return step

    @staticmethod
    def _branch(branches: list[Step]) -> Step:
        def step(at: int, then: Next) -> bool:
            for one in branches:  # noqa: SIM110 (a generator would go through C, whose stack ends)
                if one(at, then):
                    return True
            return False

        return step

    def _repeat(self, kind: Any, least: int, most: int, inner: Iterable[Node], flags: int) -> Step:
        nodes = list(inner)
        if len(nodes) == 1 and nodes[0][0] in SINGLE and kind is not constants.MIN_REPEAT:
            wanted = fits(nodes[0], flags)
            return self._in_a_row(least, most, wanted, kind is constants.MAX_REPEAT)
        body = self._sequence(nodes, flags)

        def greedy(at: int, then: Next, count: int = 0) -> bool:
            def again(end: int) -> bool:
                return not (end == at and count >= least) and greedy(end, then, count + 1)

            return (count < most and body(at, again)) or (count >= least and then(at))

        def lazy(at: int, then: Next, count: int = 0) -> bool:
            def again(end: int) -> bool:
                return not (end == at and count >= least) and lazy(end, then, count + 1)

            return (count >= least and then(at)) or (count < most and body(at, again))

        def possessive(at: int, then: Next) -> bool:
            once, count = self._atomic(body), 0
            ends = [at]
            while count < most and once(ends[-1], lambda end: ends.append(end) or True):  # type: ignore[func-returns-value]
                count += 1
                if ends[-1] == ends[-2]:
                    break
            return (count >= least or ends[-1:] == ends[-2:-1]) and then(ends[-1])

        if kind is constants.POSSESSIVE_REPEAT:
            return possessive
        return greedy if kind is constants.MAX_REPEAT else lazy

    def _in_a_row(self, least: int, most: int, wanted: Callable[[str], bool], back: bool) -> Step:
        """A repetition of one character, counted at once; back: it gives characters back."""
        wanted = cache(wanted)

        def step(at: int, then: Next) -> bool:
            text, end = self.text, at
            bound = min(len(text), at + most)
            while end < bound and wanted(text[end]):
                end += 1
            self._count(end - at + (end - at < most))
            for one in range(end, at + least - 1, -1) if back else (end,) * (end - at >= least):
                if then(one):
                    return True
            return False

        return step

    @staticmethod
    def _atomic(body: Step) -> Step:
        def step(at: int, then: Next) -> bool:
            ends: list[int] = []

            def stop(end: int) -> bool:
                ends.append(end)
                return True

            return body(at, stop) and then(ends[0])

        return step

    def _around(self, wanted: bool, way: int, inner: Any, flags: int) -> Step:
        body = self._sequence(inner, flags)
        width = inner.getwidth()[0] if way < 0 else 0

        def step(at: int, then: Next) -> bool:
            found = at >= width and body(at - width, lambda end: True)
            return found is wanted and then(at)

        return step

    def _place(self, value: Any, flags: int) -> Step:
        name, in_ascii = str(value).removeprefix("AT_"), bool(flags & re.ASCII)

        def holds(at: int) -> bool:
            text, size = self.text, len(self.text)
            if name == "BEGINNING" and flags & re.MULTILINE:
                return at == 0 or text[at - 1] == "\n"
            if name in ("BEGINNING", "BEGINNING_STRING"):
                return at == 0
            if name == "END":
                last = at == size or (at == size - 1 and text[at] == "\n")
                return last or bool(flags & re.MULTILINE and text[at] == "\n")
            if name == "END_STRING":
                return at == size
            edge = _is_word(text, at - 1, in_ascii) is not _is_word(text, at, in_ascii)
            return edge is (name == "BOUNDARY")

        def step(at: int, then: Next) -> bool:
            self._count(1)
            return holds(at) and then(at)

        return step


def _is_word(text: str, at: int, in_ascii: bool) -> bool:
    return 0 <= at < len(text) and _is_word_char(text[at], in_ascii)


@cache
def _is_word_char(char: str, in_ascii: bool) -> bool:
    return bool(re.fullmatch(r"\w", char, re.ASCII if in_ascii else 0))


def _joined(first: Step, second: Step) -> Step:
    return lambda at, then: first(at, lambda end: second(end, then))
