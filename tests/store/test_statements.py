"""Every statement is in the store: other rooms ask a table for its rows, and build none."""

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.sql.compiler import SQLCompiler

from tests.net import letters as letters_net

PBEM = Path(__file__).parents[2] / "pbem"
TYPES = {"Connection", "Engine"}
"""What another room may import of SQLAlchemy, besides its errors: what it hands on."""


def _of_statements(tree: ast.AST) -> set[str]:
    """What a module imports, anywhere, by which it builds statements."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("sqlalchemy")}
        elif isinstance(node, ast.ImportFrom):
            module, names = str(node.module), {alias.name for alias in node.names}
            if module == "sqlalchemy":
                found |= names - TYPES
            elif module.startswith("sqlalchemy.") and module != "sqlalchemy.exc":
                found.add(module)
    return found


def test_no_other_room_builds_statements() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted(PBEM.rglob("*.py")):
        room, *_ = path.relative_to(PBEM).parts
        if room != "store" and _of_statements(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(room, set()).add(path.stem)
    assert not found


@pytest.mark.slow
def test_a_statement_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over letters with every word. Twice is another form of it: without a lock, in another order."""
    made: Counter[str] = Counter()
    real = SQLCompiler.__init__

    def counted(self: SQLCompiler, *given: Any, **named: Any) -> None:
        real(self, *given, **named)
        made[self.string] += 1

    for _ in letters_net.observe("words-none"):
        monkeypatch.setattr(SQLCompiler, "__init__", counted)  # when the first game is open
    often = {text: n for text, n in made.items() if n > 2 and "SAVEPOINT" not in text}
    assert made and not often
