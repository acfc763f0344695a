"""Takes letters between periods when many are due at once.

All are looked at as of a moment when all letters were decided. A game with a later letter is looked
at before that is decided. So letters count as if the storm took no time.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Protocol

from pbem.daemon.reading import Pass, PassContext, Reader
from pbem.periods import due
from pbem.post.clock import Reading
from pbem.post.outbox import Sending
from pbem.post.work import Scan
from pbem.referee.deciding.deciding import Behind, Referee

STEPS, SECONDS = 50, 1.0
"""Letters are due after so many periods or seconds."""
LONGEST = 2.0
"""Seconds for letters. Then as long for periods, at least."""


class Daemon(Protocol):
    """What a storm needs of its daemon."""

    read: Callable[[], Reading]
    referee: Referee
    readers: list[Reader]


class Storm:
    """A scan for what is due, with letters in between. ``out`` None: nothing is sent."""

    def __init__(
        self, daemon: Daemon, scan: Scan, context: PassContext, done: Pass, out: Sending | None
    ) -> None:
        self.daemon, self.scan, self.round = daemon, scan, context
        self.done, self.out = done, out
        self._ended = daemon.read().steady
        self._periods, self._took = 0, 0.0

    def between(self) -> None:
        """Take letters if it is time."""
        self._periods += 1
        began = self.daemon.read().steady
        rested = began - self._ended
        is_time = self._periods >= STEPS or rested >= SECONDS
        if self.scan.stopping() or not is_time or rested < self._took:
            return
        self._letters(began + LONGEST)
        self._ended, self._periods = self.daemon.read().steady, 0
        self._took = self._ended - began

    def _letters(self, until: float) -> None:
        def ends() -> bool:
            return self.scan.stopping() or self.daemon.read().steady >= until

        context = self.round.later()
        for reader in self.daemon.readers:
            self.done.letters += reader.take_more(context, ends)
        out = None if self.out is None or self.out.failing else self.out
        with out.only_answers() if out else nullcontext():
            tried = set[str]()
            while not ends():
                unclosed = dict(due.waiting(self.round.installation.engine, self.scan.now))
                behind = Behind(self.scan.now, frozenset(unclosed))
                self.done.decided += self.daemon.referee.decide_all(
                    context.now, ends, sending=out, behind=behind
                )
                first = [game for game in behind.waited_for if game not in tried]
                for game in first:
                    if not self.scan.stopping():
                        looked = due.safely(
                            self.round.installation, game, unclosed[game], self.scan
                        )
                        self.done.closed += looked
                if not first:
                    break
                tried.update(first)
            if out:
                out.flush(self.round.installation.engine, ends)
