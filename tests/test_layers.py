"""The rooms of the house: what each may import, wherever the import stands; and the pure rooms are
pure by place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1] / "pbem"
ORDER = (
    ("errors", "text"),
    ("acts", "budget"),
    ("orders",),
    ("letters", "games"),
    ("bots", "pages"),
    ("house",),
    ("store",),
    ("post",),
    ("periods",),
    ("referee", "website"),
    ("daemon", "desk"),
    ("cli",),
)
"""The rooms, line by line: each may import those of the lines above its own."""
ROOMS = tuple(room for line in ORDER for room in line)
MAY_IMPORT = {
    room: {above for line in ORDER[:n] for above in line}
    for n, line in enumerate(ORDER)
    for room in line
}
PURE = ("errors", "text", "acts", "orders", "letters", "games", "bots", "pages")
OUTSIDE = {
    "time",
    "random",
    "secrets",
    "os",
    "pathlib",
    "socket",
    "subprocess",
    "smtplib",
    "sqlite3",
    "threading",
    "sqlalchemy",
    "alembic",
    "imapclient",
    "structlog",
    "click",
    "rich",
    "starlette",
    "uvicorn",
    "procrastinate",
    "asyncio",
}
DOORS = {"imapclient": "post", "smtplib": "post", "uvicorn": "desk", "procrastinate": "store"}
"""A library that touches the outside -> the room in which one module may import it."""

FILES = sorted(path for path in ROOT.rglob("*.py") if "_data" not in path.parts)
NAMES = tuple(path.relative_to(ROOT).as_posix() for path in FILES)
MODULES = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in NAMES}


@cache
def facts_of(name: str) -> tuple[frozenset[str], frozenset[str], str]:
    """What a file imports and calls, and its docstring. The trees are not kept: all together are
    110 MB."""
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(_imported(tree)), frozenset(calls), ast.get_docstring(tree) or ""


def imported(name: str) -> frozenset[str]:
    """Every name that is imported anywhere in a file, with the module it may be."""
    return facts_of(name)[0]


def _imported(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports name their package"
            found |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def ours(name: str) -> set[str]:
    """The modules of ours that a file imports, without the package's own name."""
    names = {one.removeprefix("pbem.") for one in imported(name) if one.startswith("pbem.")}
    return {one for one in names if one in MODULES}


def room(name: str) -> str:
    return name.replace("/", ".").partition(".")[0]


def test_the_table_is_of_every_room() -> None:
    there = {room(name) for name in NAMES} - {"__init__", "__main__"}
    assert there == set(ROOMS) == set(MAY_IMPORT)


def test_a_room_imports_what_it_may() -> None:
    wrong = [
        f"{name} imports {other}"
        for name in NAMES
        if room(name) in ROOMS
        for other in sorted(ours(name))
        if room(other) not in MAY_IMPORT[room(name)] | {room(name)}
    ]
    assert not wrong, "\n".join(wrong)


def test_pure_rooms_are_pure() -> None:
    wrong = []
    for name in (one for one in NAMES if room(one) in PURE):
        outside = {one for one in imported(name) if one.split(".")[0] in OUTSIDE}
        wrong += [f"{name} is in a pure room and imports {one}" for one in sorted(outside)]
        wrong += [
            f"{name} is in a pure room and calls {call}"
            for call in sorted(facts_of(name)[1])
            if call in ("open", "print", "input") or call.endswith((".now", ".today", ".utcnow"))
        ]
    assert not wrong, "\n".join(wrong)


def test_a_library_that_touches_the_outside_has_one_door() -> None:
    doors: dict[str, set[str]] = {library: set() for library in DOORS}
    for name in NAMES:
        for library in {one.split(".")[0] for one in imported(name)} & set(DOORS):
            doors[library].add(name)
    assert {library: [room(name) for name in names] for library, names in doors.items()} == {
        library: [where] for library, where in DOORS.items()
    }, doors


def _circles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """One circle through each module that is in one."""
    for start in graph:
        trail, seen = [(start, [start])], set()
        while trail:
            at, way = trail.pop()
            for other in graph[at]:
                if other == start:
                    yield way
                    trail = []
                    break
                if other not in seen:
                    seen.add(other)
                    trail.append((other, [*way, other]))


def test_there_is_no_circle() -> None:
    """Also none hidden in a function or behind TYPE_CHECKING: those are imports too."""
    graph = {
        name: {f"{other.replace('.', '/')}.py" for other in ours(name)} & set(NAMES) - {name}
        for name in NAMES
    }
    assert list(_circles(graph)) == []


def test_each_face_says_its_job_and_what_it_may_import() -> None:
    for name in (one for one in ROOMS if (ROOT / one).is_dir()):
        said = facts_of(f"{name}/__init__.py")[2]
        assert said.splitlines()[0].endswith("."), f"{name}: one sentence first"
        assert "ay import: " in " ".join(said.split()), f"{name} does not say what it may import"
        assert ("Pure." in said) == (name in PURE), name
