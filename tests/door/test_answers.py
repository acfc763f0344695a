"""Answers to the question whether somebody would like to play: only a yes of his own is one."""

from pathlib import Path

import pytest

from pbem.house.houses import phrases
from pbem.orders.door import answer
from tests.mail.test_open_tables import FAY, Club

HERE = Path(__file__).parent
KNOWN = ("Nadia Smith", "autumn", "spring")


def rows(name: str) -> list[tuple[str, str]]:
    """What stands before each text of a table, and the text."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    found = (line.rpartition("\t") for line in lines)
    return [(first, text.replace("\\n", "\n")) for first, _, text in found]


def says(text: str) -> str:
    return answer.read(text, phrases(), KNOWN).says


def test_an_answer_is_understood() -> None:
    for expect, text in rows("answers.tsv")[1:]:
        assert says(text) == expect, text


def test_no_answer_of_a_machine_is_a_yes_or_has_a_code() -> None:
    """Nor is one when it greets somebody first, or has our mail below, without marks."""
    machines = [text for _, text in rows("machines.tsv")[1:]]
    assert len(machines) >= 200
    below = "\n\nHello Nadia!\n\n    yes\n\nthis line does the same:\n\nCONFIRM abcd2345efgh67ij"
    for text in machines:
        for whole in (text, f"Hi Nadia,\n{text}", f"{text}{below}"):
            assert says(whole) != "yes", whole
            assert not answer.code_of(whole, phrases(), KNOWN), whole


def test_nearly_every_yes_of_a_person_is_one() -> None:
    missed = [text for _, text in rows("yeses.tsv") if says(text) != "yes"]
    assert not missed


@pytest.mark.parametrize(
    ("expect", "text"),
    [
        ("abcd2345efgh67ij", "CONFIRM abcd2345efgh67ij"),
        ("abcd2345efgh67ij", "Hi Karl,\n\nyes, that was me.\n  confirm ABCD2345EFGH67IJ\nNadia"),
        ("abcd2345efgh67ij", "GAMES\nHere is my code: abcd 2345 efgh 67ij"),
        ("", "Thanks for your mail.\nCONFIRM abcd2345efgh67ij"),
        ("", "I am away.\n\n    CONFIRM abcd2345efgh67ij"),
        ("", "Hello Nadia! You would like to play.\nCONFIRM abcd2345efgh67ij"),
        ("", "Undelivered: yes.abcd2345efgh67ij@club.example"),
    ],
)
def test_a_code_counts_where_a_yes_would(expect: str, text: str) -> None:
    assert answer.code_of(text, phrases(), KNOWN) == expect


def test_a_name_goes_without_the_stop_of_its_sentence() -> None:
    assert answer.read("yes, call me Nadia Haddad.", phrases()).name == "Nadia Haddad"


def test_a_name_and_a_question_stand_beside_a_yes() -> None:
    said = answer.read("Yes, call me Annie. Thanks!\nHow long does it take?", phrases())
    assert (said.says, said.name) == (answer.Says.YES, "Annie")
    assert said.asks == "How long does it take?"


@pytest.mark.parametrize("text", ["Please take me off your list.", "Stop writing to me!"])
def test_who_wants_to_be_left_alone_is_told_that_he_is_on_no_list(
    tmp_path: Path, text: str
) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        assert "You are on no list here" in at.say(FAY, text)
