"""A letter full of questions, or of words for the referee, costs and answers no more than a letter
can."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.referee.words.look import MOST_ANSWERS
from tests.installation import Installation


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE")) as at:
        yield at


def test_a_letter_gets_some_answers_only(at: Installation) -> None:
    at.start()
    at.send("A", "\n".join(f"HISTORY {n}" for n in range(100, 400)) + "\nSPECIAL AGR")
    said = at.newest("A")
    assert said.count("BULLETIN 1") == MOST_ANSWERS and "MORE QUESTIONS" in said
    assert at.standing("A") == ["SPECIAL AGR"]
