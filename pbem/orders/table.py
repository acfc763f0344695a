"""The LALR table of an order grammar, and the tokens of a sentence that is walked through it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any

from lark import Lark
from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift

from pbem.orders.sentences import word_list
from pbem.orders.spelling import is_number

_END = "$END"
Stack = tuple[Any, ...]
Words = tuple[str, ...]
PUT = frozenset(word_list("to for on in of with at as by from"))
"""Small words that may be put in."""
# Tried on tests/letter/*.tsv, like those of the walk.
FREE, ODD, TWICE, VALUE, KEYWORD, NAMED, DEAR = 0.03, 0.15, 0.18, 0.8, 0.9, 1.2, 9.0
"""What it costs to leave out a small word, an unknown one, one that is said twice, another word
for a name, a keyword, a name, a number."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark of a sentence."""

    text: str
    skip: float
    """What it costs to leave it out."""
    terminals: tuple[tuple[str, float], ...]
    """What it may be, each at a cost."""
    clause: int = 0
    stands: str = ""
    """What it is in an order, if that is another word."""
    aside: bool = False
    """Said of others, or for a reason: no order begins there."""


class Table:
    """A grammar's LALR table."""

    def __init__(self, lark: Lark, names: Collection[str] = ()) -> None:
        """names: in capitals; other keywords of the grammar stand for no name."""
        machine: Any = lark.parser.parser.parser
        self._states = machine.parse_table.states
        self.first: Stack = (machine.parse_table.start_states["order"],)
        self._final = machine.parse_table.end_states["order"]
        self.literals = {
            terminal.name: terminal.pattern.value.upper()
            for terminal in lark.terminals
            if isinstance(terminal.pattern, PatternStr)
        }
        self._others = [
            (terminal.name, re.compile(terminal.pattern.to_regexp()).fullmatch)
            for terminal in sorted(lark.terminals, key=lambda one: -one.priority)
            if terminal.name not in self.literals and terminal.name not in lark.ignore_tokens
        ]
        self.any_word = frozenset(name for name, fits in self._others if fits("Xxxxxx"))
        self._small = self.literals | {
            name: word.upper()
            for word in PUT
            for name, fits in self._others
            if fits(word) and name not in self.any_word
        }
        self._kept = frozenset(self.literals.values()).difference(names, ("NONE", "ALL"))
        self.after = lru_cache(maxsize=20_000)(self._after)
        self.behind = lru_cache(maxsize=20_000)(self._behind)
        self.put = cache(self._put)
        self.terminals = lru_cache(maxsize=4096)(self._terminals)

    def _after(self, stack: Stack, terminal: str) -> Stack | None:
        while (found := self._states[stack[-1]].get(terminal)) is not None:
            action, argument = found
            if action is Shift:
                return (*stack, argument)
            size = len(argument.expansion)
            stack = stack[:-size] if size else stack
            stack = (*stack, self._states[stack[-1]][argument.origin.name][1])
            if terminal == _END and stack[-1] == self._final:
                return stack
        return None

    def may_end(self, stack: Stack) -> bool:
        return self.after(stack, _END) is not None

    def _behind(self, stack: Stack, words: Words) -> Stack | None:
        now: Stack | None = stack
        for word in words:
            now = next(
                (there for name in self._of_word(word) if now and (there := self.after(now, name))),
                None,
            )
        return now

    def _of_word(self, word: str) -> Iterator[str]:
        begins = word.upper() in self._heads | self._kept or word.lower() in PUT
        yield from (one for one in self.terminals(word) if not (begins and one in self.any_word))

    @cached_property
    def _heads(self) -> frozenset[str]:
        return frozenset(self._expected(self.first[-1]))

    def _expected(self, state: Any) -> Iterator[str]:
        yield from (self._small[name] for name in self._states[state] if name in self._small)

    def _put(self, state: Any) -> Sequence[str]:
        """Return the words that may be put in where the grammar is in a state."""
        return sorted(word for word in self._expected(state) if word.lower() in PUT)

    def _terminals(self, text: str) -> tuple[str, ...]:
        upper = text.upper()
        said = [name for name, literal in self.literals.items() if literal == upper]
        return (*said, *(name for name, fits in self._others if fits(text)))

    def numbered(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """Let a number stand for its name and itself: "amendments 1 and 3"."""
        noun = ""
        for token in tokens:
            said = f"{noun} {token.text}"
            if noun and is_number(token.text):
                terminals = tuple((name, 0.0) for name in self.terminals(said))
                yield replace(token, skip=DEAR, terminals=terminals, stands=said)
                continue
            if token.skip > FREE:
                singular = token.text.lower().removesuffix("s")
                noun = singular if self.terminals(f"{singular} 1") else ""
            yield token


def said_before(tokens: Sequence[Token]) -> list[Token]:
    """Let one of two be left out."""
    times = Counter(token.text.upper() for token in tokens if token.skip > FREE)
    return [
        replace(token, skip=min(token.skip, TWICE))
        if times[token.text.upper()] > 1 and token.terminals and not is_number(token.text)
        else token
        for token in tokens
    ]
