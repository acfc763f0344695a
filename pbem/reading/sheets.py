"""Which rules of a page's style sheets apply to an element.

A selector is first asked what can be asked of the element's own names and those around it, so that few are looked at
closely; see :mod:`pbem.reading.fitting` for what is sure and what is not.
"""

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

from pbem.limits import OverLimit
from pbem.reading.fitting import YES, Element, Fit, plainly
from pbem.reading.hiding import animations
from pbem.reading.selectors import Outer, Selector, selectors
from pbem.reading.styles import NONE, Style, of_declarations
from pbem.reading.values import flat

_CHARACTERS = 200_000
_RULES = 5_000
_WORK = 300_000
_DEEPEST = 10
_NOT_OF_ELEMENTS = {"font-face", "page", "counter-style", "charset", "namespace"}
_DARK = re.compile(r"(?:(?:only )?(?:screen|all) and )?\(\s*prefers-color-scheme\s*:\s*dark\s*\)")


@dataclass(frozen=True, slots=True)
class Rule:
    """A style for what a selector fits; ``subject`` and ``around`` are what of it can be asked at once."""

    selector: Selector
    subject: Outer
    around: tuple[Outer, ...]
    style: Style
    exact: bool
    simple: bool


_Indexed = TypeVar("_Indexed")
Parents = tuple[Selector, ...] | None
"""The selectors of the rule around a rule; None where there is none."""
Matched = list[tuple[Style, bool]]
"""Styles that may apply, each with whether it surely does."""


class Sheets:
    """All style sheets of a page, and which of their ancestors' parts are open where the walk stands."""

    def __init__(self, texts: Iterable[tuple[str, bool]]) -> None:
        """``texts``: each sheet and whether it surely applies."""
        self.defines = False
        self.fading: set[str] = set()
        """Names of keyframes of which a picture may hide."""
        self.rules: dict[str, list[Rule]] = {}
        self.outer: dict[str, list[Outer]] = {}
        self.open: Counter[Outer] = Counter()
        self.fit = Fit()
        self.capitals = False
        self.count = self.work = self.dark = 0
        characters = 0
        for text, surely in texts:
            characters += len(text)
            if characters > _CHARACTERS:
                raise OverLimit(f"too many characters of style sheets: over {_CHARACTERS}")
            self._take(tinycss2.parse_stylesheet(text), None, surely, 0)

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
                self._take(tinycss2.parse_stylesheet(_imported(node)), parents, False, depth + 1)
            elif node.type == "at-rule" and node.content and not self._is_elsewhere(node):
                inner = tinycss2.parse_blocks_contents(node.content)
                dark = node.lower_at_keyword == "media" and _for_the_dark_only(tinycss2.serialize(node.prelude))
                self.dark += dark
                self._take(inner, parents, False, depth + 1)
                if parents is not None:
                    self._declare(inner, parents, False)
                self.dark -= dark

    def _keyframes(self, node: Node) -> None:
        pictures = tinycss2.parse_blocks_contents(node.content or ())
        for one in pictures:
            inner = tinycss2.parse_blocks_contents(one.content) if one.type == "qualified-rule" else ()
            style = of_declarations(each for each in inner if each.type == "declaration")
            self.defines = self.defines or style.defines
            if style.may_hide:
                self.fading |= animations(node.prelude)

    @staticmethod
    def _is_elsewhere(node: Node) -> bool:
        keyword = node.lower_at_keyword
        return keyword in _NOT_OF_ELEMENTS or (keyword == "media" and for_paper_only(tinycss2.serialize(node.prelude)))

    def _rule(self, node: Node, parents: Parents, exact: bool, depth: int) -> None:
        inner = tinycss2.parse_blocks_contents(node.content)
        found = selectors(node.prelude, parents)
        self._declare(inner, found, exact)
        self._take([one for one in inner if one.type in ("qualified-rule", "at-rule")], found, exact, depth + 1)

    def _declare(self, inner: Sequence[Node], found: tuple[Selector, ...], exact: bool) -> None:
        style = of_declarations(one for one in inner if one.type == "declaration")
        self.defines = self.defines or style.defines
        if self.dark:  # all the colours of the page are others then
            style = replace(style, color=(), background=(), unsure=False)
        if style == NONE:
            return
        for one in found:
            around = tuple(outer for _, outer in one.outer)
            rule = Rule(one, one.subject.plain, around, style, exact, one.simple)
            self.count += 1
            if self.count > _RULES:
                raise OverLimit(f"too many style rules: over {_RULES}")
            for key in one.subject.keys:
                self.rules.setdefault(key, []).append(rule)
            for key, outer in one.outer:
                known = self.outer.setdefault(key, [])
                if outer not in known[-20:]:
                    known.append(outer)

    def enter(self, tag: str, attributes: Mapping[str, str], node: LexborNode) -> tuple[Matched, list[Outer]]:
        """The styles that may apply to an element, each with whether it surely does, and what :meth:`leave` is told."""
        element = Element.of(tag, attributes)
        self.capitals = self.capitals or element.names != element.folded
        found = []
        for rule in self._candidates(self.rules, element):
            if plainly(rule.subject, element) and all(self.open[one] for one in rule.around):
                fits = self._fits(rule, element, node)
                if fits:
                    found.append((rule.style, rule.exact and fits == YES))
        inside = [one for one in self._candidates(self.outer, element) if plainly(one, element)] if self.outer else []
        self.open.update(inside)
        return found, inside

    def _fits(self, rule: Rule, element: Element, node: LexborNode) -> int:
        """Whether a rule fits an element that may be its subject: what its names say, or what the page around says."""
        if rule.simple and not self.capitals:
            return YES
        return self.fit.selector(rule.selector, node)

    def leave(self, inside: list[Outer]) -> None:
        """The element is closed."""
        self.open.subtract(inside)

    def _candidates(self, index: Mapping[str, list[_Indexed]], element: Element) -> Iterator[_Indexed]:
        for name in (*element.folded, ""):
            for one in index.get(name, ()):
                self.work += 1
                if self.work > _WORK:
                    raise OverLimit("too many style rules for so many elements")
                yield one


def of_data(address: str) -> str:
    """The style sheet that an address (data:) itself holds; "" for any other, which mail programs do not fetch."""
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
    """The style sheet that an @import holds."""
    for one in flat(node.prelude):
        if one.type in ("url", "string") and (found := of_data(one.value)):
            return found
    return ""


def for_paper_only(query: str) -> bool:
    """Whether a media query is about print alone, so that it says nothing of the screen."""
    return all(one.strip().lower().removeprefix("only ").split(" ")[0] == "print" for one in query.split(","))


def _for_the_dark_only(query: str) -> bool:
    return all(_DARK.fullmatch(one.strip().lower()) for one in query.split(","))
