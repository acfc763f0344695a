"""Every page of the desk, and every button on it: none fails, none is a dead end, and what is done
is done once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.acts.acts import ACTS
from pbem.letters.states import LetterState
from pbem.referee.acts.doing import Actor, do
from tests.desk import world
from tests.desk.crawler import Crawl
from tests.desk.visitor import Visitor
from tests.installation import Installation, desk


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with world.world(tmp_path) as at:
        world.furnish(at)
        with desk(at) as work:  # its entry in the journal names no seat
            accept = world.BY_NAME["accept"]
            letter = {"letter": world.letter(LetterState.UNVERIFIED)}
            do(work, accept, world.nothing("accept") | letter, Actor())
        yield at


def crawl(at: Installation, most: int | None, *, does: bool = True) -> Crawl:
    fill = {act.name: world.fields(at, act) for act in ACTS}
    fill["rewind"] |= dict.fromkeys(("order", "order-text", "accept", "drop"), "")
    return Crawl(Visitor(at).come_in(), fill, most, does).walk()


def test_a_page_of_each_kind(at: Installation) -> None:
    done = crawl(at, 1, does=False)
    assert not done.wrong, "\n".join(done.wrong)
    assert len(done.pages) > 70 and len(done.forms) > 100


@pytest.mark.slow
def test_every_page_and_every_button(at: Installation) -> None:
    done = crawl(at, 25)
    print(len(done.pages), "pages,", sum(done.forms.values()), "buttons,", done.done)
    assert not done.wrong, "\n".join(done.wrong)
    assert set(done.done) >= {act.name for act in ACTS} - BEHIND, done.done


BEHIND = {"amended", "open"}
"""What nothing is there for: a pause to lift, an amendment; and what has its own page, New."""
