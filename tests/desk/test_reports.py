"""A reported press waits at the desk until its writer is warned or suspended, or it is let be."""

import pytest

from tests.desk.visitor import Visitor
from tests.installation import Installation
from tests.masters import ANNA
from tests.pressing import answer, write

pytestmark = pytest.mark.game("coalition", strangers=(ANNA,))


def reported(at: Installation) -> Visitor:
    """The desk three days after A's press was reported by B."""
    write(at, "A", "B", "You fool.")
    answer(at, "B", "REPORT")
    assert "News" not in Visitor(at).come_in().words  # it waits as a decision, and once
    at.later(days=3)
    return Visitor(at).come_in()


@pytest.mark.parametrize("days", [{}, {"days": "3"}])
def test_it_waits_until_its_writer_is_told(at: Installation, days: dict[str, str]) -> None:
    visitor = reported(at)
    assert "1 thing waits for you." in visitor.words
    assert "A in g, reported by Player B (B) It wrote: You fool." in visitor.words
    visitor.press("A word about the press of A")
    visitor.press("See what it would do", why="No insults, please", **days).press("Do it")
    assert "Press that was reported" not in visitor.get("/").words


def test_it_can_be_let_be(at: Installation) -> None:
    visitor = reported(at)
    before = len(at.outbox())
    visitor.press("Let it be")
    assert "Nothing waits for you." in visitor.words and len(at.outbox()) == before


def test_another_gamesmaster_does_not_see_it(at: Installation) -> None:
    reported(at)
    assert "You fool" not in Visitor(at).come_in(ANNA).words
