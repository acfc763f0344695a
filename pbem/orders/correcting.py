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
from itertools import count, pairwise
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
_NUMBER, _CODE = re.compile("[0-9]"), re.compile("[A-Za-z][0-9]{1,2}[a-z]?")
"""The name of a card may stand before its code."""
# Tried out on tests/letter/strangers.tsv.
_FREE, _ODD, _KEYWORD, _NAMED, _DEAR = 0.05, 0.25, 0.9, 1.5, 9.0
"""What it costs to leave out a small word, an unknown one, a keyword, a name, a number."""
_BOTH, _PASSED, _BACK, _FAR_BACK, _AGAIN = 0.3, 0.15, 0.2, 0.6, 0.2
"""To take a keyword for a name; to pass a token; to take one passed, or a number twice."""
_PUT_IN, _PUT_IN_VERB, _SAME_VERB, _NEXT, _BARE = 0.4, 0.3, 0.3, 0.2, 0.7
_MOST_TOKENS, _MOST_STEPS, _MOST_ORDERS = 48, 600, 6
_CLOSE, _TRIES, _FEW, _LONG, _DEAREST, _AHEAD = 0.04, 40, 3, 6, 2.0, 0.7


def _set(words: str) -> frozenset[str]:
    return frozenset(word_list(words))


_REASONS = _set("because since cause cos coz cuz bc as which who whom although though that's")
"""Words that begin a clause which orders nothing."""
_AND, _SPEAKER = _set("and but so therefore hence thus"), _set("i let please my")
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
_PUT = _set("to for on in of with at as by from")
_ARTICLES = _set("the a an my their its own just also please now new")
"""Words that may stand anywhere in a phrase."""
_MOST_ARTICLES, _ANY_NUMBER = 2, "#"
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
        self.any_word = frozenset(name for name, fits in self._others if fits("Xxxxxx"))
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
                (there for name in self._of_word(word) if now and (there := self.after(now, name))),
                None,
            )
        return now

    def _of_word(self, word: str) -> Iterator[str]:
        begins = word in self._heads or word.lower() in _PUT
        yield from (one for one in self.terminals(word) if not (begins and one in self.any_word))

    @cached_property
    def _heads(self) -> frozenset[str]:
        return frozenset(self.expected(self.first))

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
    names: Collection[str]
    """Words of its names, in capitals."""
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
        bound, best, at = 1.2 + 0.1 * len(tokens), "", 0.0
        walk = _Walk(self, tokens, self._phrases(tokens), bound + _CLOSE, on)
        found = sorted(walk.results(each="each" in content))
        for tries, (cost, text) in enumerate(found):
            if cost > (at + _CLOSE if best else bound) or tries > _TRIES:
                break
            if not (meant := accepts(text)) or meant == best:
                continue
            if best:
                return ""
            best, at = meant, cost
        return best

    def may_mean(self, sentence: str, *, named: bool = True) -> bool:
        """Return whether a sentence has an order's verb, in any words.

        named: and a name or a number.
        """
        tokens = self._tokens(_TOKEN.findall(sentence)[:_MOST_TOKENS])
        acts = any(
            one.skip == _KEYWORD and one.text.upper() in self.verbs for one in tokens
        ) or any(
            one.words[:1] and one.words[0] in self.verbs and tokens[one.first].skip != _FREE
            for one in self._phrases(tokens)
        )
        names = (one.skip == _NAMED or bool(_NUMBER.search(one.text)) for one in tokens)
        return acts and (not named or any(names))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names).union(self.words)

    def _tokens(self, words: Sequence[str]) -> list[_Token]:
        """Return the tokens of clauses. Of those that give reasons, or tell of others, only names
        and numbers may be taken."""
        tokens, clause, number = list[_Token](), list[str](), 0
        for word, following in pairwise((*words, ".", "")):
            if word in _MARKS or (clause and _begins_clause(clause, word, following)):
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
        codes = [bool(_CODE.fullmatch(word)) for word in (*words, "")]
        for place, word in enumerate(words):
            token = self._token(word)
            behind = next(at for at in range(place + 1, len(codes)) if not self._names(words, at))
            if token.skip == _NAMED and codes[behind]:
                token = replace(token, skip=_ODD)
            if aside:
                inner = word.upper() in self._known and word.upper() not in self.verbs
                names = inner or bool(_NUMBER.search(word))
                depends = small[0] not in _REASONS and word.lower() in _IF
                token = _Token(word, _DEAR if depends else _FREE, token.terminals if names else ())
            yield token

    def _names(self, words: Sequence[str], place: int) -> bool:
        return place < len(words) and words[place].upper() in self.names

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
        if text[-1:] in "sS" and text[:-1].upper() in self.words and text.upper() not in self.words:
            text = text[:-1]
        if len(text) >= _LONG and text.isalpha() and text.upper() not in self._known:
            near = slips(text.upper(), self._known)
            text = near[0] if len(near) == 1 else text
        upper, number, small = text.upper(), bool(_NUMBER.search(text)), text.lower()
        named, of_word = upper in self.names and len(text) > 2, self.table.terminals(text)
        keyword = upper in self.words or not self.table.any_word.issuperset(of_word)
        little = small in _IDLE and not (text.isupper() and upper in self.names and upper != "I")
        says = number or not text[0].isalpha() or (upper in self.names and not little)
        terminals = tuple(
            (name, _BOTH if keyword and not number and name in self.table.any_word else 0.0)
            for name in of_word
            if says or name not in self.table.any_word
        )
        if number:
            skip = _DEAR if text != "1" else 0.6
        elif small in _NOT or small in _IF:
            skip = _DEAR
        elif little:
            skip = _FREE
        elif named:
            skip = _NAMED
        elif upper in self.verbs or (keyword and len(text) > 1):
            skip = _KEYWORD
        else:
            skip = _ODD if text[0].isalnum() else _FREE
        return _Token(text, skip, terminals)

    def _phrases(self, tokens: Sequence[_Token]) -> list[_Phrase]:
        found, words = list[_Phrase](), [_stem(token.text) for token in tokens]
        for first in range(len(tokens)):
            for end in range(first + 1, min(first + self._longest, len(tokens)) + 1):
                if words[first] in _ARTICLES or words[end - 1] in _ARTICLES:
                    continue
                if not any(one.terminals or one.skip != _FREE for one in tokens[first:end]):
                    continue
                said = _without_articles(words[first:end])
                meant = self._meant.get(said) or self._meant.get(tuple(map(_counted, said)), ())
                taken = (1 << end) - (1 << first)
                found += [_Phrase(first, taken, one) for one in meant]
        return found

    @cached_property
    def _meant(self) -> Mapping[Words, Collection[Words]]:
        meant = dict[Words, dict[Words, None]]()
        for phrases in self.phrases:
            for said, words in phrases.items():
                stems = _without_articles([_stem(word) for word in said.split()])
                meant.setdefault(stems, {})[tuple(words.split())] = None
        return meant

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._meant), default=0) + _MOST_ARTICLES


