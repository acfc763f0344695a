"""Each act has its own words at the desk, and none of the shell's."""

from __future__ import annotations

import re

import pytest

from pbem.acts.act import Act, Kind
from pbem.acts.acts import ACTS
from pbem.acts.desk_words import WORDS, field_words
from pbem.desk.game_mails import CALLED
from pbem.post.headers import KIND_OF

SHELL = re.compile(
    r"--[a-z]|hardly meant|`pbem |\b(DAYS|LETTER|FIRST|LAST|GAME|SEAT|FILE|OLD|NEW)\b"
)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_an_act_has_its_words(act: Act) -> None:
    assert act.name in WORDS, f"pbem/acts/desk_words.py has no words for {act.name}"
    words = WORDS[act.name]
    assert words.does.endswith(".") and not SHELL.search(words.does), words.does
    assert bool(words.either) == bool(act.usage) and not SHELL.search(words.either)
    assert words.label[0].isupper() and words.label[-1] not in ".:"
    for one in act.arguments:
        if one.kind is Kind.PERIOD:
            continue  # never shown
        asked = field_words(act.name, one.name)
        for text in (asked.label, asked.hint):
            assert not SHELL.search(text), text
        assert asked.label[0].isupper()
    assert set(words.fields) <= {one.name for one in act.arguments}


def test_no_words_are_left_over() -> None:
    assert not set(WORDS) - {act.name for act in ACTS}
    assert len({words.label for words in WORDS.values()}) == len(WORDS)


def test_each_kind_of_mail_is_called_something_that_a_person_understands() -> None:
    assert set(KIND_OF) <= set(CALLED)
    assert all(one[0].islower() and "-" not in one for one in CALLED.values())
