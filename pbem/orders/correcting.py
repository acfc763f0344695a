"""The orders nearest to a sentence: the cheapest walk through the table of an order grammar.

A sentence is read once, from left to right. Each token is taken, left out, or held until it fits; a
word that the grammar needs is put in, and what two orders share is said once. Each step has a cost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import groupby, pairwise, takewhile
from math import inf
from typing import Any, NamedTuple

from pbem.orders.sentences import GOODBYE, GREETS, POLITE, US
from pbem.orders.spelling import is_number, slips, stem
from pbem.orders.table import (
    DEAR,
    FREE,
    KEYWORD,
    NAMED,
    ODD,
    TWICE,
    VALUE,
    Stack,
    Table,
    Token,
    Words,
    said_before,
)
from pbem.orders.turning import turns

_TOKEN = re.compile(
    r'"[^"\n]{0,80}+"|[0-9]{1,12}+(?:[,.][0-9]{3}(?![0-9])){0,4}+(?:[kK](?!\w))?+(?![\w/\'])'
    r"|\w{1,40}(?:[/'-]{1,2}\w{1,40}){0,4}+|[<>]=?|[+=%#-]|[.,;:!?()]"
)
_MARKS = ".,;:!?()"
_NUMBER, _CODE = re.compile("[0-9]"), re.compile("[A-Za-z][0-9]{1,2}[a-z]?")
"""The name of a card may stand before its code."""
_CODES = re.compile("[A-Za-z][0-9]{1,3}-[A-Za-z][0-9]{1,3}")
"""A range: "A1-A3"."""
# Tried on tests/letter/*.tsv. AGAIN: to use a name once more; APART: to go on in another clause.
_BOTH, _HELD, _WAITED, _SMALL_PHRASE, _OWN = 0.3, 0.03, 0.006, 0.2, 0.1
"""To take a keyword for a name; to hold a token; that it waits, by the square of its way; to take
small words alone for a phrase, or "me" for a seat."""
_PUT_IN, _CARRIED, _SAME_VERB, _SHARED, _BARE = 0.35, 0.45, 0.2, 0.3, 1.3
_ALONE, _ANY_VERB, _NEXT, _KIND = 0.12, 1.5, 0.1, 0.06
"""To put in a word, or one of the order before; to begin an order as the one before, or with the
words that both have; an order of one word; to put in a verb that may be left out,
or another; to begin one more order; to take a number of another kind for a name."""
_CLAUSE, _ASIDE, _CROSSED, _PASSED, _TALK, _AGAIN, _APART = 0.3, 0.1, 0.08, 0.05, 0.4, 0.2, 0.3
"""To leave out a clause, and each name in it; a name or number in one that tells of others; to take
what was held into another clause, or before what was held longer; to leave out a word that is
rarely said to a referee."""
_BEAM, _ALIKE, _MOST_HELD, _MOST_TOKENS, _MOST_ORDERS, _GAP = 96, 12, 4, 60, 6, 2
_MOST_WORK, _ENDS, _BREADTH = 20_000, 300, 1600
_CLOSE, _NEARLY, _LIKELY, _TRIES, _CHECKS, _FEW, _LONG, _CARRY = 0.04, 0.3, 0.5, 25, 5, 3, 6, 10
_REFUSED, _MOST_REFUSED = 0.8, 15
"""A reading that would be refused may be shown with the reason: its cost, and its words."""
_ANY_NUMBER, _MEANS, _AT_LEAST, _BETWEEN = "#", "", ">=", "..."


class _Step(NamedTuple):
    stack: Stack
    held: tuple[int, ...]
    """Places of tokens that wait for theirs."""
    shared: tuple[int, ...]
    """Of these, tokens that were taken, and may be again ("one each in Ohio and Maine")."""
    orders: tuple[Words, ...]
    clause: int = 0
    """Of the token taken last."""
    spoken: bool = False
    """Whether a phrase of several words says it."""
    last: Words = ()
    """Words that end the order ("drop my vote on 2": NONE)."""


_Trie = dict[str, Any]
_Fit = tuple[float, Stack, Words]
"""A cost, the stack behind it, and the words of the order."""


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
    phrases: Mapping[str, Sequence[str]]
    """What people write -> words of the grammar."""
    lists: Mapping[str, frozenset[str]]
    """Small words by what they say: "if", "past", "others"."""

    def orders(
        self,
        sentence: str,
        reads: Callable[[str], str],
        legal: Callable[[str], Collection[str]],
        on: Sequence[Words] = (),
        seat: str = "",
    ) -> str:
        """Return the orders that a sentence nearly is, "" if there are none or two that differ.

        reads: returns orders as they would be written, "" if they are none. legal: returns them as
        they would be filed, none if they would not be taken; such are returned only if nearly said.
        on: what the orders that are owed are about, which may be left out. seat: of who says "me";
        "" if unknown.
        """
        words = [part for one in _TOKEN.findall(sentence) for part in self._parts(one)]
        content = [one for one in words if one not in _MARKS]
        if not content or len(content) > _MOST_TOKENS:
            return ""
        reads, legal = cache(reads), cache(legal)
        tokens, left, found = self.tokens(words, seat), _MOST_WORK, dict[str, float]()
        for bound in (_LIKELY, 1.2 + 0.1 * len(tokens)):
            for way in turns(self, tokens):
                walk = _Walk(self, way, bound + _CLOSE, on, lambda text: bool(legal(reads(text))))
                for cost, text in walk.results(left):
                    found[text] = min(cost, found.get(text, inf))
                left -= walk.work
            if best := _cheapest(found, bound, reads, legal):
                return best[0] if len(best) == 1 else ""
        said = {token.text.upper() for token in tokens}
        meant = self.may_mean(sentence)
        most = _REFUSED if meant and len(tokens) < _MOST_REFUSED else _NEARLY
        near = [text for text in sorted(found, key=found.__getitem__) if found[text] < most]
        if tokens[0].text.lower() in self.lists["ours"] and not meant:
            return ""
        orders = filter(None, map(reads, near))
        return next((one for one in orders if meant or one.split()[0] in said), "")

    def said(self, text: str) -> tuple[frozenset[str], Mapping[str, int]]:
        """Return a text's names and conditions, and the verbs that it may say: 1 by a phrase, 2 by
        the verb itself, 3 by a phrase that ends an order ("PREFER NONE")."""
        tokens = [self.token(one) for one in _TOKEN.findall(text) if one not in _MARKS]
        ways = [words for some in self.phrases_in(tokens) for _, words in some if words]
        ways.sort(key=lambda words: words[-1] == "NONE")
        verbs = {
            words[0]: 1 + 2 * (words[-1] == "NONE") for words in ways if words[0] in self.verbs
        }
        for token, behind in pairwise((*tokens, self.token("."))):
            if (verb := token.text.upper()) in self.verbs:  # "bill 3" may be of any
                verbs[verb] = max(verbs.get(verb, 0), 2 - is_number(behind.text))
        dear = (one for one in tokens if one.skip in (VALUE, NAMED, DEAR) or is_number(one.text))
        names = (one.text.upper().replace(",", "") for one in dear if not one.stands)
        return frozenset(names), verbs

    def may_mean(self, sentence: str, *, beside: bool = False) -> bool:
        """Return whether a sentence has an order's verb, in any words, and a name or a number, or
        ``beside`` a question speaks of its writer."""
        tokens = self._tokens(_TOKEN.findall(sentence)[:_MOST_TOKENS])
        acts = any(one.skip == KEYWORD and one.text.upper() in self.verbs for one in tokens) or any(
            words[:1] and words[0] in self.verbs and tokens[first].skip != FREE
            for first, some in enumerate(self.phrases_in(tokens))
            for _, words in some
        )
        names = (one.skip == NAMED or bool(_NUMBER.search(one.text)) for one in tokens)
        speaks = self.lists["speaker"] | self.lists["ours"]
        own = beside and not speaks.isdisjoint(one.text.lower() for one in tokens)
        return acts and (own or any(names))

    def _parts(self, word: str) -> Sequence[str]:
        """Return the parts of a range of codes that the grammar has apart."""
        apart = _CODES.fullmatch(word) and not self.table.terminals(word)
        return word.partition("-") if apart else (word,)

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.names).union(self.words)

    def tokens(self, words: Sequence[str], seat: str) -> list[Token]:
        said = said_before([*self.table.numbered(self._tokens(words))])
        return [
            self._one(self._mine(one, seat), after) for one, after in pairwise((*said, None)) if one
        ]

    def _tokens(self, words: Sequence[str]) -> list[Token]:
        """Return the tokens of clauses. Of those that give reasons, or tell of others, only names
        and numbers may be taken."""
        tokens, clause, number = list[Token](), list[str](), 0
        for word, following in pairwise((*words, ".", "")):
            if word in _MARKS or (clause and self._begins_clause(clause, word, following)):
                tokens += (replace(token, clause=number) for token in self._clause(clause))
                clause, number = [], number + 1
            if word not in _MARKS:
                clause.append(word)
        return tokens

    def _clause(self, words: Sequence[str]) -> Iterator[Token]:
        small = [word.lower() for word in words]
        past = any(
            word in self.lists["past"] and before not in self.lists["whatever"]
            for before, word in pairwise(("", *small))
        )
        aside = past or (bool(words) and (self._is_reason(small) or self._tells_of_others(small)))
        codes = [bool(_CODE.fullmatch(word)) for word in (*words, "")]
        named = [word.upper() in self.names for word in (*words, "", "")]
        for place, word in enumerate(words):
            token, before = self.token(word), small[place - 1] if place else ""
            there = (*small, "")[place + 1] in self.lists["there"]
            if small[place] == "for" and "against" in small and not there:
                token = replace(token, skip=VALUE if "against" in small[place:] else DEAR)
            elif small[place] == "for" and (*small, "")[place + 1] in self.lists["own"]:
                token = replace(token, terminals=())
            elif (before == "the" and small[place] in self.lists["nth"]) or (
                word == "1" and before and self.token(before).skip == KEYWORD
            ):
                token = replace(token, skip=DEAR)
            following = range(place + 1, len(codes))
            in_name = named[place] and (named[place + 1] or named[place - 1])
            between = self.lists.get("between", ())
            behind = next(
                at for at in following if not named[at] and (*small, "")[at] not in between
            )
            if named[place] and self._is_titled((*words, "")[behind]):
                token = replace(token, skip=FREE, terminals=())
            elif token.skip == NAMED and (
                codes[behind]
                or (before in self.lists["own"] and self._stem(word) not in self._values)
            ):
                token = replace(token, skip=ODD if codes[behind] else VALUE)
            elif token.skip == FREE and len(word) > 2 and in_name:
                terminals = tuple((name, _HELD) for name in self.table.terminals(word))
                token = replace(token, terminals=terminals)
            if aside:
                inner = word.upper() in self.known and word.upper() not in self.verbs
                names = inner or bool(_NUMBER.search(word))
                condition = self.lists["supposed" if past else "if"]
                depends = word.lower() in condition and not self._is_reason(small)
                cost = DEAR if depends else _ASIDE if names else FREE
                token = Token(word, cost, token.terminals if names else (), aside=True)
            yield token

    def _is_titled(self, code: str) -> bool:
        """Return whether the name before a code says nothing."""
        return bool(_CODE.fullmatch(code)) and code[0].lower() in self.lists.get("titled", ())

    def _one(self, token: Token, following: Token | None) -> Token:
        """Return a token that may be a number: "an" action."""
        if token.text.lower() not in ("a", "an") or not following or following.skip != NAMED:
            return token
        terminals = tuple((name, _HELD) for name in self.table.terminals("1"))
        return replace(token, terminals=terminals, stands="1")

    def _mine(self, token: Token, seat: str) -> Token:
        named = token.text.isupper() and token.text in self.names  # ME is a state
        if not seat or named or token.text.lower() not in self.lists["me"]:
            return token
        terminals = tuple((name, _OWN) for name in self.table.terminals(seat))
        return replace(token, terminals=terminals, stands=seat)

    def _tells_of_others(self, small: Sequence[str]) -> bool:
        """Return whether a clause tells of others, not "You have my vote"."""
        of_mine = any(
            not self.lists["own"].isdisjoint(small[2:_LONG])
            for one in small[1:3]
            if one in self.lists["given"]
        )
        return not of_mine and (
            small[0] not in self.lists["asks"]
            and self.lists["ours"].isdisjoint(small[:3])
            and not self.lists["others"].isdisjoint(small[:3])
        )

    def _is_reason(self, words: Sequence[str]) -> bool:
        """Return whether a clause gives a reason ("as they said", not "as a rule"), or
        says what stays as it is ("but keep Foreign")."""
        first, second = words[0], words[1] if words[1:] else ""
        if first in ("as", "for"):
            told = first == "as" and not self.lists["past"].isdisjoint(words)
            return told or second in self.lists["that"] or second in self.lists["others"]
        stays = first == "but" and not self.lists["stays"].isdisjoint(words[1:3])
        return stays or first in self.lists["reasons"]

    def _begins_clause(self, clause: Sequence[str], word: str, following: str) -> bool:
        small, first, after = word.lower(), clause[0].lower(), following.lower()
        if small in self.lists["and"]:
            return small == "but" or after in self.lists["speaker"]
        if small == "as":
            return after == "the" or after in self.lists["others"]
        tells = small in self.lists["others"] - {"you", "who"} and len(clause) > _FEW
        reason = small in self.lists["reasons"] or (first == "as" and small == "i")
        return tells or reason

    @cached_property
    def _idle(self) -> frozenset[str]:
        return self.lists["idle"] | POLITE | GOODBYE | GREETS | US

    @cached_property
    def token(self) -> Callable[[str], Token]:
        return lru_cache(maxsize=4096)(self._made)

    def _made(self, text: str) -> Token:
        text = self._spelt(text)
        upper, number, small = text.upper(), bool(_NUMBER.search(text)), text.lower()
        named = upper in self.named and (len(text) > 2 or text.isupper())
        of_word = self.table.terminals(text)
        keyword = upper in self.words or not self.table.any_word.issuperset(of_word)
        keyword = keyword or small in self.lists["choices"]
        name = text.isupper() and upper in self.names and upper != "I"
        little = small in self._idle and not name
        small_word = keyword and len(text) < _FEW and not text.isupper()  # "or" is not Oregon
        says = number or not text[0].isalpha()
        says = says or (upper in self.named and not little and not small_word)
        says = says or small in self.lists["choices"] or small == "all"
        value = "" if says or little else self._values.get(self._stem(text), "")
        if value:
            of_value = tuple((name, _HELD) for name in self.table.terminals(value))
            return Token(text, VALUE, of_value, stands=value)
        terminals = tuple(
            (name, (_KIND if number else _BOTH) if keyword and name in self.table.any_word else 0.0)
            for name in of_word
            if says or name not in self.table.any_word
        )
        if number:
            skip = DEAR if text != "1" else 0.6
        elif small in self.lists["not"] or small in self.lists["if"]:
            skip = DEAR
        elif small in self.lists["talk"]:
            skip = _TALK
        elif small in self.lists["choices"]:
            skip = VALUE
        elif text in "+-" and terminals:
            skip = KEYWORD
        elif little:
            skip = FREE if small != "all" else ODD
        elif named:
            skip = NAMED
        elif upper in self.verbs or (keyword and len(text) > 1 and not small_word):
            skip = KEYWORD
        else:
            skip = ODD if text[0].isalnum() or terminals else FREE
        return Token(text, skip, terminals)

    def _spelt(self, text: str) -> str:
        """Return the word of the game that it is with an ending, a slip, or cut short."""
        upper = text.upper()
        if upper in self.known or not text.isalpha():
            return text
        if len(text) > _FEW and f"{upper}S" in self.names:
            return f"{upper}S"
        if keyword := self._stems.get(self._stem(text)):
            return keyword
        if self._stem(text) in self._vocabulary:
            return text
        if len(text) >= _LONG and len(near := slips(upper, self.known)) == 1:
            return near[0]
        cut = upper.removesuffix("S")
        whole = [one for one in self.names if one.startswith(cut)]
        short = len(upper) <= _FEW or text.lower() in self._idle | self.lists["me"]
        return text if short or len(whole) != 1 else whole[0]

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        """A word without its ending, "i" for "we", "my" for "our", "1" for "one"."""
        return lru_cache(maxsize=8192)(lambda word: stem(self._same.get(word.lower(), word)))

    @cached_property
    def _same(self) -> Mapping[str, str]:
        return dict(one.split("=") for one in self.lists["same"])

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """The stems of phrases."""
        return frozenset(self._stem(word) for phrase in self.phrases for word in phrase.split())

    @cached_property
    def named(self) -> frozenset[str]:
        """The names, also those with a stroke ("H/W")."""
        strokes = (word for words in self.phrases.values() for one in words for word in one.split())
        return frozenset(self.names) | {one.upper() for one in strokes if "/" in one}

    @cached_property
    def _values(self) -> Mapping[str, str]:
        """The names that people have one other word for, by its stem."""
        return {
            self._stem(phrase): words[0]
            for phrase, words in self.phrases.items()
            if " " not in phrase and len({*words}) == 1 and words[0].upper() in self.named
        }

    @cached_property
    def _stems(self) -> Mapping[str, str]:
        """Keywords by their stems, if they have no ending themselves."""
        return {
            stem(one): one
            for one in sorted(self.words)
            if one.lower().startswith(stem(one))
            and len(one) - len(stem(one)) < 2
            and (len(one) > _FEW or one in self.verbs)
        }

    def phrases_in(self, tokens: Sequence[Token]) -> list[list[tuple[int, Words]]]:
        """Return, for each token, the phrases that begin there: where they end, and their words."""
        stems = [self._stem(token.text) for token in tokens]
        return [list(self._from(tokens, stems, first)) for first in range(len(tokens))]

    def _from(
        self, tokens: Sequence[Token], stems: Sequence[str], first: int
    ) -> Iterator[tuple[int, Words]]:
        """Small words may stand within a phrase."""
        before = tokens[first - 1].text.lower() if first else ""
        taken = tokens[first].text.lower() == "back" and before in self.lists["takes"]
        # "Take back" is not to back a bill.
        paths = [] if taken else [(first, self._meant, 0, 0)]
        while paths:
            place, node, gap, gaps = paths.pop()
            if place > first and not gap and _MEANS in node:
                part = tokens[first:place]
                says = any(
                    one.terminals or one.skip != FREE or one.text.lower() in self.lists["acts"]
                    for one in part
                )
                whole = not gaps and not any(one.skip == NAMED for one in part)
                for words in node[_MEANS] if says else ():
                    begins = bool(words) and words[0] in self.verbs
                    if (words or whole) and not (begins and tokens[first].aside):
                        yield place, words
            if place == len(tokens):
                continue
            said = stems[place]
            for word in (said, _ANY_NUMBER) if is_number(said) else (said,):
                if word in node:
                    paths.append((place + 1, node[word], 0, gaps))
            little = stems[place] in self.lists["articles"]
            if place > first and gap < _GAP and (little or tokens[place].skip == FREE):
                paths.append((place + 1, node, gap + 1, gaps + (not little)))

    @cached_property
    def _meant(self) -> _Trie:
        meant: _Trie = {}
        for said, several in self.phrases.items():
            node = meant
            for word in said.split():
                if word not in self.lists["articles"]:
                    node = node.setdefault(self._stem(word), {})
            node.setdefault(_MEANS, {}).update({tuple(words.split()): None for words in several})
        return meant


def _cheapest(
    found: Mapping[str, float],
    bound: float,
    reads: Callable[[str], str],
    legal: Callable[[str], Collection[str]],
) -> list[str]:
    """Return the cheapest orders that would be taken, two if another is as near."""
    best, tried = list[str](), set[str]()
    for text, cost in sorted(found.items(), key=lambda one: one[1]):
        if cost > bound or len(tried) > _TRIES or len(best) > 1:
            break
        meant = reads(text)
        tried.add(meant)
        if legal(meant) and all(legal(one) != legal(meant) for one in best):
            more = [one for one in best if not {*legal(one)} < {*legal(meant)}]
            best, bound = [*more, meant], bound if best else cost + _CLOSE
    return best


class _Walk:
    def __init__(
        self,
        corrector: Corrector,
        tokens: Sequence[Token],
        bound: float,
        on: Sequence[Words],
        accepts: Callable[[str], bool],
    ) -> None:
        self._of, self._table, self._tokens = corrector, corrector.table, tokens
        self._bound, self._on = bound, on
        self._accepts, self._tried = accepts, dict[Words, bool]()
        self._checks, self.work = Counter[int](), 0
        self._phrases, self._fits = corrector.phrases_in(tokens), cache(self._fit)
        self._asides = self._skipped()
        self._each = self._numbers_of_each()

    def _numbers_of_each(self) -> Collection[int]:
        """Return the places of numbers that "each" is said of."""
        numbers = [at for at, one in enumerate(self._tokens) if is_number(one.text)]
        said = self._of.lists["each"]
        each = (at for at, one in enumerate(self._tokens) if one.text.lower() in said)
        return {
            ([at for at in numbers if at < place] or [at for at in numbers if at > place][:1])[-1]
            for place in each
            if numbers
        }

    def _skipped(self) -> Mapping[int, tuple[int, float]]:
        """Return where clauses begin that may be left out as a whole, where they end, and at what
        cost: those without numbers and conditions."""
        found, first = dict[int, tuple[int, float]](), 0
        for end in range(1, len(self._tokens) + 1):
            if end < len(self._tokens) and self._tokens[end].clause == self._tokens[first].clause:
                continue
            clause = self._tokens[first:end]
            if not any(map(self._must_stand, clause)):
                names = sum(one.skip >= VALUE and one.skip != KEYWORD for one in clause)
                acts = any(one.skip == KEYWORD for one in clause)
                found[first] = end, _CLAUSE * (1 + names) + KEYWORD * acts
            first = end
        return found

    def _must_stand(self, token: Token) -> bool:
        """Return whether a clause with it is never left out."""
        word, lists = token.text.lower(), self._of.lists
        nth = word in lists["nth"] and token.skip == DEAR
        return bool(nth or _NUMBER.search(word) or word in lists["if"])

    def results(self, most: int) -> list[tuple[float, str]]:
        """Return readings with their costs; none if there is more work than ``most``."""
        reached: list[dict[_Step, float]] = [{} for _ in range(len(self._tokens) + 1)]
        reached[0][_Step(self._table.first, (), (), ((),))] = 0.0
        found = list[tuple[float, str]]()
        for place in range(len(self._tokens)):
            for step, cost in self._best(reached[place]):
                if self.work > most:
                    return []
                for more, end, following in self._moves(step, place):
                    total = cost + more + self._waits(following, place)
                    if total <= self._bound and total < reached[end].get(following, inf):
                        reached[end][following] = total
        for step, cost in sorted(reached[-1].items(), key=lambda one: one[1])[:_ENDS]:
            for more, last in self._released(step, cost, len(self._tokens)):
                found += self._results(last, more)
        return found

    def _waits(self, step: _Step, place: int) -> float:
        """Return the cost of waiting, for a phrase that of one word."""
        return sum(_WAITED * (2 * (place - at) + 1) for at in step.held if at not in self._each)

    def _results(self, step: _Step, cost: float) -> Iterator[tuple[float, str]]:
        last = self._finished(step)
        if last is None or not last.orders[-1] or not set(last.held) <= set(last.shared):
            return
        for more, words in ((0.0, ()), *((_PUT_IN, words) for words in self._on)):
            stack = self._table.behind(last.stack, words)
            total = cost + more + self._bare(last)
            if stack and self._table.may_end(stack) and total <= self._bound:
                orders = _with(last, stack, words).orders
                yield total, "; ".join(" ".join(words) for words in orders)

    def _bare(self, step: _Step) -> float:
        """Return what it costs that the last order is a single word, and no phrase."""
        alone = not step.spoken and len(self._tokens) > _FEW
        return _BARE if alone and len(step.orders[-1]) == 1 else 0.0

    def _finished(self, step: _Step) -> _Step | None:
        """Return the step with its last words; None if unfit."""
        if not step.last:
            return step
        stack = self._table.behind(step.stack, step.last)
        return _with(step, stack, step.last)._replace(last=()) if stack else None

    def _best(self, reached: Mapping[_Step, float]) -> Iterator[tuple[_Step, float]]:
        """Yield the cheapest steps, fewer of a long sentence, few with orders of the same words."""
        most = min(_BEAM, _BREADTH // len(self._tokens))
        seen, kept = Counter[tuple[int, tuple[Words, ...]]](), 0
        for step, cost in sorted(reached.items(), key=lambda one: one[1]):
            alike = len(step.held), tuple(words[:2] for words in step.orders)
            if seen[alike] < _ALIKE and kept < most:
                seen[alike] += 1
                kept += 1
                yield step, cost

    def _moves(self, step: _Step, place: int) -> Iterator[tuple[float, int, _Step]]:
        token, phrases = self._tokens[place], self._phrases[place]
        little = [all(one.skip == FREE for one in self._tokens[place:end]) for end, _ in phrases]
        acts = token.text.upper() in self._of.verbs or any(
            words[:1] and words[0] in self._of.verbs for _, words in phrases
        )
        says = token.skip in (VALUE, NAMED, DEAR) or token.stands
        waits = says or (token.skip in (KEYWORD, TWICE) and token.terminals and not acts)
        for cost, now in self._released(step, 0.0, place):
            verb = now.orders[-1][:1] == (token.text.upper(),)
            yield cost + (FREE if verb else token.skip), place + 1, now
            if place in self._asides:
                end, more = self._asides[place]
                yield cost + more, end, now
            if (waits or is_number(token.text)) and len(now.held) < _MOST_HELD:
                yield cost + _HELD, place + 1, now._replace(held=(*now.held, place))
            yield from self._taken(cost, now, place)
            for (end, words), small in zip(phrases, little, strict=True):
                more = cost + _SMALL_PHRASE * small
                several = sum(one.skip != FREE for one in self._tokens[place:end]) > 1
                parts = words.index(_BETWEEN) if _BETWEEN in words else len(words)
                last = words[parts + 1 :]
                for one, to in self._said(more, now, words[:parts], end - 1):
                    if not (last and to.last):
                        spoken = to.spoken or several
                        clause = token.clause if words else to.clause
                        following = to._replace(spoken=spoken, last=to.last or last, clause=clause)
                        yield one, end, following

    def _released(self, step: _Step, cost: float, now: int) -> Iterator[tuple[float, _Step]]:
        """Yield a step before and after tokens are taken that were held."""
        self.work += 1
        yield cost, step
        if not step.orders[-1]:
            return
        for at, place in enumerate(step.held):
            shared = place in self._each
            held = step.held if shared else (*step.held[:at], *step.held[at + 1 :])
            crossed = self._tokens[place].clause != self._tokens[now - 1].clause
            passed = any(one not in self._each for one in step.held[:at])
            more = cost + (_HELD if shared else _CROSSED * crossed + _PASSED * passed)
            if more > self._bound:
                continue
            for put, taken in self._fitting(step, place):
                both = (*step.shared, place) if shared else step.shared
                after = taken._replace(held=held, shared=tuple(dict.fromkeys(both)))
                if shared:
                    yield more + put, after
                else:
                    yield from self._released(after, more + put, now)

    def _fitting(self, step: _Step, place: int) -> Iterator[tuple[float, _Step]]:
        """Yield steps that take a token into the order, in one clause if possible."""
        clause, (*others, mine) = self._tokens[place].clause, step.orders
        apart = step.clause != clause and len(mine) > 1 and not self._table.may_end(step.stack)
        before = others[-1] if others and len(mine) > 1 and len(others[-1]) < _CARRY else ()
        for cost, stack, words in self._fits(step.stack, place, mine[1:][-2:], before):
            yield cost + _APART * apart, _with(step, stack, words)._replace(clause=clause)

    def _fit(self, stack: Stack, place: int, tail: Words, before: Words) -> Sequence[_Fit]:
        """Return what may stand behind a stack and a token, or what is put in and it."""
        table, token, fits = self._table, self._tokens[place], list[_Fit]()
        said = token.stands or token.text
        for terminal, odd in token.terminals:
            if behind := table.after(stack, terminal):
                fits.append((odd, behind, (said,)))
                for word in () if table.may_end(behind) else tail:
                    twice = table.behind(behind, (word,))
                    if twice and word.upper() in self._of.names:
                        fits.append((odd + _AGAIN, twice, (said, word)))
                break  # as the lexer would
        for cost, words in self._put_in(stack, before):
            if between := table.behind(stack, words):
                for terminal, odd in token.terminals:
                    if behind := table.after(between, terminal):
                        fits.append((cost + odd, behind, (*words, said)))
        return fits

    def _put_in(self, stack: Stack, before: Words) -> Iterator[tuple[float, Words]]:
        """Yield what may be put in: a small word, or what the order before had there."""
        for word in self._table.put(stack[-1]):
            yield _PUT_IN, (word,)
        if self._table.after(stack, "SIGN"):
            yield _PUT_IN, (_AT_LEAST,)
        for at, word in enumerate(before[1:]):
            code = bool(_NUMBER.search(word)) and not is_number(word)
            if code or word.upper() in self._of.names:
                yield _CARRIED, (word,)
                yield _CARRIED, before[at : at + 2]
        for keywords, run in groupby(before[1:], lambda word: word in self._of.words):
            if keywords:
                yield _CARRIED, tuple(run)

    def _taken(self, cost: float, step: _Step, place: int) -> Iterator[tuple[float, int, _Step]]:
        token = self._tokens[place]
        if step.orders[-1]:
            for more, to in self._fitting(step, place):
                yield cost + more, place + 1, to
            yield from self._texts(cost, step, place)
            yield from self._there(cost, step, place)
        for more, begun in self._begun(step, place) if token.text.upper() in self._of.verbs else ():
            for terminal, odd in token.terminals:
                if stack := self._table.after(begun.stack, terminal):
                    yield cost + more + odd, place + 1, _with(begun, stack, (token.text,))
        little = token.skip == FREE and not self._phrases[place]
        if token.aside or little:
            return
        for more, begun in self._begun_without(step, place):
            if cost + more < self._bound:
                for put, to in self._fitting(begun, place):
                    yield cost + more + put, place + 1, to
                for end, words in self._phrases[place]:
                    stack = self._table.behind(begun.stack, words)
                    if stack and words and words[0] not in self._of.verbs:
                        yield cost + more, end, _with(begun, stack, words)

    def _there(self, cost: float, step: _Step, place: int) -> Iterator[tuple[float, int, _Step]]:
        """Take "there" for what the order before names."""
        there = self._tokens[place].text.lower() in self._of.lists["there"]
        for word in step.orders[-2][1:] if there and len(step.orders) > 1 else ():
            for words in ((word,), *((small, word) for small in self._table.put(step.stack[-1]))):
                names = word.upper() in self._of.known or _CODE.fullmatch(word)
                if names and (stack := self._table.behind(step.stack, words)):
                    yield cost + _HELD, place + 1, _with(step, stack, words)

    def _texts(self, cost: float, step: _Step, place: int) -> Iterator[tuple[float, int, _Step]]:
        """Take words in capitals for a text in quotes."""
        stack, end = self._table.after(step.stack, "STRING"), place
        while (
            stack
            and end < len(self._tokens)
            and self._tokens[end].clause == self._tokens[place].clause
            and (self._tokens[end].text[0].isupper() or self._joins(place, end))
        ):
            end += 1
        said = self._tokens[place:end]
        if stack and any(one.skip not in (NAMED, DEAR) and one.text.isalpha() for one in said):
            text = " ".join(token.text for token in said)
            yield cost, end, _with(step, stack, (f'"{text}"',))

    def _joins(self, place: int, end: int) -> bool:
        """Return whether small words stand in a text: "Party of the Four Winds"."""
        behind = [one.text[0] for one in self._tokens[end : end + 3] if one.skip != FREE]
        return place < end and self._tokens[end].skip == FREE and "".join(behind[:1]).isupper()

    def _begun(self, step: _Step, place: int) -> Iterator[tuple[float, _Step]]:
        """Yield the step at the beginning of an order. If its verb comes last in its clause, what
        is held of it waits for that."""
        if not step.orders[-1]:
            yield 0.0, step
        elif (
            len(step.orders) < _MOST_ORDERS
            and (ended := self._finished(step))
            and self._table.may_end(ended.stack)
            and self._stands(ended.orders[-1], place)
        ):
            held = tuple(at for at in step.held if at not in step.shared)
            here = self._tokens[place].clause
            clause = [at for at, one in enumerate(self._tokens) if one.clause == here]
            last = not any(self._tokens[at].skip >= VALUE for at in clause if at > place)
            if not held or ((last or step.clause != here) and {*held} <= {*clause}):
                orders = (*ended.orders, ())
                yield _NEXT + self._bare(ended), _Step(self._table.first, held, (), orders)

    def _stands(self, words: Words, place: int) -> bool:
        """Return whether an order would be taken. Few are tried at a place, the likeliest first."""
        if words not in self._tried and self._checks[place] < _CHECKS:
            self._checks[place] += 1
            self._tried[words] = self._accepts(" ".join(words))
        return self._tried.get(words, False)

    def _begun_without(self, step: _Step, place: int) -> Iterator[tuple[float, _Step]]:
        """Yield steps behind the verb of an order that does not say it."""
        token = self._tokens[place]
        for more, begun in self._begun(step, place):
            alone = _ALONE + _SAME_VERB * (len(begun.orders) > 1)
            ways = [(alone, tuple(one.split())) for one in self._of.alone]
            if token.skip == NAMED or (token.text[0] == '"' and token.text[1].isalpha()):
                any_verb = _ANY_VERB if token.skip == NAMED else _ALONE
                ways += [(any_verb, (one,)) for one in sorted(self._of.verbs)]
            if len(begun.orders) > 1:
                before = begun.orders[-2]
                verbs = tuple(takewhile(lambda word: word.upper() in self._of.verbs, before))
                ways += [(_SAME_VERB, one) for one in dict.fromkeys((before[:1], verbs))]
                if is_number(before[-1]) == is_number(token.text):
                    ways.append((_SHARED, before[:-1]))
            for cost, words in ways:
                if stack := self._table.behind(begun.stack, words):
                    yield more + cost, _with(begun, stack, words)

    def _said(
        self, cost: float, step: _Step, words: Words, place: int
    ) -> Iterator[tuple[float, _Step]]:
        """Yield steps that take a phrase for words of the grammar."""
        if not words:
            yield cost, step
            return
        mine = step.orders[-1]
        if words[0] in self._of.verbs:
            if words == mine[: len(words)]:
                yield cost, step  # said twice
            if words[0] in mine[:2] and (stack := self._table.behind(step.stack, words[1:])):
                yield cost, _with(step, stack, words[1:])
            if mine and (stack := self._table.behind(step.stack, words)):
                yield cost, _with(step, stack, words)
            begins = list(self._begun(step, place))
            said = (*words, *mine)  # "40,000 on any, always"
            if mine and len(words) == 1 and (stack := self._table.behind(self._table.first, said)):
                yield cost + _HELD, step._replace(stack=stack, orders=(*step.orders[:-1], said))
        else:
            begins = [(0.0, step)] if mine else []
        for more, begun in begins:
            before = begun.orders[-2][:2] if len(begun.orders) > 1 and not begun.orders[-1] else ()
            again = (*before[:1], *words) if before[1:] == words[:1] else ()  # STANDING VOTE
            for ways in ((again,), (words, words[:-1])):
                fits = ((one, self._table.behind(begun.stack, one)) for one in ways if one)
                said, stack = next((fit for fit in fits if fit[1]), ((), None))
                if stack:
                    yield cost + more, _with(begun, stack, said)


def _with(step: _Step, stack: Stack, words: Words) -> _Step:
    return step._replace(stack=stack, orders=(*step.orders[:-1], (*step.orders[-1], *words)))
