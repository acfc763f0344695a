"""The desk on a port: a process of its own, by itself or beside the daemon."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog
import uvicorn

from pbem.desk.app import Desk, application, warm
from pbem.errors import OutsideError

log = structlog.get_logger()


def serve(desk: Desk, *, tied: bool = False) -> None:
    """Until SIGTERM or SIGINT; ``tied``: or until its standard input ends, as it does with the
    process that has begun it. Raises OutsideError where the port cannot be had."""
    warm(desk)
    ours = desk.config.desk
    server = uvicorn.Server(
        uvicorn.Config(
            application(desk),
            host=ours.host,
            port=ours.port,
            log_level="warning",
            log_config=None,  # its lines go through our log
            access_log=False,  # these would hold the codes of links
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=5,
        )
    )
    if tied:
        threading.Thread(target=_until_alone, args=(server,), name="tie", daemon=True).start()
    try:
        server.run()
    except SystemExit as error:
        raise OutsideError(
            f"the desk cannot listen on {ours.host}:{ours.port}: is another one there already? End"
            " it, or name another port in [desk] port"
        ) from error


def _until_alone(server: uvicorn.Server) -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    server.should_exit = True


@contextmanager
def beside(config_file: Path) -> Iterator[None]:
    """While the daemon runs, the desk does in a process beside it: a budget of processor time is
    its process's, and what is done at the desk is on no letter's. It ends with the daemon, however
    that ends; that it has ended by itself is logged."""
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
