"""What the default run keeps, whatever is left to the slow one."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from typing import get_args

import pytest

from pbem.games import GAMES
from pbem.house.config import Level
from tests.order import TESTS
from tests.sampled import DEFAULT_RUN, KEPT, NIGHTLY, in_turn


@pytest.fixture(scope="module")
def collected(pytestconfig: pytest.Config) -> Sequence[str]:
    """The tests of the default run, as `file::test[id]`: this run has collected them, or another
    process does."""
    if kept := pytestconfig.stash[DEFAULT_RUN]:
        return kept
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", str(TESTS)]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=True)
    return re.findall(r"(?m)^tests/(\S+\.py::.*)$", done.stdout)


@cache
def functions(file: str) -> dict[str, str]:
    """Return the source of each test in a file, by its name."""
    source = (TESTS / file).read_text(encoding="utf-8")
    return {
        node.name: ast.get_source_segment(source, node) or ""
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("file", KEPT)
def test_what_is_kept_is_there(file: str) -> None:
    """A test that was renamed would be left out of the default run."""
    assert KEPT[file], f"{file} keeps nothing"
    names = {re.sub(r"\[.*|\.\.\.$", "", name) for name in KEPT[file]}
    assert names <= functions(file).keys()


@pytest.mark.parametrize("file", NIGHTLY)
def test_what_is_left_to_the_night_is_there_and_leaves_something(file: str) -> None:
    """A name that is wrong leaves nothing out; a test of each file runs at each change."""
    names = {name.partition("[")[0] for name in NIGHTLY[file]}
    assert names <= functions(file).keys()
    assert functions(file).keys() - set(NIGHTLY[file])


def test_what_is_kept_is_run(collected: Sequence[str]) -> None:
    """An id that has changed would be left out too."""
    run = set(collected)
    for file, names in KEPT.items():
        for name in names:
            node = f"{file}::{name.removesuffix('...')}"
            assert any(one == node or one.startswith(f"{node}[") for one in run), node


def test_every_folder_has_tests(collected: Sequence[str]) -> None:
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")}
    assert (
        folders - {one.partition("::")[0].rpartition("/")[0] or "." for one in collected} == set()
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("folder", ["contract", "mail", "games"])
def test_every_game_has_tests(folder: str, game: str, collected: Sequence[str]) -> None:
    assert [one for one in collected if one.startswith(f"{folder}/") and game in one]


@pytest.mark.parametrize("level", get_args(Level))
def test_every_trust_level_has_tests(level: str, collected: Sequence[str]) -> None:
    run = {one.partition("[")[0] for one in collected}
    named = (one.split("::") for one in run)
    sources = (functions(names[0])[names[-1]] for names in named)
    assert [one for one in sources if f'"{level}"' in one]


def test_cases_in_turn_leave_out_no_row_and_no_column() -> None:
    rows, columns = {f"r{n}": n for n in range(7)}, {f"c{n}": n for n in range(3)}
    cases = in_turn(rows, columns, of_ci=2)
    assert len({one.values for one in cases}) == len(cases) == 21
    marks = {one.values: {mark.name for mark in one.marks} for one in cases}
    for left_out, many in (({"slow"}, 7), ({"nightly"}, 14), (set(), 21)):
        run = [values for values, names in marks.items() if not names & left_out]
        assert len(run) == many
        assert {row for row, _ in run} == set(rows.values())
        assert {column for _, column in run} == set(columns.values())
