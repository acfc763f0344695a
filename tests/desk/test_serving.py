"""The desk as a process: by itself, and beside the daemon; how it begins and ends."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.installation import GAMESMASTER, SEATS, Installation, text_of
from tests.servers import PATIENCE, free_ports
from tests.shell import CONFIG, Shell

LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/enter\?code=(\S+)")


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A desk that would listen on a port of its own, by the machine's clock."""
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.clock, at.office.now = datetime.now(UTC), lambda: datetime.now(UTC)
        at.start()
        made = Shell(at, tmp_path / "config.toml")
        (port,) = free_ports(1)
        made.write(f"{CONFIG.format(**made.settings)}\n[desk]\nport = {port}\n")
        made.settings["port"] = port
        yield made


@contextmanager
def running(shell: Shell, *words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "pbem", *words, "--config", str(shell.file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **more},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def asks(
    port: int, method: str, path: str, body: str = "", **headers: str
) -> tuple[int, dict[str, str]]:
    """A request of a real client to a desk on this machine."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    client.request(method, path, body or None, {**form, **headers})
    answer = client.getresponse()
    with suppress(ConnectionResetError):  # it does not hear us out
        answer.read()
    client.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5.0):
        return True
    return False


def until(port: int, *, there: bool) -> None:
    """Wait till somebody listens on a port, or nobody does."""
    end = time.monotonic() + PATIENCE
    while listens(port) != there:
        assert time.monotonic() < end, f"port {port}: not {'there' if there else 'gone'}"
        time.sleep(0.1)


def test_the_desk_by_itself(shell: Shell) -> None:
    port = shell.settings["port"]
    with running(shell, "desk") as process:
        assert process.stdout
        found = LINK.search(process.stdout.readline())
        assert found and int(found[1]) == port
        until(port, there=True)
        assert asks(port, "GET", "/")[0] == 303
        status, headers = asks(port, "POST", "/enter", urlencode({"code": found[2]}))
        assert (status, headers["location"]) == (303, "/") and "server" not in headers
        cookie = headers["set-cookie"].split(";")[0]
        assert asks(port, "GET", "/do", Cookie=cookie)[0] == 200
        assert asks(port, "GET", "/do", Cookie=cookie, Host="evil.example")[0] == 400
        assert asks(port, "GET", "/static/..%2fapp.py")[0] in (303, 404)
        assert asks(port, "GET", "/static/../app.py")[0] in (303, 404)
        assert asks(port, "GET", "/" + "x" * 200_000)[0] in (400, 414, 431)
        assert asks(port, "GET", "/do", Cookie=cookie, **{"X-More": "y" * 200_000})[0] in (400, 431)
        assert asks(port, "POST", "/enter", "a" * 3_000_000)[0] == 413
        assert asks(port, "GET", "/do", Cookie=cookie)[0] == 200
        process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in complained and found[2] not in said + complained
    assert not listens(port)


def test_a_way_in_to_a_desk_that_runs(shell: Shell) -> None:
    assert LINK.search(shell("desk", "--link"))
    assert "The way in goes to" in shell("desk", "--mail", GAMESMASTER)
    shell("once")
    mail = shell.at.mails(GAMESMASTER)[-1]
    assert mail["Subject"] == "[pbem] The way to your desk" and LINK.search(text_of(mail))
    said = shell.fails("desk", "--mail", "a@legit.example")
    assert "is no gamesmaster's" in said
    for _ in range(2):
        shell("desk", "--mail", GAMESMASTER)
    assert "three links in this hour" in shell.fails("desk", "--mail", GAMESMASTER)
    shell.fails("desk", "--mail", GAMESMASTER, "--link", code=2)


def test_a_port_that_is_taken(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", shell.settings["port"])):
        with running(shell, "desk") as process:
            _, complained = process.communicate(timeout=PATIENCE)
        assert process.returncode == 3
        assert "cannot listen on 127.0.0.1:" in complained and "Traceback" not in complained


def test_an_extra_that_is_not_installed(shell: Shell, tmp_path: Path) -> None:
    """Both commands say what to install, before they do anything else."""
    lacking = tmp_path / "lacking"
    (lacking / "uvicorn").mkdir(parents=True)
    (lacking / "uvicorn" / "__init__.py").write_text("raise ImportError('no uvicorn here')\n")
    for words in (
        ["desk"],
        ["desk", "--link"],
        ["desk", "--mail", GAMESMASTER],
        ["serve", "--desk"],
    ):
        with running(shell, *words, PYTHONPATH=f"{lacking}:{Path(__file__).parents[2]}") as process:
            said, complained = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1 and not said, (words, complained)
        assert "[desk]" in complained and "install" in complained and "Traceback" not in complained


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_desk_ends_with_the_daemon_beside_it(shell: Shell, ends: signal.Signals) -> None:
    port = shell.settings["port"]
    with running(shell, "serve", "--desk") as process:
        until(port, there=True)
        assert asks(port, "GET", "/enter")[0] == 200
        process.send_signal(ends)
        _, said = process.communicate(timeout=PATIENCE)
        until(port, there=False)
        assert process.returncode == (-ends if ends is signal.SIGKILL else 0), said
        assert "the desk has ended" not in said and "Traceback" not in said


def test_a_signal_for_the_whole_group_is_no_accident(shell: Shell) -> None:
    """Ctrl-C and systemd tell both at once."""
    port = shell.settings["port"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pbem", "serve", "--desk", "--config", str(shell.file)],
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        start_new_session=True,
    )
    try:
        until(port, there=True)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0 and "Traceback" not in said, said
        assert "the desk has ended" not in said
    finally:
        process.kill()
        process.wait()


def test_the_daemon_goes_on_without_its_desk(shell: Shell) -> None:
    """Its port is taken: that is said, and letters are decided all the same."""
    taken = socket.create_server(("127.0.0.1", shell.settings["port"]))
    with taken, running(shell, "serve", "--desk") as process:
        assert process.stderr
        for line in process.stderr:
            if "the desk has ended" in line:
                break
        else:
            raise AssertionError("nothing is said of the desk")
        shell.at.write("A", "SPECIAL AGR")
        end = time.monotonic() + PATIENCE
        while not any(outcome == "orders" for outcome, _ in shell.at.outcomes()):
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.2)
