"""Change the program a little in many places, and see which changes no test of the net finds.

``python -m tests.net.mutants [NUMBER]`` tries so many mutants, a quarter of them in each of four rooms,
and writes into ``mutants.tsv`` whether each dies or lives. It ends with 1 if one lives that died before.
A mutant is known by its file, its function and what is changed there, and has its place in the sample
by that: before and after a rewrite the samples have most of their mutants in common.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from tests.net.faults import GREEN, ROOT, Copy, in_copies

FILE = Path(__file__).with_name("mutants.tsv")
NUMBER = 300
ROOMS = {
    "rules": ("pbem/games/*/steps/*.py", "pbem/games/*/check.py", "pbem/games/*/views.py"),
    "deciding": (
        "pbem/referee/deciding/*.py",
        "pbem/periods/due.py",
        "pbem/periods/closing.py",
        "pbem/periods/adjudicating.py",
    ),
    "trust": ("pbem/letters/*.py", "pbem/acts/act.py", "pbem/post/codes.py"),
    "reading": ("pbem/letters/reading/*.py", "pbem/orders/*.py", "pbem/orders/door/*.py"),
}
_SEED = "300 mutants"
_READING = ("verdict", "quoting", "attacks", "markup", "text", "mailwords", "asking")
_LETTERS = (*(f"tests/letter/test_{one}.py" for one in _READING), "tests/net/test_letters.py")
_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In},
    **{ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult},
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one expression."""

    room: str
    file: str
    name: str
    start: int
    """In bytes, as ``end``."""
    end: int
    new: str

    def within(self, source: bytes) -> str:
        return b"".join((source[: self.start], self.new.encode(), source[self.end :])).decode()

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests that should find it, as arguments of pytest."""
        if self.room != "rules":
            return ("-k", "not stale", *_LETTERS)
        key = self.file.split("/")[2].replace("_", "-")
        wanted = f"(test_case and {key}:) or games-{key}"
        return ("-k", wanted, "tests/contract/test_contract.py", "tests/net/test_games.py")


@cache
def mutants(room: str) -> tuple[Mutant, ...]:
    files = [path for pattern in ROOMS[room] for path in sorted(ROOT.glob(pattern))]
    return tuple(one for path in files for one in _of_file(room, path.relative_to(ROOT).as_posix()))


def _of_file(room: str, file: str) -> Iterator[Mutant]:
    source, seen = (ROOT / file).read_bytes(), Counter[str]()
    begins = [0]
    for line in source.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    for where, node in _nodes(ast.parse(source), ""):
        for changed in _changed(node):
            assert node.end_lineno is not None and node.end_col_offset is not None
            start = begins[node.lineno - 1] + node.col_offset
            end = begins[node.end_lineno - 1] + node.end_col_offset
            new = ast.unparse(changed)
            name = f"{file} {where}: {ast.unparse(node)} -> {new}"
            seen[name] += 1
            name += f" #{seen[name]}" if seen[name] > 1 else ""
            yield Mutant(room, file, name, start, end, f"({new})")


def _nodes(parent: ast.AST, where: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield expressions with their function, without those in f-strings: Python 3.11 does not know
    where they stand."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.expr):
            yield where, node
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        yield from _nodes(node, f"{where}.{node.name}".strip(".") if named else where)


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in _OTHER:
            yield ast.Compare(node.left, [_OTHER[type(op)]()], node.comparators)
        case ast.BoolOp():
            yield ast.BoolOp(_OTHER[type(node.op)](), node.values)
        case ast.BinOp() if type(node.op) in _OTHER:
            yield ast.BinOp(node.left, _OTHER[type(node.op)](), node.right)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)


def sample(number: int) -> list[Mutant]:
    """Return the same mutants each time, as many of each room."""

    def place(one: Mutant) -> str:
        return sha256(f"{_SEED}/{one.name}".encode()).hexdigest()

    share = number // len(ROOMS)
    return [one for room in ROOMS for one in sorted(mutants(room), key=place)[:share]]


def lives(copy: Copy, one: Mutant) -> tuple[Mutant, bool]:
    with copy.changed(one.file, one.within((copy.folder / one.file).read_bytes())):
        code, _ = copy.test(*one.tests)
    return one, code == GREEN


def main(number: str = str(NUMBER)) -> int:
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    before = dict(reversed(line.split("\t", 1)) for line in lines)
    now, worse = dict[str, str](), 0
    for one, alive in in_copies(lives, sample(int(number))):
        now[one.name] = "lives" if alive else "dies"
        worse += alive and before.get(one.name) == "dies"
        print(f"{now[one.name]}\t{one.name}", flush=True)
    there = {one.name for room in ROOMS for one in mutants(room)}
    found = {**{name: fate for name, fate in before.items() if name in there}, **now}
    FILE.write_text("".join(f"{fate}\t{name}\n" for name, fate in sorted(found.items())), "utf-8")
    left = list(now.values()).count("lives")
    print(f"{len(now)} mutants, {left} live, {worse} of them died before")
    return int(worse > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
