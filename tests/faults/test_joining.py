"""A table that fills, under the faults of the kill matrix: nobody is seated twice, nobody loses his
place, no mail says a thing twice."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.joining import FIVE, TABLE_POINTS, Joining
from tests.needs import memory
from tests.sampled import share


@pytest.fixture(scope="module")
def matrix() -> Iterator[Joining]:
    with tempfile.TemporaryDirectory(prefix="pbem-joining-", dir=memory()) as folder:
        yield Joining(Path(folder))


def test_undisturbed_the_game_begins(matrix: Joining) -> None:
    expected = matrix.reference
    assert expected.table == "begun" and not expected.faults
    assert sorted(expected.seats.values()) == sorted(
        (*FIVE[:3], "eve@club.example", "fay@club.example")
    )
    assert all(matrix.counts[point] for point in TABLE_POINTS)


def test_a_kill_at_each_point_of_a_table(matrix: Joining) -> None:
    assert matrix.at_each() == []


def test_some_schedules(matrix: Joining) -> None:
    assert [line for seed in range(share(12, of_ci=4)) for line in matrix.check(seed)] == []
