"""The net over the letters: all is as recorded, or allowed."""

import pytest

from tests.net.compare import compare, groups, stale

pytestmark = pytest.mark.slow
KIND = "letters"


@pytest.mark.parametrize("kind, group", groups((KIND,)))
def test_all_is_as_recorded(kind: str, group: str) -> None:
    faults = compare(kind, group).faults
    assert not faults, "\n".join([f"{len(faults)} faults", *map(str, faults[:40])])


def test_no_allowance_is_stale() -> None:
    assert stale(KIND) == []
