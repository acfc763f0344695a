"""The short way through a grammar gives what Lark gives, or nothing."""

import random

import pytest
from lark import UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError

from pbem.games import GAMES
from pbem.house import resources, shelf
from pbem.orders.quickparse import MISSED, UNFINISHED

WORDS = (
    "S",
    "r",
    "4",
    "21-24",
    "1,000",
    "YES",
    "x9",
    '"a text"',
    "-",
    ":",
    "#4",
    "#",
    ",",
    "D4",
    "FOO",
    "40K",
    "+",
    "(",
)
PRESENT = [key for key in GAMES if resources.path("grammar", f"{key}.lark").exists()]


@pytest.mark.parametrize("game", PRESENT)
def test_it_agrees_with_lark(game: str) -> None:
    language = shelf.open_ruleset(game).language
    chance, literals = random.Random(66), sorted(language._literals.values())
    found, unfinished = 0, 0
    for _ in range(3000):
        first = chance.choice(sorted(language.words))
        rest = [
            chance.choice(literals) if chance.random() < 0.4 else chance.choice(WORDS)
            for _ in range(chance.randrange(6))
        ]
        text = chance.choice((" ", " ", ", ", "")).join([first, *rest])
        quick = language._quick(text)
        if quick is MISSED:
            continue
        if quick is UNFINISHED:
            unfinished += 1
            with pytest.raises(UnexpectedToken) as stopped:
                language.lark.parse(text)
            assert stopped.value.token.type == "$END", text
            continue
        found += 1
        try:
            assert language.lark.parse(text) == quick, text
        except (UnexpectedInput, VisitError) as error:
            pytest.fail(f"{text!r}: {error}")
    assert found and unfinished, "no text was an order, so this test proves nothing"
