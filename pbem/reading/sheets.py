"""Which rules of a page's style sheets apply to an element.

A selector is read so that it never matches less than in a browser: what is not looked at here (neighbours, positions,
the order of ancestors) is taken for given, and the match is marked as inexact.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import tinycss2
from tinycss2.ast import Node

from pbem.limits import OverLimit
from pbem.reading.styles import NONE, Style, of_declarations

_CHARACTERS = 200_000
_PIECES = 30_000
_DEEPEST_BRACKETS = 100
_RULES = 5_000
_WORK = 100_000
_FEW = 20
_DEEPEST = 10
_NOT_OF_ELEMENTS = {"font-face", "page", "keyframes", "counter-style", "import", "charset", "namespace"}
_NOT_NOW = {
    "hover", "active", "focus", "focus-within", "focus-visible", "visited", "target", "before", "after", "selection",
    "placeholder", "marker", "backdrop",
}  # fmt: skip
_DARK = re.compile(r"(?:(?:only )?(?:screen|all) and )?\(\s*prefers-color-scheme\s*:\s*dark\s*\)")
_PIECE = re.compile(r"[\w-]++|\s++|[^\w\s-]")
_BRACKET = re.compile(r"[][(){}]")
_ANY_OF = {"is", "where", "matches", "any", "-webkit-any", "-moz-any"}

Condition = tuple[str, str, str]
"""An attribute, an operator ("" where it need only be there), and a value in small letters."""


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: all of its ``names`` (``p``, ``.a``, ``#b``), its attributes, one of ``options``."""

    names: frozenset[str] = frozenset()
    conditions: tuple[Condition, ...] = ()
    options: tuple[Compound, ...] = ()
    exact: bool = True
    folded: frozenset[str] = field(default=frozenset(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folded", frozenset(name.lower() for name in self.names))

    @property
    def every_condition(self) -> tuple[Condition, ...]:
        """Its conditions and those of its options."""
        return (*self.conditions, *(condition for one in self.options for condition in one.every_condition))

    @property
    def key(self) -> str:
        """The rarest name, under which it is looked up; "" for any element."""
        return min(self.folded, key=lambda name: "#.".find(name[0]) % 3, default="")

    def matches(self, element: Element) -> bool:
        """Whether it fits, capitals apart."""
        if not self.folded <= element.folded:
            return False
        if self.conditions and not all(_holds(one, element.attributes) for one in self.conditions):
            return False
        return not self.options or any(one.matches(element) for one in self.options)


@dataclass(frozen=True, slots=True)
class Element:
    """One element as selectors see it; ``folded`` are its names in small letters."""

    names: frozenset[str]
    folded: frozenset[str]
    attributes: Mapping[str, str]

    @classmethod
    def of(cls, tag: str, attributes: Mapping[str, str]) -> Element:
        """The element with this tag and these attributes."""
        names = {tag, *(f".{one}" for one in attributes.get("class", "").split())}
        if given := attributes.get("id"):
            names.add(f"#{given.strip()}")
        return cls(frozenset(names), frozenset(name.lower() for name in names), attributes)


@dataclass(frozen=True, slots=True)
class Rule:
    """A style for what fits ``subject`` within elements that fit ``around``."""

    subject: Compound
    around: tuple[Compound, ...]
    style: Style
    exact: bool
    number: int


Applied = tuple[tuple[Style, bool], ...]
"""Styles that apply to an element, each with whether it surely does; the same tuple wherever they are the same."""


@dataclass(frozen=True, slots=True)
class _Fitting:
    """What the rules come to whose subject an element fits: by what must be around it. ``made`` are the answers given."""

    groups: tuple[tuple[tuple[Compound, ...], Applied], ...]
    made: dict[tuple[bool, ...], Applied]


_Indexed = TypeVar("_Indexed")


class Sheets:
    """All style sheets of a page, and which of their ancestors' parts are open where the walk stands."""

    def __init__(self, texts: Iterable[tuple[str, bool]]) -> None:
        """``texts``: each sheet and whether it surely applies."""
        self.defines = False
        self.rules: dict[str, list[Rule]] = {}
        self.outer: dict[str, list[Compound]] = {}
        self.open: Counter[Compound] = Counter()
        self.count = self.work = self.dark = self.pieces = 0
        self.conditions: set[Condition] = set()
        self.known: dict[tuple[object, ...], tuple[_Fitting, list[Compound]]] = {}
        self.fitting: dict[tuple[tuple[int, bool], ...], _Fitting] = {}
        characters = 0
        for text, surely in texts:
            characters += len(text)
            if characters > _CHARACTERS:
                raise OverLimit(f"too many characters of style sheets: over {_CHARACTERS}")
            self.look_at(text)
            self._take(tinycss2.parse_stylesheet(text), (), surely, 0)

    def look_at(self, text: str) -> None:
        """Raises OverLimit where reading this style as well would be too much."""
        self.pieces += len(_PIECE.findall(text))
        if self.pieces > _PIECES:
            raise OverLimit(f"too much style: over {_PIECES} words and signs")
        depth = 0
        for sign in _BRACKET.findall(text):
            depth = depth + 1 if sign in "[({" else max(0, depth - 1)
            if depth > _DEEPEST_BRACKETS:
                raise OverLimit(f"brackets within brackets in a style: over {_DEEPEST_BRACKETS}")

    def _take(self, nodes: Sequence[Node], parents: tuple[Node, ...], exact: bool, depth: int) -> None:
        if depth > _DEEPEST:
            raise OverLimit("style rules within style rules, deeper than is read")
        for node in nodes:
            if node.type == "qualified-rule":
                self._rule(node, parents, exact and not parents, depth)
            elif node.type == "at-rule" and node.lower_at_keyword == "property":
                self.defines = True
            elif node.type == "at-rule" and node.content and not self._is_elsewhere(node):
                inner = tinycss2.parse_blocks_contents(node.content)
                dark = node.lower_at_keyword == "media" and _for_the_dark_only(tinycss2.serialize(node.prelude))
                self.dark += dark
                self._take(inner, parents, False, depth + 1)
                if parents:
                    self._declare(inner, parents, False)
                self.dark -= dark

    @staticmethod
    def _is_elsewhere(node: Node) -> bool:
        keyword = node.lower_at_keyword
        return (
            keyword in _NOT_OF_ELEMENTS
            or keyword.endswith("-keyframes")
            or (keyword == "media" and for_paper_only(tinycss2.serialize(node.prelude)))
        )

    def _rule(self, node: Node, parents: tuple[Node, ...], exact: bool, depth: int) -> None:
        inner = tinycss2.parse_blocks_contents(node.content)
        comma = (tinycss2.ast.LiteralToken(0, 0, ","),) if parents else ()
        preludes = (*parents, *comma, *node.prelude)
        self._declare(inner, preludes, exact)
        self._take([one for one in inner if one.type in ("qualified-rule", "at-rule")], preludes, False, depth + 1)

    def _declare(self, inner: Sequence[Node], prelude: Sequence[Node], exact: bool) -> None:
        style = of_declarations(one for one in inner if one.type == "declaration")
        self.defines = self.defines or style.defines
        if self.dark:  # all the colours of the page are others then
            style = replace(style, color=(), background=(), unsure=False)
        if style == NONE:
            return
        for subject, around, sure in selectors(prelude):
            self.count += 1
            if self.count > _RULES:
                raise OverLimit(f"too many style rules: over {_RULES}")
            rule = Rule(subject, around, style, sure and exact, self.count)
            self.rules.setdefault(subject.key, []).append(rule)
            self.conditions.update(*(one.every_condition for one in (subject, *around)))
            for one in around:
                known = self.outer.setdefault(one.key, [])
                if one not in known[-20:]:
                    known.append(one)

    def enter(self, tag: str, attributes: Mapping[str, str]) -> tuple[Applied, list[Compound]]:
        """The styles that apply to an element, and what :meth:`leave` is told."""
        few = len(self.conditions) <= _FEW  # else elements are alike only where they have the same attributes
        alike = (_holds(one, attributes) for one in self.conditions) if few else attributes.items()
        key = (tag, attributes.get("class"), attributes.get("id"), *alike)
        if (known := self.known.get(key)) is None:
            known = self.known[key] = self._fits(Element.of(tag, attributes))
        fitting, inside = known
        self._works(len(fitting.groups) + len(inside))
        open_now = tuple(all(self.open[one] for one in around) for around, _ in fitting.groups)
        self.open.update(inside)
        if (applied := fitting.made.get(open_now)) is None:
            groups = [styles for is_open, (_, styles) in zip(open_now, fitting.groups, strict=True) if is_open]
            applied = fitting.made[open_now] = tuple(dict.fromkeys(one for styles in groups for one in styles))
            self._works(2 * len(applied))
        self._works(len(applied))
        return applied, inside

    def _fits(self, element: Element) -> tuple[_Fitting, list[Compound]]:
        """The rules whose subject an element fits, and the parts of others' surroundings that it is."""
        rules = [rule for rule in self._candidates(self.rules, element) if rule.subject.matches(element)]
        sure = [rule.exact and rule.subject.names <= element.names for rule in rules]
        numbers = tuple((rule.number, surely) for rule, surely in zip(rules, sure, strict=True))
        if (fitting := self.fitting.get(numbers)) is None:
            groups: dict[tuple[Compound, ...], list[tuple[Style, bool]]] = {}
            for rule, surely in zip(rules, sure, strict=True):
                groups.setdefault(rule.around, []).append((rule.style, surely))
            fitting = _Fitting(tuple((around, tuple(dict.fromkeys(one))) for around, one in groups.items()), {})
            self.fitting[numbers] = fitting
            self._works(2 * len(rules))
        inside = [one for one in self._candidates(self.outer, element) if one.matches(element)] if self.outer else []
        return fitting, inside

    def _works(self, steps: int) -> None:
        self.work += steps
        if self.work > _WORK:
            raise OverLimit("too many style rules for so many elements")

    def leave(self, inside: list[Compound]) -> None:
        """The element is closed."""
        self.open.subtract(inside)

    def _candidates(self, index: Mapping[str, list[_Indexed]], element: Element) -> Iterator[_Indexed]:
        for name in (*element.folded, ""):
            for one in index.get(name, ()):
                self._works(1)
                yield one


def for_paper_only(query: str) -> bool:
    """Whether a media query is about print alone, so that it says nothing of the screen."""
    return all(one.strip().lower().removeprefix("only ").split(" ")[0] == "print" for one in query.split(","))


def _for_the_dark_only(query: str) -> bool:
    return all(_DARK.fullmatch(one.strip().lower()) for one in query.split(","))


def selectors(prelude: Sequence[Node]) -> Iterator[tuple[Compound, tuple[Compound, ...], bool]]:
    """Of each selector of a rule: what the element is, what is around it, and whether that is all it says."""
    for tokens in _parts(prelude, ","):
        compounds: list[Compound] = []
        exact = True
        for beside, part in _compounds(tokens):
            if beside and compounds:
                compounds.pop()
                exact = False
            if (compound := _compound(part)) is None:
                break
            compounds.append(compound)
        else:
            if compounds:
                *around, last = compounds
                yield last, tuple(around), exact and len(around) < 2 and all(one.exact for one in compounds)


def _parts(tokens: Sequence[Node], sign: str) -> Iterator[list[Node]]:
    part: list[Node] = []
    for token in tokens:
        if token.type == "literal" and token.value == sign:
            yield part
            part = []
        elif token.type != "comment":
            part.append(token)
    yield part


def _compounds(tokens: Sequence[Node]) -> Iterator[tuple[bool, list[Node]]]:
    """The parts between blanks and combinators, and whether each is a neighbour of the one before."""
    part: list[Node] = []
    beside = False
    for token in tokens:
        combines = token.type == "literal" and token.value in (">", "+", "~", "||")
        if token.type != "whitespace" and not combines:
            part.append(token)
            continue
        if part:
            yield beside, part
            part, beside = [], False
        beside = beside or (combines and token.value in ("+", "~"))
    if part:
        yield beside, part


def _compound(tokens: list[Node]) -> Compound | None:
    """One part of a selector; None where it is about nothing that is always there (``:hover``, ``::before``)."""
    names: set[str] = set()
    conditions: list[Condition] = []
    options: list[Compound] = []
    exact = True
    before = ""
    for token in tokens:
        kind = token.type
        if kind == "hash":
            names.add(f"#{token.value}")
        elif kind == "ident" and before == ".":
            names.add(f".{token.value}")
        elif kind == "ident" and before == ":":
            if token.lower_value in _NOT_NOW or token.lower_value.startswith("-"):
                return None
            if token.lower_value == "root":
                names.add("html")
            exact = False
        elif kind == "ident":
            names.add(token.lower_value)
        elif kind == "[] block":
            conditions.append(_condition(token.content))
            exact = False
        elif kind == "function":
            if token.lower_name in _ANY_OF and not options:
                options = [one for one, _, _ in selectors(token.arguments)] if _is_shallow(token) else []
            exact = False
        elif kind != "literal" or token.value not in ".:*":
            exact = False
        before = token.value if kind == "literal" else ""
    return Compound(frozenset(names), tuple(conditions), tuple(options), exact)


def _is_shallow(function: Node) -> bool:
    return all(one.type != "function" for one in function.arguments)


def _condition(tokens: Sequence[Node]) -> Condition:
    given = [one for one in tokens if one.type not in ("whitespace", "comment")]
    name = given[0].lower_value if given and given[0].type == "ident" else ""
    if len(given) < 3 or given[1].type != "literal":
        return name, "", ""
    return name, str(given[1].value), str(getattr(given[2], "value", "")).lower()


def _holds(condition: Condition, attributes: Mapping[str, str]) -> bool:
    name, operator, value = condition
    if name and name not in attributes:
        return False
    given = attributes.get(name, "").lower()
    match operator:
        case "=":
            return given == value
        case "~=":
            return value in given.split()
        case "|=":
            return given == value or given.startswith(f"{value}-")
        case "^=":
            return given.startswith(value)
        case "$=":
            return given.endswith(value)
        case "*=":
            return value in given
        case _:
            return True
