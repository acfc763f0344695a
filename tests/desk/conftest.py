"""What the tests of the desk begin with, besides a game that has begun."""

import pytest

from tests.desk.waiting import busy
from tests.installation import Installation


@pytest.fixture
def many(at: Installation) -> Installation:
    """An installation in which everything waits that can wait."""
    busy(at)
    return at
