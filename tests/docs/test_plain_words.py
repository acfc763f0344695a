"""Texts that people read are in plain English: none of the phrases of docs/style.md is in them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.documents import DOCUMENTS, ROOT

PHRASES = re.compile(
    r"\b(?:who(?:m)?ever|wherever|whither|upon|anew|whence|what is of|several in one|in vain"
    r"|(?:there|where|here)(?:of|upon|by|in|from|with)|first that holds)\b",
    re.IGNORECASE,
)
"""What docs/style.md asks not to write."""
_COMMENT = re.compile(r"\{#[^#]*#\}")


def _files() -> Iterator[tuple[Path, str]]:
    """Every text that people read, without what only developers do."""
    for path in sorted((ROOT / "templates").rglob("*.j2")):
        yield path, _COMMENT.sub("", path.read_text())
    for path in sorted((ROOT / "rules").glob("*.md")):
        yield path, path.read_text()
    for path in DOCUMENTS:
        if path.name != "style.md":
            yield path, path.read_text()
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        yield path, "\n".join(_strings(ast.parse(path.read_text())))


def _strings(tree: ast.Module) -> Iterator[str]:
    """Every string that is no docstring."""
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


@pytest.mark.parametrize("text", ["Whoever sends it", "acts upon letters", "several in one"])
def test_the_phrases_are_found(text: str) -> None:
    assert PHRASES.search(text)


def test_no_text_has_one_of_the_phrases() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text[max(0, one.start() - 40) : one.end() + 20]!r}"
        for path, text in _files()
        for one in PHRASES.finditer(text)
    ]
    assert not found, "\n".join(found)
