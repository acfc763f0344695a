"""A shell upon an installation, before and after its game has begun."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.installation import SEATS, Installation, address
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
    shell(
        "new",
        "coalition",
        "g",
        *(w for s in SEATS for w in ("--player", f"{s}={address(s)},Player {s}")),
    )
    return shell


@pytest.fixture
def begun(made: Shell) -> Shell:
    shell = made
    shell("start", "g")
    shell("once")
    return shell
