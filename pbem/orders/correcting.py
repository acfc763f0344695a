"""The orders nearest to a sentence: the cheapest walk through the table of an order grammar.

A sentence is read once, from left to right. Each token is taken, left out, or held until it fits; a
word that the grammar needs is put in, and what two orders share is said once. Each step has a cost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from math import inf
from typing import Any, NamedTuple

from lark import Lark
from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift

from pbem.orders.sentences import GOODBYE, GREETS, POLITE, US, word_list
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
# Tried on tests/letter/*.tsv. AGAIN: to use a name once more; APART: to go on in another clause.
_FREE, _ODD, _KEYWORD, _NAMED, _DEAR = 0.03, 0.15, 0.9, 1.2, 9.0
"""What it costs to leave out a small word, an unknown one, a keyword, a name, a number."""
_VALUE, _BOTH, _HELD, _WAITED, _SMALL_PHRASE, _OWN, _EARLY = 0.8, 0.3, 0.03, 0.006, 0.2, 0.1, 0.3
"""To leave out another word for a name; to take a keyword for a name; to hold a token; that it waits, by the square of its way; to take
small words alone for a phrase, "me" for a seat, or the 2 of "2 in Ohio" before Ohio."""
_PUT_IN, _CARRIED, _SAME_VERB, _SHARED, _BARE = 0.35, 0.45, 0.2, 0.3, 1.3
_ALONE, _ANY_VERB, _NEXT = 0.12, 1.5, 0.1
"""To put in a word, or one of the order before; to begin an order as the one before, or with the
words that both have; an order of one word; to put in a verb that may be left out,
or another; to begin one more order."""
_CLAUSE, _ASIDE, _CROSSED, _TALK, _AGAIN, _APART = 0.3, 0.1, 0.08, 0.4, 0.2, 0.3
"""To leave out a clause, and each name in it; a name or number in one that tells of others; to take
what was held into another clause; to leave out a word that is rarely said to a referee."""
_BEAM, _ALIKE, _MOST_HELD, _MOST_TOKENS, _MOST_ORDERS, _GAP = 96, 12, 4, 60, 6, 2
_CLOSE, _NEARLY, _TRIES, _CHECKS, _FEW, _LONG, _CARRY = 0.04, 0.3, 25, 6, 3, 6, 10


_PUT = frozenset(word_list("to for on in of with at as by from"))
_ANY_NUMBER, _MEANS, _AT_LEAST, _BETWEEN = "#", "", ">=", "..."


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    skip: float
    terminals: tuple[tuple[str, float], ...]
    clause: int = 0
    stands: str = ""
    """What it is in an order, if that is another word."""
    aside: bool = False
    """Said of others, or for a reason: no order begins there."""


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
            for terminal in sorted(lark.terminals, key=lambda one: -one.priority)
            if terminal.name not in self.literals and terminal.name not in lark.ignore_tokens
        ]
        self.any_word = frozenset(name for name, fits in self._others if fits("Xxxxxx"))
        self._small = self.literals | {
            name: word.upper()
            for word in _PUT
            for name, fits in self._others
            if fits(word) and name not in self.any_word
        }
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
        begins = word.upper() in self._heads or word.lower() in _PUT
        yield from (one for one in self.terminals(word) if not (begins and one in self.any_word))

    @cached_property
    def _heads(self) -> frozenset[str]:
        return frozenset(self.expected(self.first))

    def expected(self, stack: Stack) -> Iterator[str]:
        yield from (self._small[name] for name in self._states[stack[-1]] if name in self._small)

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
        words = _TOKEN.findall(sentence)
        content = [one for one in words if one not in _MARKS]
        if not content or len(content) > _MOST_TOKENS:
            return ""
        tokens, found = self.tokens(words, seat), dict[str, float]()
        bound = 1.2 + 0.1 * len(tokens)
        turns = (self._turned, self._counted_behind, self._fronted, self._paired)
        for way in filter(None, (tokens, *(turn(tokens) for turn in turns))):
            walk = _Walk(self, way, bound + _CLOSE, on, lambda text: bool(legal(reads(text))))
            for cost, text in walk.results():
                found[text] = min(cost, found.get(text, inf))
        best, at, readable = "", bound, ""
        said = {token.text.upper() for token in tokens}
        ordered = tokens[0].text.lower() not in self.lists["ours"]
        tried = set[str]()
        for text, cost in sorted(found.items(), key=lambda one: one[1]):
            if cost > (at + _CLOSE if best else bound) or len(tried) > _TRIES:
                break
            meant = reads(text)
            tried.add(meant)
            if meant and ordered and cost < _NEARLY and said.issuperset(meant.split()[:1]):
                readable = readable or meant
            if not meant or meant == best or not legal(meant):
                continue
            if best and legal(best) == legal(meant):
                continue  # the same in other words
            if best:
                return ""
            best, at = meant, cost
        return best or readable

    def cancelled(self, sentence: str, word: str) -> str:
        """Return what a sentence that says it in other words takes back, or ""."""
        tokens = self.tokens(_TOKEN.findall(sentence), "")
        ends = (
            end
            for place, some in enumerate(self.phrases_in(tokens))
            for end, words in some
            if words == (word,) and all(one.skip == _FREE for one in tokens[:place])
        )
        rest = tokens[max(ends, default=len(tokens)) :]
        said = [one.text.upper() for one in rest if one.terminals or one.skip != _FREE]
        return " ".join((word, *said)) if said and said[0] in self.verbs else ""

    def may_mean(self, sentence: str, *, beside: bool = False) -> bool:
        """Return whether a sentence has an order's verb, in any words, and a name or a number.

        beside: beside a question it is enough that its writer speaks of themselves.
        """
        tokens = self._tokens(_TOKEN.findall(sentence)[:_MOST_TOKENS])
        acts = any(
            one.skip == _KEYWORD and one.text.upper() in self.verbs for one in tokens
        ) or any(
            words[:1] and words[0] in self.verbs and tokens[first].skip != _FREE
            for first, some in enumerate(self.phrases_in(tokens))
            for _, words in some
        )
        names = (one.skip == _NAMED or bool(_NUMBER.search(one.text)) for one in tokens)
        speaks = self.lists["speaker"] | self.lists["ours"]
        own = beside and not speaks.isdisjoint(one.text.lower() for one in tokens)
        return acts and (own or any(names))

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.names).union(self.words)

    def tokens(self, words: Sequence[str], seat: str) -> list[_Token]:
        said = self._said_before(self._tokens(words))
        return [
            self._one(self._mine(one, seat), after) for one, after in pairwise((*said, None)) if one
        ]

    @staticmethod
    def _said_before(tokens: Sequence[_Token]) -> list[_Token]:
        """Let one of two be left out."""
        times = Counter(token.text.upper() for token in tokens)
        return [
            replace(token, skip=min(token.skip, _HELD + _ODD))
            if times[token.text.upper()] > 1 and token.terminals and not is_number(token.text)
            else token
            for token in tokens
        ]

    def _tokens(self, words: Sequence[str]) -> list[_Token]:
        """Return the tokens of clauses. Of those that give reasons, or tell of others, only names
        and numbers may be taken."""
        tokens, clause, number = list[_Token](), list[str](), 0
        for word, following in pairwise((*words, ".", "")):
            if word in _MARKS or (clause and self._begins_clause(clause, word, following)):
                tokens += (replace(token, clause=number) for token in self._clause(clause))
                clause, number = [], number + 1
            if word not in _MARKS:
                clause.append(word)
        return tokens

    def _clause(self, words: Sequence[str]) -> Iterator[_Token]:
        small = [word.lower() for word in words]
        past = any(
            word in self.lists["past"] and before not in self.lists["whatever"]
            for before, word in pairwise(("", *small))
        )
        aside = past or (bool(words) and (self._is_reason(small) or self._tells_of_others(small)))
        codes = [bool(_CODE.fullmatch(word)) for word in (*words, "")]
        named = [word.upper() in self.names for word in (*words, "", "")]
        for place, word in enumerate(words):
            token = self._token(word)
            if small[place] == "for" and "against" in small[place:]:
                token = replace(token, skip=_VALUE)
            elif small[place] == "for" and (*small, "")[place + 1] in self.lists["own"]:
                token = replace(token, terminals=())
            following = range(place + 1, len(codes))
            between = self.lists.get("between", ())
            behind = next(
                at for at in following if not named[at] and (*small, "")[at] not in between
            )
            own = place and small[place - 1] in self.lists["own"]
            if (
                named[place]
                and words[behind : behind + 1]
                and self._is_titled((*words, "")[behind])
            ):
                token = replace(token, skip=_FREE, terminals=())
            elif token.skip == _NAMED and (
                (own and self._stem(word) not in self._values) or codes[behind]
            ):
                token = replace(token, skip=_ODD)
            elif (
                token.skip == _FREE
                and len(word) > 2
                and named[place]
                and (named[place + 1] or named[place - 1])
            ):
                terminals = tuple((name, _HELD) for name in self.table.terminals(word))
                token = replace(token, terminals=terminals)
            if aside:
                inner = word.upper() in self.known and word.upper() not in self.verbs
                names = inner or bool(_NUMBER.search(word))
                condition = self.lists["supposed" if past else "if"]
                depends = word.lower() in condition and not self._is_reason(small)
                cost = _DEAR if depends else _ASIDE if names else _FREE
                token = _Token(word, cost, token.terminals if names else (), aside=True)
            yield token

    def _is_titled(self, code: str) -> bool:
        """Return whether the name before a code says nothing."""
        return bool(_CODE.fullmatch(code)) and code[0].lower() in self.lists.get("titled", ())

    def _turned(self, tokens: Sequence[_Token]) -> list[_Token]:
        """Put a condition that comes first behind what it is of. Return [] for other sentences."""
        phrases = self.phrases_in(tokens)
        begins = [
            place
            for place, some in enumerate(phrases[:_FEW])
            if tokens[place].text.lower() in self.lists["if"] | self.lists["turned"]
            or any(words[:1] == ("IF",) for _, words in some)
        ]
        verbs = (
            place
            for place, token in enumerate(tokens)
            if token.text.upper() in self.verbs
            or any(words and words[0] in self.verbs for _, words in phrases[place])
        )
        first = next((place for place in verbs if begins and place > begins[0]), 0)
        other = (
            place
            for place, some in enumerate(phrases)
            if place > first and any(words[:1] == ("ELSE",) for _, words in some)
        )
        end = next(other, len(tokens))
        if not first:
            return []
        condition = tokens[begins[0] : first]
        if condition[0].text.lower() in self.lists["if"]:
            condition = [self._token("IF"), *condition[1:]]
        return [*tokens[first:end], *condition, *tokens[end:]]

    def _counted_behind(self, tokens: Sequence[_Token]) -> list[_Token]:
        """Put numbers behind their names ("two counties in Ohio"). Return [] if there are none."""
        made, waits = list[_Token](), list[_Token]()
        says_in = moved = False
        for token, after in pairwise((*tokens, None)):
            if token is None:
                continue
            name = token.skip >= _VALUE and not is_number(token.text) and bool(token.terminals)
            if is_number(token.text) and not waits:
                waits, says_in = [token], False
                continue
            if waits and token.text.lower() in self.lists["in"]:
                says_in = True
            if waits and (name or token.skip > _ODD):
                goes_on = (
                    name
                    and after is not None
                    and after.skip >= _NAMED
                    and (not is_number(after.text) and after.clause == token.clause)
                )
                made.append(token)
                if goes_on and says_in:
                    continue
                if says_in and name:
                    made += (replace(one, clause=token.clause) for one in waits)
                    moved = True
                else:
                    made[-1:-1] = waits
                waits = []
            else:
                made.append(token)
        return [*made, *waits] if moved else []

    def _fronted(self, tokens: Sequence[_Token]) -> list[_Token]:
        """Put a final "on my standing list" first in its clause. Return [] if there is none."""
        for first, some in enumerate(self.phrases_in(tokens)):
            begins = next(at for at, one in enumerate(tokens) if one.clause == tokens[first].clause)
            for end, words in some:
                if words == ("STANDING",) and begins < first:
                    return [
                        *tokens[:begins],
                        *tokens[first:end],
                        *tokens[begins:first],
                        *tokens[end:],
                    ]
        return []

    def _paired(self, tokens: Sequence[_Token]) -> list[_Token]:
        """Say what several names share behind each ("A has Defense and Finance", "Welfare and
        Education high"). Return [] if they share none, or it is unclear which."""
        found = list(self._names_and_shared(tokens))
        shared = [token for name, token, _ in found if name is None]
        pairs, owner, waiting = list[tuple[_Token, _Token]](), None, list[_Token]()
        for name, token, end in found if 1 < 2 * len(shared) < len(found) else ():
            if name and owner:
                pairs.append((name, owner))
            elif name:
                waiting.append(name)
            elif tokens[end : end + 1] and tokens[end].text.lower() in self.lists["given"]:
                owner = token
                if waiting:
                    return []
            elif waiting:
                pairs += ((one, token) for one in waiting)
                owner, waiting = None, []
            elif owner and tokens[end - 2].text.lower() in self.lists["to"]:
                if sum(one.clause != token.clause and to is owner for one, to in pairs) > 1:
                    return []
                pairs = [(one, token if one.clause == token.clause else to) for one, to in pairs]
                owner = None
            else:
                owner = token
        if waiting or not pairs:
            return []
        clause, begins = found[0][1].clause, tokens.index(found[0][1])
        said = (replace(one, clause=clause) for pair in pairs for one in pair)
        return [*tokens[:begins], *said, *tokens[found[-1][2] :]]

    def _names_and_shared(
        self, tokens: Sequence[_Token]
    ) -> Iterator[tuple[_Token | None, _Token, int]]:
        """Yield names, and None for what they share, each with its first token and its end."""
        values, place = self.lists.get("values", frozenset()), 0
        phrases = self.phrases_in(tokens) if values else []
        while values and place < len(tokens):
            token, end = tokens[place], place + 1
            upper = token.text.upper()
            if token.text.lower() in values and token.skip > _FREE:
                yield None, token, end
            elif says := [
                (last, words)
                for last, words in phrases[place]
                if words
                and all(one.upper() in self._named and one.lower() not in values for one in words)
            ]:
                end, words = max(says)
                for word in words:
                    yield replace(self._token(word), clause=token.clause), token, end
            elif token.stands or (token.skip >= _NAMED and upper in self._named):
                yield token, token, end
            place = end

    def _one(self, token: _Token, following: _Token | None) -> _Token:
        """Return a token that may be a number: "an" action."""
        if token.text.lower() not in ("a", "an") or not following or following.skip != _NAMED:
            return token
        return replace(
            token, terminals=tuple((n, _HELD) for n in self.table.terminals("1")), stands="1"
        )

    def _mine(self, token: _Token, seat: str) -> _Token:
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
    def _token(self) -> Callable[[str], _Token]:
        return lru_cache(maxsize=4096)(self._made)

    def _made(self, text: str) -> _Token:
        text = self._spelt(text)
        upper, number, small = text.upper(), bool(_NUMBER.search(text)), text.lower()
        named = upper in self._named and (len(text) > 2 or text.isupper())
        of_word = self.table.terminals(text)
        keyword = upper in self.words or not self.table.any_word.issuperset(of_word)
        keyword = keyword or small in self.lists["choices"]
        little = small in self._idle and not (
            text.isupper() and upper in self.names and upper != "I"
        )
        small_word = keyword and len(text) < _FEW and not text.isupper()  # "or" is not Oregon
        says = number or not text[0].isalpha()
        says = says or (upper in self._named and not little and not small_word)
        says = says or small in self.lists["choices"] or small == "all"
        value = "" if says or little else self._values.get(self._stem(text), "")
        if value:
            of_value = tuple((name, _HELD) for name in self.table.terminals(value))
            return _Token(text, _VALUE, of_value, stands=value)
        terminals = tuple(
            (name, _BOTH if keyword and not number and name in self.table.any_word else 0.0)
            for name in of_word
            if says or name not in self.table.any_word
        )
        if number:
            skip = _DEAR if text != "1" else 0.6
        elif small in self.lists["not"] or small in self.lists["if"]:
            skip = _DEAR
        elif small in self.lists["talk"]:
            skip = _TALK
        elif text == "-":
            skip = _KEYWORD
        elif little:
            skip = _FREE if small != "all" else _ODD
        elif named:
            skip = _NAMED
        elif upper in self.verbs or (keyword and len(text) > 1 and not small_word):
            skip = _KEYWORD
        else:
            skip = _ODD if text[0].isalnum() or terminals else _FREE
        return _Token(text, skip, terminals)

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
        short = (
            len(cut) < _FEW or upper.lower() in self._idle | self.lists["me"] or len(upper) <= _FEW
        )
        return text if short or len(whole) != 1 else whole[0]

    def _stem(self, word: str) -> str:
        """Return a word without its ending, "i" for "we", "my" for "our", "1" for "one"."""
        return _stem(self._same.get(word.lower(), word))

    @cached_property
    def _same(self) -> Mapping[str, str]:
        return dict(one.split("=") for one in self.lists["same"])

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """The stems of phrases."""
        return frozenset(self._stem(word) for phrase in self.phrases for word in phrase.split())

    @cached_property
    def _named(self) -> frozenset[str]:
        """The names, also those with a stroke ("H/W")."""
        strokes = (word for words in self.phrases.values() for one in words for word in one.split())
        return frozenset(self.names) | {one.upper() for one in strokes if "/" in one}

    @cached_property
    def _values(self) -> Mapping[str, str]:
        """The names that people have one other word for, by its stem."""
        return {
            self._stem(phrase): words[0]
            for phrase, words in self.phrases.items()
            if " " not in phrase and len({*words}) == 1 and words[0].upper() in self._named
        }

    @cached_property
    def _stems(self) -> Mapping[str, str]:
        """Keywords by their stems, if they have no ending themselves."""
        return {
            _stem(one): one
            for one in self.words
            if one.lower().startswith(_stem(one))
            and len(one) - len(_stem(one)) < 2
            and len(one) > _FEW
        }

    def phrases_in(self, tokens: Sequence[_Token]) -> list[list[tuple[int, Words]]]:
        """Return, for each token, the phrases that begin there: where they end, and their words."""
        stems = [self._stem(token.text) for token in tokens]
        return [list(self._from(tokens, stems, first)) for first in range(len(tokens))]

    def _from(
        self, tokens: Sequence[_Token], stems: Sequence[str], first: int
    ) -> Iterator[tuple[int, Words]]:
        """Small words may stand within a phrase."""
        paths = [(first, self._meant, 0, 0)]
        while paths:
            place, node, gap, gaps = paths.pop()
            if place > first and not gap and _MEANS in node:
                part = tokens[first:place]
                says = any(
                    one.terminals or one.skip != _FREE or one.text.lower() in self.lists["acts"]
                    for one in part
                )
                whole = not gaps and not any(one.skip == _NAMED for one in part)
                for words in node[_MEANS] if says else ():
                    begins = bool(words) and words[0] in self.verbs
                    if (words or whole) and not (begins and tokens[first].aside):
                        yield place, words
            if place == len(tokens):
                continue
            for said in dict.fromkeys((stems[place], _counted(stems[place]))):
                if said in node:
                    paths.append((place + 1, node[said], 0, gaps))
            if place > first and gap < _GAP and tokens[place].skip == _FREE:
                little = stems[place] in self.lists["articles"]
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


def _stem(word: str) -> str:
    """Return a word without its ending."""
    small = word.lower()
    for ending in ("ing", "ed", "es", "s"):
        bare = small.removesuffix(ending)
        if bare != small and len(bare) >= _FEW and not small.endswith("ss"):
            small = bare
            break
    small = small.removesuffix("e") if len(small) > _FEW else small
    return small[:-1] if len(small) > _FEW and small[-1] == small[-2] else small


def _counted(word: str) -> str:
    return _ANY_NUMBER if is_number(word) else word


class _Walk:
    def __init__(
        self,
        corrector: Corrector,
        tokens: Sequence[_Token],
        bound: float,
        on: Sequence[Words],
        accepts: Callable[[str], bool],
    ) -> None:
        self._of, self._table, self._tokens = corrector, corrector.table, tokens
        self._bound, self._on = bound, on
        self._accepts, self._tried = accepts, dict[Words, bool]()
        self._checks = Counter[int]()
        self._phrases = corrector.phrases_in(tokens)
        self._asides = self._skipped()
        self._each = self._numbers_of_each()

    def _numbers_of_each(self) -> Collection[int]:
        """Return the places of numbers that "each" is said of."""
        numbers = [at for at, one in enumerate(self._tokens) if is_number(one.text)]
        each = (
            at for at, one in enumerate(self._tokens) if one.text.lower() in self._of.lists["each"]
        )
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
            if not any(
                _NUMBER.search(one.text) or one.text.lower() in self._of.lists["if"]
                for one in clause
            ):
                names = sum(one.skip >= _NAMED for one in clause)
                acts = any(one.skip == _KEYWORD for one in clause)
                found[first] = end, _CLAUSE * (1 + names) + _KEYWORD * acts
            first = end
        return found

    def results(self) -> Iterator[tuple[float, str]]:
        """Yield readings with their costs."""
        reached: list[dict[_Step, float]] = [{} for _ in range(len(self._tokens) + 1)]
        reached[0][_Step(self._table.first, (), (), ((),))] = 0.0
        for place in range(len(self._tokens)):
            for step, cost in self._best(reached[place]):
                for more, end, following in self._moves(step, place):
                    total = cost + more + self._waits(following, place, end)
                    if total <= self._bound and total < reached[end].get(following, inf):
                        reached[end][following] = total
        for step, cost in reached[-1].items():
            for more, last in self._released(step, cost, len(self._tokens)):
                yield from self._results(last, more)

    def _waits(self, step: _Step, place: int, end: int) -> float:
        """Return the cost of waiting."""
        waiting = (at for at in step.held if at not in self._each)
        return sum(_WAITED * ((end - at) ** 2 - (place - at) ** 2) for at in waiting)

    def _results(self, step: _Step, cost: float) -> Iterator[tuple[float, str]]:
        last = self._finished(step)
        if last is None or not last.orders[-1] or not self._is_free(last):
            return
        alone = not last.spoken and len(self._tokens) > _FEW
        bare = alone and any(len(one) == 1 for one in last.orders)
        for more, words in ((0.0, ()), *((_PUT_IN, words) for words in self._on)):
            stack = self._table.behind(last.stack, words)
            total = cost + more + _BARE * bare
            if stack and self._table.may_end(stack) and total <= self._bound:
                orders = _with(last, stack, words).orders
                yield total, "; ".join(" ".join(words) for words in orders)

    def _finished(self, step: _Step) -> _Step | None:
        """Return the step with its last words; None if unfit."""
        if not step.last:
            return step
        stack = self._table.behind(step.stack, step.last)
        return _with(step, stack, step.last)._replace(last=()) if stack else None

    @staticmethod
    def _best(reached: Mapping[_Step, float]) -> Iterator[tuple[_Step, float]]:
        """Yield the cheapest steps, not too many with orders of the same words."""
        seen, kept = Counter[tuple[int, *tuple[Words, ...]]](), 0
        for step, cost in sorted(reached.items(), key=lambda one: one[1]):
            alike = (len(step.held), *(words[:2] for words in step.orders))
            if seen[alike] < _ALIKE and kept < _BEAM:
                seen[alike] += 1
                kept += 1
                yield step, cost

    @staticmethod
    def _is_free(step: _Step) -> bool:
        return set(step.held) <= set(step.shared)

    def _moves(self, step: _Step, place: int) -> Iterator[tuple[float, int, _Step]]:
        token, phrases = self._tokens[place], self._phrases[place]
        little = [all(one.skip == _FREE for one in self._tokens[place:end]) for end, _ in phrases]
        acts = token.text.upper() in self._of.verbs or any(
            words[:1] and words[0] in self._of.verbs for _, words in phrases
        )
        waits = token.skip >= _NAMED or token.stands or (token.skip >= _KEYWORD and not acts)
        for cost, now in self._released(step, 0.0, place):
            verb = now.orders[-1][:1] == (token.text.upper(),)
            yield cost + (_FREE if verb else token.skip), place + 1, now
            if place in self._asides:
                end, more = self._asides[place]
                yield cost + more, end, now
            if (waits or is_number(token.text)) and len(now.held) < _MOST_HELD:
                yield cost + _HELD, place + 1, now._replace(held=(*now.held, place))
            yield from self._taken(cost, now, place)
            for (end, words), small in zip(phrases, little, strict=True):
                more = cost + _SMALL_PHRASE * small
                several = sum(one.skip != _FREE for one in self._tokens[place:end]) > 1
                parts = words.index(_BETWEEN) if _BETWEEN in words else len(words)
                last = words[parts + 1 :]
                for one, to in self._said(more, now, words[:parts], place):
                    if not (last and to.last):
                        spoken = to.spoken or several
                        clause = token.clause if words else to.clause
                        following = to._replace(spoken=spoken, last=to.last or last, clause=clause)
                        yield one, end, following

    def _released(self, step: _Step, cost: float, now: int) -> Iterator[tuple[float, _Step]]:
        """Yield a step before and after tokens are taken that were held."""
        yield cost, step
        if not step.orders[-1]:
            return
        for at, place in enumerate(step.held):
            shared = place in self._each
            held = step.held if shared else (*step.held[:at], *step.held[at + 1 :])
            crossed = self._tokens[place].clause != self._tokens[now - 1].clause
            more = cost + (_HELD if shared else _CROSSED * crossed)
            if more > self._bound:
                continue
            for put, taken in self._fitting(step, self._tokens[place]):
                both = (*step.shared, place) if shared else step.shared
                after = taken._replace(held=held, shared=tuple(dict.fromkeys(both)))
                if shared:
                    yield more + put, after
                else:
                    yield from self._released(after, more + put, now)

    def _fitting(self, step: _Step, token: _Token) -> Iterator[tuple[float, _Step]]:
        """Yield steps that take a token into the order, in one clause if possible."""
        apart = step.clause != token.clause and not self._table.may_end(step.stack)
        cost = _APART * (apart and len(step.orders[-1]) > 1)
        for more, taken in self._fits(step, token):
            yield cost + more, taken._replace(clause=token.clause)

    def _fits(self, step: _Step, token: _Token) -> Iterator[tuple[float, _Step]]:
        """Yield steps behind a token, or what is put in and it."""
        for terminal, odd in token.terminals:
            if stack := self._table.after(step.stack, terminal):
                taken = _with(step, stack, (token.stands or token.text,))
                yield odd, taken
                for word in step.orders[-1][1:][-2:] if not self._table.may_end(stack) else ():
                    twice = self._table.behind(stack, (word,))
                    if twice and word.upper() in self._of.names:
                        yield odd + _AGAIN, _with(taken, twice, (word,))
                break  # as the lexer would
        for cost, words in self._put_in(step):
            if between := self._table.behind(step.stack, words):
                for terminal, odd in token.terminals:
                    if stack := self._table.after(between, terminal):
                        yield cost + odd, _with(step, stack, (*words, token.stands or token.text))

    def _put_in(self, step: _Step) -> Iterator[tuple[float, Words]]:
        """Yield what may be put in: a small word, or what the order before had there."""
        for word in self._table.expected(step.stack):
            if word.lower() in _PUT:
                yield _PUT_IN, (word,)
        if self._table.after(step.stack, "SIGN"):
            yield _PUT_IN, (_AT_LEAST,)
        if len(step.orders) > 1 and len(step.orders[-1]) > 1:
            before = step.orders[-2] if len(step.orders[-2]) < _CARRY else ()
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
            early = _EARLY * self._is_early(place)
            for more, to in self._fitting(step, token):
                yield cost + early + more, place + 1, to
            yield from self._texts(cost, step, place)
            if token.text.lower() in self._of.lists["there"]:
                for word in step.orders[-2][1:] if len(step.orders) > 1 else ():
                    stack = self._table.behind(step.stack, (word,))
                    if stack and word.upper() in self._of.known:
                        yield cost + _HELD, place + 1, _with(step, stack, (word,))
        if token.text.upper() in self._of.verbs:
            for more, begun in self._begun(step, place):
                for terminal, odd in token.terminals:
                    if stack := self._table.after(begun.stack, terminal):
                        yield cost + more + odd, place + 1, _with(begun, stack, (token.text,))
        little = token.skip == _FREE and not self._phrases[place]
        if token.aside or little:
            return
        for more, begun in self._begun_without(step, place):
            if cost + more < self._bound:
                for put, to in self._fitting(begun, token):
                    yield cost + more + put, place + 1, to
                for end, words in self._phrases[place]:
                    stack = self._table.behind(begun.stack, words)
                    if stack and words and words[0] not in self._of.verbs:
                        yield cost + more, end, _with(begun, stack, words)

    def _is_early(self, place: int) -> bool:
        """Return whether a number stands before its name."""
        before = self._tokens[place - 1] if place else None
        token, *behind = self._tokens[place : place + 2]
        if not is_number(token.text) or not behind:
            return False
        begins = before is None or before.clause != token.clause or before.skip != _NAMED
        named = behind[0].skip == _NAMED and begins
        return named or behind[0].text.lower() in self._of.lists["in"]

    def _texts(self, cost: float, step: _Step, place: int) -> Iterator[tuple[float, int, _Step]]:
        """Take words in capitals for a text in quotes."""
        stack, end = self._table.after(step.stack, "STRING"), place
        while (
            stack
            and end < len(self._tokens)
            and self._tokens[end].text[0].isupper()
            and self._tokens[end].clause == self._tokens[place].clause
        ):
            end += 1
        if stack and end > place:
            text = " ".join(token.text for token in self._tokens[place:end])
            yield cost, end, _with(step, stack, (f'"{text}"',))

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
            clause = [
                at
                for at, one in enumerate(self._tokens)
                if one.clause == self._tokens[place].clause
            ]
            last = not any(self._tokens[at].skip >= _VALUE for at in clause if at > place)
            if not held or (last and {*held} <= {*clause}):
                orders = (*ended.orders, ())
                yield _NEXT, _Step(self._table.first, held, (), orders, spoken=ended.spoken)

    def _stands(self, words: Words, place: int) -> bool:
        """Return whether an order would be taken. Only so many are tried at a place, the likeliest
        first."""
        if words not in self._tried and self._checks[place] < _CHECKS:
            self._checks[place] += 1
            self._tried[words] = self._accepts(" ".join(words))
        return self._tried.get(words, False)

    def _begun_without(self, step: _Step, place: int) -> Iterator[tuple[float, _Step]]:
        """Yield steps behind the verb of an order that does not say it."""
        token = self._tokens[place]
        for more, begun in self._begun(step, place):
            ways = [(_ALONE, tuple(one.split())) for one in self._of.alone]
            if token.skip == _NAMED:
                ways += [(_ANY_VERB, (one,)) for one in self._of.verbs]
            if len(begun.orders) > 1:
                before = begun.orders[-2]
                ways.append((_SAME_VERB, before[:1]))
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
            for said in dict.fromkeys((words, words[:-1] if len(words) > 1 else words)):
                if stack := self._table.behind(begun.stack, said):
                    yield cost + more, _with(begun, stack, said)
                    break


def _with(step: _Step, stack: Stack, words: Words) -> _Step:
    return step._replace(stack=stack, orders=(*step.orders[:-1], (*step.orders[-1], *words)))
