"""Fixtures of these tests."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.installation import SEATS, Installation
from tests.masters import ANNA, BRUNO, OTHERS, make
from tests.shell import Shell


@pytest.fixture
def two(at: Installation) -> Installation:
    """Game g is the installation's gamesmaster's, h is Anna's."""
    make(at, "h", gamesmaster=ANNA)
    return at


@pytest.fixture
def playing(at: Installation) -> Installation:
    """Anna is the gamesmaster of h and plays A in it; Bruno is its second."""
    make(at, "h", gamesmaster=ANNA, second=BRUNO, seated={"A": ANNA})
    return at


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=OTHERS) as at:
        at.clock = datetime.now(UTC)
        at.office.now = lambda: datetime.now(UTC)
        yield Shell(at, tmp_path / "config.toml")
