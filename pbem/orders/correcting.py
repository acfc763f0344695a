"""The orders nearest to a sentence: the cheapest walk through the table of an order grammar.

A token of the sentence is taken, left out, or taken later; a word that the grammar needs is put in.
Each step has a cost, and so has what is left out in the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from itertools import count
from typing import Any

from lark import Lark
from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift

from pbem.orders.sentences import GOODBYE, POLITE, word_list
from pbem.orders.spelling import is_number, slips

_END = "$END"
Stack = tuple[Any, ...]
Words = tuple[str, ...]
_TOKEN = re.compile(
    r'"[^"\n]{0,80}+"|[0-9]{1,12}+(?:[,.][0-9]{3}(?![0-9])){0,4}+(?:[kK](?!\w))?+(?![\w/\'])'
    r"|\w{1,40}(?:[/'-]{1,2}\w{1,40}){0,4}+|[<>]=?|[+=%#-]|[.,;:!?()]"
)
_MARKS = ".,;:!?()"
_NUMBER = re.compile("[0-9]")
# Tried out on tests/letter/strangers.tsv.
_FREE, _ODD, _NAMED, _DEAR = 0.05, 0.3, 1.5, 9.0
"""What it costs to leave out a small word, an unknown one, a name or keyword, a number."""
_UNKNOWN, _PASSED, _BACK, _FAR_BACK, _AGAIN = 0.2, 0.15, 0.1, 0.6, 0.2
"""To take an unknown word for a name; to pass a token; to take one passed, or a number twice."""
_PUT_IN, _PUT_IN_VERB, _SAME_VERB, _NEXT, _BARE = 0.4, 0.3, 0.3, 0.2, 1.0
_MOST_TOKENS, _MOST_STEPS, _MOST_ORDERS = 32, 400, 6
_CLOSE, _TRIES, _FEW, _LONG = 0.04, 40, 3, 6


def _set(words: str) -> frozenset[str]:
    return frozenset(word_list(words))


_REASONS = _set("because since cos coz cuz bc as which who whom although though that's")
"""Words that begin a clause which orders nothing."""
_OTHERS = re.compile("he|she|they|you|who|everybody|everyone|nobody|it|somebody|people")
_ASKS = _set("can could would will")
_PAST = _set(
    "was were did had said told promised asked thinks thought wants hopes hope voted gave paid sent"
    " think guess wonder wondering"
)
_NOT = _set("not never nor cannot without don't dont won't wont didn't isn't doesn't")
_IF = _set(
    "if unless until till when while before except whether provided otherwise maybe perhaps might"
    " instead unsure"
)
_IDLE = (
    POLITE
    | GOODBYE
    | _set(
        "and to for on in of with the a an my i me we our us is be as so then also please all it"
        " this that at by from are am will shall would should like want put take give have do does"
        " just now kindly each every per both these those there here"
    )
)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    skip: float
    terminals: tuple[tuple[str, float], ...]
    clause: int = 0


@dataclass(frozen=True, slots=True)
class _Phrase:
    first: int
    taken: int
    words: Words


@dataclass(frozen=True, slots=True)
class _Step:
    stack: Stack
    taken: int
    """A bit for each token."""
    last: int
    """The place behind the token taken last."""
    orders: tuple[Words, ...]


class Table:
    """A grammar's LALR table."""

    def __init__(self, lark: Lark) -> None:
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
            for terminal in lark.terminals
            if terminal.name not in self.literals and terminal.name not in lark.ignore_tokens
        ]
        self.after = lru_cache(maxsize=20_000)(self._after)
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

    def behind(self, stack: Stack, words: Sequence[str]) -> Stack | None:
        now: Stack | None = stack
        for word in words:
            now = next(
                (
                    there
                    for name in self.terminals(word)
                    if now and (there := self.after(now, name))
                ),
                None,
            )
        return now

    def expected(self, stack: Stack) -> Iterator[str]:
        yield from (
            self.literals[name] for name in self._states[stack[-1]] if name in self.literals
        )

    def _terminals(self, text: str) -> tuple[str, ...]:
        upper = text.upper()
        said = [name for name, literal in self.literals.items() if literal == upper]
        return (*said, *(name for name, fits in self._others if fits(text)))


