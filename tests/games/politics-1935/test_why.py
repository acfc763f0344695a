"""WHY: what can be asked, in the words people use, and the steps of the answers."""

from typing import Any

import pytest

from pbem.games.frame.events import PUBLIC
from pbem.games.frame.ruleset import ToldEvent
from pbem.house import shelf, templates
from pbem.periods import paper
from tests.bots import bot_game

KEY = "politics-1935"
POSITION: dict[str, Any] = {
    "public": {"order": ["P1", "P2", "P3"], "round": 4, "lots": [["S12", "P2"]]},
    "private": {
        "P1": {"hand": ["S07"], "throw": [6, 5, 4]},
        "P2": {"hand": [], "throw": [6, 6, 1]},
        "P3": {"hand": [], "throw": [1, 2, 3]},
    },
}
LETTERS = {"P1": "CAMPAIGN OH 1, PA 1\nSPEAK S07\nBID 40,000 ON S12", "P2": "CAMPAIGN OH 2"}


def answered(words: str, seat: str | None = "P1", position: Any = POSITION) -> list[str]:
    game = paper.step(paper.begin(paper.Setup(KEY, 0, ("P1", "P2", "P3"), {}, position)), LETTERS)
    events = [(0, e) for e in game.opening] + [(1, e) for e in game.periods[0].events]
    heard = [
        ToldEvent(n, e) for n, e in events if e.audience == PUBLIC or (seat and seat in e.audience)
    ]
    steps = game.ruleset.why(game.state, seat, heard, words)
    return [
        " ".join(line.split())
        for line in templates.events_in_words(game.ruleset, game.state, seat, steps)
    ]


def test_why_a_state() -> None:
    """Each move of a pin, who leads by what, and what it would take to lead."""
    assert answered("STATE OH", "P2") == [
        "Ohio (OH) has 26 electoral votes; a county costs 6 points, and 8 steps lead to the"
        " capital. [1.3]",
        "Period 1: P1 takes 1 county by the dice and stands at 1. [4.2b]",
        "Period 1: P1 takes 1 county by speech S07 (Steel and rivers) and stands at 2. [4.2d]",
        "Period 1: P2 takes 2 counties by the dice and stands at 2. [4.2b]",
        "P1 leads and has its 26 votes: P1 at 2, P2 at 2; of equals P1 came there first. [R8]",
        "You stand at 2: 1 county more, 6 points of the dice, would give you the lead. [1.3]",
        "Speeches that count there: S07 (Steel and rivers) +1, S21 (Veterans) +1, S24 (Wages and"
        " hours) +1. [1.4]",
    ]


def test_why_money() -> None:
    assert answered("MONEY") == [
        "You began with $1,000,000 and paid $250,000 into the Expense Fund: $750,000. [2.3]",
        "Period 1: you bought speech S12: -$10,000. [4.1]",
        "Period 1: Radio Fee for speech S07 (Steel and rivers): -$20,000. [4.2d]",
        "You have $720,000. Nothing comes in before the end of the game. [1.5]",
    ]
    assert answered("FUND") == [
        "3 candidates paid $250,000 each: $750,000. [2.3]",
        "Period 1: P1 bought S12: +$10,000. [4.1]",
        "Radio Fees, $20,000 a speech: +$20,000 in all. [4.2d]",
        "The Expense Fund holds $780,000. [1.5]",
    ]


def test_why_a_score() -> None:
    assert answered("SCORE") == [
        "P1 leads in 3 states, 70 votes: PA 36, OH 26, WV 8. [4.3]",
        "266 elect the President, if the votes are counted: 196 to go. [1.1]",
    ]
    assert answered("score of p2") == [
        "P2 leads in no state. [4.3]",
        "266 elect the President, if the votes are counted: 266 to go. [1.1]",
        "P2 has a pin, but another leads, in: OH 26 (level, but came later). [R8]",
    ]


@pytest.mark.parametrize(
    ("words", "as_if"),
    [
        ("ohio", "STATE OH"),
        ("votes of Ohio", "STATE OH"),
        ("who leads in Ohio", "STATE OH"),
        ("state new york", "STATE NY"),
        ("IN", "STATE IN"),
        ("state in", "STATE IN"),
        ("my votes", "SCORE"),
        ("P2", "SCORE P2"),
        ("cash", "MONEY"),
        ("my money", "MONEY"),
        ("the Expense Fund", "FUND"),
        ("dice", "THROW"),
        ("s7", "CARD S07"),
        ("speech steel", "CARD S07"),
    ],
)
def test_the_words_people_use(words: str, as_if: str) -> None:
    assert answered(words) == answered(as_if) != []


@pytest.mark.parametrize("words", ["", "xx", "New", "P9", "SCORE P9", "CARD S99", "STATE", "COUNT"])
def test_what_is_nothing_has_no_answer(words: str) -> None:
    assert answered(words) == []


def test_nobody_is_told_anothers_money_or_throw() -> None:
    for words in ("MONEY", "THROW"):
        assert answered(words, None) == []
    assert answered("MONEY", "P2") != answered("MONEY", "P1")


def test_every_state_can_be_asked_for_in_every_position() -> None:
    ruleset, asked = shelf.open_ruleset(KEY), 0
    for turn in bot_game(ruleset, 0):
        for seat in (None, "P1"):
            for code in ruleset.atlas.states:
                steps = ruleset.why(turn.outcome.state, seat, (), f"STATE {code}")
                assert all(templates.events_in_words(ruleset, turn.outcome.state, seat, steps))
                asked += len(steps) > 1
    assert asked
