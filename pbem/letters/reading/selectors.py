"""CSS selectors as values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tinycss2.ast import LiteralToken, Node
from tinycss2.nth import parse_nth

_NESTED = 5
_LONGEST = 12
_NOT_NOW = {
    "hover",
    "active",
    "focus",
    "focus-within",
    "focus-visible",
    "visited",
    "target",
    "before",
    "after",
    "selection",
    "placeholder",
    "marker",
    "backdrop",
}
_ANY_OF = {"is", "where", "matches", "any", "-webkit-any", "-moz-any"}
_COUNTED = {
    "first-child": ("nth-child", (0, 1)),
    "last-child": ("nth-last-child", (0, 1)),
    "first-of-type": ("nth-of-type", (0, 1)),
    "last-of-type": ("nth-last-of-type", (0, 1)),
}
_ONLY = {
    "only-child": ("first-child", "last-child"),
    "only-of-type": ("first-of-type", "last-of-type"),
}
_MOST_KEYS = 20
_PARENT = LiteralToken(0, 0, "&")
_NTH = ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type")

Condition = tuple[str, str, str]
"""Attribute, operator ("": exists) and value."""


@dataclass(frozen=True, slots=True)
class Test:
    """What a pseudo-class asks."""

    kind: str
    """"is" (a selector fits), "not", "has", or a place among sisters."""
    selectors: tuple[Selector, ...] = ()
    nth: tuple[int, int] = (0, 0)
    """The a and b of an+b."""


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be."""

    names: frozenset[str] = frozenset()
    """``p``, ``.a``, ``#b``."""
    conditions: tuple[Condition, ...] = ()
    tests: tuple[Test, ...] = ()
    exact: bool = True
    """Nothing else is in it."""
    keys: frozenset[str] = frozenset({""})
    """Names to look it up by; "" for any element."""

    @property
    def small(self) -> bool:
        """Whether small letters tell all."""
        return (
            not self.conditions
            and not self.tests
            and not any(name != name.lower() for name in self.names)
        )

    @property
    def plain(self) -> Outer:
        """What of it needs no page."""
        return frozenset(name.lower() for name in self.names), self.conditions


Outer = tuple[frozenset[str], tuple[Condition, ...]]
"""Names and conditions of a surrounding element."""


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds to the subject, each with its combinator."""

    parts: tuple[tuple[str, Compound], ...]

    @property
    def subject(self) -> Compound:
        """What the element itself must be."""
        return self.parts[-1][1]

    @property
    def outer(self) -> tuple[tuple[str, Outer], ...]:
        """What surrounds it, if only by " " and ">"."""
        found = []
        for at in range(len(self.parts) - 1, 0, -1):
            if self.parts[at][0] not in (" ", ">"):
                break
            one = self.parts[at - 1][1]
            if one.names or one.conditions:
                found.append((min(one.keys) if one.names else "", one.plain))
        return tuple(found)

    @property
    def alone(self) -> bool:
        """Whether only the element's own names count."""
        (_, subject), *others = self.parts[::-1]
        return not others and subject.exact and not subject.tests and not subject.conditions

    @property
    def simple(self) -> bool:
        """Whether :meth:`Compound.plain` tells all."""
        descends = len(self.parts) == 1 or (len(self.parts) == 2 and self.parts[1][0] == " ")
        return descends and self.exact and all(one.small for _, one in self.parts)

    @property
    def exact(self) -> bool:
        """Whether all of it is known."""
        return all(one.exact for _, one in self.parts)


def selectors(
    prelude: Sequence[Node], parents: tuple[Selector, ...] | None = None, depth: int = 0
) -> tuple[Selector, ...]:
    """Return a rule's selectors, without passing states (``:hover``). parents: those of the
    enclosing rule. depth: of functions."""
    found = []
    for tokens in _parts(prelude):
        pieces = list(_pieces(tokens))
        if parents is not None and not depth and not any(_is_parent(one) for one in tokens):
            pieces.insert(0, ("", [_PARENT]))
        compounds = [(sign or " ", _compound(part, parents or (), depth)) for sign, part in pieces]
        if compounds and all(one is not None for _, one in compounds):
            kept = tuple((sign, one) for sign, one in compounds[-_LONGEST:] if one is not None)
            if len(compounds) > _LONGEST:  # its end fits where the whole does
                first = kept[0][1]
                kept = ((" ", replace(first, exact=False)), *kept[1:])
            found.append(Selector(kept))
    return tuple(found)


