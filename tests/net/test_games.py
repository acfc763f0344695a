"""The net over the games: all is as recorded, or allowed. CI plays a part of them."""

import pytest

from tests.net.compare import compare, groups, stale
from tests.net.games import OF_CI
from tests.sampled import WHOLE

pytestmark = pytest.mark.slow
KIND = "games"
PARTS = () if WHOLE else (OF_CI,)


@pytest.mark.parametrize("kind, group", groups((KIND,)))
def test_all_is_as_recorded(kind: str, group: str) -> None:
    faults = compare(kind, group, *PARTS).faults
    assert not faults, "\n".join([f"{len(faults)} faults", *map(str, faults[:40])])


@pytest.mark.nightly
def test_no_allowance_is_stale() -> None:
    assert stale(KIND) == []
