"""What holds for the test files themselves, and for the benches beside them."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.order import LONG, TESTS

ROOT = Path(__file__).parents[1]
FILES = [
    path
    for folder in ("tests", "bench", "docs/seventh-game/tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


def touches_sys_path(source: str) -> bool:
    """Whether a module reads or changes where Python looks for modules."""
    for node in ast.walk(ast.parse(source)) if "path" in source and "sys" in source else ():
        match node:
            case ast.Attribute(value=ast.Name(id="sys"), attr="path"):
                return True
            case ast.ImportFrom(module="sys", names=names) if any(n.name == "path" for n in names):
                return True
            case ast.Attribute(attr="syspath_prepend"):
                return True
    return False


def test_no_file_touches_sys_path() -> None:
    """Everything is imported by its name from the root: `from tests.installation import ...`."""
    assert len(FILES) > 100
    assert [str(path) for path in FILES if touches_sys_path(path.read_text())] == []


def test_the_long_files_are_there() -> None:
    assert [name for name in LONG if not (TESTS / name).exists()] == []
    assert len(set(LONG)) == len(LONG)


def test_no_file_pads_a_day() -> None:
    """A mail says "1 December": a test that writes "01 December" fails nine days in the month."""
    padded = "%d " + "%B"
    assert [str(path) for path in FILES if padded in path.read_text()] == []


# --- each test asserts ----------------------------------------------------------------------------

Module = tuple[dict[str, ast.FunctionDef], dict[str, str]]


@cache
def modules() -> dict[str, Module]:
    """Each module of tests: its functions, and what its names mean, as "tests.bots.bot_game"."""
    found: dict[str, Module] = {}
    for path in FILES:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        functions, names = dict[str, ast.FunctionDef](), dict[str, str]()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                functions[node.name], names[node.name] = node, f"{name}.{node.name}"
            elif isinstance(node, ast.ImportFrom):
                names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        found[name] = functions, names
    return found


def _expects(node: ast.AST, module: str) -> bool:
    """Whether it is an assertion, or calls what raises if something is not so."""
    if isinstance(node, ast.Assert):
        return True
    if not isinstance(node, ast.Call):
        return False
    first, dot, rest = ast.unparse(node.func).partition(".")
    called = f"{modules()[module][1].get(first, first)}{dot}{rest}"
    return called in ("pytest.raises", "playwright.sync_api.expect") or always(called)


_ALWAYS: dict[str, bool] = {}


def always(helper: str) -> bool:
    """Whether a helper asserts something each time it is called."""
    if helper not in _ALWAYS:
        _ALWAYS[helper] = False  # if it calls itself, it must assert besides
        module, _, name = helper.rpartition(".")
        function = modules().get(module, ({}, {}))[0].get(name)
        _ALWAYS[helper] = function is not None and _always(function.body, module)
    return _ALWAYS[helper]


def _always(body: Iterable[ast.stmt], module: str) -> bool:
    return any(_statement(one, module) for one in body)


def _statement(node: ast.stmt, module: str) -> bool:
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return False
        case ast.If(body=body, orelse=orelse):
            return _always(body, module) and _always(orelse, module)
        case ast.For(body=body) | ast.While(body=body) | ast.Try(body=body):
            return _always(body, module)
        case ast.With(body=body, items=items) if _always(body, module):
            return True
        case ast.With(items=items):
            return any(_expects(one, module) for item in items for one in ast.walk(item))
    return any(_expects(one, module) for one in ast.walk(node))


def silent(module: str) -> Iterator[str]:
    """The tests of a module that assert nothing."""
    for name, node in modules()[module][0].items():
        if name.startswith("test_") and not any(_expects(one, module) for one in ast.walk(node)):
            yield f"{module}, line {node.lineno}: {name}"


def test_every_test_asserts_something() -> None:
    """By itself, or by a helper that always does."""
    files = (one for one in modules() if one.rpartition(".")[2].startswith("test_"))
    found = [test for module in files for test in silent(module)]
    assert not found, "\n".join(found)
