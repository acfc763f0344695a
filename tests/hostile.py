"""Texts that are hostile to an expression: repetitions made of its own parts.

The characters are those that its parts tell apart. The expression is read as an automaton in which
every repetition has no end; where a word leads from a loop to itself, on to another loop, and again
around there (two ways of reading the same text, the ground of all superlinear backtracking), that
word is repeated. So is each character, and each part that the expression repeats itself.
"""

import itertools
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from re import _constants as constants  # type: ignore[attr-defined]
from typing import Any

from tests.backtracking import REPEATS, SINGLE, Node, fits, parse

_POOL = "aZ0 \t\n\r-_.,;:@#!?()[]{}<>\"'`*+=/\\|&%$~^é年\u2022\x00"
_FEW = 3
"""A repetition of at most so many is written out; a longer one is a loop."""
_ENOUGH = 6
_SUFFIXES = 6
_BOUND = 300
_TRIED = 20_000
_NOTHING = "\x00"


@dataclass(frozen=True, slots=True)
class Hostile:
    """``before``, then ``again`` any number of times, then ``behind``."""

    before: str
    again: str
    behind: str

    def text(self, count: int) -> str:
        return self.before + self.again * count + self.behind


@dataclass(slots=True)
class _State:
    """A place in the automaton: with ``chars`` it reads one character and goes on to ``ways[0]``,
    else to any of ``ways``."""

    chars: frozenset[str] | None = None
    ways: list[int] = field(default_factory=list)


