"""Sentences: orders in other words are taken or offered, and nothing is taken that is talk.

``in_other_words.tsv``: game, what it is (sure, offered, nothing), the words, the orders.
``talk.txt``: what people write to each other, and to the referee, that orders nothing.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from pbem.games.frame.adjudication import refusals, take
from pbem.house.shelf import open_ruleset
from pbem.orders import sentences
from pbem.orders.order import CANCEL
from pbem.orders.sentences import Place
from tests.bots import bot_game

HERE = Path(__file__).parent
ROWS = [
    line.split("\t")
    for line in (HERE / "in_other_words.tsv").read_text(encoding="utf-8").splitlines()
]
TALK = (HERE / "talk.txt").read_text(encoding="utf-8").splitlines()
MANY = 4
NAMES = ("Karl",)
"""The referee's, as everywhere here."""


@cache
def _moments(game: str) -> list[tuple[Any, str, Any]]:
    """Each seat in some periods of each phase."""
    ruleset, seen = open_ruleset(game), Counter[str]()
    turns = [turn.before for turn in bot_game(ruleset, 1)]
    some = [state for state in turns if seen.update([state.phase]) or seen[state.phase] < MANY]
    return [(s, seat, asked) for s in some for seat, asked in ruleset.asked(s).items()]


def _place(game: str, orders: str) -> Place:
    """Where they would be taken; if nowhere, one where nothing else would."""
    for state, seat, asked in _moments(game):
        legal = partial(_is_taken, game, state, seat)
        if orders and legal(orders):
            return Place(legal, seat, asked)
    return Place(lambda meant: meant == orders, "A")


def _is_taken(game: str, state: Any, seat: str, orders: str) -> bool:
    return refusals(open_ruleset(game), state, seat, {}, orders) == []


@pytest.mark.parametrize(("game", "fate", "words", "orders"), ROWS)
def test_an_order_in_other_words(game: str, fate: str, words: str, orders: str) -> None:
    """Where these orders would be taken, if any, and no others."""
    language = open_ruleset(game).language
    (line,) = language.split(words, (CANCEL,))
    read = language.read(line, _place(game, orders))
    assert read.problem and not read.orders
    notes = [note for note in read.problem.notes if note.startswith("did you mean")]
    assert notes == ([f"did you mean {orders}?"] if orders else [])
    taken = sentences.orders_of(language, line.text, NAMES) or ""
    assert taken.replace("\n", "; ") == (orders if fate == "sure" else "")


def test_no_talk_is_taken(key: str) -> None:
    ruleset = open_ruleset(key)
    phases = {turn.before.phase: turn.before for turn in bot_game(ruleset, 1)}
    taken = [
        f"{state.phase}: {said} ({', '.join(map(str, orders))})"
        for state in phases.values()
        for said in TALK
        for seat in list(ruleset.asked(state))[:1]
        if (orders := take(ruleset, state, seat, said, {}, greeted=NAMES).standing.values())
    ]
    assert taken == []


@pytest.mark.parametrize(
    "second",
    [
        *("no wait, make that no", "oops, i meant 300", "provided they do too", "just joking"),
        *("forget the line above", "correction: yes", "only if con says yes too", "i won't"),
        "but not on v4",
    ],
)
def test_a_second_thought_beside_an_order_is_not_passed_over(second: str) -> None:
    ruleset = open_ruleset("coalition")
    state = next(turn.before for turn in bot_game(ruleset, 1) if turn.before.phase != "OPENING")
    seat = next(iter(ruleset.asked(state)))
    taken = take(ruleset, state, seat, f"vote nay\n{second}\n\nSee you on Sunday!", {})
    assert [str(one) for one in taken.standing.values()] == ["VOTE NAY"]
    told = [(one.line.text, one.problems[0].notes) for one in taken.answers[1:] if not one.quiet]
    assert [text for text, _ in told] == [second]
    assert "your orders stand as they are written" in told[0][1][0]


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("no wait, make that no", 1),
        ("This message is confidential.\nIf you have received it in error, please delete it.", 0),
        ("Hope you are well, but it is late here.", 0),
        ("Cheers,\nAnna\nnot all who wander are lost", 0),
    ],
)
def test_talk_in_another_passage_is_no_second_thought(below: str, told: int) -> None:
    ruleset = open_ruleset("coalition")
    state = next(turn.before for turn in bot_game(ruleset, 1) if turn.before.phase != "OPENING")
    taken = take(ruleset, state, next(iter(ruleset.asked(state))), f"vote nay\n\n{below}", {})
    assert len([one for one in taken.answers[1:] if not one.quiet]) == told


def test_a_broken_line_is_one_sentence() -> None:
    language = open_ruleset("legislation").language
    text = "I would be glad if you could put down my ayes on B1,\nB3 and B5, thank you."
    assert len(language.split(text)) == 1
