"""The sample of mutants is the same each time, and each of them is a program."""

from tests.net.faults import ROOT
from tests.net.mutants import ROOMS, mutants, sample


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
