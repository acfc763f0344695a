"""What the default run leaves to the slow one, and that to the nightly one."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from zlib import crc32

import pytest
from _pytest.mark import ParameterSet

from tests.order import TESTS


def _listed(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (TESTS / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, _, test = line.partition("::")
            found.setdefault(file, []).append(test)
    return found


DEFAULT_RUN = pytest.StashKey[list[str]]()
"""The tests of the default run, as `file::test[id]`; empty if only some files were collected."""
WHOLE = os.environ.get("PBEM_WHOLE") == "1"
"""Whether tests of many like cases run all of them, as in .ci/nightly, and not a sample."""
KEPT: Mapping[str, list[str]] = _listed("kept.txt")
"""By file, the tests of ``kept.txt``; the other tests of these files are slow."""
SLOW: Mapping[str, list[str]] = _listed("slow.txt")
"""By file, more tests that are slow."""
NIGHTLY: Mapping[str, list[str]] = _listed("nightly.txt")
"""By file, the tests that only the nightly run has."""


EACH = 4
"""Of the slow cases of one test CI runs one in so many, the nightly run all."""


def share(whole: int, *, of_ci: int) -> int:
    """Return how many like cases a test runs: all in the nightly run, else so many as CI affords."""
    return whole if WHOLE else of_ci


def by_night(only: bool) -> tuple[pytest.MarkDecorator, ...]:
    """Return the marks of a case that only the nightly run has, or none."""
    return (pytest.mark.slow, pytest.mark.nightly) if only else ()


def in_turn(rows: Mapping[str, object], columns: Mapping[str, object]) -> list[ParameterSet]:
    """Return a case for each row with each column, both given by their ids. The default run has one
    column a row, in turn, so that it has all rows and all columns; the others are slow."""
    return [
        pytest.param(
            row,
            column,
            marks=[pytest.mark.slow] * bool((m - n) % len(columns)),
            id=f"{one}-{other}",
        )
        for n, (one, row) in enumerate(rows.items())
        for m, (other, column) in enumerate(columns.items())
    ]


def slow(cases: Iterable[tuple[Path, str]]) -> Iterator[bool]:
    """Say of each test, given by its file and its name with its id, whether it is slow."""
    seen: set[tuple[Path, str]] = set()
    for file, case in cases:
        test = case.partition("[")[0]
        names, rest = {case, test}, {case, test}
        (rest if (file, test) in seen else names).add(f"{test}...")
        seen.add((file, test))
        where = file.relative_to(TESTS).as_posix() if file.is_relative_to(TESTS) else ""
        left = where in KEPT and not names & set(KEPT[where])
        yield left or bool(rest & set(SLOW.get(where, ())))


def default_run(items: Iterable[pytest.Item]) -> list[str]:
    """Return the tests of ``items`` that the default run has, or nothing if these are not the tests
    of all files."""
    if not _are_all(items):
        return []
    return [
        one.nodeid.removeprefix("tests/") for one in items if not one.get_closest_marker("slow")
    ]


def most(ids: Iterable[str]) -> Iterator[str]:
    """Yield the cases of each test, given by their ids, but one in ``EACH``."""
    cases = defaultdict[str, list[str]](list)
    for one in ids:
        cases[one.partition("[")[0]].append(one)
    for test, alike in cases.items():
        first = crc32(test.encode()) % min(EACH, len(alike))
        yield from {*alike} - {*alike[first::EACH]}


def _are_all(items: Iterable[pytest.Item]) -> bool:
    return {one.path for one in items} == set(TESTS.rglob("test_*.py"))


def left_to_the_night(items: list[pytest.Item]) -> list[pytest.Item]:
    """Mark the tests of ``nightly.txt``, and if these are the tests of all files, of the slow cases
    of each test all but one in ``EACH``. Take the tests that only the nightly run has out of
    ``items``, and return them."""
    slow_ids = [one.nodeid for one in items if one.get_closest_marker("slow")]
    alike = [one for one in slow_ids if "/test_recorded.py:" not in one]  # each group is another
    like_others = {*most(alike)} if _are_all(items) else set()
    for one in items:
        if one.nodeid in like_others or _is_listed(one, NIGHTLY):
            one.add_marker(pytest.mark.slow)
            one.add_marker(pytest.mark.nightly)
    go = [] if WHOLE else [one for one in items if one.get_closest_marker("nightly")]
    items[:] = [one for one in items if WHOLE or not one.get_closest_marker("nightly")]
    return go


def _is_listed(item: pytest.Item, listed: Mapping[str, list[str]]) -> bool:
    file = item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else ""
    return not {item.name, item.name.partition("[")[0]}.isdisjoint(listed.get(file, ()))
