"""What holds for the test files themselves, and for the benches beside them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.order import LONG, TESTS

ROOT = Path(__file__).parents[1]
FILES = [
    path
    for folder in ("tests", "bench", "docs/seventh-game/tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


MOST_LINES = 400


def touches_sys_path(source: str) -> bool:
    """Whether a module reads or changes where Python looks for modules."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id="sys"), attr="path"):
                return True
            case ast.ImportFrom(module="sys", names=names) if any(n.name == "path" for n in names):
                return True
            case ast.Attribute(attr="syspath_prepend"):
                return True
    return False


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nsys.path.insert(0, 'x')",
        "from sys import path\npath.append('x')",
        "def test(monkeypatch):\n    monkeypatch.syspath_prepend('x')",
    ],
)
def test_a_touched_sys_path_is_seen(source: str) -> None:
    assert touches_sys_path(source)


def test_no_file_touches_sys_path() -> None:
    """Everything is imported by its name from the root: `from tests.installation import ...`."""
    assert len(FILES) > 100
    assert [str(path) for path in FILES if touches_sys_path(path.read_text())] == []


def test_no_file_is_long() -> None:
    long = {
        str(path): n for path in FILES if (n := len(path.read_text().splitlines())) > MOST_LINES
    }
    assert long == {}


def test_the_long_files_are_there() -> None:
    assert [name for name in LONG if not (TESTS / name).exists()] == []
    assert len(set(LONG)) == len(LONG)


def test_no_file_pads_a_day() -> None:
    """A mail says "1 December": a test that writes "01 December" fails nine days in the month."""
    padded = "%d " + "%B"
    assert [str(path) for path in FILES if padded in path.read_text()] == []
