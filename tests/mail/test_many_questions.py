"""A letter full of questions, or of words for the referee, costs and answers no more than a letter
can."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.orders import mailwords, muting
from pbem.orders.asking import READING
from pbem.referee.words.look import MOST_ANSWERS
from tests.installation import Installation


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE")) as at:
        yield at


def test_a_question_asked_often_is_answered_once(at: Installation) -> None:
    at.start()
    at.send("A", "HELP GUIDE\n" * 300 + "HISTORY 0\n" * 300 + "SPECIAL AGR")
    said = at.newest("A")
    assert said.count("THE ORDER GUIDE") == 1 and said.count("BULLETIN 0") == 1
    assert "MORE QUESTIONS" not in said and at.standing("A") == ["SPECIAL AGR"]


def test_a_letter_gets_some_answers_only(at: Installation) -> None:
    at.start()
    at.send("A", "\n".join(f"HISTORY {n}" for n in range(100, 400)) + "\nSPECIAL AGR")
    said = at.newest("A")
    assert said.count("BULLETIN 1") == MOST_ANSWERS and "MORE QUESTIONS" in said
    assert at.standing("A") == ["SPECIAL AGR"]


def test_each_question_has_its_answer(at: Installation) -> None:
    at.start()
    for word in sorted(READING):
        at.send("A", word)
        outcome = at.outcomes()[-1][0]
        assert outcome == "command", (
            f"{word} is {outcome}: `sections` of pbem/referee/words/look.py answers questions"
        )


def test_a_text_is_muted_line_by_line() -> None:
    """Each line is looked at by itself: the work is that of its lines, not of the text for each of
    them."""
    lines, looked = 200, []

    def counting(text: str, gamesmaster: bool = False) -> mailwords.Peeled:
        looked.append(len(text))
        return original(text, gamesmaster)

    original, mailwords.peel = mailwords.peel, counting
    try:
        muted = muting.muted("HELP\n" * lines)
    finally:
        mailwords.peel = original
    assert muted == "| HELP\n" * lines and sum(looked) <= 5 * lines
