"""Questions in a player's own words are answered from the rules, word for word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installation import Installation


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE")) as at:
        at.start()
        yield at


def answer(at: Installation, text: str) -> str:
    at.write("A", text)
    at.once()
    return " ".join(at.newest("A").replace("\n| ", " ").split())


def test_a_question_is_answered_by_the_paragraph(at: Installation) -> None:
    said = answer(at, "Hello,\n\nwhat happens if ayes and nays are equal?\n\nThanks, A.")
    assert 'You asked: "what happens if ayes and nays are equal?"' in said
    assert '"Equal Ayes and Nays are a defeat.' in said and "[R9]" in said
    assert "Not read as orders" not in said and "could be read as an order" not in said
    assert "PROPOSE" not in said and len(said.split()) < 250, said


def test_orders_beside_a_question_are_taken(at: Installation) -> None:
    said = answer(at, "SPECIAL AGR\nhow many ministries can one party have?")
    assert at.standing("A") == ["SPECIAL AGR"]
    assert "a party cannot be given more ministries than it has seats" in said


def test_a_letter_gets_two_such_answers(at: Installation) -> None:
    said = answer(at, "How do I win? What is a caretaker government? Can I rename my party?")
    assert said.count("You asked") == 2 and "One letter gets 2 such answers." in said


@pytest.mark.parametrize(
    "text",
    [
        "PRESS TO B\nHow do I win?\nEND PRESS",
        "I like this game.\nMany thanks",
        "> How do I win?\n\nYes, exactly.",
        'He said "How do I win?" to me.',
    ],
)
def test_what_is_no_question_of_his_own_is_not_answered(at: Installation, text: str) -> None:
    assert "You asked" not in answer(at, text)


def test_what_the_rules_do_not_say_is_not_made_up(at: Installation) -> None:
    said = answer(at, "What's for dinner?")
    assert "I found nothing about that in the rules." in said


def test_a_why_that_explains_nothing_is_a_question(at: Installation) -> None:
    said = answer(at, "Why can a government be named without my consent?")
    assert "You asked" in said and "A party may be named without agreeing to it." in said


def test_what_if_is_a_question_and_no_trial(at: Installation) -> None:
    said = answer(at, "SPECIAL AGR\nWhat if I forget to vote?")
    assert at.standing("A") == ["SPECIAL AGR"] and "abstain" in said


def test_nobody_else_sees_a_question(at: Installation) -> None:
    before = {seat: at.newest(seat) for seat in "BCDE"}
    answer(at, "can I vote no and still get points?")
    assert {seat: at.newest(seat) for seat in "BCDE"} == before