def _is_parent(token: Node) -> bool:
    if token.type == "literal" and token.value == "&":
        return True
    return token.type == "function" and any(_is_parent(one) for one in token.arguments)


def _parts(tokens: Sequence[Node]) -> Iterator[list[Node]]:
    part: list[Node] = []
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            yield part
            part = []
        elif token.type != "comment":
            part.append(token)
    yield part


def _pieces(tokens: Sequence[Node]) -> Iterator[tuple[str, list[Node]]]:
    part: list[Node] = []
    sign = ""
    for token in tokens:
        combines = token.type == "literal" and token.value in (">", "+", "~", "||")
        if token.type != "whitespace" and not combines:
            part.append(token)
            continue
        if part:
            yield sign, part
            part, sign = [], " "
        if combines:
            sign = token.value if token.value != "||" else "~"
    if part:
        yield sign, part


def _compound(tokens: list[Node], parents: tuple[Selector, ...], depth: int) -> Compound | None:
    names: set[str] = set()
    conditions: list[Condition] = []
    tests: list[Test] = []
    exact = True
    before = ""
    for token in tokens:
        kind = token.type
        if kind == "hash":
            names.add(f"#{token.value}")
        elif kind == "ident" and before == ".":
            names.add(f".{token.value}")
        elif kind == "ident" and before in (":", "::"):
            if token.lower_value in _NOT_NOW or token.lower_value.startswith("-"):
                return None
            asked = _asked(token.lower_value) if before == ":" else None
            tests.extend(asked or ())
            exact = exact and asked is not None
        elif kind == "ident":
            names.add(token.lower_value)
        elif kind == "[] block":
            conditions.append(_condition(token.content))
        elif kind == "function" and before == ":":
            test = _function(token, parents, depth) if depth < _NESTED else None
            tests.extend([test] if test else ())
            exact = exact and test is not None
        elif _is_parent(token):
            tests.append(Test("is", parents))
        elif kind != "literal" or token.value not in (".", ":", "*"):
            exact = False
        before = (
            "::"
            if kind == "literal" and token.value == ":" == before
            else token.value
            if kind == "literal"
            else ""
        )
    return Compound(frozenset(names), tuple(conditions), tuple(tests), exact, _keys(names, tests))


def _keys(names: set[str], tests: list[Test]) -> frozenset[str]:
    if names:
        return frozenset(
            {min((name.lower() for name in sorted(names)), key=lambda name: "#.".find(name[0]) % 3)}
        )
    for one in tests:
        if one.kind == "is":
            found = frozenset[str]().union(*(selector.subject.keys for selector in one.selectors))
            return found if len(found) <= _MOST_KEYS else frozenset({""})
    return frozenset({""})


def _asked(name: str) -> list[Test] | None:
    if name in _ONLY:
        return [Test(*_nth(one)) for one in _ONLY[name]]
    if name in _COUNTED:
        return [Test(*_nth(name))]
    return [Test(name)] if name in ("root", "scope", "empty") else None


def _nth(name: str) -> tuple[str, tuple[Selector, ...], tuple[int, int]]:
    kind, nth = _COUNTED[name]
    return kind, (), nth


def _function(token: Node, parents: tuple[Selector, ...], depth: int) -> Test | None:
    name = token.lower_name
    if name in _NTH:
        nth = parse_nth(token.arguments)
        return Test(name, nth=nth) if nth else None
    if name in _ANY_OF or name in ("not", "has"):
        return Test(
            "is" if name in _ANY_OF else name, selectors(token.arguments, parents, depth + 1)
        )
    return None


def _condition(tokens: Sequence[Node]) -> Condition:
    given = [one for one in tokens if one.type not in ("whitespace", "comment")]
    name = given[0].lower_value if given and given[0].type == "ident" else ""
    if len(given) < 3 or given[1].type != "literal":
        return name, "" if len(given) == 1 else "?", ""
    return name, str(given[1].value), str(getattr(given[2], "value", ""))
