"""Fixtures of these tests."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.grace import LENGTHS, playing
from tests.installation import Installation
from tests.twins import database_of_a_twin


@pytest.fixture(params=LENGTHS)
def period(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["until_adjudicated", "deadline"])
def late(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with playing(tmp_path) as made:
        yield made


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[tuple[Installation, Installation]]:
    """The same game twice, with one installation's key; in the first D is silent, in the second
    E."""
    with ExitStack() as stack:
        made = []
        for name in ("first", "second"):
            url = database_of_a_twin(tmp_path / name)
            options = {"BALLOTS": "SECRET"}
            made.append(
                stack.enter_context(
                    playing(tmp_path / name, url=url, late="deadline", options=options)
                )
            )
        yield made[0], made[1]
