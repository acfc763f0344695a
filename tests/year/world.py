"""The world of the year: servers, clock, mail programs and the commands of the shell."""

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
    """One installation among real servers. ``passes``: the process of its passes; ``commands``: the parent of
    those of the shell; ``heard``: how
    many mails of each mailbox were read; ``told``: all that the commands printed."""

    folder: Path
    calendar: Calendar
    dovecot: Dovecot
    smtp_port: int
    passes: subprocess.Popen[str]
    commands: subprocess.Popen[str]
    heard: dict[str, int] = field(default_factory=dict)
    sent: int = 0
    told: list[str] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """What its processes have: the clock, and where the configuration is."""
        file = {"PBEM_CONFIG": str(self.folder / "config.toml")}
        return os.environ | self.calendar.environment() | file

    # --- the shell --------------------------------------------------------------------------------

    def shell(self, *words: str, stdin: str = "", wrong: bool = False) -> str:
        """Return what a command of the shell prints, in a process of its own."""
        code, said = self._give(self.commands, words, stdin, apart=True)
        if bool(code) is not wrong:
            raise AssertionError(f"pbem {' '.join(words)} exited with {code}: {said}")
        return said

    def once(self) -> str:
        """A pass of the referee, after what was sent has come to its mailbox, and until what it
        sends has come to theirs."""
        self._settle()
        said = self.ask("once")
        self._settle()
        return said

    def ask(self, *words: str) -> str:
        """Return what a command prints in the standing process."""
        code, said = self._give(self.passes, words, "", apart=False)
        assert not code, f"pbem {' '.join(words)} exited with {code}: {said}"
        return said

    def _give(
        self, to: subprocess.Popen[str], words: Sequence[str], stdin: str, *, apart: bool
    ) -> tuple[int, str]:
        assert to.stdin and to.stdout
        to.stdin.write(json.dumps([words, stdin, apart]) + "\n")
        to.stdin.flush()
        line = to.stdout.readline()
        code, said = json.loads(line) if line else (to.wait(), "the process has ended")
        self.told.append(said)
        return code, said

    def _settle(self) -> None:
        """Postfix has handed on all that it was given."""
        until = time.monotonic() + PATIENCE
        queue = self.folder / "queue"
        while any(any((queue / name).rglob("*")) for name in ("maildrop", "incoming", "active")):
            assert time.monotonic() < until, "Postfix hands nothing on"
            time.sleep(0.02)

    # --- mail -------------------------------------------------------------------------------------

    def new_mails(self, address: str) -> list[EmailMessage]:
        """The mails that came to a mailbox since it was read last."""
        raw = self.dovecot.messages(address)
        fresh = raw[self.heard.get(address, 0) :]
        self.heard[address] = len(raw)
        return [self.read(one) for one in fresh]

    def read(self, raw: bytes) -> EmailMessage:
        return message_from_bytes(raw, policy=policy.default)

    def write(self, sender: str, to: str, text: str, subject: str = "orders") -> None:
        """A letter by one of the mail programs, in turn."""
        program = (_swaks, _s_nail, _mutt)[self.sent % 3]
        self.sent += 1
        command, body = program(self, sender, to, text, subject)
        done = subprocess.run(
            command,
            input=body,
            env=self.environment | {"HOME": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"{command[0]} exited with {done.returncode}: {done.stderr}")


def _swaks(world: World, sender: str, to: str, text: str, subject: str) -> tuple[list[str], str]:
    (world.folder / "body").write_text(text + "\n")
    server = ["--server", "127.0.0.1", "--port", str(world.smtp_port), "--silent", "2"]
    said = ["--header", f"Subject: {subject}", "--body", f"@{world.folder / 'body'}"]
    return ["swaks", *server, "--from", sender, "--to", to, *said], ""


def _s_nail(world: World, sender: str, to: str, text: str, subject: str) -> tuple[list[str], str]:
    settings = (
        "v15-compat=yes",
        f"mta=smtp://127.0.0.1:{world.smtp_port}",
        "smtp-auth=none",
        f"from={sender}",
        "sendwait",
    )
    given = [word for setting in settings for word in ("-S", setting)]
    return ["s-nail", "-:/", *given, "-r", sender, "-s", subject, to], text + "\n"


def _mutt(world: World, sender: str, to: str, text: str, subject: str) -> tuple[list[str], str]:
    rc = world.folder / "muttrc"
    rc.write_text(
        f'set smtp_url="smtp://127.0.0.1:{world.smtp_port}"\nset ssl_starttls=no\nset ssl_force_tls=no\n'
        f'set from="{sender}"\nset use_from=yes\nset use_envelope_from=yes\nset copy=no\n'
        'set charset="utf-8"\nset hostname="mail.example.org"\n'
    )
    return ["mutt", "-n", "-F", str(rc), "-s", subject, "--", to], text + "\n"


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
    os.environ["PBEM_YEAR_PASSWORD"] = SECRET
    with (
        _swept(),
        dovecot(boxes, settings=DATED, environment=calendar.environment()) as office,
        postfix(office) as carrier,
    ):
        command = [sys.executable, "-m", "tests.year.passes"]
        asked = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        environment = os.environ | calendar.environment()
        environment |= {"PBEM_CONFIG": str(folder / "config.toml")}
        given = {**asked, "cwd": ROOT, "env": environment, "text": True}
        with (
            subprocess.Popen(command, **given) as passes,
            subprocess.Popen(command, **given) as commands,
        ):
            made = World(folder, calendar, office, carrier.smtp_port, passes, commands)
            (folder / "queue").symlink_to(carrier.folder / "queue")
            (folder / "config.toml").write_text(_config(made))
            made.shell("db", "upgrade")
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
password_env = "PBEM_YEAR_PASSWORD"

[smtp]
host = "127.0.0.1"
port = {made.smtp_port}
security = "none"

[club]
zine = "28th"
[limits]
receipts_an_hour = 100
"""
