"""Half-sent requests, broken ones and such as are broken off: the desk goes on, and its log stays
short."""

import resource
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from pbem.desk import serving
from tests.desk.test_serving import asks, shell, until
from tests.servers import PATIENCE
from tests.shell import Shell

__all__ = ["shell"]
HALF = 1_100
FILES = 2 * HALF
"""So many files this process may have open; the desk has as many as any process."""


@pytest.fixture
def many_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, FILES), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Running:
    """A desk, and what it has logged once it has ended."""

    def __init__(self, port: int, log: Path, process: subprocess.Popen[bytes]) -> None:
        self.port, self._log, self.process = port, log, process

    @property
    def logged(self) -> list[str]:
        return self._log.read_text().splitlines()

    def answers(self) -> bool:
        return asks(self.port, "GET", "/enter")[0] == 200


@contextmanager
def running(shell: Shell, files: int = FILES) -> Iterator[Running]:
    port, log = shell.settings["port"], shell.file.parent / "log"
    words = [sys.executable, "-m", "pbem", "desk", "--config", str(shell.file)]
    words = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *words]
    place = Path(__file__).parents[2]
    with log.open("wb") as out:
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=out, cwd=place)
    try:
        until(port, there=True)
        yield Running(port, log, process)
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()


def half(desk: Running, number: int) -> socket.socket:
    """A connection of somebody who sends a part of a head, a head and a part of its body, or
    nothing."""
    made = socket.create_connection(("127.0.0.1", desk.port), PATIENCE)
    host = f"Host: 127.0.0.1:{desk.port}\r\n"
    made.sendall(
        (
            f"GET /enter HTTP/1.1\r\n{host}X-Half: a".encode(),
            f"POST /enter HTTP/1.1\r\n{host}Content-Length: 100\r\n\r\ncode=".encode(),
            b"",
        )[number % 3]
    )
    return made


def is_shut(connection: socket.socket) -> bool:
    """Whether the desk has shut a connection, or does so in a while."""
    with suppress(ConnectionError):
        while connection.recv(4096):
            pass
    return True


@pytest.mark.slow
def test_half_sent_requests_stop_nothing(shell: Shell, many_files: None) -> None:
    with running(shell) as desk, ExitStack() as stack:
        there = []
        for number in range(HALF):
            there.append(stack.enter_context(half(desk, number)))
            if number % 100 == 99:
                assert desk.answers(), number
        assert desk.answers()
        assert all(is_shut(one) for one in there[: -serving.MOST]), "others have their places"
        assert all(is_shut(one) for one in there), "we wait for nobody for ever"
        assert desk.answers()
    shut = [line for line in desk.logged if "connections shut" in line]
    assert 1 <= len(shut) <= 3 and len(desk.logged) < 10, desk.logged


@pytest.mark.parametrize("files", [128, pytest.param(1024, marks=pytest.mark.slow)])
def test_all_at_once_are_fewer_than_the_files_that_a_process_may_open(
    shell: Shell, many_files: None, files: int
) -> None:
    """They come while the desk sleeps, so that it finds as many as wait for it."""
    with running(shell, files) as desk, ExitStack() as stack:
        desk.process.send_signal(signal.SIGSTOP)
        for _ in range(HALF):
            one = stack.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", desk.port))
        desk.process.send_signal(signal.SIGCONT)
        assert desk.answers()
        assert desk.answers()
    assert len(desk.logged) < 10, desk.logged[:3]
    assert sum(map(len, desk.logged)) < 10_000


def test_broken_requests_fill_no_log(shell: Shell) -> None:
    """Those that are none, those that ask for another protocol, and those that end in the middle,
    orderly or by a reset."""
    with running(shell) as desk:
        host = f"Host: 127.0.0.1:{desk.port}\r\n".encode()
        upgrade = b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n"
        begun = b"POST /enter HTTP/1.1\r\n" + host + b"Content-Length: 100\r\n\r\ncode="
        for number in range(90):
            with socket.create_connection(("127.0.0.1", desk.port), PATIENCE) as made:
                sent = (b"\0\r\n\r\n", b"GET / HTTP/1.1\r\n" + host + upgrade, begun)[number % 3]
                made.sendall(sent)
                if number % 2:
                    made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert desk.answers()
    said = "\n".join(desk.logged)
    assert "Traceback" not in said and "ClientDisconnect" not in said
    assert len(desk.logged) < 10, said
