"""Numbers as people write them, in every order of every game that takes one."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

from lark.grammar import Symbol, Terminal

from pbem.games.frame.adjudication import canonical, take
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf
from pbem.orders.characters import first_word
from pbem.orders.language import Language
from pbem.orders.order import Order
from tests.bots import bot_game
from tests.conftest import GAME_TESTS
from tests.keys import printed_guide
from tests.sampled import share

NUMBER = re.compile(r"(?<![\w'$,-])[0-9]+(?![\w',-])")
THOUSAND = ("1,000", "01000", "0,001,000", "\uff11\uff10\uff10\uff10")
"""Ways to write 1000 that every game reads as 1000."""

NAME = re.compile(r"(?<!\w)(1?k|_000)(?!\w)", re.IGNORECASE)
"""What is left of such a way where a name may stand: no game has such a name, so check refuses it."""

MOST = 12
"""Samples of each order word."""

OTHERS = (
    "1.000",
    "1'000",
    "1_000",
    "1\u2009000",
    "1\u202f000",
    "1\u00a0000",
    "1k",
    "1K",
    "10\u00b2",
)
"""Ways that are read as 1000, or answered, or in a list as the numbers 1 and 0."""


def taking_numbers(language: Language) -> set[str]:
    """The words of the orders whose grammar has a number in it."""
    rules: dict[str, list[list[Symbol]]] = {}
    for rule in language.lark.rules:
        rules.setdefault(rule.origin.name, []).append(rule.expansion)
    literals = {t.name: t.pattern.value.upper() for t in language.lark.terminals}

    def reached(symbol: Symbol, seen: frozenset[str]) -> Iterator[str]:
        """The terminals that a part of the grammar can hold."""
        if isinstance(symbol, Terminal):
            yield symbol.name
        elif symbol.name not in seen:
            for expansion in rules[symbol.name]:
                for part in expansion:
                    yield from reached(part, seen | {symbol.name})

    def begun(expansion: list[Symbol]) -> Iterator[list[Symbol]]:
        """The expansion, or what its first part stands for, beginning with a terminal."""
        if isinstance(expansion[0], Terminal):
            yield expansion
        else:
            for inner in rules[expansion[0].name]:
                yield from begun([*inner, *expansion[1:]])

    numbers = {"INT", *language.numbers}
    return {
        literals[expansion[0].name]
        for start in rules["order"]
        for expansion in begun(start)
        if any(not numbers.isdisjoint(reached(part, frozenset())) for part in expansion)
    }


def written(key: str, ruleset: Ruleset[Any]) -> Iterator[str]:
    """Orders as they are written: in the game's cases but for those refused there, in its guide
    and by its bot."""
    split = ruleset.language.split
    for path in sorted((GAME_TESTS / key / "cases").rglob("*.toml")):
        for period in tomllib.loads(path.read_text(encoding="utf-8")).get("period", []):
            for seat, text in period.get("orders", {}).items():
                refused = {one.get("line") for one in period.get("problems", {}).get(seat, [])}
                if None not in refused:
                    yield from (line.text for line in split(text) if line.number not in refused)
            yield from (text for texts in period.get("stands", {}).values() for text in texts)
    for shown in printed_guide(key).splitlines():
        yield re.sub(r"^ *\[\w+\] *|  .*$", "", shown.strip())
    for turn in bot_game(ruleset, 0):
        yield from (line.text for text in turn.letters.values() for line in split(text))


@cache
def samples(key: str) -> dict[str, list[str]]:
    """Order words -> some orders that can be read and have a number."""
    ruleset, found = shelf.open_ruleset(key), dict[str, list[str]]()
    language = ruleset.language
    for text in written(key, ruleset):
        if any(places(text)) and language.reads(text):
            kept = found.setdefault(first_word(text), [])
            if text not in kept and len(kept) < MOST:
                kept.append(text)
    return found


def read(language: Language, text: str) -> tuple[Order, ...]:
    """The orders of one line, () where something of it is refused."""
    answers = [language.read(line) for line in language.split(text)]
    orders = tuple(order for answer in answers for order in answer.orders)
    return () if any(answer.problem for answer in answers) else orders


def places(text: str) -> Iterator[tuple[str, str]]:
    """What stands before and behind each number of a line that is not in quotes."""
    for found in NUMBER.finditer(text):
        if not text[: found.start()].count('"') % 2:
            yield text[: found.start()], text[found.end() :]


def test_every_order_with_a_number_has_a_sample(key: str) -> None:
    wanted = taking_numbers(shelf.open_ruleset(key).language)
    missing = wanted - set(samples(key))
    assert not missing, f"no case, guide or bot of {key} shows a number with {sorted(missing)}"


def test_a_number_is_read_however_it_is_written(key: str) -> None:
    language = shelf.open_ruleset(key).language
    for text in [text for texts in samples(key).values() for text in texts]:
        for before, behind in places(text):
            plain = read(language, f"{before}1000{behind}")
            assert plain, f"{before}1000{behind}"
            for number in THOUSAND:
                given = f"{before}{number}{behind}"
                assert read(language, given) == plain, given


def test_a_number_that_cannot_be_read_is_answered(key: str) -> None:
    language = shelf.open_ruleset(key).language
    for text in [text for texts in samples(key).values() for text in texts]:
        for before, behind in places(text):
            legal = [(), *(read(language, f"{before}{two}{behind}") for two in ("1000", "1, 000"))]
            for number in OTHERS:
                given = f"{before}{number}{behind}"
                orders = read(language, given)
                named = any(NAME.search(str(order)) for order in orders)
                assert named or orders in legal, given


def test_a_number_costs_no_other_order(key: str) -> None:
    """Whatever stands in a number's place, the answer is a refusal or an order, and the next line
    counts."""
    ruleset = shelf.open_ruleset(key)
    turn = next(bot_game(ruleset, 0))
    seat, letter = next(iter(turn.letters.items()))
    numbers = (*THOUSAND, *OTHERS, "0", "9" * 12, "9" * 13, "-1", "1.5", "1 000")
    step = share(1, of_ci=3)
    for at, texts in enumerate(samples(key).values()):
        for before, behind in places(texts[0]):
            for number in numbers[at % step :: step]:
                text = f"{before}{number}{behind}\n\n{letter}"
                taken = take(ruleset, turn.before, seat, text, {})
                assert set(taken.standing) >= set(turn.standing[seat])
                assert canonical(taken.standing) == [str(o) for o in taken.standing.values()]
