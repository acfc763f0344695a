"""What several tests use: bots' games, and where each game's own test data lie."""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from pbem.games import GAMES

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")  # what is true does not depend on how long it takes to see

pytest_plugins = ["tests.needs", "tests.servers", "tests.real"]

GAME_TESTS = Path(__file__).parent / "games"
KEYS = [
    key for key in GAMES if not (only := os.environ.get("PBEM_GAMES")) or key in only.split(",")
]


def module(path: Path) -> ModuleType:
    """A test helper file of a game, imported by its path (its folder's name has hyphens)."""
    spec = importlib.util.spec_from_file_location(
        f"_{path.parent.name}_{path.stem}".replace("-", "_"), path
    )
    assert spec and spec.loader, f"{path} is missing"
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


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
