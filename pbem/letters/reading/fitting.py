"""Does a selector fit an element? YES, NO, or MAYBE if unknown, too much work, or browsers
disagree. A hiding rule is ignored only if no browser would apply it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from pbem.letters.reading.selectors import Compound, Condition, Outer, Selector, Test

NO, MAYBE, YES = 0, 1, 2
_WORK = 50_000


@dataclass(frozen=True, slots=True)
class Element:
    """An element as selectors see it."""

    names: frozenset[str]
    folded: frozenset[str]
    """Its names in small letters."""
    attributes: Mapping[str, str]

    @classmethod
    def of(cls, tag: str, attributes: Mapping[str, str]) -> Element:
        names = {tag, *(f".{one}" for one in attributes.get("class", "").split())}
        if given := attributes.get("id"):
            names.add(f"#{given.strip()}")
        return cls(frozenset(names), frozenset(name.lower() for name in names), attributes)


def plainly(outer: Outer, element: Element) -> bool:
    """Return whether an element may be this, capitals apart."""
    return outer[0] <= element.folded and all(holds(one, element.attributes) for one in outer[1])


def holds(condition: Condition, attributes: Mapping[str, str]) -> int:
    name, operator, value = condition
    if not name:
        return MAYBE
    if name not in attributes:
        return NO
    if operator in ("", "?"):
        return MAYBE if operator else YES
    given = attributes[name]
    return (
        YES
        if _compared(operator, given, value)
        else MAYBE * _compared(operator, given.lower(), value.lower())
    )


def _compared(operator: str, given: str, value: str) -> bool:
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


class Fit:
    """Asks whether selectors fit. Beyond a bound of work, all is MAYBE."""

    def __init__(self) -> None:
        self.work = 0
        self.elements: dict[int, tuple[Element, int]] = {}

    @property
    def tired(self) -> bool:
        return self.work > _WORK

    def selector(self, selector: Selector, node: LexborNode) -> int:
        return self._up(selector.parts, len(selector.parts) - 1, node)

    def _up(self, parts: tuple[tuple[str, Compound], ...], at: int, node: LexborNode) -> int:
        sign, compound = parts[at]
        here = self._compound(compound, node)
        if here == NO or at == 0:
            return here
        return min(
            here, self._any(self._up(parts, at - 1, other) for other in self._before(sign, node))
        )

    def _any(self, found: Iterator[int]) -> int:
        best = NO
        for one in found:
            best = max(best, one)
            if best == YES or self.tired:
                break
        return MAYBE if self.tired else best

    def _compound(self, compound: Compound, node: LexborNode) -> int:
        element, cost = self._element(node)
        self.work += cost
        if self.tired:
            return MAYBE
        result = YES if compound.exact else MAYBE
        for name in compound.names:
            if name not in element.names:
                result = MAYBE if name.lower() in element.folded and result else NO
        for condition in compound.conditions:
            result = min(result, holds(condition, element.attributes))
        for test in compound.tests if result else ():
            result = min(result, self._test(test, node))
        return result

    def _element(self, node: LexborNode) -> tuple[Element, int]:
        if node.mem_id not in self.elements:
            given = {name: value or "" for name, value in node.attributes.items()}
            cost = 4 + sum(map(len, given.values())) // 100
            self.elements[node.mem_id] = Element.of(node.tag or "", given), cost
        return self.elements[node.mem_id]

    def _test(self, test: Test, node: LexborNode) -> int:
        match test.kind:
            case "is":
                return self._any(self.selector(one, node) for one in test.selectors)
            case "not":
                return YES - self._any(self.selector(one, node) for one in test.selectors)
            case "has":
                return self._any(self._has(one, node) for one in test.selectors)
            case "root" | "scope":
                return YES if node.tag == "html" else NO
            case "empty":
                return self._empty(node)
            case _:
                return self._place(test, node)

    def _has(self, selector: Selector, node: LexborNode) -> int:
        sign, _ = selector.parts[0]
        single = len(selector.parts) == 1
        best = self._any(
            self.selector(selector, other) for other in self._after(sign, single, node)
        )
        return best if single else min(best, MAYBE)  # the outermost part may stand outside

    def _empty(self, node: LexborNode) -> int:
        found = YES
        for child in self._children(node):
            if _is_element(child):
                return NO
            if child.tag == "-text" and (said := child.text_content):
                found = min(found, NO if said.strip() else MAYBE)
        return MAYBE if self.tired else found

    def _place(self, test: Test, node: LexborNode) -> int:
        step, first = test.nth
        count = 1 + sum(
            "type" not in test.kind or other.tag == node.tag
            for other in self._sisters(node, "last" in test.kind)
        )
        if self.tired:
            return MAYBE
        fits = (
            (count - first) % step == 0 and (count - first) // step >= 0 if step else count == first
        )
        return YES if fits else NO

    def _children(self, node: LexborNode) -> Iterator[LexborNode]:
        child = node.first_child
        while child is not None and not self.tired:
            self.work += 1
            yield child
            child = child.next

    def _sisters(self, node: LexborNode, forward: bool) -> Iterator[LexborNode]:
        other = node.next if forward else node.prev
        while other is not None and not self.tired:
            self.work += 1
            if _is_element(other):
                yield other
            other = other.next if forward else other.prev

    def _before(self, sign: str, node: LexborNode) -> Iterator[LexborNode]:
        if sign in ("+", "~"):
            for other in self._sisters(node, forward=False):
                yield other
                if sign == "+":
                    return
            return
        above = node.parent
        while above is not None and _is_element(above) and not self.tired:
            self.work += 1
            yield above
            if sign == ">":
                return
            above = above.parent

    def _after(self, sign: str, single: bool, node: LexborNode) -> Iterator[LexborNode]:
        if sign in ("+", "~"):
            for other in self._sisters(node, forward=True):
                yield other
                if not single:
                    yield from self._within(other)
                elif sign == "+":
                    return
        elif sign == ">" and single:
            yield from (child for child in self._children(node) if _is_element(child))
        else:
            yield from self._within(node)

    def _within(self, node: LexborNode) -> Iterator[LexborNode]:
        waiting = [self._children(node)]
        while waiting:
            child = next(waiting[-1], None)
            if child is None:
                waiting.pop()
            elif _is_element(child):
                yield child
                waiting.append(self._children(child))


def _is_element(node: LexborNode) -> bool:
    return not (node.tag or "-").startswith(("-", "!"))
