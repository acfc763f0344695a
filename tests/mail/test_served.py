"""`pbem serve` in a process of its own."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.demo.postoffice import PostOffice
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation, address
from tests.shell import CONFIG


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[PostOffice, subprocess.Popen[str], Installation]]:
    """`pbem serve` in a process of its own, on the machine's clock."""
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.clock = datetime.now(UTC)
        at.office.now = lambda: datetime.now(UTC)
        at.start()
        at.daemon.close()
        file = tmp_path / "config.toml"
        settings = {
            "referee": REFEREE,
            "gamesmaster": GAMESMASTER,
            "url": at.url,
            "imap": at.office.imap_port,
            "smtp": at.office.smtp_port,
        }
        file.write_text(CONFIG.format(**settings) + "\n[daemon]\npoll_seconds = 2\n")
        process = subprocess.Popen(
            [sys.executable, "-m", "pbem", "serve", "--config", str(file)],
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        try:
            yield at.office, process, at
        finally:
            process.kill()
            process.wait()


def until(what: Any, seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.1)


def test_serve_answers_is_small_and_leaves_on_sigterm(
    served: tuple[PostOffice, subprocess.Popen[str], Installation],
) -> None:
    office, process, at = served
    at.write("A", "SPECIAL AGR")
    until(lambda: any(b"1 order taken" in raw for raw in office.messages(address("A"))))
    status = Path(f"/proc/{process.pid}/status").read_text()
    resident = (
        int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))
        // 1024
    )
    print(f"resident: {resident} MB")
    assert resident < 120
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert "serving" in said and "stopped" in said and "skipped" not in said
    assert "pass" in said and "letters=1 decided=1 closed=0 sent=1" in said
    assert "closed=0 decided=0 letters=0 sent=0" not in said
    at.daemon = at.new_daemon()
    assert at.standing("A") == ["SPECIAL AGR"]
