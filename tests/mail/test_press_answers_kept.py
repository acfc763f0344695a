"""Answers to press: how many and how long, and what becomes of them between periods and after a rewind."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.installation import (
    GAMESMASTER,
    SEATS,
    Installation,
    told,
)
from tests.mail.proof import Place
from tests.mail.test_press_answers import answers_on_file, nothing_passed_on
from tests.pressing import answer, of_gamesmaster, press_to, words, write
from tests.rewinds import rewind


def test_so_many_in_an_hour(tmp_path: Path, place: Place) -> None:
    with place(tmp_path, "coalition", seats=SEATS, limits={"letters_an_hour": 3}) as at:
        at.start()
        write(at, "A", "B", "Yes?")
        for number in range(3):
            at.send("B", f"PRESS TO C\n{number}\nEND PRESS\nPRESS TO D\n{number}\nEND PRESS")
        at.clock += timedelta(minutes=30)
        answer(at, "B", "Agreed.")
        for _ in range(3):
            at.once(20)
        assert answers_on_file(at) in (0, 1)


@pytest.mark.parametrize(
    ("text", "has"), [("word\n" * 401, "401 lines"), ("x " * 10_001, "20,001")]
)
def test_an_answer_has_a_length(at: Installation, text: str, has: str) -> None:
    write(at, "A", "B", "Yes?")
    answer(at, "B", text.strip())
    nothing_passed_on(at)
    assert has in told(at, "B") and "400 lines and 20,000 characters at most" in told(at, "B")


def test_an_answer_that_came_twice_goes_once(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    raw = answer(at, "B", "Agreed.")
    at.post(raw.replace(b"Subject: Re: press", b"Subject: RE: press"))
    at.once()
    assert answers_on_file(at) == 1 and len(press_to(at, "A")) == 1
    assert "This letter had come before" in told(at, "B")


# --- between periods, and back --------------------------------------------------------------------


def test_a_press_of_an_earlier_period_can_be_answered(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    at.to_deadline()
    answer(at, "B", "Agreed.")
    assert "| Agreed." in words(at, "A")


def test_after_a_rewind_too(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    at.to_deadline()
    rewind(at, 1)
    at.once()
    answer(at, "B", "Agreed.")
    assert "| Agreed." in words(at, "A")


def test_open_press_has_no_answer(tmp_path: Path, place: Place) -> None:
    with place(tmp_path, "coalition", seats=SEATS, house={"press": "open"}) as at:
        at.start()
        write(at, "A", "ALL", "Yes?")
        answer(at, "B", "Agreed.")
        nothing_passed_on(at)
        assert "an answer would go to one alone" in told(at, "B")
        of_gamesmaster(at, "ALL", "Who plays on?")
        answer(at, "B", "I do.")
        assert "| I do." in told(at, GAMESMASTER), "the gamesmaster may be answered"
