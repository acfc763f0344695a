"""The names of modules, and of what stands in them, as the documents may use them."""

import ast
from functools import cache
from pathlib import Path

from pbem.store.schema.tables import Game
from tests.docs.documents import ROOT


@cache
def modules() -> dict[str, Path]:
    """Each module of pbem by its path without pbem/ and .py."""
    home = ROOT / "pbem"
    return {
        path.relative_to(home).with_suffix("").as_posix(): path
        for path in home.rglob("*.py")
        if path.name != "__init__.py"
    }


@cache
def defined(path: Path) -> dict[str, frozenset[str]]:
    """What a module defines, and the members of each of its classes. A name that it imports from
    another module of ours counts as its own, without members."""
    found: dict[str, frozenset[str]] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = frozenset()
        elif isinstance(node, ast.ClassDef):
            found[node.name] = frozenset(_members(node))
        elif isinstance(node, ast.Assign):
            found |= {one.id: frozenset() for one in node.targets if isinstance(one, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = frozenset()
    return found


def _members(node: ast.ClassDef) -> set[str]:
    """Methods, fields, and attributes that a method sets on self."""
    found = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    found |= {
        one.target.id
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }
    return found | {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and isinstance(one.ctx, ast.Store)
        and isinstance(one.value, ast.Name)
        and one.value.id == "self"
    }


@cache
def tables() -> dict[str, frozenset[str]]:
    """The columns of each table of the database."""
    return {name: frozenset(table.columns.keys()) for name, table in Game.metadata.tables.items()}


def is_there(name: str) -> bool:
    """Whether a name (``due``, ``due.due``, ``store/games/games``, ``games.GameAt.player``,
    ``letter.effect``) is that of a module, of what stands in one, or of a table or column."""
    words = name.replace("/", ".").split(".")
    if len(words) <= 2 and words[0] in tables() and tables()[words[0]].issuperset(words[1:]):
        return True
    for path, file in modules().items():
        if words[0] in defined(file) and words[0][0].isupper() and _has(file, words):
            return True
        parts = path.split("/")
        for length in range(min(len(words), len(parts)), 0, -1):
            if parts[-length:] == words[:length] and _has(file, words[length:]):
                return True
    return False


def _has(file: Path, words: list[str]) -> bool:
    if not words:
        return True
    names = defined(file)
    if words[0] in names:
        return len(words) == 1 or words[1] in names[words[0]]
    return len(words) == 1 and any(words[0] in members for members in names.values())


def imported(path: Path) -> frozenset[str]:
    """The modules that a module imports, by their paths; of a package, all that stands in it."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pbem"):
            base = (node.module or "").split(".")[1:]
            found.add("/".join(base))
            found |= {"/".join([*base, one.name]) for one in node.names}
    return frozenset(found)
