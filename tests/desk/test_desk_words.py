"""Each act has its own words at the desk, and none of the shell's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.acts.act import Act, Kind
from pbem.acts.acts import ACTS
from pbem.acts.desk_words import WORDS, field_words
from pbem.house import templates
from pbem.post.headers import KIND_OF

SHELL = re.compile(
    r"--[a-z]|hardly meant|`pbem |\b(DAYS|LETTER|FIRST|LAST|GAME|SEAT|FILE|OLD|NEW)\b"
)


def faults(act: Act) -> Iterator[str]:
    """What is wrong with the words of an act."""
    if act.name not in WORDS:
        yield "has none"
        return
    words = WORDS[act.name]
    if not words.does.endswith(".") or bool(words.either) != bool(act.usage):
        yield f"{words.does!r}, {words.either!r}"
    asked = [field_words(act.name, one.name) for one in act.arguments if one.kind != Kind.PERIOD]
    labels = [words.label, *(one.label for one in asked)]  # of a period it is never shown
    yield from (one for one in labels if not one[0].isupper())
    if words.label[-1] in ".:":
        yield words.label
    said = (words.does, words.either, *labels[1:], *(one.hint for one in asked))
    yield from (one for one in said if SHELL.search(one))
    yield from set(words.fields) - {one.name for one in act.arguments}


def test_each_act_has_its_words() -> None:
    wrong = [f"{act.name}: {fault}" for act in ACTS for fault in faults(act)]
    assert not wrong, "\n".join(wrong)


def test_no_words_are_left_over() -> None:
    assert not set(WORDS) - {act.name for act in ACTS}
    assert len({words.label for words in WORDS.values()}) == len(WORDS)


def test_each_kind_of_mail_is_called_something_that_a_person_understands() -> None:
    macros = templates.environment().get_template("_shared/desk/game_macros.html.j2").module
    called = macros.called  # type: ignore[attr-defined]
    assert set(KIND_OF) <= set(called)
    assert all(one[0].islower() and "-" not in one for one in called.values())
