"""The world of the evening: servers, clock and the commands of the shell."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from tests.needs import FAKETIME
from tests.servers import PATIENCE, Dovecot, dovecot, postfix

ROOT = Path(__file__).resolve().parents[2]
REFEREE, GAMESMASTER, SECRET = "referee@game.example", "gm@game.example", "secret"
DATED = (
    "import_environment = TZ LD_PRELOAD FAKETIME_TIMESTAMP_FILE FAKETIME_NO_CACHE"
    " FAKETIME_DONT_FAKE_MONOTONIC NO_FAKE_STAT\n"
    "mail_location = sdbox:~/box\n"
)
"""Dovecot hands its processes no more of the environment than that; and a letter's date of receipt
stands in its file, since the date of the file is the machine's."""


@dataclass(slots=True)
class Calendar:
    """The clock of the world: that of the machine, so many seconds further on."""

    file: Path
    ahead: int = 0

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.ahead)

    def go_to(self, moment: datetime) -> None:
        """Time only goes on: a server that sees it go back stops."""
        self.ahead += max(0, int((moment - self.now()).total_seconds()) + 1)
        self.file.write_text(f"+{self.ahead}")

    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": FAKETIME,
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }


@dataclass(slots=True)
class World:
    """One installation among real servers. ``passes``: the process of its commands; ``told``: all
    that they printed."""

    folder: Path
    calendar: Calendar
    dovecot: Dovecot
    smtp_port: int
    passes: subprocess.Popen[str]
    told: list[str] = field(default_factory=list)

    def once(self) -> str:
        """A pass of the referee, after what was sent has come to its mailbox, and until what it
        sends has come to theirs."""
        self._settle()
        said = self.ask("once")
        self._settle()
        return said

    def ask(self, *words: str) -> str:
        """Return what a command prints in the standing process."""
        assert self.passes.stdin and self.passes.stdout
        self.passes.stdin.write(json.dumps(words) + "\n")
        self.passes.stdin.flush()
        line = self.passes.stdout.readline()
        code, said = json.loads(line) if line else (self.passes.wait(), "the process has ended")
        self.told.append(said)
        assert not code, f"pbem {' '.join(words)} exited with {code}: {said}"
        return str(said)

    def _settle(self) -> None:
        """Postfix has handed on all that it was given, what it had to try again too."""
        until = time.monotonic() + PATIENCE
        queue = self.folder / "queue"
        waiting = ("maildrop", "incoming", "active", "deferred")
        while any(path.is_file() for name in waiting for path in (queue / name).rglob("*")):
            assert time.monotonic() < until, (queue.resolve().parent / "log").read_text()[-3000:]
            time.sleep(0.02)

    def read(self, raw: bytes) -> EmailMessage:
        return message_from_bytes(raw, policy=policy.default)


@contextmanager
def _swept() -> Iterator[None]:
    """What libfaketime shares between the threads of a process, and leaves where that is killed, as
    all of Dovecot's are, is there neither before nor afterwards: a later process of the same number
    would find it."""
    _sweep()
    yield
    _sweep()


def _sweep() -> None:
    for left in Path("/dev/shm").glob("*faketime_*_*"):
        if not Path("/proc", left.name.rpartition("_")[2]).exists():
            left.unlink(missing_ok=True)


@contextmanager
def world(folder: Path, players: Sequence[str], starts: datetime) -> Iterator[World]:
    """The servers run, the calendar shows ``starts``, the tables are made; no game yet."""
    folder.chmod(0o755)  # Dovecot reads the clock as another user
    step = folder / "clock"
    calendar = Calendar(step)
    calendar.go_to(starts)
    boxes: Mapping[str, str] = dict.fromkeys((REFEREE, GAMESMASTER, *players), SECRET)
    os.environ["PBEM_CLUB_PASSWORD"] = SECRET
    with (
        _swept(),
        dovecot(boxes, settings=DATED, environment=calendar.environment()) as office,
        postfix(office) as carrier,
    ):
        command = [sys.executable, "-m", "tests.club.passes"]
        environment = os.environ | calendar.environment()
        environment |= {"PBEM_CONFIG": str(folder / "config.toml")}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as passes:
            made = World(folder, calendar, office, carrier.smtp_port, passes)
            (folder / "queue").symlink_to(carrier.folder / "queue")
            (folder / "config.toml").write_text(_config(made))
            made.ask("db", "upgrade")
            yield made


def _config(made: World) -> str:
    return f"""
[referee]
address = "{REFEREE}"
gamesmaster = "{GAMESMASTER}"
database = "sqlite:///{made.folder}/pbem.db"

[imap]
host = "127.0.0.1"
port = {made.dovecot.imap_port}
user = "{REFEREE}"
security = "none"
password_env = "PBEM_CLUB_PASSWORD"

[smtp]
host = "127.0.0.1"
port = {made.smtp_port}
security = "none"

[club]
zine = "28th"
[limits]
receipts_an_hour = 100
"""
