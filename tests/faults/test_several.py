"""The world of several daemons hears each when it speaks."""

from multiprocessing import get_context
from typing import Any

from tests.faults.child import Child
from tests.faults.several import Several
from tests.faults.world import Start
from tests.installation import Installation

BOTH = get_context("fork").Barrier(2)
WAIT = 20.0  # seconds


class Telling(Child):
    """It tells something, and ends its pass when the other has been answered too: as where it
    tells that amid a transaction, and the other waits for its lock."""

    def __init__(self, *given: Any) -> None:
        *_, self.line = given

    def serve(self) -> None:
        while True:
            self.line.recv()
            self.tell("drop")
            BOTH.wait(WAIT)
            self.line.send(("done", "", ("running", 1, None, 0, 0)))


class OfTelling(Several):
    child = Telling


def test_none_waits_for_its_answer_until_another_has_passed(at: Installation) -> None:
    start = Start(at.folder, at.clock, at.clock)
    world = OfTelling(at.folder, start, at.daemon, at.url, ())
    try:
        world._pass()
        assert len(world.daemons) == 2 and not world.busy
    finally:
        world._end()
