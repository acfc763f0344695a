"""A sentence in the order of words that the grammar wants: its tokens in other orders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

from pbem.orders.spelling import is_number
from pbem.orders.table import FREE, NAMED, ODD, VALUE, Token, Words

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
    yield list(tokens)
    for turn in (_turned, _counted_behind, _fronted, _paired):
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
    verbs = (
        place
        for place, token in enumerate(tokens)
        if token.text.upper() in reader.verbs
        or any(words and words[0] in reader.verbs for _, words in phrases[place])
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
    if condition[0].text.lower() in reader.lists["if"]:
        condition = [reader.token("IF"), *condition[1:]]
    return [*tokens[first:end], *condition, *tokens[end:]]


def _counted_behind(reader: Reader, tokens: Sequence[Token]) -> list[Token]:
    """Put numbers behind their names ("two counties in Ohio"). Return [] if there are none."""
    made, waits = list[Token](), list[Token]()
    says_in = moved = False
    for token, after in pairwise((*tokens, None)):
        if token is None:
            continue
        name = token.skip >= VALUE and not is_number(token.text) and bool(token.terminals)
        if is_number(token.text) and not waits:
            waits, says_in = [token], False
            continue
        if waits and token.text.lower() in reader.lists["in"]:
            says_in = True
        if waits and (name or token.skip > ODD):
            goes_on = (
                name
                and after is not None
                and after.skip >= NAMED
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


def _fronted(reader: Reader, tokens: Sequence[Token]) -> list[Token]:
    """Put a final "on my standing list" first in its clause. Return [] if there is none."""
    for first, some in enumerate(reader.phrases_in(tokens)):
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


def _paired(reader: Reader, tokens: Sequence[Token]) -> list[Token]:
    """Say what several names share behind each ("A has Defense and Finance", "Welfare and
    Education high"). Return [] if they share none, or it is unclear which."""
    found = list(_names_and_shared(reader, tokens))
    shared = [token for name, token, _ in found if name is None]
    pairs, owner, waiting = list[tuple[Token, Token]](), None, list[Token]()
    for name, token, end in found if 1 < 2 * len(shared) < len(found) else ():
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
        elif owner and tokens[end - 2].text.lower() in reader.lists["to"]:
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
    reader: Reader, tokens: Sequence[Token]
) -> Iterator[tuple[Token | None, Token, int]]:
    """Yield names, and None for what they share, each with its first token and its end."""
    values, place = reader.lists.get("values", frozenset()), 0
    phrases = reader.phrases_in(tokens) if values else []
    while values and place < len(tokens):
        token, end = tokens[place], place + 1
        upper = token.text.upper()
        if token.text.lower() in values and token.skip > FREE:
            yield None, token, end
        elif says := [
            (last, words)
            for last, words in phrases[place]
            if words
            and all(one.upper() in reader.named and one.lower() not in values for one in words)
        ]:
            end, words = max(says)
            for word in words:
                yield replace(reader.token(word), clause=token.clause), token, end
        elif token.stands or (token.skip >= NAMED and upper in reader.named):
            yield token, token, end
        place = end
