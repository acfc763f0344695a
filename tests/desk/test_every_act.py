"""Each act of the table, done at the desk from its form to its journal: what the shell and the mail
do, and what their table says of it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.acts.act import Act, Notified, Who
from pbem.acts.acts import ACTS
from tests.desk import world
from tests.desk.visitor import Visitor
from tests.installation import SEATS, Installation


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with world.world(tmp_path) as at:
        world.furnish(at)
        yield at


DONE_HERE = [act for act in ACTS if act.name != "amended"]
"""Those that a game of Coalition can have; tests/mail/test_amended.py does the other."""


def tried(at: Installation, act: Act) -> Visitor:
    """A desk that shows what the act would do, where it can be done."""
    visitor = Visitor(at).come_in().get(f"/do/{act.name}")
    given = world.fields(at, act)
    query = {name: given[name] for name in ("game", "table") if name in given}
    visitor.get(f"/do/{act.name}?" + "&".join(f"{name}={one}" for name, one in query.items()))
    if visitor.find("#would"):  # it needs no more
        return visitor
    rest = {name: one for name, one in given.items() if name not in query}
    return visitor.press("See what it would do", **rest)


@pytest.mark.parametrize("act", DONE_HERE, ids=lambda act: act.name)
def test_each_act_is_done_at_the_desk(at: Installation, act: Act) -> None:
    game = world.UPON.get(act.name, "t" if act.who is Who.TABLE else "g")
    before, mails = at.journal(game), len(at.outbox())
    visitor = tried(at, act)
    assert visitor.status == 200 and visitor.find("#would"), visitor.words
    assert at.journal(game)[len(before) :] in ([], ["look"], ["look", "rewind-tried"])
    assert len(at.outbox()) == mails  # what was tried is taken back
    visitor.press("Show it" if act.asks else "Do it")
    assert visitor.status == 200 and "Done." in visitor.words, visitor.words
    well_said(said(visitor))
    if act.name == "close":
        at.once()  # which reads the mailbox, and closes
    done = at.journal(game)[len(before) :]
    assert set(act.journal) & set(done) or act.journal == ("table-opened",), done
    if Notified.ALL in act.told:
        assert len(at.outbox()) >= mails + len(SEATS)
    again = len(at.outbox()), at.journal(game)
    repeat(visitor)
    assert visitor.status == 200 and "Done." in visitor.words, visitor.words
    if not act.asks:
        assert (len(at.outbox()), at.journal(game)) == again  # a button pressed twice


SHELL = re.compile(r"--[a-z]|`|\bpbem\b|\bdaemon|\brow\b|\b(?:LETTER|SEAT|DAYS|FILE)\b")


def said(visitor: Visitor) -> list[str]:
    """The sentences in which the open page says what an act has done."""
    shown = [" ".join(one.text().split()) for one in visitor.find("main p.result")]
    return shown or [visitor.find("main pre")[0].text().strip()]


def well_said(told: list[str]) -> None:
    """They are whole sentences, and none speaks of the shell."""
    for one in told:
        assert not one[0].islower() and not SHELL.search(one), one
    if len(told) == 1:
        assert told[0][-1] in ".!?:", told


def repeat(visitor: Visitor) -> None:
    """The browser sends the same form once more, as at a second press or when a page is opened
    anew."""
    visitor.ask("POST", visitor.url, visitor.last)


def test_what_is_meant_twice_is_done_twice(at: Installation) -> None:
    """The same words in two forms are no second press."""
    for _ in range(2):
        tried(at, world.BY_NAME["press"]).press("Do it")
    assert at.journal().count("press") == 2


@pytest.mark.parametrize("act", [act for act in ACTS if act.of_game], ids=lambda act: act.name)
def test_the_gamesmaster_of_another_game_does_none(at: Installation, act: Act) -> None:
    given: dict[str, Any] = world.fields(at, act)
    if "game" not in given:
        given["game"] = "g"
    visitor = Visitor(at).come_in(world.ANNA).get(f"/do/{act.name}")
    csrf = visitor.find('[name="csrf"]')[0].attributes["value"]
    before, mails = at.journal(given["game"]), len(at.outbox())
    for step in ("try", "do"):
        visitor.post(f"/do/{act.name}", {**given, "step": step, "csrf": csrf})
        assert visitor.status == 409, visitor.words
        assert f"not the gamesmaster of {given['game']}" in visitor.words
    assert (at.journal(given["game"]), len(at.outbox())) == (before, mails)