@dataclass(frozen=True)
class Corrector:
    """Reads sentences by one grammar."""

    table: Table
    verbs: Collection[str]
    known: Collection[str]
    """Its names and keywords, in capitals."""
    words: Collection[str]
    """Its keywords, in capitals."""
    alone: Collection[str]
    """Verbs that may be left out."""
    phrases: Sequence[Mapping[str, str]]
    """What people write -> words of the grammar."""

    def orders(self, sentence: str, accepts: Callable[[str], str], on: Sequence[Words] = ()) -> str:
        """Return the orders that a sentence nearly is, "" if there are none or two that differ.

        accepts: returns orders as they would be filed, "" if they are none. on: what the orders
        that are owed are about, which may be left out.
        """
        words = _TOKEN.findall(sentence)
        content = [one for one in words if one not in _MARKS]
        if not content or len(content) > _MOST_TOKENS:
            return ""
        tokens = self._tokens(words)
        bound, best, at = 1.0 + 0.1 * len(tokens), "", 0.0
        walk = _Walk(self, tokens, self._phrases(tokens), bound + _CLOSE, on)
        for tries, (cost, text) in enumerate(walk.results(each="each" in content)):
            if cost > (at + _CLOSE if best else bound) or tries > _TRIES:
                break
            if not (meant := accepts(text)) or meant == best:
                continue
            if best:
                return ""
            best, at = meant, cost
        return best

    def _tokens(self, words: Sequence[str]) -> list[_Token]:
        """Return the tokens of clauses. Of those that give reasons, or tell of others, only names
        and numbers may be taken."""
        tokens, clause, number = list[_Token](), list[str](), 0
        for word in (*words, "."):
            if word in _MARKS or (clause and word.lower() in _REASONS):
                tokens += (replace(token, clause=number) for token in self._clause(clause))
                clause, number = [], number + 1
            if word not in _MARKS:
                clause.append(word)
        return tokens

    def _clause(self, words: Sequence[str]) -> Iterator[_Token]:
        small = [word.lower() for word in words]
        aside = bool(words) and (
            small[0] in _REASONS or not _PAST.isdisjoint(small) or self._tells_of_others(words)
        )
        for word in words:
            token = self._token(word)
            if aside:
                inner = word.upper() in self.known and word.upper() not in self.verbs
                names = inner or bool(_NUMBER.search(word))
                depends = small[0] not in _REASONS and word.lower() in _IF
                token = _Token(word, _DEAR if depends else _FREE, token.terminals if names else ())
            yield token

    def _tells_of_others(self, words: Sequence[str]) -> bool:
        small = [word.lower() for word in words]
        return (
            small[0] not in _ASKS
            and "i" not in small[:3]
            and any(map(_OTHERS.fullmatch, small[:3]))
        )

    @cached_property
    def _token(self) -> Callable[[str], _Token]:
        return lru_cache(maxsize=4096)(self._made)

    def _made(self, text: str) -> _Token:
        if len(text) >= _LONG and text.isalpha() and text.upper() not in self.known:
            near = slips(text.upper(), self.known)
            text = near[0] if len(near) == 1 else text
        upper, number, small = text.upper(), bool(_NUMBER.search(text)), text.lower()
        literal, known = upper in self.words, upper in self.known or number or not text[0].isalpha()
        little = small in _IDLE and (text == small or upper not in self.known or upper == "I")
        odd = 1.0 if literal else _UNKNOWN if text[0].isupper() else 2 * _UNKNOWN
        terminals = tuple(
            (name, 0.0 if (known and not literal) or name in self.table.literals else odd)
            for name in self.table.terminals(text)
            if not little or name in self.table.literals
        )
        if number:
            skip = _DEAR if text != "1" else 0.6
        elif small in _NOT or small in _IF:
            skip = _DEAR
        elif little:
            skip = _FREE
        elif upper in self.verbs or (upper in self.known and len(text) > 1):
            skip = _NAMED
        else:
            skip = _ODD if text[0].isalnum() else _FREE
        return _Token(text, skip, terminals)

    def _phrases(self, tokens: Sequence[_Token]) -> list[_Phrase]:
        found, small = list[_Phrase](), [token.text.lower() for token in tokens]
        for first in range(len(tokens)):
            for end in range(first + 1, min(first + self._longest, len(tokens)) + 1):
                if not any(one.terminals or one.skip != _FREE for one in tokens[first:end]):
                    continue
                said = " ".join(small[first:end])
                taken = (1 << end) - (1 << first)
                meant = {phrases[said] for phrases in self.phrases if said in phrases}
                found += [_Phrase(first, taken, tuple(one.split())) for one in sorted(meant)]
        return found

    @cached_property
    def _longest(self) -> int:
        return max((len(said.split()) for phrases in self.phrases for said in phrases), default=0)


