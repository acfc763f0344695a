"""What holds for every test: the games it runs over, the servers it may need."""

import ctypes
import gc
import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import Engine, event

from tests import bytecode  # noqa: F401 - before the modules that take long to compile
from tests.keeping import anew, share
from tests.keys import GAME_TESTS, KEYS
from tests.order import LONG, TESTS
from tests.sampled import DEFAULT_RUN, default_run, left_to_the_night, slow

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")  # what is true does not depend on how long it takes to see

# A worker has hundreds of threads, one after another: each is not to have memory of its own.
os.environ.setdefault("MALLOC_ARENA_MAX", "2")


@event.listens_for(Engine, "connect")
def _backward(connection: Any, _record: object) -> None:
    """Give rows without ORDER BY backward: nothing may hang on an order that an index changes."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA reverse_unordered_selects = ON")


pytest_plugins = ["tests.needs", "tests.postgresql", "tests.real"]


def pytest_xdist_auto_num_workers() -> int | None:
    """One worker more than processors, since one of them waits for a server most of the time."""
    named = "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ
    return None if named else (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session", autouse=True)
def _shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one worker has made, the others copy; so with templates that one has compiled."""
    from pbem.house.templates import environment

    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    share(folder / "kept")
    (compiled := folder / "templates").mkdir(exist_ok=True)
    environment().bytecode_cache = FileSystemBytecodeCache(str(compiled))


_MODULES = count(1)
_BETWEEN = 16
"""So many modules lie between two collections of everything."""


@pytest.fixture(scope="module", autouse=True)
def _swept(request: pytest.FixtureRequest) -> Iterator[None]:
    """What earlier modules left behind is collected between two modules, and what stays of it is
    looked at now and then only: to collect a whole session's objects takes seconds of processor
    time, and they would be taken off the budget of whatever letter is being read then. What a
    module of tests has cached, as the syntax trees of the whole package, is of no use to the
    next."""
    yield
    for one in vars(request.module).values():
        if getattr(one, "__module__", "") == request.module.__name__ and hasattr(
            one, "cache_clear"
        ):
            one.cache_clear()
    if next(_MODULES) % _BETWEEN == 0:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)  # what threads had that are gone is given back


@pytest.fixture(autouse=True)
def _anew(request: pytest.FixtureRequest) -> Iterator[None]:
    """What comes about while a test changes the program is no other test's."""
    if "monkeypatch" not in request.fixturenames:
        yield
        return
    with anew():
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import a worker's share of all modules first. In a fresh clone, workers that go through the
    modules in the same order all compile the same one at the same time."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    number, count = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    for path in sorted(TESTS.rglob("test_*.py"))[number::count]:
        with suppress(Exception):  # whatever is wrong with a module, its collection says it
            import_module(".".join(("tests", *path.relative_to(TESTS).with_suffix("").parts)))


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what is slow
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is slow. Files are handed out in the order of ``LONG``, each to one worker: those
    that take long come first."""
    for item, is_slow in zip(items, slow((one.path, one.name) for one in items), strict=True):
        if is_slow:
            item.add_marker(pytest.mark.slow)
    if night := left_to_the_night(items):
        config.hook.pytest_deselected(items=night)
    config.stash[DEFAULT_RUN] = default_run(items)
    place = {TESTS / name: n for n, name in enumerate(LONG)}
    items.sort(key=lambda item: place.get(item.path, len(LONG)))


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
