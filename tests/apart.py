"""Other daemons of an installation, in processes of their own."""

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess

from pbem.daemon.loop import Daemon
from pbem.post.work import no_crash
from tests.installation import Installation

FORK = get_context("fork")
PATIENCE = 240  # seconds after which a test that hangs is given up


def apart(
    at: Installation, work: Callable[[Daemon], object], crash: Callable[[str], None] = no_crash
) -> BaseProcess:
    """A second daemon at work, in a process of its own."""

    def run() -> None:
        daemon = at.new_daemon(crash)
        work(daemon)
        daemon.close()

    at.daemon.engine.dispose()  # no process inherits another's connections
    process = FORK.Process(target=run)
    process.start()
    return process


class Standing:
    """A daemon that stands still at a point, within its transaction, until it may go on."""

    def __init__(self, at: Installation, point: str, work: Callable[[Daemon], object]) -> None:
        there, self.may = FORK.Event(), FORK.Event()

        def crash(here: str) -> None:
            if here == point and not there.is_set():
                there.set()
                assert self.may.wait(PATIENCE)

        self.process = apart(at, work, crash)
        assert there.wait(PATIENCE)

    def go_on(self) -> None:
        self.may.set()
        ended(self.process)


def ended(process: BaseProcess) -> None:
    process.join(PATIENCE)
    assert process.exitcode == 0
