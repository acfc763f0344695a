"""The program only shrinks: it has no more lines and modules than ``budget.toml`` says."""

import ast
import io
import tokenize
import tomllib
from pathlib import Path

import pbem

ROWS = tomllib.loads((Path(__file__).parent / "budget.toml").read_text(encoding="utf-8"))["row"]
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
_NO_CODE = (
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    tokenize.ENDMARKER,
)


def code_lines(source: str) -> int:
    """Count the lines of code and signatures: without blank lines, comments, docstrings, imports."""
    left: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        gone: list[ast.stmt] = [node] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None:
            gone = node.body[:1]
        for one in gone:
            left.update(range(one.lineno, (one.end_lineno or one.lineno) + 1))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    used = {
        line
        for token in tokens
        if token.type not in _NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(used - left)


def test_the_program_does_not_grow() -> None:
    sources = [file.read_text("utf-8") for file in Path(pbem.__file__).parent.rglob("*.py")]
    seen = {
        "code": sum(map(code_lines, sources)),
        "lines": sum(len(source.splitlines()) for source in sources),
        "modules": len(sources),
    }
    assert not {what: n for what, n in seen.items() if n > ROWS[-1][what]}, (seen, ROWS[-1])
