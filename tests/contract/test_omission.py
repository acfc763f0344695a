"""The law of omission: what a period's mails told of decisions, deadlines, defaults, money,
refusals and a reader's own secrets they still tell, however short they become.

The facts come from events, views and slots; which of them are told stands in
``tests/data/told_facts.json``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.games.frame.events import PUBLIC
from pbem.house import shelf, templates
from tests.bots import bot_game
from tests.omission import (
    DEADLINE,
    GAMES,
    NONE,
    Facts,
    Mails,
    flat,
    heard,
    leaves,
    mails,
    owed,
    read,
    secrets,
    stands,
)


@pytest.mark.parametrize(
    "number", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, GAMES))]
)
def test_mails_leave_out_no_fact(key: str, number: int) -> None:
    ruleset, facts = shelf.open_ruleset(key), read().get(key, NONE)
    found: set[str] = set()
    for turn in bot_game(ruleset, number):
        for mail in mails(ruleset, turn):
            where = f"period {turn.number}, {mail.seat}: "
            found |= {where + one for one in left_out(mail, facts)}
    assert not found, "\n".join(sorted(found)[:20])


def left_out(mail: Mails, facts: Facts) -> Iterator[str]:
    """Yield the facts that are in neither of a period's two mails."""
    for what, words in owed(mail):
        if not words.strip() or not any(
            all(stands(one, mail.notice) for one in ways) for ways in gists(what, words)
        ):
            yield f"the notice lacks {what}: {words!r}"
    asked = mail.seat in mail.ruleset.asked(mail.state) and mail.ruleset.result(mail.state) is None
    if asked and flat(DEADLINE) not in mail.notice:
        yield "the notice lacks the deadline"
    for event in heard(mail):
        said = templates.events_in_words(mail.ruleset, mail.state, mail.seat, [event])[0]
        if facts.spoken.get(event.kind) and not said.strip():
            yield f"{event.kind} has no words"
        if event.audience != PUBLIC and not told(said, event.data, mail.notice):
            yield f"the notice lacks {event.kind}: {said!r}"
        for name, value in leaves(event.data):
            if name in facts.fields.get(event.kind, ()) and not stands(value, mail.all):
                yield f"{event.kind}: {name} {value!r} is in no mail"
    for name, value in secrets(mail):
        if name in facts.own and not stands(value, mail.notice):
            yield f"the notice lacks the own {name} {value!r}"


def gists(what: str, words: str) -> Iterator[list[str]]:
    """Yield the ways in which a notice may tell of a decision or default: in its words, or by the
    order and its subject ("VOTE B1"), or by how a default begins and the names in it. What is in
    brackets explains."""
    bare, _, rest = words.partition(" (")
    bare += rest.partition(")")[2]
    yield [words]
    yield [bare]
    if what.startswith("slot"):
        yield what.split()[1:3]
        return
    names = [one for one in bare.split() if any(map(str.isdecimal, one)) or one[1:2].isupper()]
    if names := [one for one in names if not one.startswith("[")]:
        yield [" ".join(bare.split()[:2]), *names]


def told(said: str, data: Mapping[str, Any], notice: str) -> bool:
    """Return whether a notice tells of an event: its first sentences, or else all its values."""
    values = [value for _, value in leaves(data)]
    first = flat(said.partition("\n")[0]).strip()
    return first in notice or (bool(values) and all(stands(one, notice) for one in values))


def test_the_law_sees_what_is_cut() -> None:
    """A notice without its deadline, its default or its hand is found out."""
    ruleset = shelf.open_ruleset("legislation")
    mail = next(one for turn in bot_game(ruleset, 0) for one in mails(ruleset, turn))
    facts = read()["legislation"]
    assert list(left_out(mail, facts)) == []
    mail.notice = mail.notice.replace("March", "")
    assert [one for one in left_out(mail, facts) if "deadline" in one]
    mail.notice = mail.notice.replace(
        flat(mail.ruleset.view(mail.state, mail.seat)["hand"][0]), " "
    )
    assert [one for one in left_out(mail, facts) if "own hand" in one]
    mail.notice = mail.notice.replace("You do not vote on B1", "")
    assert [one for one in left_out(mail, facts) if "silence" in one]
