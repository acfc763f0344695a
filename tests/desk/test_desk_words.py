"""Each act has its own words at the desk, and none of the shell's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.acts.act import Act, Kind
from pbem.acts.acts import ACTS
from pbem.house import templates
from pbem.store.mails.lanes import LINE_OF

SHELL = re.compile(
    r"--[a-z]|hardly meant|`pbem |\b(DAYS|LETTER|FIRST|LAST|GAME|SEAT|FILE|OLD|NEW)\b"
)


def faults(act: Act) -> Iterator[str]:
    """What is wrong with the words of an act."""
    if not act.does.endswith(".") or bool(act.ways) != bool(act.usage):
        yield f"{act.does!r}, {act.usage!r}"
    asked = [one for one in act.arguments if one.kind != Kind.PERIOD]  # which is never shown
    labels = [act.label, *(one.label for one in asked)]
    yield from (one for one in labels if not one[0].isupper())
    if act.label[-1] in ".:":
        yield act.label
    said = (act.does, act.usage, *labels[1:], *(one.hint for one in asked))
    yield from (one for one in said if SHELL.search(one))


def test_each_act_has_its_words() -> None:
    wrong = [f"{act.name}: {fault}" for act in ACTS for fault in faults(act)]
    assert not wrong, "\n".join(wrong)


def test_no_two_acts_are_called_alike() -> None:
    assert len({act.label for act in ACTS}) == len(ACTS)


def test_each_kind_of_mail_is_called_something_that_a_person_understands() -> None:
    macros = templates.environment().get_template("_shared/desk/game_macros.html.j2").module
    called = macros.called  # type: ignore[attr-defined]
    assert set(LINE_OF) <= set(called)
    assert all(one[0].islower() and "-" not in one for one in called.values())
