"""The service as a process: its rhythm, the machine's clocks, and how it is stopped."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.daemon import metrics
from pbem.errors import DatabaseError
from pbem.house.config import Daemon as DaemonSection
from pbem.post.clock import JUMP, Reading
from pbem.store.engine.database import exclusive_transaction
from pbem.store.journal import notes
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation
from tests.needs import FAKETIME
from tests.servers import free_ports
from tests.shell import CONFIG


@pytest.fixture
def today(tmp_path: Path) -> Iterator[Installation]:
    """On the machine's clock."""
    with Installation(tmp_path, "coalition", seats=SEATS) as made:
        made.clock, made.office.now = datetime.now(UTC), lambda: datetime.now(UTC)
        made.start()
        yield made


@contextmanager
def serving(
    at: Installation, settings: str = "", imap_port: int = 0, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """`pbem serve` in a process of its own."""
    at.daemon.close()
    file = at.folder / "config.toml"
    places = {
        "referee": REFEREE,
        "gamesmaster": GAMESMASTER,
        "url": at.url,
        "imap": imap_port or at.office.imap_port,
        "smtp": at.office.smtp_port,
    }
    patient = CONFIG.replace("[imap]", "[imap]\ntimeout = 600")
    file.write_text(f"{patient.format(**places)}\n{settings}\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "pbem", "serve", "--config", str(file)],
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environment},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def until(what: Callable[[], Any], seconds: float = 120.0) -> Any:
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.1)
    return found


def health(port: int) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=30) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


def last_pass(at: Installation) -> str:
    with exclusive_transaction(at.daemon.engine) as conn:
        return str(notes.memo(conn, "last_pass").get("at"))


def stopped(process: subprocess.Popen[str]) -> str:
    """It leaves when it is told to; what it had said."""
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=90)
    assert process.returncode == 0, said
    return said


# --- the wall clock -------------------------------------------------------------------------------


