"""What the default run leaves to the slow one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.order import TESTS

KEPT: Mapping[str, tuple[str, ...]] = {}
"""By file, the tests that the default run keeps; the other tests of that file are slow. A file that
is not named here is run whole. "test_x" keeps all cases of a test, "test_x[id]" one of them,
"test_x..." the first."""


def slow(cases: Iterable[tuple[Path, str]]) -> Iterator[bool]:
    """Say of each test, given by its file and its name with its id, whether it is slow."""
    seen: set[tuple[Path, str]] = set()
    for file, case in cases:
        test = case.partition("[")[0]
        names = {case, test} | ({f"{test}..."} if (file, test) not in seen else set())
        seen.add((file, test))
        where = file.relative_to(TESTS).as_posix() if file.is_relative_to(TESTS) else ""
        yield where in KEPT and not names & set(KEPT[where])
