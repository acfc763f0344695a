"""Which kinds of events the adjudications of a game tell, and with which fields, read from its
source: a rare one is found too."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
ADJUDICATING = ("setup.py", "rules.py", "counting.py", "steps.py", "steps/*.py")
"""The modules of a game whose events are on record; others tell receipts and answers."""


@dataclass
class Told:
    """The fields of a kind of event. ``more``: some are given as ``**fields``, and not known."""

    fields: set[str] = field(default_factory=set)
    more: bool = False


@cache
def told(package: str) -> dict[str, Told]:
    """The kinds of events that a game's adjudications tell."""
    found: dict[str, Told] = {}
    for call in _calls(ROOT / package.replace(".", "/")):
        names = {keyword.arg for keyword in call.keywords}
        for kind in _kinds(call.args[0]):
            one = found.setdefault(kind, Told())
            one.fields |= {name for name in names if name}
            one.more |= None in names
    return found


def _calls(folder: Path) -> Iterator[ast.Call]:
    """Each ``minutes.public(...)`` and ``minutes.private(...)``, and each event that is told at once."""
    for pattern in ADJUDICATING:
        for file in sorted(folder.glob(pattern)):
            for node in ast.walk(ast.parse(file.read_text())):
                match node:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id="views"))):
                        continue
                    case ast.Call(func=ast.Attribute(attr="public" | "private"), args=[_, _, *_]):
                        yield node
                    case ast.Call(func=ast.Name(id="Event"), args=[_, _, *_]):
                        yield node


def _kinds(named: ast.expr) -> Iterator[str]:
    match named:
        case ast.Constant(value=str(kind)):
            yield kind
        case ast.IfExp(body=body, orelse=orelse):
            yield from _kinds(body)
            yield from _kinds(orelse)
        case _:
            raise AssertionError(f"an event's kind is not told in words: {ast.unparse(named)}")
