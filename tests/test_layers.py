"""The functional core stays pure: no clock, chance, database, mail or files, and nothing of the shell."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "pbem"
CORE = [
    "adjudication", "authentication", "automatic", "bounces", "bulletin", "codec", "dice", "errors", "house_rules",
    "hypertext", "joining", "journal", "lateness", "letter", "limits", "mailwords", "orders", "period", "pressed", "quickparse",
    "readiness", "refusal", "ruleset", "spelling", "splitter", "terminal", "treasury", "typeset", "verdict",
]  # fmt: skip
PACKAGES = ["games", "parliament", "reading"]
FORBIDDEN = {
    "time", "random", "secrets", "os", "pathlib", "socket", "subprocess", "smtplib", "sqlite3", "threading", "sqlalchemy",
    "alembic", "imapclient", "apscheduler", "structlog", "click", "rich",
}  # fmt: skip
FILES = [ROOT / f"{name}.py" for name in CORE] + [
    path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))
]


def imported(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_core_modules_are_pure(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = imported(tree)
    bad = {name for name in names if name.split(".")[0] in FORBIDDEN}
    assert not bad, f"{path.name} is core and imports {sorted(bad)}"
    ours = {
        name.split(".")[1]
        for name in names
        if name.startswith("pbem.") and (ROOT / f"{name.split('.')[1]}.py").exists()
    }
    shell = ours - set(CORE) - {"openpgp"}  # a library's verification, handed to the verdict as a function
    assert not shell, f"{path.name} is core and imports the shell: {sorted(shell)}"
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    impure = {
        name for name in calls if name in ("open", "print", "input") or name.endswith((".now", ".today", ".utcnow"))
    }
    assert not impure, f"{path.name} calls {sorted(impure)}"


def test_only_the_transports_touch_mail_libraries() -> None:
    users = {"imapclient": {"imap.py"}, "smtplib": {"smtp.py"}, "apscheduler": {"daemon.py"}}
    for path in ROOT.rglob("*.py"):
        roots = {name.split(".")[0] for name in imported(ast.parse(path.read_text(encoding="utf-8")))}
        for library, allowed in users.items():
            assert library not in roots or path.name in allowed, f"{path} imports {library}"