class Automaton:
    """The expression with all its repetitions without end and what it looks around for as another
    way."""

    def __init__(self, pattern: re.Pattern[Any], anywhere: bool) -> None:
        tree, self.flags = parse(pattern)
        self.anywhere = anywhere
        self.alphabet = _alphabet(tree, self.flags)
        self.states: list[_State] = []
        self.reached: dict[int, int] = {}
        self.components: dict[int, int] = {}
        final = self._new()
        self.start = self._sequence(tree, final, self.flags)
        if anywhere:
            outer = self._new()
            skip = self._new(frozenset(self.alphabet), [outer])
            self.states[outer].ways = [skip, self.start]
            self.start = outer
        self._steps()
        self._order(sorted(self.alphabet, key=lambda char: sum(char in one for one in self.chars)))

    def _new(self, chars: frozenset[str] | None = None, ways: Sequence[int] = ()) -> int:
        self.states.append(_State(chars, list(ways)))
        return len(self.states) - 1

    def _sequence(self, nodes: Iterable[Node], then: int, flags: int) -> int:
        for node in reversed(list(nodes)):
            then = self._node(node, then, flags)
        return then

    def _node(self, node: Node, then: int, flags: int) -> int:
        kind, value = node
        if kind in SINGLE:
            wanted = fits(node, flags)
            return self._new(frozenset(char for char in self.alphabet if wanted(char)), [then])
        if kind is constants.SUBPATTERN:
            return self._sequence(value[3], then, (flags | value[1]) & ~value[2])
        if kind is constants.BRANCH:
            return self._new(ways=[self._sequence(one, then, flags) for one in value[1]])
        if kind in REPEATS:
            least, most, inner = value
            if most > _FEW:
                loop = self._new()
                self.states[loop].ways = [self._sequence(inner, loop, flags), then]
                then, most, least = loop, min(least, _FEW), min(least, _FEW)
            for count in range(most, 0, -1):
                body = self._sequence(inner, then, flags)
                then = body if count <= least else self._new(ways=[body, then])
            return then
        if kind is constants.ATOMIC_GROUP:
            return self._sequence(value, then, flags)
        if kind in (constants.ASSERT, constants.ASSERT_NOT):
            return self._new(ways=[self._sequence(value[1], then, flags), then])
        return then

    def _reached(self, state: int) -> list[int]:
        """The reading places behind a state, each as often as there are ways to it."""
        found, waiting = [], [(state, frozenset[int]())]
        while waiting and len(found) < 300:
            at, seen = waiting.pop()
            if at in seen:
                continue
            here = self.states[at]
            if here.chars is not None:
                found.append(at)
            else:
                waiting.extend((way, seen | {at}) for way in reversed(here.ways))
        return found

    def _steps(self) -> None:
        """``follow``: from each place, read by a way of its own, the places behind it; ``first``:
        those at the start."""
        copies: dict[tuple[int, int], int] = {}
        self.chars: list[frozenset[str]] = []

        def placed(reached: list[int]) -> list[int]:
            counts: dict[int, int] = {}
            result = []
            for one in reached:
                counts[one] = counts.get(one, -1) + 1
                key = (one, min(counts[one], 2))
                if key not in copies:
                    copies[key] = len(self.chars)
                    self.chars.append(self.states[one].chars or frozenset())
                    waiting.append(key)
                result.append(copies[key])
            return result

        waiting: deque[tuple[int, int]] = deque()
        behind: dict[int, list[int]] = {}
        self.first = placed(self._reached(self.start))
        while waiting:
            key = waiting.popleft()
            behind[copies[key]] = placed(self._reached(self.states[key[0]].ways[0]))
        self.follow = [behind[one] for one in range(len(self.chars))]

    def texts(self) -> Iterator[Hostile]:
        """All the hostile texts: of characters that few parts want, so that the end fails, and of
        those that many do."""
        found = list(self._texts())
        yield from found
        self._order(reversed(self.alphabet))
        yield from dict.fromkeys(one for one in self._texts() if one not in found)

    def _texts(self) -> Iterator[Hostile]:
        told = set()
        for p, again in self._doubled():
            before = self._way_to(p)
            if (
                self.anywhere and before
            ):  # what is bounded comes to the same if it can be had again and again
                yield Hostile("", before + again * -(-_BOUND // len(again)), "")
            for behind in ("", *self.alphabet[:_SUFFIXES]):
                told.add(again)
                yield Hostile(before, again, behind)
        for p in self._loops():
            told.add(again := self._word({(way,) for way in self.follow[p]}, (p,), first=p))
            yield from (Hostile(self._way_to(p), again, behind) for behind in ("", _NOTHING))
        yield from (
            Hostile("", char, behind)
            for char in self.alphabet
            if char not in told
            for behind in ("", _NOTHING)
        )

    def _loops(self) -> list[int]:
        return [p for p in range(len(self.chars)) if self.chars[p] and self._reach(p) >> p & 1]

    def _doubled(self) -> Iterator[tuple[int, str]]:
        """Places and words that lead from there back, and also on to another place to which they
        lead back as well."""
        loops, found = self._loops(), Counter[tuple[int, int]]()
        for p, q in itertools.product(loops, loops):
            within = self._component(p), self._component(q)
            if p == q or not self._reach(p) >> q & 1 or found[within] >= _ENOUGH:
                continue
            if word := self._word({(p, p, q)}, (p, q, q), (within[0], self._reach(p), within[1])):
                found[within] += 1
                yield p, word

    def _reach(self, place: int) -> int:
        """The places that can be reached from one, as bits."""
        if place not in self.reached:
            seen, waiting = 0, list(self.follow[place])
            while waiting:
                one = waiting.pop()
                if not seen >> one & 1:
                    seen |= 1 << one
                    waiting.extend(self.follow[one])
            self.reached[place] = seen
        return self.reached[place]

    def _component(self, place: int) -> int:
        """The places from which a loop comes back to this one."""
        if place not in self.components:
            reach = self._reach(place)
            self.components[place] = sum(
                1 << one
                for one in range(len(self.chars))
                if reach >> one & 1 and self._reach(one) >> place & 1
            )
        return self.components[place]

    def _way_to(self, place: int) -> str:
        starts = {(one,) for one in self.first}
        return "" if (place,) in starts else self._word(starts, (place,))

    def _word(
        self,
        starts: set[tuple[int, ...]],
        end: tuple[int, ...],
        within: tuple[int, ...] | None = None,
        first: int | None = None,
    ) -> str:
        """The shortest word that leads from some places, all reading the same, to others; "" where
        none does."""
        lead = self._common((first,)) if first is not None else ""
        if first is not None and end in starts:
            return lead
        found = dict.fromkeys(sorted(starts), lead)
        waiting = deque(found)
        while waiting and len(found) < _TRIED:
            at = waiting.popleft()
            if not (char := self._common(at)):
                continue
            follow = [self.follow[one] for one in at]
            if within:
                follow = [
                    [way for way in ways if inside >> way & 1]
                    for inside, ways in zip(within, follow, strict=True)
                ]
            if all(one in ways for one, ways in zip(end, follow, strict=True)):
                return found[at] + char
            for way in self._alike(follow):
                if way not in found:
                    found[way] = found[at] + char
                    waiting.append(way)
        return ""

    def _alike(self, follow: list[list[int]]) -> Iterator[tuple[int, ...]]:
        """One place of each, all reading the same character."""
        ways: list[tuple[tuple[int, ...], int]] = [((), -1)]
        for places in follow:
            ways = [
                ((*way, one), both)
                for way, common in ways
                for one in places
                if (both := common & self.masks[one])
            ]
        return (way for way, _ in ways)

    def _common(self, places: tuple[int, ...]) -> str:
        """The first character that all these places read; "" where none does."""
        common = -1
        for one in places:
            common &= self.masks[one]
        return self.alphabet[(common & -common).bit_length() - 1] if common else ""

    def _order(self, alphabet: Iterable[str]) -> None:
        """Prefer the characters in this order: the places' characters become bits."""
        self.alphabet = "".join(alphabet)
        self.masks = [
            sum(1 << n for n, char in enumerate(self.alphabet) if char in chars)
            for chars in self.chars
        ]


def _alphabet(tree: Sequence[Node], flags: int) -> str:
    """One character of each kind that the expression tells apart."""
    singles = list(_singles(tree, flags))
    pool = dict.fromkeys((*_literals(tree), *_POOL))
    kinds: dict[tuple[bool, ...], str] = {}
    for char in pool:
        kinds.setdefault(tuple(bool(wanted(char)) for wanted in singles), char)
    return "".join(kinds.values())


def _inner(node: Node) -> list[Sequence[Node]]:
    kind, value = node
    if kind is constants.SUBPATTERN:
        return [value[3]]
    if kind is constants.BRANCH:
        return list(value[1])
    if kind in REPEATS:
        return [value[2]]
    if kind is constants.ATOMIC_GROUP:
        return [value]
    return [value[1]] if kind in (constants.ASSERT, constants.ASSERT_NOT) else []


def _singles(nodes: Iterable[Node], flags: int) -> Iterator[Any]:
    for node in nodes:
        if node[0] in SINGLE:
            yield fits(node, flags)
        more, less = (node[1][1], node[1][2]) if node[0] is constants.SUBPATTERN else (0, 0)
        for one in _inner(node):
            yield from _singles(one, (flags | more) & ~less)


def _literals(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        kind, value = node
        if kind in (constants.LITERAL, constants.NOT_LITERAL):
            yield chr(value)
        elif kind is constants.IN:
            for name, one in value:
                if name is constants.LITERAL:
                    yield chr(one)
                elif name is constants.RANGE:
                    yield chr(one[0])
        for one in _inner(node):
            yield from _literals(one)
