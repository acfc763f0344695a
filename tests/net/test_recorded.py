"""The net: games, letters and databases are as recorded, or allowed. CI plays a part of the games."""

import pytest

from tests.net.compare import KINDS, compare, groups, stale
from tests.net.games import OF_CI
from tests.sampled import WHOLE, by_night

pytestmark = pytest.mark.slow
PARTS = {} if WHOLE else {"games": (OF_CI,)}
NEEDED = {"databases": [pytest.mark.needs("postgresql")]}


@pytest.mark.parametrize(
    ("kind", "group"),
    [pytest.param(*one, marks=NEEDED.get(one[0], ()), id="-".join(one)) for one in groups()],
)
def test_all_is_as_recorded(kind: str, group: str) -> None:
    faults = compare(kind, group, *PARTS.get(kind, ())).faults
    assert not faults, "\n".join([f"{len(faults)} faults", *map(str, faults[:40])])


@pytest.mark.parametrize(
    "kind",
    [pytest.param(one, marks=[*by_night(one in PARTS), *NEEDED.get(one, ())]) for one in KINDS],
)
def test_no_allowance_is_stale(kind: str) -> None:
    assert stale(kind) == []
