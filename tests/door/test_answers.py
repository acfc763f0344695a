"""Answers to the question whether somebody would like to play: only a yes of his own is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.house.door import phrases
from pbem.orders.door import answer
from tests.mail.test_open_tables import FAY, Club

LINES = (Path(__file__).parent / "answers.tsv").read_text(encoding="utf-8").split("\n")[1:]
CASES = [tuple(line.split("\t")) for line in LINES if line]


@pytest.mark.parametrize(("expect", "text"), CASES)
def test_an_answer_is_understood(expect: str, text: str) -> None:
    words, known = text.replace("\\n", "\n"), ("Nadia Smith", "autumn")
    said = answer.read(words, "Re: [autumn] Would you like to play?", phrases(), known)
    assert said.says == expect


@pytest.mark.parametrize(
    "subject",
    [
        "[Ticket #4711] Re: [autumn] Would you like to play?",
        "Your request 4711 has been received",
        "Automatic reply: [autumn]",
        "Please verify your message",
    ],
)
def test_a_machine_is_known_by_its_subject(subject: str) -> None:
    assert answer.read("yes", subject, phrases()).says == answer.Says.MACHINE


def test_a_name_goes_without_the_stop_of_its_sentence() -> None:
    assert answer.read("yes, call me Nadia Haddad.", "", phrases()).name == "Nadia Haddad"


def test_a_name_and_a_question_stand_beside_a_yes() -> None:
    said = answer.read("Yes, call me Annie! How long does it take?", "", phrases())
    assert (said.says, said.name) == (answer.Says.YES, "Annie")
    assert said.asks == "How long does it take"


@pytest.mark.parametrize("text", ["Please take me off your list.", "Stop writing to me!"])
def test_who_wants_to_be_left_alone_is_told_that_he_is_on_no_list(
    tmp_path: Path, text: str
) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        assert "You are on no list here" in at.say(FAY, text)
