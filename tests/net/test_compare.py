"""The net itself: the comparer finds what differs, each fault can be put in and has a test, and mutants are the
same each time."""

import re
from collections import Counter

import pytest

from tests.net.compare import MISSING, Allowance, Difference, differences
from tests.net.faults import ROOT, faults
from tests.net.mutants import ROOMS, mutants, sample

OLD = {"a": [1, {"b": "x"}, 3], "c": True}


@pytest.mark.parametrize(
    "seen, found",
    [
        ({"a": [1, {"b": "x"}, 3], "c": True}, []),
        ({"a": [1, {"b": "y"}, 3], "c": True}, [("n/a/1/b", "x", "y")]),
        ({"a": [0, 1, {"b": "x"}, 3], "c": True}, [("n/a/0", MISSING, 0)]),
        ({"a": [1, 3], "c": True}, [("n/a/1", {"b": "x"}, MISSING)]),
        ({"a": [1, {"b": "x"}, 3], "c": 1}, [("n/c", True, 1)]),
        ({"a": [1, {"b": "x"}, 3], "d": 0}, [("n/c", True, MISSING), ("n/d", MISSING, 0)]),
    ],
)
def test_each_field_that_differs_is_found(seen: object, found: list[object]) -> None:
    got = [(one.path, one.old, one.new) for one in differences(OLD, seen, "n")]
    assert got == found


@pytest.mark.parametrize(
    "entry, allows",
    [
        ({"where": "games/x/*/days"}, True),
        ({"where": "games/y/*/days"}, False),
        ({"where": "games/x/*/days", "old": "in 3 days"}, True),
        ({"where": "games/x/*/days", "old": "in 2 days"}, False),
        ({"where": "games/x/*/days", "new": "in 2 days"}, False),
        ({"where": "games/x/*/days", "without": "[0-9]+"}, True),
        ({"where": "games/x/*/days", "without": "days"}, False),
    ],
)
def test_an_allowance_allows_what_it_says(entry: dict[str, str], allows: bool) -> None:
    one = Difference("games/x/07/events/3/days", "in 3 days", "in 4 days")
    assert Allowance("part-2", reason="tested", **entry).allows(one) is allows


FEWEST = 60


def test_each_fault_applies_and_its_test_is_there() -> None:
    wrong = []
    for fault in faults():
        try:
            fault.within((ROOT / fault.file).read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            wrong.append(str(problem))
        file, _, rest = fault.test.partition("::")
        test = ROOT / file
        function = re.escape(rest.partition("[")[0])
        if not test.exists() or not re.search(rf"^def {function}\(", test.read_text("utf-8"), re.M):
            wrong.append(f"{fault.name}: there is no test {fault.test}")
    assert not wrong, "\n".join(wrong)


def test_there_are_enough_faults_and_each_has_its_own_name() -> None:
    names = Counter(fault.name for fault in faults())
    assert names.total() >= FEWEST
    assert [name for name, times in names.items() if times > 1] == []


def test_the_sample_is_the_same_each_time_and_has_all_rooms() -> None:
    first, again = sample(40), sample(80)
    assert {one.room for one in first} == set(ROOMS) and len({one.name for one in again}) == 80
    assert {one.name for one in first} <= {one.name for one in again}


def test_each_mutant_is_another_program() -> None:
    wrong = []
    for one in sample(80):
        source = (ROOT / one.file).read_bytes()
        changed = one.within(source)
        compile(changed, one.file, "exec")
        if changed == source.decode():
            wrong.append(one.name)
    assert not wrong


def test_every_mutant_has_a_name_of_its_own() -> None:
    names = [one.name for room in ROOMS for one in mutants(room)]
    assert len(set(names)) == len(names)
