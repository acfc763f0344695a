"""What each word answers was read once, as a stranger reads it: who changes it reads it again."""

import pytest

from tests.answers.asking import TEXTS, WORDS, told


def test_every_word_has_its_text() -> None:
    assert {file.stem for file in TEXTS.iterdir()} == set(WORDS), "python -m tests.answers"


@pytest.mark.parametrize("word", WORDS)
def test_a_word_answers_as_it_was_read(word: str) -> None:
    assert told(word) == (TEXTS / f"{word}.txt").read_text(encoding="utf-8"), (
        f"python -m tests.answers {word}, and read it"
    )
