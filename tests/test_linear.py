"""Every expression that meets text from outside takes time in proportion to the text, whatever the
text is.

All expressions of the package are constants of their modules, so that a walk finds them; those of
the grammars are found in the built parsers. Each is tried with growing hostile repetitions made of
its own parts (:mod:`tests.hostile`) by a matcher that counts its steps (:mod:`tests.backtracking`),
in the way it is used: what looks anywhere in a text, or for every place in it, is tried so.
Exponential, quadratic, and a bound so wide that it comes to the same, all fail.
"""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import pbem
from pbem.house import shelf
from pbem.orders import mailwords
from tests.backtracking import Matcher, TooMany
from tests.hostile import Automaton, Hostile

ROOT = Path(pbem.__file__).parent
USES = {
    "fullmatch": "fullmatch",
    "match": "match",
    "search": "search",
    "split": "every",
    "sub": "every",
    "subn": "every",
    "findall": "every",
    "finditer": "every",
    "scanner": "match",
}
"""The methods of an expression, and how far each looks."""
_CALL = re.compile(r"\bre\.\w+\(")
ELSEWHERE = {"table.py", "phrases.py"}
"""Where expressions are made of data: the terminals of a grammar, which are tried below, and phrases
of the door, which have no loop without an end."""
_ENGINES = {"regex", "re2", "sre_compile", "fnmatch", "glob"}

_STEPS = 90
"""So many steps a character of a text costs at most."""
_LONG = 1_200
"""In a text of so many characters the steps must have stopped growing faster than the text."""


@dataclass(frozen=True)
class Module:
    """A module of the package: its name, its file, and what stands in it."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def tree(self) -> ast.Module:
        """What stands in it, read anew each time: all trees together are 110 MB."""
        return ast.parse(self.text)

    @property
    def makes_any(self) -> bool:
        """Whether it calls anything of the engine."""
        return bool(_CALL.search(self.text))


@cache
def modules() -> list[Module]:
    """The package's modules."""
    return list(_modules())


def _modules() -> Iterator[Module]:
    for found in pkgutil.walk_packages(pbem.__path__, "pbem."):
        spec = found.module_finder.find_spec(found.name, None)  # type: ignore[call-arg]
        assert spec and spec.origin
        yield Module(found.name, Path(spec.origin))


