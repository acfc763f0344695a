"""What each word answers was read once, as a stranger reads it: who changes it reads it again."""

import pytest

from tests.answers.asking import TEXTS, WORDS, told
from tests.sampled import by_night

EACH = 8
"""The default run has one word of so many, CI half of all."""


def test_every_word_has_its_text() -> None:
    assert {file.stem for file in TEXTS.iterdir()} == set(WORDS), "python -m tests.answers"


@pytest.mark.parametrize(
    "word",
    [
        pytest.param(word, marks=by_night(place % 2 > 0) or [pytest.mark.slow] * (place % EACH > 0))
        for place, word in enumerate(WORDS)
    ],
)
def test_a_word_answers_as_it_was_read(word: str) -> None:
    assert told(word) == (TEXTS / f"{word}.txt").read_text(encoding="utf-8"), (
        f"python -m tests.answers {word}, and read it"
    )