def faked(at: Installation) -> tuple[Path, dict[str, str]]:
    """The file that says how far a process with these variables has its wall clock off."""
    file = at.folder / "step"
    file.write_text("+0")
    return file, {
        "LD_PRELOAD": FAKETIME,
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


@pytest.mark.needs("libfaketime")
@pytest.mark.parametrize("step", ["-600", "+600"])
def test_a_clock_that_is_set_while_serving(today: Installation, step: str) -> None:
    """The games are held at once, not at the next poll; letters are taken, passes are made, a
    signal is heard."""
    at = today
    (port,) = free_ports(1)
    file, fake = faked(at)
    with serving(at, f"[daemon]\npoll_seconds = 3\nmetrics_port = {port}", **fake) as process:
        until(lambda: health(port)[0] == 200)
        file.write_text("+1")  # as NTP may correct it
        first = last_pass(at)
        until(lambda: last_pass(at) != first)
        assert at.table().row.status == "running"
        file.write_text(step)
        until(lambda: at.table().row.status == "held")
        way = "back" if step.startswith("-") else "forward"
        said = at.table().row.held_because
        assert said.startswith(f"the machine's clock jumped {way} by ")
        assert said.endswith(" minutes")
        until(
            lambda: any(
                "all games are held" in str(mail["Subject"]) for mail in at.mails(GAMESMASTER)
            )
        )
        at.write("A", "SPECIAL AGR")
        until(
            lambda: any(str(mail["Subject"]) == "Re: [g] 1 order taken" for mail in at.mails("A"))
        )
        for _ in range(2):  # passes without news go on
            before = last_pass(at)
            until(lambda before=before: last_pass(at) != before)
        code, said = health(port)
        assert code == 200 and " -" not in said, said
        assert "serving" in stopped(process)


def clocked(at: Installation, wall: timedelta = timedelta(0)) -> list[float]:
    """The daemon reads clocks of ours: the steady one is in the list, the wall clock goes with
    it."""
    steady = [0.0]
    began = at.clock
    at.daemon.read = lambda: Reading(began + wall + timedelta(seconds=steady[0]), steady[0])
    return steady


@pytest.mark.parametrize("off", [timedelta(hours=1), timedelta(hours=-1)])
def test_a_jump_is_seen_between_two_polls(at: Installation, off: timedelta) -> None:
    steady = clocked(at)
    at.daemon.turn()
    began = at.clock
    at.daemon.read = lambda: Reading(began + JUMP + timedelta(seconds=steady[0]), steady[0])
    steady[0] = 1.0
    at.daemon.turn()
    assert at.table().row.status == "running"  # so much may be NTP
    at.daemon.read = lambda: Reading(began + off + timedelta(seconds=steady[0]), steady[0])
    real, broken = at.daemon.doubts.hold_all, iter((True,))

    def hold(why: str, now: datetime, key: str) -> None:
        if next(broken, False):
            raise DatabaseError("away")
        real(why, now, key)

    at.daemon.doubts.hold_all = hold  # type: ignore[method-assign]
    at.daemon.turn()  # what could not be done is done at the next try
    assert next(broken, None) is None and at.table().row.status == "held"
    assert any("all games are held" in str(mail["Subject"]) for mail in at.mails(GAMESMASTER))


def test_a_pass_is_made_when_it_is_time_by_the_steady_clock_or_when_called(
    at: Installation,
) -> None:
    steady = clocked(at)
    passes: list[float] = []
    at.daemon.crash = lambda point: passes.append(steady[0]) if point == "pass.noted" else None
    every = DaemonSection().poll_seconds
    for now in (0.0, 1.0, every - 1.0, every + 0.0, every + 1.0):
        steady[0] = now
        at.daemon.turn()
    assert passes == [0.0, every]
    at.daemon.called.set()
    at.daemon.turn()
    at.daemon.turn()
    assert passes == [0.0, every, every + 1.0]


def test_health_goes_by_the_steady_clock() -> None:
    steady = [1000.0]
    pulse = metrics.Pulse(lambda: steady[0])
    assert metrics.health(pulse) == (False, "no pass yet\n")
    pulse.beat([])
    steady[0] += metrics.STALE.total_seconds() - 1
    assert metrics.health(pulse) == (True, "well\nlast pass 599 seconds ago\n")
    steady[0] += 2
    assert metrics.health(pulse) == (False, "not well\nlast pass 601 seconds ago\n")
    pulse.beat(["imap: away"])
    assert metrics.health(pulse) == (False, "not well\nlast pass 0 seconds ago\nimap: away\n")


def test_what_breaks_a_pass_off_ends_nothing(
    at: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    steady = clocked(at)

    def crash(point: str) -> None:
        raise ZeroDivisionError(point)

    at.daemon.crash = crash
    at.daemon.turn()
    assert at.daemon.pulse.trouble == ("ZeroDivisionError: inbox.cursor",)
    at.daemon.crash = lambda point: None
    steady[0] = 60.0
    at.daemon.turn()
    assert at.daemon.pulse.trouble == ()


# --- a signal -------------------------------------------------------------------------------------


def test_a_signal_is_obeyed_while_a_server_says_nothing(today: Installation) -> None:
    """It takes a connection and never speaks: by itself the wait would last ten minutes."""
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        serving(today, imap_port=silent.getsockname()[1]) as process,
    ):
        silent.settimeout(90)
        connection, _ = silent.accept()
        said = stopped(process)
        connection.close()
    assert "serving" in said and "cut off" in said


def test_a_second_signal_changes_nothing_and_the_handlers_are_put_back() -> None:
    from pbem.daemon.stopping import Flag, heeding

    before = signal.getsignal(signal.SIGTERM)
    flag = Flag()
    with heeding(flag):
        assert not flag.wait(0.01)
        os.kill(os.getpid(), signal.SIGTERM)
        assert flag.wait(30.0)
        os.kill(os.getpid(), signal.SIGTERM)
        flag.clear()
    assert signal.getsignal(signal.SIGTERM) == before


def test_it_answers_is_small_and_leaves_on_sigterm(today: Installation) -> None:
    at = today
    with serving(at, "[daemon]\npoll_seconds = 2") as process:
        at.write("A", "SPECIAL AGR")
        until(lambda: any("1 order taken" in str(mail["Subject"]) for mail in at.mails("A")))
        status = Path(f"/proc/{process.pid}/status").read_text()
        (resident,) = [int(n) // 1024 for n in re.findall(r"(?m)^VmRSS:\s+(\d+) kB", status)]
        assert resident < 120
        said = stopped(process)
    assert "serving" in said and "stopped" in said and "skipped" not in said
    assert "pass" in said and "letters=1 decided=1 closed=0 sent=1" in said
    assert "closed=0 decided=0 letters=0 sent=0" not in said
    at.daemon = at.new_daemon()
    assert at.standing("A") == ["SPECIAL AGR"]
