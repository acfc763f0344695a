"""The desk on a port, as a process of its own.

uvicorn has no limits: here a slow connection is shut (:data:`PATIENCE`), and at :func:`most` a new
one replaces the slowest.
"""

import asyncio
import logging
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import h11
import structlog
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from pbem.desk.app import Desk, application, warm
from pbem.errors import OutsideError

log = structlog.get_logger()
MOST = 100
_OURS = 64  # other files
_ROUNDS = 5  # asyncio accepts a whole backlog at a time, and shuts three rounds later
LARGEST_HEAD = 16_384
"""Bytes of a request's head."""
HEAD, BODY, ANSWER = "its head", "its body", "that it is read"
PATIENCE = {HEAD: 10.0, BODY: 30.0, ANSWER: 60.0}
"""Seconds for a head, a body, and reading an answer."""
_MINUTE = 60.0


def most() -> int:
    # what this process's limit of files allows
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = MOST if files == resource.RLIM_INFINITY else (files - _OURS) // _ROUNDS
    return max(1, min(MOST, room))


def serve(desk: Desk, *, tied: bool = False) -> None:
    """Serve until SIGTERM or SIGINT; ``tied``: or the end of standard input. Raise OutsideError if
    the port cannot be bound."""
    warm(desk)
    ours, Connection.most = desk.config.desk, most()
    server = uvicorn.Server(
        uvicorn.Config(
            application(desk),
            http=Connection,
            ws="none",
            h11_max_incomplete_event_size=LARGEST_HEAD,
            host=ours.host,
            port=ours.port,
            backlog=Connection.most,
            log_level="warning",
            log_config=None,  # its lines go through our log
            access_log=False,  # these would hold the codes of links
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=5,
        )
    )
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(_OnceAMinute())
    if tied:
        threading.Thread(target=_until_alone, args=(server,), name="tie", daemon=True).start()
    try:
        server.run()
    except SystemExit as error:
        raise OutsideError(
            f"the desk cannot listen on {ours.host}:{ours.port}: is another one there already? End"
            " it, or name another port in [desk] port"
        ) from error


class Connection(H11Protocol):
    """Shut if too slow, or if others need its place."""

    most: ClassVar[int] = MOST
    shut: ClassVar[int] = 0
    _telling: ClassVar[asyncio.TimerHandle | None] = None
    _awaited, _since = "", 0.0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Shut the slowest if there are too many."""
        super().connection_made(transport)
        self._look()
        if len(self.connections) > self.most:
            waiting = [one for one in self.connections if isinstance(one, Connection)]
            waiting = [one for one in waiting if one._awaited] or [self]
            min(waiting, key=lambda one: one._since)._shut()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_for("")
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """Wait for a slow reader."""
        super().pause_writing()
        self._look()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._look()

    def _look(self) -> None:
        if self.flow.write_paused or self.transport.is_closing():
            self._wait_for(ANSWER)
        elif self.conn.their_state is h11.IDLE:
            self._wait_for(HEAD)
        elif self.conn.their_state is h11.SEND_BODY:
            self._wait_for(BODY)
        else:
            self._wait_for("")

    def _wait_for(self, what: str) -> None:
        """ "": nothing."""
        if what == self._awaited:
            return
        if self._timer:
            self._timer.cancel()
        self._awaited, self._since = what, self.loop.time()
        self._timer = self.loop.call_later(PATIENCE[what], self._shut) if what else None

    def _shut(self) -> None:
        Connection.shut += 1
        if Connection._telling is None:
            self._tell()
        self.transport.abort()

    @classmethod
    def _tell(cls) -> None:
        if not cls.shut:
            cls._telling = None
            return
        log.warning("desk: connections shut whose browser did nothing", connections=cls.shut)
        cls.shut = 0
        cls._telling = asyncio.get_running_loop().call_later(_MINUTE, cls._tell)


class _OnceAMinute(logging.Filter):
    """Log bad requests and a lack of files once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        now, said = time.monotonic(), str(record.msg)
        if record.levelno >= logging.ERROR and not said.startswith("socket.accept()"):
            return True
        if now - self._last.get(said, -_MINUTE) < _MINUTE:
            return False
        self._last[said] = now
        return True


def _until_alone(server: uvicorn.Server) -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    server.should_exit = True


@contextmanager
def run_beside(config_file: Path) -> Iterator[None]:
    """Run the desk as a process beside the daemon, for its processor time. Log if it ends by
    itself."""
    child = subprocess.Popen(
        [sys.executable, "-m", "pbem", "desk", "--tied", "--config", str(config_file)],
        stdin=subprocess.PIPE,
        process_group=0,  # a signal for all in front of a terminal is the daemon's to hear
    )
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(child, over), name="desk", daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        child.communicate()
        watch.join()


def _watch(child: subprocess.Popen[bytes], over: threading.Event) -> None:
    code = child.wait()
    if not over.is_set() and code not in (0, -signal.SIGTERM):  # nobody has ended it
        log.error("the desk has ended", exit_code=code, mend="`pbem desk` begins it again")
