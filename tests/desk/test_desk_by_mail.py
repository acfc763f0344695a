"""The word DESK: a gamesmaster is mailed his way in, on the proof that every command needs."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.orders.muting import muted
from pbem.store.journal import notes
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, SEATS, Installation, desk, flat, text_of
from tests.masters import ANNA, command, make

LINK = re.compile(r"http://127\.0\.0\.1:8642(/enter\?code=\S+)")


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=(ANNA,)) as at:
        at.start()
        make(at, "h", gamesmaster=ANNA)
        yield at


def codes(at: Installation) -> int:
    with desk(at) as work:
        return len(notes.memos(work.conn, "desk-code:"))


def test_the_word_brings_the_way_in(at: Installation) -> None:
    said = command(at, ANNA, "DESK")
    found = LINK.search(said)
    assert found and "works once, for ten minutes" in flat(said)
    visitor = Visitor(at).get(found[1]).press("Come in").get("/do/hold?game=g")
    visitor.press("See what it would do", why="mine")
    assert "you are not the gamesmaster of g" in visitor.words
    visitor.get("/do/hold?game=h").press("See what it would do", why="mine")
    assert visitor.status == 200, visitor.words
    assert "does not work any more" in Visitor(at).get(found[1]).words


def test_it_stands_in_the_help_and_needs_no_game(at: Installation) -> None:
    assert "The way in to your desk" in flat(command(at, ANNA, "HELP"))
    assert "DESK: not understood" in flat(command(at, ANNA, "DESK please"))
    assert codes(at) == 0


def test_nobody_gets_in_by_a_word_that_is_not_proven(at: Installation) -> None:
    at.send(ANNA, "DESK")
    assert codes(at) == 0 and not LINK.search(text_of(at.mails(ANNA)[-1]))
    assert "without proof" in flat(text_of(at.mails(ANNA)[-1]))
    at.send("A", "DESK")  # a player's is no command at all
    assert codes(at) == 0
    at.send("eve@evil.example", "DESK")
    assert codes(at) == 0


def test_twelve_links_an_hour_are_brought_by_the_word(at: Installation) -> None:
    """Of each gamesmaster's own; what another asks for does not count."""
    found = [bool(LINK.search(command(at, ANNA, "DESK"))) for _ in range(13)]
    assert found == [True] * 12 + [False]
    assert "12 links to your desk within an hour. Ask again later." in flat(
        text_of(at.mails(ANNA)[-1])
    )
    assert LINK.search(command(at, GAMESMASTER, "DESK", reply(at)))
    at.clock += timedelta(minutes=61)
    assert LINK.search(command(at, ANNA, "DESK"))


def test_what_it_brings_asks_for_nothing_when_it_is_quoted(at: Installation) -> None:
    said = command(at, ANNA, "DESK")
    assert muted(said, gamesmaster=True) == said
    before = codes(at)
    command(at, ANNA, "QUEUE\n\n" + "\n".join(f"> {line}" for line in said.split("\n")))
    assert codes(at) == before


def test_the_installations_gamesmaster(at: Installation) -> None:
    found = LINK.search(command(at, GAMESMASTER, "DESK", reply(at)))
    assert found
    visitor = Visitor(at).get(found[1]).press("Come in")
    assert visitor.get("/do/hold?game=g").press("See what it would do", why="x").status == 200


def reply(at: Installation) -> str:
    from pbem.post import masters

    with desk(at) as work:
        masters.enter(work.conn, work.mark, GAMESMASTER)
        return work.mark.plus(masters.token(work.conn, work.mark, GAMESMASTER))
