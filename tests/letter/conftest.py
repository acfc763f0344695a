"""The worlds of the forger's tests."""

import contextlib
from collections.abc import Callable, Iterator

import pytest

from tests.letter.forger_words import MASTER, NOBODY
from tests.letter.forger_world import World, world


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], World]]:
    made: dict[str, World] = {}
    with contextlib.ExitStack() as stack:

        def of(level: str) -> World:
            level = "proven" if level in (MASTER, NOBODY) else level
            if level not in made:
                folder = tmp_path_factory.mktemp(level)
                made[level] = stack.enter_context(world(folder, level))
            made[level].back()
            return made[level]

        yield of
