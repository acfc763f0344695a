"""A shell upon an installation, before and after its game has begun."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.installation import BEGINNING, SEATS, Installation, address
from tests.shell import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=("new@else.example",)) as at:
        at.clock = datetime.now(UTC)
        at.office.now = lambda: datetime.now(UTC)
        yield Shell(at, tmp_path / "config.toml")


@pytest.fixture
def made(shell: Shell) -> Shell:
    """A game that waits for its start."""
    players = (w for s in SEATS for w in ("--player", f"{s}={address(s)},Player {s}"))
    return _once(shell, ("new", "coalition", "g", *players))


@pytest.fixture
def begun(made: Shell) -> Shell:
    return _once(made, ("start", "g"), ("once",))


def _once(shell: Shell, *commands: tuple[str, ...]) -> Shell:
    """Give these commands, or copy what came of them some minutes ago in this run: the commands go
    by the machine's clock."""
    at = shell.at
    at.clock = BEGINNING

    def give() -> None:
        for words in commands:
            shell(*words)

    at.step(commands, give)
    at.clock = datetime.now(UTC)
    return shell
