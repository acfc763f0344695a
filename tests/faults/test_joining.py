"""Tables that fill, offers and the gamesmaster's acts under faults: a sample of each; `python -m
tests.faults` has the whole."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.acts.acts import ACTS
from tests.faults.__main__ import SHARES, SLOTS, schedule
from tests.faults.acting import DESK, EACH, MAIL, SHELL, Acting
from tests.faults.joining import FIVE, TABLE_POINTS, Joining
from tests.faults.offering import Plug, run
from tests.faults.schedules import POINTS, Fault
from tests.faults.several import OfSeveral
from tests.needs import memory
from tests.postgresql import Postgresql
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
    assert [line for seed in range(share(12, of_ci=2)) for line in matrix.check(seed)] == []


OFTEN = share(10, of_ci=4)
"""So many kills at the points of a seat's own steps and of letters; as many at all others."""
OWN = ("seat.done", "seat.committed", "letter.decided", "letter.committed")


@pytest.mark.slow
@pytest.mark.parametrize("often", [1, OFTEN])
def test_killed_anywhere_a_seat_is_given_once_and_to_whoever_answered(often: int) -> None:
    undisturbed = Plug()
    assert run(undisturbed) == []
    assert undisturbed.passed["seat.done"] and undisturbed.passed["seat.committed"]
    chance = random.Random(7)
    places = [
        [
            (point, n + 1)
            for point in POINTS
            if (point in OWN) == own
            for n in range(undisturbed.passed[point])
        ]
        for own in (True, False)
    ]
    drawn = [place for some in places for place in chance.sample(some, min(often, len(some)))]
    plugs = [Plug(*place) for place in drawn]
    assert [line for plug in plugs for line in run(plug)] == []
    assert all(plug.pulled for plug in plugs)


RULE = next(act for act in ACTS if act.name == "rule")


def test_an_act_is_done_once_whenever_it_is_killed() -> None:
    """Before and after its commit, wherever it is given."""
    with tempfile.TemporaryDirectory(prefix="pbem-acting-", dir=memory()) as folder:
        matrix = Acting(Path(folder))
        for face, points in {
            SHELL: ("act.done", "act.committed"),
            DESK: ("act.done", "act.committed"),
            MAIL: ("letter.decided", "letter.committed"),
        }.items():
            for point in points:
                nth = matrix.reference(RULE, face)[1][point]
                assert matrix.struck(RULE, face, [Fault(point, nth, "kill")]).wrong == []


def test_each_act_of_the_table_is_given_in_each_of_its_faces() -> None:
    assert {act.name for act, _ in EACH} == {act.name for act in ACTS} - {"amended"}
    numbers = {schedule(seed) for seed in range(2_000)}
    assert len(numbers) == 2_000 and len(SLOTS) == sum(SHARES.values()) == 20
    acts = {number for name, number in numbers if name == "acts"}
    assert {EACH[number % len(EACH)] for number in acts} == set(EACH)


@pytest.mark.needs("postgresql")
def test_one_of_two_daemons_is_killed_or_stands_still(
    tmp_path: Path, postgresql_cluster: Postgresql
) -> None:
    matrix = OfSeveral(tmp_path, postgresql_cluster)
    for point in ("letter.decided", "deadline.claimed", "outbox.leased"):
        one = matrix.struck([Fault(point, 2, "stop")])
        assert one.wrong == [] and one.struck == {"stop": 1}
    one = matrix.struck([Fault("deadline.adjudicated", 1, "kill")])
    assert one.wrong == [] and one.struck == {"kill": 1}


@pytest.mark.needs("postgresql")
def test_both_daemons_stand_still_at_once(tmp_path: Path, postgresql_cluster: Postgresql) -> None:
    """Each as a pass of his ends; nobody is left who could take over, and both go on."""
    matrix = OfSeveral(tmp_path, postgresql_cluster)
    both = [Fault("pass.kept_up", nth, "stop") for nth in (3, 4)]
    tally = matrix.struck(both)
    assert tally.wrong == [] and tally.struck == {"stop": 2}