def test_expressions_are_constants_of_their_modules() -> None:
    wrong = []
    for one in modules():
        name, path, tree = one.name, one.path, one.tree
        top = {
            id(call)
            for node in tree.body
            if isinstance(node, ast.Assign)
            for call in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in ("re", *_ENGINES):
                wrong.append(f"{name}:{node.lineno} imports from {node.module}")
            elif isinstance(node, ast.Import) and not _ENGINES.isdisjoint(
                alias.name for alias in node.names
            ):
                wrong.append(f"{name}:{node.lineno} imports another engine")
            elif path.name in ELSEWHERE or not _calls_re(node):
                continue
            elif not ast.unparse(node).startswith("re.compile(") or id(node) not in top:
                wrong.append(f"{name}:{node.lineno} {ast.unparse(node)[:80]}")
    assert not wrong


def _calls_re(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    left = node.func
    while isinstance(left, ast.Attribute | ast.Call):
        left = left.value if isinstance(left, ast.Attribute) else left.func
    return isinstance(left, ast.Name) and left.id == "re"


def _patterns(value: object, name: str, depth: int = 3) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The expressions in a value, with their names: its own, or that with a key or an attribute."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for at, one in enumerate(value):
            yield from _patterns(one, f"{name}[{at}]", depth - 1)
    elif depth and isinstance(value, dict):
        for key, one in value.items():
            yield from _patterns(one, f"{name}[{key!r}]", depth - 1)
    elif depth and isinstance(value, type) and value.__module__.startswith("pbem"):
        for key, one in vars(value).items():
            yield from _patterns(one, f"{name}.{key}", depth - 1)


@cache
def uses() -> dict[str, set[str]]:
    """How each expression is used: by "module.NAME", or "NAME" where another module uses it."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in modules():
        name = module.name
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and node.attr in USES:
                if isinstance(node.value, ast.Name):
                    found[f"{name}.{node.value.id}"].add(USES[node.attr])
                    found[node.value.id].add(USES[node.attr])
                elif isinstance(node.value, ast.Attribute):
                    found[node.value.attr].add(USES[node.attr])
    return found


def _expressions(module: Module) -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """All expressions of a module with a name and a use; one whose use does not show is tried as
    for all."""
    for key, value in vars(importlib.import_module(module.name)).items():
        for called, pattern in _patterns(value, key):
            public = uses()[called] if not called.startswith("_") else set()
            its = uses()[f"{module.name}.{called}"]
            for use in sorted(its | public or {"fullmatch", "every"}):
                yield f"{module.name}.{called}", pattern, use


def _terminals(key: str) -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """The terminals of a grammar, each alone and all together as the short way cuts them."""
    lark = shelf.open_ruleset(key).language.lark
    for one in lark.terminals:
        yield f"{key}.{one.name}", re.compile(one.pattern.to_regexp()), "match"
    together = "|".join(one.pattern.to_regexp() for one in lark.terminals)
    yield f"{key} together", re.compile(f" *(?:{together})"), "match"


def _faults(found: Iterable[tuple[str, re.Pattern[Any], str]]) -> list[str]:
    """Those that are not linear, each tried once."""
    once = {
        (pattern.pattern, pattern.flags, use): (name, pattern, use) for name, pattern, use in found
    }
    tried = ((name, hostile_to(pattern, use)) for name, pattern, use in once.values())
    return [f"{name}: {fault}" for name, fault in tried if fault]


@cache
def hostile_to(pattern: re.Pattern[Any], use: str) -> str:
    """The first text that costs more than in proportion to its length, as words for whoever mends
    it; "" for none."""
    matcher = Matcher(pattern)
    for one in Automaton(pattern, use in ("search", "every")).texts():
        if steps := _growth(matcher, one, use):
            return f"{one} in {use} takes {steps} steps: {pattern.pattern!r}"
    return ""


def _growth(matcher: Matcher, hostile: Hostile, use: str) -> str:
    """The steps for once, twice and three times as many repetitions, where the third part costs
    more than the second however long they are; else ""."""
    count = 2 * max(1, 24 // len(hostile.again))
    while True:
        texts, steps = [hostile.text(times * count) for times in (1, 2, 3)], []
        for text in texts:
            try:
                steps.append(matcher.cost(text, use, _STEPS * (50 + len(text))))
            except TooMany:
                return f"over {_STEPS} a character of {len(text)}"
        if steps[2] - steps[1] <= 1.25 * (steps[1] - steps[0]) + 30:
            return ""
        if len(texts[2]) > 3 * _LONG:
            return f"{steps} for {[len(text) for text in texts]} characters"
        count *= 2


def test_every_expression_is_linear() -> None:
    walked = (one for one in modules() if one.makes_any)
    faults = _faults(chain.from_iterable(map(_expressions, walked)))
    assert not faults, "\n".join(faults)


def test_every_terminal_is_linear(key: str) -> None:
    assert _faults(_terminals(key)) == []


def test_the_walk_finds_what_is_there() -> None:
    walked = [one for one in modules() if one.makes_any]
    found = {name for one in walked for name, _, _ in _expressions(one)}
    assert len(found) > 200
    for one in modules():
        made = sum(_calls_re(node) for node in ast.walk(one.tree))
        of_it = sum(name.startswith(f"{one.name}.") for name in found)
        assert one.path.name in ELSEWHERE or made <= of_it, one.name


FAULTY = [
    ("(?:a+)+b", "match"), ("(?:a|a)*b", "match"), ("(?:a|ab|b)*c", "fullmatch"), ("a*a*b", "match"), ("a+b", "search"),
    ("(?>a+)b", "search"), ("a++b", "every"), (r"[ \t]+\(x\)\Z", "every"), ("(?=(?:a|a)*b)a", "match"), ("a.*b", "search"),
    (r"(?:x+x+)+y", "match"), (r"(?:.*,)*x", "match"), (r"\s*\S*\s*\S*\s*:", "match"), ("(?i:A*a*)b", "match"),
    # the opening of a press as it was: "and" parted two seats and could be one
    (r"PRESS +TO +(?:[A-Za-z0-9]{1,20}(?:(?: *, *| +and +| +(?!ANON))[A-Za-z0-9]{1,20}){0,40})(?:[ ,]+ANON)?:?", "fullmatch"),
    (r"<(?:[^<>]{0,200}\s)?[^<>]{1,200}@", "search"),
]  # fmt: skip
SOUND = [
    ("a+b", "match"),
    ("(?:ab)*c", "fullmatch"),
    ("(?:a|b)*c", "fullmatch"),
    ("(?:ab?)*+c", "match"),
    ("a{1,64}@", "search"),
    ("(?<!a)a++b", "every"),
    ('(?:"[^"]*"?|[^;"])+', "every"),
    (r"(?>(?:a|a)*)", "every"),
    ("<[a-z][^>]*+", "every"),
]


@pytest.mark.parametrize(("source", "use"), FAULTY)
def test_what_is_not_linear_is_found(source: str, use: str) -> None:
    assert hostile_to(re.compile(source, re.IGNORECASE), use)


@pytest.mark.parametrize(("source", "use"), SOUND)
def test_what_is_linear_passes(source: str, use: str) -> None:
    assert not hostile_to(re.compile(source), use)


@pytest.mark.parametrize(
    "source", ["a(b|c)*?d", "(?:ab){2,3}+x", r"(?<=ab)c\b", "(?i)É[^x-z]", r"^x$", r"a(?!b|c)\w"]
)
def test_the_matcher_finds_what_python_finds(source: str) -> None:
    pattern, ends = re.compile(source), []
    for text in ("abcbd", "ababab x", "abc", "éa", "x\n", "ab ac ad", "ababx", "axé"):
        matcher = Matcher(pattern)
        matcher.cost(text, "search", 10_000)
        ends.append([matcher._at(at) for at in range(len(text))])
        assert ends[-1] == [
            found.end() if (found := pattern.match(text, at)) else None for at in range(len(text))
        ], text
    assert any(any(one is not None for one in found) for found in ends)


def test_a_press_to_many_costs_its_length() -> None:
    """The letter that stopped a referee: 299 bytes."""
    assert not mailwords.peel("PRESS TO A" + " and A" * 30 + " ?").press
    assert mailwords.peel("PRESS TO A" + " and A" * 30 + "\nx\nEND PRESS").press[0].to == ("A",)


@pytest.mark.parametrize(
    ("line", "to", "anonymous"),
    [
        ("PRESS TO S", ("S",), False),
        ("PRESS TO S and R", ("S", "R"), False),
        ("press to s, r:", ("S", "R"), False),
        ("PRESS  TO  S R.", ("S", "R"), False),
        ("PRESS TO S, R and L:", ("S", "R", "L"), False),
        ("PRESS TO S, and R", ("S", "R"), False),
        ("PRESS TO ALL ANONYMOUS", ("ALL",), True),
        ("PRESS TO S, R, ANONYMOUSLY:", ("S", "R"), True),
        ("PRESS TO S AND S", ("S",), False),
        ("PRESS TO S ANONYMOUS R", ("S", "ANONYMOUS", "R"), False),
        ("PRESS TO S and", ("S", "AND"), False),
        ("PRESS TO", None, False),
        ("PRESS TO S?", None, False),
        ("PRESS TO " + "S" * 21, None, False),
    ],
)
def test_whom_a_press_is_to(line: str, to: tuple[str, ...] | None, anonymous: bool) -> None:
    found = mailwords.peel(f"{line}\nWords.\nEND PRESS").press
    assert [(one.to, one.anonymous) for one in found] == ([(to, anonymous)] if to else [])
