"""Every flow runs against the embedded post office and against Dovecot with Postfix, on SQLite and on PostgreSQL."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from installation import Installation

from tests.flows.real import BOXES, SEATS, Office, RealInstallation
from tests.servers import dovecot, postfix


@pytest.fixture(scope="session")
def real_office() -> Iterator[Callable[[], Office]]:
    """The real servers, started when they are first asked for."""
    running: list[Office] = []
    with ExitStack() as stack:

        def office() -> Office:
            if not running:
                server = stack.enter_context(dovecot(BOXES))
                running.append(Office(server, stack.enter_context(postfix(server)).smtp_port))
            return running[0]

        yield office


REAL = pytest.mark.needs("dovecot", "postfix")
POSTGRESQL = pytest.mark.needs("postgresql")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
def url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("postgresql_url")) if request.param == "postgresql" else ""


@pytest.fixture(params=["office", pytest.param("postfix+dovecot", marks=REAL)])
def at(request: pytest.FixtureRequest, tmp_path: Path, url: str, real_office: Any) -> Iterator[Installation]:
    if request.param == "office":
        made = Installation(tmp_path, "coalition", seats=SEATS, url=url)
    else:
        made = RealInstallation(tmp_path, "coalition", seats=SEATS, url=url, office=real_office())
    with made:
        made.start()
        yield made


@pytest.fixture(params=[pytest.param("sqlite", marks=REAL), pytest.param("postgresql", marks=[REAL, POSTGRESQL])])
def real(request: pytest.FixtureRequest, tmp_path: Path, real_office: Any) -> Iterator[RealInstallation]:
    """Only on the real servers."""
    where = str(request.getfixturevalue("postgresql_url")) if request.param == "postgresql" else ""
    with RealInstallation(tmp_path, "coalition", seats=SEATS, url=where, office=real_office()) as made:
        made.start()
        yield made
