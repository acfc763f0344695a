"""Stops on SIGTERM and SIGINT, whatever the main thread waits for."""

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
"""Seconds to finish the work in hand, before the process is ended."""
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Flag:
    """A flag without a lock, which an interrupted thread might hold."""

    def __init__(self) -> None:
        self._up = False

    def set(self) -> None:
        self._up = True

    def clear(self) -> None:
        self._up = False

    def is_set(self) -> bool:
        return self._up

    def wait(self, seconds: float) -> bool:
        """Return whether it is set."""
        until = time.monotonic() + seconds
        while not self._up and (rest := until - time.monotonic()) > 0:
            clock.rest(min(rest, 0.1))
        return self._up


@contextmanager
def heeding(stopping: Flag) -> Iterator[None]:
    """Let signals set the flag, and end the process after :data:`GRACE`."""
    near, far = os.pipe()
    os.set_blocking(far, False)

    def listen() -> None:
        while (heard := os.read(near, 1)) and heard[0] not in SIGNALS:
            pass  # another signal: the timer of a budget
        if heard:
            stopping.set()
            until = time.monotonic() + GRACE
            while (rest := until - time.monotonic()) > 0:
                if select.select([near], [], [], rest)[0] and not os.read(near, 1):
                    return  # the other end was closed in time
            log.error("cut off", seconds=GRACE)
            os._exit(0)

    before = {one: signal.signal(one, lambda *_: stopping.set()) for one in SIGNALS}
    # written even while the main thread waits for a resolver
    signal.set_wakeup_fd(far, warn_on_full_buffer=False)
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
