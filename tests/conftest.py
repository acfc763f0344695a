"""What holds for every test: the games it runs over, the servers it may need."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from tests.keys import GAME_TESTS, KEYS
from tests.needs import memory

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")  # what is true does not depend on how long it takes to see

# Temporary folders lie where files cost no disk, if there is room: a commit that waits for a real
# disk makes every test several times as long. What must be on a real disk asks for it.
if room := memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", room)

pytest_plugins = ["tests.needs", "tests.servers", "tests.real"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "key" in metafunc.fixturenames:
        metafunc.parametrize("key", KEYS)
    if "case" in metafunc.fixturenames:
        cases = [
            (key, path)
            for key in KEYS
            for path in sorted((GAME_TESTS / key).glob("cases/**/*.toml"))
        ]
        metafunc.parametrize("case", cases, ids=[f"{key}:{path.stem}" for key, path in cases])
