"""What the default run keeps, whatever is left to the slow one."""

import ast
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest

from pbem.games import GAMES
from pbem.letters.authentication import Level
from tests.order import TESTS
from tests.sampled import DEFAULT_RUN, KEPT, NIGHTLY, SLOW, in_turn, most


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


def test_what_is_left_to_the_night_is_there_and_leaves_something() -> None:
    """A name that is wrong leaves nothing out; a test of each file runs at each change."""
    lost = [
        f"{file}::{name}"
        for file, names in (*NIGHTLY.items(), *SLOW.items())
        for name in names
        if name.partition("[")[0].removesuffix("...") not in functions(file)
    ]
    assert not lost, "\n".join(lost)
    assert [file for file in NIGHTLY if functions(file).keys() <= {*NIGHTLY[file]}] == []


def test_what_is_kept_is_run(collected: Sequence[str]) -> None:
    """A test that was renamed, or whose id has changed, would be left out of the default run."""
    run = {one for node in collected for one in (node, node.partition("[")[0])}
    kept = [f"{file}::{name.removesuffix('...')}" for file, names in KEPT.items() for name in names]
    lost = [one for one in kept if one not in run]
    assert not lost, "\n".join(lost)


def test_every_folder_has_tests(collected: Sequence[str]) -> None:
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")}
    folders.discard("club")  # an evening takes long
    assert (
        folders - {one.partition("::")[0].rpartition("/")[0] or "." for one in collected} == set()
    )


def test_every_game_has_tests(collected: Sequence[str]) -> None:
    untested = [
        f"{folder}/: {game}"
        for folder, game in product(("contract", "mail", "games"), GAMES)
        if not any(one.startswith(f"{folder}/") and game in one for one in collected)
    ]
    assert untested == []


def test_every_trust_level_has_tests(collected: Sequence[str]) -> None:
    named = [one.split("::") for one in sorted({one.partition("[")[0] for one in collected})]
    for level in Level:
        assert any(f'"{level}"' in functions(names[0])[names[-1]] for names in named), level


def test_of_the_cases_of_each_test_one_in_four_is_kept() -> None:
    ids = ["a::one", *(f"a::two[{n}]" for n in range(2)), *(f"b::many[{n}]" for n in range(9))]
    kept = [one.partition("[")[0] for one in ids if one not in {*most(ids)}]
    assert kept[:2] == ["a::one", "a::two"] and 2 <= kept.count("b::many") == len(kept) - 2 <= 3


def test_cases_in_turn_leave_out_no_row_and_no_column() -> None:
    rows, columns = {f"r{n}": n for n in range(7)}, {f"c{n}": n for n in range(3)}
    cases = in_turn(rows, columns)
    assert len({one.values for one in cases}) == len(cases) == 21
    marks = {one.values: {mark.name for mark in one.marks} for one in cases}
    for left_out, many in (({"slow"}, 7), (set(), 21)):
        run = [values for values, names in marks.items() if not names & left_out]
        assert len(run) == many
        assert {row for row, _ in run} == set(rows.values())
        assert {column for _, column in run} == set(columns.values())
