"""Modules and functions that the documents name are there, and call each other as they say."""

import re

import pytest

from tests.docs.code_names import defined, imported, is_there, modules
from tests.docs.documents import ROOT, blocks

ARCHITECTURE = ROOT / "docs" / "architecture.md"
STEP = re.compile(r"^( *)([a-z_0-9/]+)(?: +(\w+))?(?:  .*)?$")


def _cells(text: str, last_only: bool) -> list[str]:
    """What stands in backticks in the last cell of each table row."""
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [row.rstrip("| ").rpartition("|")[2] for row in rows] if last_only else rows
    return [word for cell in cells for word in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("document", ["architecture.md", "glossary.md"])
def test_what_a_document_names_is_there(document: str) -> None:
    words = _cells((ROOT / "docs" / document).read_text(encoding="utf-8"), last_only=True)
    named = [word for word in words if re.fullmatch(r"[A-Za-z_][\w./]*[\w]", word)]
    paths = {word for word in named if word.startswith(("tests/", "docs/"))}
    assert len(named) > 40
    missing = [
        word
        for word in named
        if not (
            is_there(word.removesuffix(".py"))
            if word not in paths
            else any((ROOT / f"{word}{end}").exists() for end in ("", ".py"))
        )
    ]
    folders = {path.relative_to(ROOT / "pbem").as_posix() for path in (ROOT / "pbem").rglob("*")}
    assert [word for word in missing if word not in folders] == []


def test_a_name_that_is_not_there_is_found_out() -> None:
    assert is_there("due.due") and is_there("games.GameAt.player") and is_there("post/inbox")
    assert not is_there("due.dew") and not is_there("hypertext")
    assert not is_there("games.GameAt.playr")


@pytest.mark.parametrize("way", ["letter", "period"])
def test_each_step_of_a_way_is_called_from_the_one_above(way: str) -> None:
    section = ARCHITECTURE.read_text(encoding="utf-8").partition(f"## The way of a {way}")[2]
    (block,) = [one for one in blocks(ARCHITECTURE) if one.text in section.partition("\n## ")[0]]
    above: list[tuple[int, str]] = []
    steps = 0
    for line in block.text.splitlines():
        found = STEP.match(line)
        assert found, line
        depth, module, function = len(found[1]), found[2], found[3]
        file = modules()[module]
        if function:
            names = defined(file)
            inside = set(names).union(*names.values())
            assert function in inside, line
        above = [one for one in above if one[0] < depth]
        if above and above[-1][1] != module:
            assert module in imported(modules()[above[-1][1]]), f"{above[-1][1]} -> {line.strip()}"
        above.append((depth, module))
        steps += 1
    assert steps > 8
