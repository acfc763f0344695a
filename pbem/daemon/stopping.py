"""Being told to stop: SIGTERM and SIGINT, heard at once and obeyed within seconds, whatever the
main thread waits for."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from pbem.post import clock

log = structlog.get_logger()
GRACE = 5.0
"""Seconds that what is in hand has to be finished. What takes longer (a server that does not
answer) is cut off, as by any crash, and the next start goes on with it."""
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Flag:
    """What a signal's handler or another thread may raise at any moment: without a lock, which the
    interrupted code may hold."""

    def __init__(self) -> None:
        self._up = False

    def set(self) -> None:
        """Raise it."""
        self._up = True

    def clear(self) -> None:
        """Lower it."""
        self._up = False

    def is_set(self) -> bool:
        """Whether it is up."""
        return self._up

    def wait(self, seconds: float) -> bool:
        """Wait until it is up, at most so long; whether it is."""
        until = time.monotonic() + seconds
        while not self._up and (rest := until - time.monotonic()) > 0:
            clock.rest(min(rest, 0.1))
        return self._up


@contextmanager
def heeding(stopping: Flag) -> Iterator[None]:
    """Within it a signal raises the flag, and ends the process when the grace has gone by."""
    near, far = os.pipe()
    os.set_blocking(far, False)

    def listen() -> None:
        while (heard := os.read(near, 1)) and heard[0] not in SIGNALS:
            pass  # another signal's number: the timer of a budget
        if heard:
            stopping.set()
            until = time.monotonic() + GRACE
            while (rest := until - time.monotonic()) > 0:
                if select.select([near], [], [], rest)[0] and not os.read(near, 1):
                    return  # the other end is closed: it has stopped
            log.error("cut off", seconds=GRACE)
            os._exit(0)

    before = {one: signal.signal(one, lambda *_: stopping.set()) for one in SIGNALS}
    signal.set_wakeup_fd(
        far, warn_on_full_buffer=False
    )  # written to even while the main thread waits for a resolver
    listener = threading.Thread(target=listen, name="signals", daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(-1)
        os.close(far)
        listener.join()
        os.close(near)
        for one, handler in before.items():
            signal.signal(one, handler)
