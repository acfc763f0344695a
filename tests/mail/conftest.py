"""A shell upon an installation, before and after its game has begun."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from installation import Installation, address
from shell import SEATS, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=("new@else.example",)) as at:
        at.clock = datetime.now(UTC)
        at.office.now = lambda: datetime.now(UTC)
        yield Shell(at, tmp_path / "config.toml")


@pytest.fixture
def begun(shell: Shell) -> Shell:
    shell(
        "new",
        "coalition",
        "g",
        *(w for s in SEATS for w in ("--player", f"{s}={address(s)},Player {s}")),
    )
    shell("start", "g")
    shell("once")
    return shell
