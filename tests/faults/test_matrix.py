"""The kill matrix, as far as every test run affords it; the whole of it: `python -m tests.faults
--schedules 20000`, as .ci/nightly does."""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.periods import due
from pbem.referee.acts import letter_acts
from tests.faults.__main__ import run
from tests.faults.matrix import Matrix, OfDeputies, OnPostgresql
from tests.faults.schedules import POINTS, Fault
from tests.installation import Installation
from tests.needs import memory
from tests.postgresql import Postgresql
from tests.sampled import share

DEPUTIES = share(20, of_ci=5)


@pytest.fixture(scope="module")
def matrix() -> Iterator[Matrix]:
    with tempfile.TemporaryDirectory(prefix="pbem-faults-", dir=memory()) as folder:
        yield Matrix(Path(folder))


def test_some_schedules(matrix: Matrix) -> None:
    assert [line for seed in range(4) for line in matrix.check(seed)] == []


def test_more_schedules() -> None:
    many = share(200, of_ci=16)
    found, _ = run([("game", seed) for seed in range(many)], os.cpu_count() or 1)
    assert found["game"].wrong == [] and found["game"].schedules == many


@pytest.fixture(scope="module")
def of_deputies() -> Iterator[OfDeputies]:
    with tempfile.TemporaryDirectory(prefix="pbem-faults-", dir=memory()) as folder:
        yield OfDeputies(Path(folder))


@pytest.mark.parametrize("many", [2, DEPUTIES])
def test_schedules_with_a_deputy(of_deputies: OfDeputies, many: int) -> None:
    assert [line for seed in range(many) for line in of_deputies.check(seed)] == []


def test_every_crash_point_is_passed(matrix: Matrix, of_deputies: OfDeputies) -> None:
    """The one left over is where a letter's decision raises, the test after this; what is of open
    tables (``test_joining``), of free seats (``test_offers``) and of pages (``mail/test_website``)
    has tests of its own."""
    passed = {one for made in (matrix, of_deputies) for one in POINTS if made.counts[one]}
    left = {one for one in POINTS if not one.startswith(("table.", "seat.", "pages."))} - passed
    assert left == {"letter.set_aside"}
    source = "".join(
        path.read_text() for path in Path(sys.modules["pbem"].__path__[0]).rglob("*.py")
    )
    made = {f"{one.name}.{what}" for one in due.ERRANDS for what in ("done", "committed")}
    assert [one for one in {*POINTS} - made if f'crash("{one}")' not in source] == []


@pytest.mark.parametrize(
    "broken_at",
    ["pbem.referee.game.game_letters.take", "pbem.referee.deciding.sandbox.read_guarded"],
)
def test_a_kill_after_a_letter_is_set_aside(
    tmp_path: Path, broken_at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def crash(point: str) -> None:
        if point == "letter.set_aside":
            raise Killed

    def broken(*_: object) -> None:
        raise ValueError("a bug of ours")

    with Installation(tmp_path, "coalition", seats=("A", "B", "C", "D", "E")) as at:
        at.start()
        at.daemon.crash = at.daemon.referee.crash = crash
        at.write("A", "SPECIAL AGR")
        with monkeypatch.context() as patched, pytest.raises(Killed):
            patched.setattr(broken_at, broken)
            at.once()
        at.daemon.crash = at.daemon.referee.crash = lambda point: None
        at.once()
        assert [outcome for outcome, _ in at.outcomes()] == ["failed"]
        at.act(letter_acts.retry, 1)
        at.once()
        assert [outcome for outcome, _ in at.outcomes()] == ["orders"]


def test_a_backup_comes_back_when_the_game_is_over(matrix: Matrix) -> None:
    """The last deadline went through, and its pass did not; then all of it is lost."""
    last = Fault("outbox.leased", matrix.counts["outbox.leased"], "restore")
    tally = matrix.struck([Fault("deadline.committed", 3, "fsize"), last])
    assert tally.wrong == [] and tally.struck == {"fsize": 1, "restore": 1}


def test_the_order_across_seats_and_second_copies_do_not_matter(matrix: Matrix) -> None:
    assert [line for seed in range(share(12, of_ci=2)) for line in matrix.shuffled(seed)] == []


@pytest.mark.needs("postgresql")
def test_a_slice_on_postgresql(tmp_path: Path, postgresql_cluster: Postgresql) -> None:
    matrix = OnPostgresql(tmp_path, postgresql_cluster)
    assert [line for seed in range(share(20, of_ci=3)) for line in matrix.check(seed)] == []