def _stem(word: str) -> str:
    small = word.lower()
    return small[:-1] if len(small) > _FEW and small[-1] == "s" and small[-2] != "s" else small


def _counted(word: str) -> str:
    return _ANY_NUMBER if is_number(word) else word


def _without_articles(words: Sequence[str]) -> Words:
    return tuple(word for word in words if word not in _ARTICLES)


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
        self._bare = [tuple(one.split()) for one in corrector.alone]
        self._missed = [min(skip, _DEAREST) for skip in self._skips]

    def results(self, *, each: bool) -> set[tuple[float, str]]:
        """Return readings with their costs."""
        order, seen, found = count(), set[tuple[Stack, int, int]](), set[tuple[float, str]]()
        heap = [(0.0, next(order), 0.0, _Step(self._table.first, 0, 0, ((),)))]
        for _ in range(_MOST_STEPS):
            if not heap:
                break
            _, _, cost, step = heappop(heap)
            state = (step.stack, step.taken, len(step.orders))
            if state in seen:
                continue
            seen.add(state)
            if self._says(step) and self._table.may_end(step.stack):
                text = "; ".join(" ".join(words) for words in step.orders)
                bare = len(self._tokens) > _FEW and any(len(words) == 1 for words in step.orders)
                total = cost + self._left_out(step, self._skips) + (_BARE if bare else 0)
                if total <= self._bound:
                    found.add((total, text))
            for more, following in self._moves(step, each=each):
                if cost + more <= self._bound:
                    ahead = cost + more + _AHEAD * self._left_out(following, self._missed)
                    heappush(heap, (ahead, next(order), cost + more, following))
        return found

    def _says(self, step: _Step) -> bool:
        said = (skip for place, skip in enumerate(self._skips) if step.taken >> place & 1)
        bare = len(step.orders) == 1 and step.orders[0] in self._bare
        enough = sum(skip > _FREE for skip in said) >= len(step.orders) + bare
        return bool(step.orders[-1]) and enough

    def _left_out(self, step: _Step, skips: Sequence[float]) -> float:
        left = 0.0
        for place, skip in enumerate(skips):
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
        expected = self._table.expected(step.stack)
        small = ((word,) for word in expected if word.lower() in _PUT)
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
            if words[0] in orders[-1][:2] and (stack := self._table.behind(start, words[1:])):
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


def _begins_clause(clause: Sequence[str], word: str, following: str) -> bool:
    small, first = word.lower(), clause[0].lower()
    if small in _AND:
        return following.lower() in _SPEAKER
    if small == "as":
        return bool(_OTHERS.fullmatch(following.lower()))
    return small in _REASONS or (first == "as" and small == "i" and len(clause) > 1)


def _said(orders: tuple[Words, ...], words: Words) -> tuple[Words, ...]:
    return (*orders[:-1], (*orders[-1], *words))
