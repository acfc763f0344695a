"""A storm under faults, as far as every test run affords it: `python -m tests.faults --family
storm` has more."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.schedules import Fault
from tests.faults.storming import BETWEEN, Storming
from tests.needs import memory
from tests.sampled import share


@pytest.fixture(scope="module")
def storming() -> Iterator[Storming]:
    with tempfile.TemporaryDirectory(prefix="pbem-faults-", dir=memory()) as folder:
        yield Storming(Path(folder))


@pytest.mark.slow
def test_letters_are_answered_between_the_periods(storming: Storming) -> None:
    """Undisturbed: at the next closing each that was written has its receipt."""
    written = [len(BETWEEN.get(n, ())) for n in range(6)]
    assert storming.first.closings == 6 and storming.reference.faults == []
    assert storming.first.answered == {n: sum(written[:n]) for n in range(1, 7)}
    assert set(storming.reference.answers) == {1}


@pytest.mark.slow
def test_a_kill_at_each_closing(storming: Storming) -> None:
    places = range(1, storming.counts["deadline.committed"] + 1)
    kills = [Fault("deadline.committed", nth, "kill") for nth in places]
    assert len(kills) == 6
    assert [line for one in kills for line in storming.struck([one]).wrong] == []


@pytest.mark.slow
def test_schedules_of_storms(storming: Storming) -> None:
    assert [line for seed in range(share(8, of_ci=3)) for line in storming.check(seed)] == []
