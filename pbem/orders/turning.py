"""A sentence in the order of words that the grammar wants: its tokens in other orders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Protocol

from pbem.orders.spelling import is_number
from pbem.orders.table import DEAR, FREE, NAMED, ODD, VALUE, Token, Words

FEW = 3


class Reader(Protocol):
    """What is asked about a grammar."""

    @property
    def verbs(self) -> Collection[str]: ...

    @property
    def lists(self) -> Mapping[str, frozenset[str]]: ...

    @property
    def named(self) -> frozenset[str]: ...

    @property
    def token(self) -> Callable[[str], Token]: ...

    def phrases_in(self, tokens: Sequence[Token]) -> Sequence[Sequence[tuple[int, Words]]]: ...


def turns(reader: Reader, tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the tokens as said, and in each other order that they may stand for."""
    tokens = _valued(reader, tokens)
    yield list(tokens)
    for turn in (_turned, _counted_behind, _paired):
        if found := turn(reader, tokens):
            yield found


def _turned(reader: Reader, tokens: Sequence[Token]) -> list[Token]:
    """Put a condition that comes first behind what it is of. Return [] for other sentences."""
    phrases = reader.phrases_in(tokens)
    begins = [
        place
        for place, some in enumerate(phrases[:FEW])
        if tokens[place].text.lower() in reader.lists["if"] | reader.lists["turned"]
        or any(words[:1] == ("IF",) for _, words in some)
    ]
    first = next((place for place in _verbs(reader, tokens) if begins and place > begins[0]), 0)
    other = (
        place
        for place, some in enumerate(phrases)
        if place > first and any(words[:1] == ("ELSE",) for _, words in some)
    )
    end = next(other, len(tokens))
    if not first:
        return []
    condition = tokens[begins[0] : first]
    if condition[0].text.lower() in reader.lists["if"]:
        condition = [reader.token("IF"), *condition[1:]]
    return [*tokens[first:end], *condition, *tokens[end:]]


def _valued(reader: Reader, tokens: Sequence[Token]) -> list[Token]:
    """Put a choice that ends a clause of names before them ("A2 and A4 nay", "8 no")."""
    made = list[Token]()
    for _, some in groupby(tokens, lambda one: one.clause):
        *clause, last = some
        names = [one for one in clause if one.skip > FREE]
        named = names and all(one.skip in (NAMED, DEAR) and one.terminals for one in names)
        says = named and last.text.lower() in reader.lists["choices"]
        made += [last, *clause] if says else [*clause, last]
    return made


def _counted_behind(reader: Reader, tokens: Sequence[Token]) -> list[Token]:
    """Put numbers behind their names ("two counties in Ohio", "2 Ohio"). [] if there are none."""
    numbers = dict[int, int]()  # by where their names end
    for place, token in enumerate(tokens):
        behind = range(place + 1, len(tokens))
        name = next((at for at in behind if tokens[at].skip > ODD), len(tokens))
        says_in = any(one.text.lower() in reader.lists["in"] for one in tokens[place:name])
        near = name == place + 1 and not (place and _goes_on(tokens[place - 1], token))
        fits = (says_in or near) and name in behind and _is_name(tokens[name])
        if is_number(token.text) and fits and tokens[name].clause == token.clause:
            ends = (at for at in behind if at > name and not _goes_on(tokens[at], tokens[name]))
            numbers[next(ends, len(tokens)) - 1] = place
    made = list[Token]()
    for place, token in enumerate(tokens):
        made += [] if place in numbers.values() else [token]
        if place in numbers:
            made.append(replace(tokens[numbers[place]], clause=token.clause))
    return made if numbers else []


def _is_name(token: Token) -> bool:
    return token.skip >= VALUE and token.text[0].isalpha() and bool(token.terminals)


def _goes_on(token: Token, before: Token) -> bool:
    named = token.skip >= NAMED and not is_number(token.text)
    return named and token.clause == before.clause


def _verbs(reader: Reader, tokens: Sequence[Token]) -> list[int]:
    """Return the places of verbs, and where phrases begin that say one."""
    return [
        place
        for place, some in enumerate(reader.phrases_in(tokens))
        if tokens[place].text.upper() in reader.verbs
        or any(words and words[0] in reader.verbs for _, words in some)
    ]


def _paired(reader: Reader, tokens: Sequence[Token]) -> list[Token]:
    """Say what several names share behind each ("A has Defense and Finance", "Welfare and
    Education high"). Return [] if they share none, or it is unclear which."""
    found = list(_names_and_shared(reader, tokens))
    shared = [place for name, place, _ in found if name is None]
    pairs, owner, waiting = list[tuple[Token, Token]](), None, list[Token]()
    for name, place, end in found if 1 < 2 * len(shared) < len(found) else ():
        token = tokens[place]
        if name and owner:
            pairs.append((name, owner))
        elif name:
            waiting.append(name)
        elif tokens[end : end + 1] and tokens[end].text.lower() in reader.lists["given"]:
            owner = token
            if waiting:
                return []
        elif waiting:
            pairs += ((one, token) for one in waiting)
            owner, waiting = None, []
        elif owner and tokens[place - 1].text.lower() in reader.lists["to"]:
            if sum(one.clause != token.clause and to is owner for one, to in pairs) > 1:
                return []
            pairs = [(one, token if one.clause == token.clause else to) for one, to in pairs]
            owner = None
        else:
            owner = token
    begins, ends = (found[0][1], found[-1][2]) if found else (0, 0)
    besides = {*range(begins, ends)}.difference(*(range(*one[1:]) for one in found))
    if waiting or not pairs or any(tokens[at].skip >= DEAR for at in besides):
        return []
    said = (replace(one, clause=tokens[begins].clause) for pair in pairs for one in pair)
    before, behind = tokens[:begins], tokens[ends:]
    acts = not before and _verbs(reader, behind)  # "that's my proposal"
    return [*behind, *said] if acts else [*before, *said, *behind]


def _names_and_shared(
    reader: Reader, tokens: Sequence[Token]
) -> Iterator[tuple[Token | None, int, int]]:
    """Yield names, and None for what they share, each with where it begins and ends."""
    values, place = reader.lists.get("values", frozenset()), 0
    phrases = reader.phrases_in(tokens) if values else []
    while values and place < len(tokens):
        token, end = tokens[place], place + 1
        upper = token.text.upper()
        if token.text.lower() in values and token.skip > FREE:
            yield None, place, end
        elif says := [
            (last, words)
            for last, words in phrases[place]
            if words
            and all(one.upper() in reader.named and one.lower() not in values for one in words)
        ]:
            end, words = max(says)
            for word in words:
                yield replace(reader.token(word), clause=token.clause), place, end
        elif token.stands or (token.skip >= NAMED and upper in reader.named):
            yield token, place, end
        place = end
