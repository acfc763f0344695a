"""Which style rules apply to an element. Names are checked before
:mod:`pbem.letters.reading.fitting`."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from urllib.parse import unquote_to_bytes

import tinycss2
from selectolax.lexbor import LexborNode
from tinycss2.ast import Node

from pbem.letters.limits import OverLimit
from pbem.letters.reading.fitting import YES, Element, Fit, holds, plainly
from pbem.letters.reading.hiding import animations
from pbem.letters.reading.selectors import Condition, Outer, Selector, selectors
from pbem.letters.reading.styles import NONE, Style, of_declarations
from pbem.letters.reading.values import flat

_CHARACTERS = 200_000
_PIECES = 30_000
_DEEPEST_BRACKETS = 100
_RULES = 5_000
_WORK = 100_000
_FEW = 20
_DEEPEST = 10
_NOT_OF_ELEMENTS = {"font-face", "page", "counter-style", "charset", "namespace"}
_DARK = re.compile(r"(?:(?:only )?(?:screen|all) and )?\(\s*prefers-color-scheme\s*:\s*dark\s*\)")
_PIECE = re.compile(r"[\w-]++|\s++|[^\w\s-]")
_BRACKET = re.compile(r"[][(){}]")


@dataclass(frozen=True, slots=True)
class Rule:
    """A style and what its selector fits."""

    selector: Selector
    subject: Outer
    around: tuple[Outer, ...]
    style: Style
    exact: bool
    simple: bool
    number: int


@dataclass(frozen=True, slots=True)
class _Fitting:
    groups: tuple[tuple[tuple[Outer, ...], Applied], ...]
    asked: tuple[Rule, ...]
    made: dict[tuple[bool, ...], Applied]


_Indexed = TypeVar("_Indexed")
Parents = tuple[Selector, ...] | None
Applied = tuple[tuple[Style, bool], ...]
"""Whether each surely applies."""


class Sheets:
    """Style sheets of a page, and open ancestors."""

    def __init__(self, texts: Iterable[tuple[str, bool]]) -> None:
        self.defines = False
        self.fading: set[str] = set()
        self.rules: dict[str, list[Rule]] = {}
        self.outer: dict[str, list[Outer]] = {}
        self.open: Counter[Outer] = Counter()
        self.fit = Fit()
        self.capitals = False
        self.count = self.work = self.dark = self.pieces = 0
        self.conditions: set[Condition] = set()
        self.known: dict[tuple[object, ...], tuple[_Fitting, list[Outer]]] = {}
        self.fitting: dict[tuple[tuple[int, bool | None], ...], _Fitting] = {}
        self.same: dict[Applied, Applied] = {}
        characters = 0
        for text, surely in texts:
            characters += len(text)
            if characters > _CHARACTERS:
                raise OverLimit(f"too many characters of style sheets: over {_CHARACTERS}")
            self.look_at(text)
            self._take(tinycss2.parse_stylesheet(text), None, surely, 0)

    def look_at(self, text: str) -> None:
        """Raise OverLimit if this style is too much."""
        self.pieces += len(_PIECE.findall(text))
        if self.pieces > _PIECES:
            raise OverLimit(f"too much style: over {_PIECES} words and signs")
        depth = 0
        for sign in _BRACKET.findall(text):
            depth = depth + 1 if sign in "[({" else max(0, depth - 1)
            if depth > _DEEPEST_BRACKETS:
                raise OverLimit(f"brackets within brackets in a style: over {_DEEPEST_BRACKETS}")

    def _take(self, nodes: Sequence[Node], parents: Parents, exact: bool, depth: int) -> None:
        if depth > _DEEPEST:
            raise OverLimit("style rules within style rules, deeper than is read")
        for node in nodes:
            if node.type == "qualified-rule":
                self._rule(node, parents, exact, depth)
            elif node.type == "at-rule" and node.lower_at_keyword == "property":
                self.defines = True
            elif node.type == "at-rule" and node.lower_at_keyword.endswith("keyframes"):
                self._keyframes(node)
            elif node.type == "at-rule" and node.lower_at_keyword == "import":
                self.look_at(imported := _imported(node))
                self._take(tinycss2.parse_stylesheet(imported), parents, False, depth + 1)
            elif node.type == "at-rule" and node.content and not self._is_elsewhere(node):
                inner = tinycss2.parse_blocks_contents(node.content)
                dark = node.lower_at_keyword == "media" and _for_the_dark_only(
                    tinycss2.serialize(node.prelude)
                )
                self.dark += dark
                self._take(inner, parents, False, depth + 1)
                if parents is not None:
                    self._declare(inner, parents, False)
                self.dark -= dark

    def _keyframes(self, node: Node) -> None:
        pictures = tinycss2.parse_blocks_contents(node.content or ())
        for one in pictures:
            inner = (
                tinycss2.parse_blocks_contents(one.content) if one.type == "qualified-rule" else ()
            )
            style = of_declarations(each for each in inner if each.type == "declaration")
            self.defines = self.defines or style.defines
            if style.may_hide:
                self.fading |= animations(node.prelude)

    @staticmethod
    def _is_elsewhere(node: Node) -> bool:
        keyword = node.lower_at_keyword
        return keyword in _NOT_OF_ELEMENTS or (
            keyword == "media" and for_paper_only(tinycss2.serialize(node.prelude))
        )

    def _rule(self, node: Node, parents: Parents, exact: bool, depth: int) -> None:
        inner = tinycss2.parse_blocks_contents(node.content)
        found = selectors(node.prelude, parents)
        self._declare(inner, found, exact)
        self._take(
            [one for one in inner if one.type in ("qualified-rule", "at-rule")],
            found,
            exact,
            depth + 1,
        )

    def _declare(self, inner: Sequence[Node], found: tuple[Selector, ...], exact: bool) -> None:
        style = of_declarations(one for one in inner if one.type == "declaration")
        self.defines = self.defines or style.defines
        if self.dark:  # all the colours of the page are others then
            style = replace(style, color=(), background=(), unsure=False)
        if style == NONE:
            return
        for one in found:
            self.count += 1
            if self.count > _RULES:
                raise OverLimit(f"too many style rules: over {_RULES}")
            around = tuple(outer for _, outer in one.outer)
            rule = Rule(one, one.subject.plain, around, style, exact, one.simple, self.count)
            self.conditions.update(*(conditions for _, conditions in (rule.subject, *around)))
            for key in one.subject.keys:
                self.rules.setdefault(key, []).append(rule)
            for key, outer in one.outer:
                known = self.outer.setdefault(key, [])
                if outer not in known[-20:]:
                    known.append(outer)

    def enter(
        self, tag: str, attributes: Mapping[str, str], node: LexborNode
    ) -> tuple[Applied, list[Outer]]:
        """Return the styles that may apply, and the value for :meth:`leave`."""
        few = (
            len(self.conditions) <= _FEW
        )  # else elements are alike only where they have the same attributes
        alike = (holds(one, attributes) for one in self.conditions) if few else attributes.items()
        key = (tag, attributes.get("class"), attributes.get("id"), *alike)
        if (known := self.known.get(key)) is None:
            known = self._fits(Element.of(tag, attributes))
            self.known[key] = known
        fitting, inside = known
        self._works(len(fitting.groups) + len(fitting.asked) + len(inside))
        open_now = tuple(all(self.open[one] for one in around) for around, _ in fitting.groups)
        asked = [
            (rule.style, rule.exact and fits == YES)
            for rule in fitting.asked
            if all(self.open[one] for one in rule.around)
            and (fits := self.fit.selector(rule.selector, node))
        ]
        self.open.update(inside)
        if (applied := fitting.made.get(open_now)) is None:
            groups = [
                styles
                for is_open, (_, styles) in zip(open_now, fitting.groups, strict=True)
                if is_open
            ]
            applied = fitting.made[open_now] = tuple(
                dict.fromkeys(one for styles in groups for one in styles)
            )
            self._works(2 * len(applied))
        if asked:
            applied = tuple(dict.fromkeys((*applied, *asked)))
            applied = self.same.setdefault(applied, applied)
            self._works(2 * len(applied))
        self._works(len(applied))
        return applied, inside

    def _fits(self, element: Element) -> tuple[_Fitting, list[Outer]]:
        if (
            element.names != element.folded and not self.capitals
        ):  # from here on capitals may matter: all are asked
            self.capitals = True
            self.known.clear()
            self.fitting.clear()
        rules = [
            rule for rule in self._candidates(self.rules, element) if plainly(rule.subject, element)
        ]
        numbers = tuple((rule.number, self._is_sure(rule, element)) for rule in rules)
        if (fitting := self.fitting.get(numbers)) is None:
            groups: dict[tuple[Outer, ...], list[tuple[Style, bool]]] = {}
            for rule, (_, sure) in zip(rules, numbers, strict=True):
                if sure is not None:
                    groups.setdefault(rule.around, []).append((rule.style, sure))
            asked = tuple(
                rule for rule, (_, sure) in zip(rules, numbers, strict=True) if sure is None
            )
            grouped = tuple((around, tuple(dict.fromkeys(one))) for around, one in groups.items())
            fitting = self.fitting[numbers] = _Fitting(grouped, asked, {})
            self._works(2 * len(rules))
        inside = (
            [one for one in self._candidates(self.outer, element) if plainly(one, element)]
            if self.outer
            else []
        )
        return fitting, inside

    def _is_sure(self, rule: Rule, element: Element) -> bool | None:
        """None: ask the page."""
        if rule.selector.alone:
            return rule.exact and rule.selector.subject.names <= element.names
        return rule.exact if rule.simple and not self.capitals else None

    def _works(self, steps: int) -> None:
        self.work += steps
        if self.work > _WORK:
            raise OverLimit("too many style rules for so many elements")

    def leave(self, inside: list[Outer]) -> None:
        self.open.subtract(inside)

    def _candidates(
        self, index: Mapping[str, list[_Indexed]], element: Element
    ) -> Iterator[_Indexed]:
        for name in (*element.folded, ""):
            for one in index.get(name, ()):
                self._works(1)
                yield one


def of_data(address: str) -> str:
    kind, comma, data = address.strip().partition(",")
    if not comma or not kind.lower().startswith("data:text/css"):
        return ""
    raw = unquote_to_bytes(data)
    if kind.lower().rstrip().endswith(";base64"):
        try:
            raw = base64.b64decode(raw)
        except ValueError:
            return ""
    return raw.decode("utf-8", "replace")


def _imported(node: Node) -> str:
    for one in flat(node.prelude):
        if one.type in ("url", "string") and (found := of_data(one.value)):
            return found
    return ""


def for_paper_only(query: str) -> bool:
    return all(
        one.strip().lower().removeprefix("only ").split(" ")[0] == "print"
        for one in query.split(",")
    )


def _for_the_dark_only(query: str) -> bool:
    return all(_DARK.fullmatch(one.strip().lower()) for one in query.split(","))