class _Walk:
    def __init__(
        self,
        corrector: Corrector,
        tokens: Sequence[_Token],
        phrases: Sequence[_Phrase],
        bound: float,
        on: Sequence[Words],
    ) -> None:
        self._of, self._table, self._tokens = corrector, corrector.table, tokens
        self._bound, self._on, self._phrases = bound, on, phrases
        self._skips = [token.skip for token in tokens]

    def results(self, *, each: bool) -> Iterator[tuple[float, str]]:
        order, seen, steps = count(), set[tuple[Stack, int, int, int]](), 0
        heap: list[tuple[float, int, _Step | str]] = []
        heappush(heap, (0.0, next(order), _Step(self._table.first, 0, 0, ((),))))
        while heap and steps < _MOST_STEPS:
            cost, _, step = heappop(heap)
            if isinstance(step, str):
                yield cost, step
                continue
            state = (step.stack, step.taken, step.last, len(step.orders))
            if state in seen:
                continue
            seen.add(state)
            steps += 1
            if self._says(step) and self._table.may_end(step.stack):
                text = "; ".join(" ".join(words) for words in step.orders)
                bare = len(self._tokens) > _FEW and any(len(words) == 1 for words in step.orders)
                left = self._left_out(step) + (_BARE if bare else 0)
                heappush(heap, (cost + left, next(order), text))
            for more, following in self._moves(step, each=each):
                if cost + more <= self._bound:
                    heappush(heap, (cost + more, next(order), following))

    def _says(self, step: _Step) -> bool:
        said = (skip for place, skip in enumerate(self._skips) if step.taken >> place & 1)
        return bool(step.orders[-1]) and sum(skip > _FREE for skip in said) >= len(step.orders)

    def _left_out(self, step: _Step) -> float:
        left = 0.0
        for place, skip in enumerate(self._skips):
            if not step.taken >> place & 1:
                left += skip - (min(skip, _PASSED) if place < step.last else 0)
        return left

    def _reached(self, step: _Step, place: int, end: int) -> tuple[float, int]:
        if place < step.last:
            same = self._tokens[place].clause == self._tokens[step.last - 1].clause
            return _BACK if same else _FAR_BACK, step.last
        passed = sum(min(skip, _PASSED) for skip in self._skips[step.last : place])
        return passed, end

    def _moves(self, step: _Step, *, each: bool) -> Iterator[tuple[float, _Step]]:
        yield from self._taken(step, each=each)
        for phrase in self._phrases:
            if not step.taken & phrase.taken:
                yield from self._by_phrase(step, phrase)
        yield from self._put_in(step) if step.orders[-1] else self._begun(step)

    def _taken(self, step: _Step, *, each: bool) -> Iterator[tuple[float, _Step]]:
        """Take a token, a verb first. each: numbers may be taken twice."""
        begun = bool(step.orders[-1])
        for place, token in enumerate(self._tokens):
            again = bool(step.taken >> place & 1)
            if again and not (each and begun and is_number(token.text)):
                continue
            if not begun and token.text.upper() not in self._of.verbs:
                continue
            for terminal, odd in token.terminals:
                if stack := self._table.after(step.stack, terminal):
                    reached = self._reached(step, place, place + 1)
                    more, last = (_AGAIN, step.last) if again else reached
                    orders = _said(step.orders, (token.text,))
                    yield more + odd, _Step(stack, step.taken | 1 << place, last, orders)

    def _put_in(self, step: _Step) -> Iterator[tuple[float, _Step]]:
        """Put in a small word, or what is owed, or end an order."""
        small = ((word,) for word in self._table.expected(step.stack) if word.lower() in _IDLE)
        for words in (*small, *self._on):
            if stack := self._table.behind(step.stack, words):
                orders = _said(step.orders, words)
                yield _PUT_IN, _Step(stack, step.taken, step.last, orders)
        if self._table.may_end(step.stack) and len(step.orders) < _MOST_ORDERS:
            orders = (*step.orders, ())
            yield _NEXT, _Step(self._table.first, step.taken, step.last, orders)

    def _by_phrase(self, step: _Step, phrase: _Phrase) -> Iterator[tuple[float, _Step]]:
        more, last = self._reached(step, phrase.first, phrase.first + phrase.taken.bit_count())
        words, orders, start = phrase.words, step.orders, step.stack
        taken = step.taken | phrase.taken
        if not words:
            yield more, _Step(step.stack, taken, last, orders)
            return
        verb = words[0] in self._of.verbs
        if verb and orders[-1]:
            if orders[-1][0] == words[0] and (stack := self._table.behind(start, words[1:])):
                yield more, _Step(stack, taken, last, _said(orders, words[1:]))
            if self._table.may_end(start) and len(orders) < _MOST_ORDERS:
                start, orders, more = self._table.first, (*orders, ()), more + _NEXT
        elif not verb and not orders[-1]:
            return
        for said in dict.fromkeys((words, words[:-1] if len(words) > 1 else words)):
            if stack := self._table.behind(start, said):
                yield more, _Step(stack, taken, last, _said(orders, said))
                return

    def _begun(self, step: _Step) -> Iterator[tuple[float, _Step]]:
        verbs = [((step.orders[-2][0],), _SAME_VERB)] if len(step.orders) > 1 else []
        for words, cost in (
            *verbs,
            *((tuple(one.split()), _PUT_IN_VERB) for one in self._of.alone),
        ):
            if stack := self._table.behind(step.stack, words):
                yield cost, _Step(stack, step.taken, step.last, _said(step.orders, words))


def _said(orders: tuple[Words, ...], words: Words) -> tuple[Words, ...]:
    return (*orders[:-1], (*orders[-1], *words))
