"""Every flow runs against the embedded post office and against Dovecot with Postfix, on SQLite and
on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.installation import SEATS
from tests.real import EmbeddedInstallation, RealInstallation

REAL = pytest.mark.needs("dovecot", "postfix")
POSTGRESQL = pytest.mark.needs("postgresql")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
def url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("postgresql_url")) if request.param == "postgresql" else ""


@pytest.fixture(params=["office", pytest.param("postfix+dovecot", marks=REAL)])
def at(
    request: pytest.FixtureRequest, tmp_path: Path, url: str, real_office: Any
) -> Iterator[EmbeddedInstallation | RealInstallation]:
    made: EmbeddedInstallation | RealInstallation
    if request.param == "office":
        made = EmbeddedInstallation(tmp_path, "coalition", seats=SEATS, url=url)
    else:
        made = RealInstallation(tmp_path, "coalition", seats=SEATS, url=url, office=real_office())
    with made:
        made.start()
        yield made
