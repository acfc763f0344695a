"""CSS selectors: which elements of a page a rule of its style sheets is about.

Whether a selector fits is YES, NO or MAYBE: names that differ in capitals only (browsers disagree by the kind of page),
what is unknown here, and whatever would take too much work are MAYBE. So ``:not`` of something unknown is MAYBE too, and
a rule that hides is passed over only where no browser would apply it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborNode
from tinycss2.ast import LiteralToken, Node
from tinycss2.nth import parse_nth

NO, MAYBE, YES = 0, 1, 2
_NESTED = 5
_LONGEST = 12
_WORK = 80_000
_NOT_NOW = {
    "hover", "active", "focus", "focus-within", "focus-visible", "visited", "target", "before", "after", "selection",
    "placeholder", "marker", "backdrop",
}  # fmt: skip
_ANY_OF = {"is", "where", "matches", "any", "-webkit-any", "-moz-any"}
_COUNTED = {
    "first-child": ("nth-child", (0, 1)), "last-child": ("nth-last-child", (0, 1)),
    "first-of-type": ("nth-of-type", (0, 1)), "last-of-type": ("nth-last-of-type", (0, 1)),
}  # fmt: skip
_ONLY = {"only-child": ("first-child", "last-child"), "only-of-type": ("first-of-type", "last-of-type")}
_MOST_KEYS = 20
_PARENT = LiteralToken(0, 0, "&")
_NTH = ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type")

Condition = tuple[str, str, str]
"""An attribute, an operator ("" where it need only be there), and a value."""


@dataclass(frozen=True, slots=True)
class Test:
    """What a pseudo-class asks: that one of the ``selectors`` fits ("is"), none does ("not"), one does from here on
    ("has"), or a place among its sisters (``nth``: the a and b of an+b)."""

    kind: str
    selectors: tuple[Selector, ...] = ()
    nth: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: all of its ``names`` (``p``, ``.a``, ``#b``), its attributes, what is asked of it.

    ``exact``: there is nothing else in it. ``keys``: the names under which it is looked up: the rarest it has, or one for
    each that it may be; "" for any element.
    """

    names: frozenset[str] = frozenset()
    conditions: tuple[Condition, ...] = ()
    tests: tuple[Test, ...] = ()
    exact: bool = True
    keys: frozenset[str] = frozenset({""})

    @property
    def small(self) -> bool:
        """Whether it has no capitals and asks for no attributes, so that its names in small letters are all of it."""
        return not self.conditions and not self.tests and not any(name != name.lower() for name in self.names)

    @property
    def plain(self) -> Outer:
        """What can be asked of it without the page around it."""
        return frozenset(name.lower() for name in self.names), self.conditions


Outer = tuple[frozenset[str], tuple[Condition, ...]]
"""The names in small letters and the conditions of an element around another."""


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds from the outermost to the subject, each with what combines it with the one before (" ", ">", "+", "~")."""

    parts: tuple[tuple[str, Compound], ...]

    @property
    def subject(self) -> Compound:
        """What the element itself must be."""
        return self.parts[-1][1]

    @property
    def outer(self) -> tuple[tuple[str, Outer], ...]:
        """What the elements around it must be, from which only " " and ">" lead to it, each with a key to look it up."""
        found = []
        for at in range(len(self.parts) - 1, 0, -1):
            if self.parts[at][0] not in (" ", ">"):
                break
            one = self.parts[at - 1][1]
            if one.names or one.conditions:
                found.append((min(one.keys) if one.names else "", one.plain))
        return tuple(found)

    @property
    def simple(self) -> bool:
        """Whether it fits every element that :meth:`Compound.plain` of it and of what is around it does."""
        descends = len(self.parts) == 1 or (len(self.parts) == 2 and self.parts[1][0] == " ")
        return descends and self.exact and all(one.small for _, one in self.parts)

    @property
    def exact(self) -> bool:
        """Whether all of it is known."""
        return all(one.exact for _, one in self.parts)


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


def plainly(outer: Outer, element: Element) -> bool:
    """Whether an element may be this, capitals apart."""
    return outer[0] <= element.folded and all(_holds(one, element.attributes) for one in outer[1])


# --- reading ----------------------------------------------------------------------------------------------------


def selectors(
    prelude: Sequence[Node], parents: tuple[Selector, ...] | None = None, depth: int = 0
) -> tuple[Selector, ...]:
    """The selectors of a rule; ``parents`` are those of the rule that it stands in. One that is about nothing that is
    always there (``:hover``, ``::before``) is left out. ``depth``: within how many functions they stand."""
    found = []
    for tokens in _parts(prelude):
        pieces = list(_pieces(tokens))
        if parents is not None and not depth and not any(_is_parent(one) for one in tokens):
            pieces.insert(0, ("", [_PARENT]))
        compounds = [(sign or " ", _compound(part, parents or (), depth)) for sign, part in pieces]
        if compounds and all(one is not None for _, one in compounds):
            kept = tuple((sign, one) for sign, one in compounds[-_LONGEST:] if one is not None)
            if len(compounds) > _LONGEST:  # its end fits wherever the whole does
                first = kept[0][1]
                kept = ((" ", replace(first, exact=False)), *kept[1:])
            found.append(Selector(kept))
    return tuple(found)


def _is_parent(token: Node) -> bool:
    """Whether a part of a nested selector names the rule around it, however deep."""
    if token.type == "literal" and token.value == "&":
        return True
    return token.type == "function" and any(_is_parent(one) for one in token.arguments)


def _parts(tokens: Sequence[Node]) -> Iterator[list[Node]]:
    """The selectors between commas."""
    part: list[Node] = []
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            yield part
            part = []
        elif token.type != "comment":
            part.append(token)
    yield part


def _pieces(tokens: Sequence[Node]) -> Iterator[tuple[str, list[Node]]]:
    """The parts between blanks and combinators, each with the combinator before it ("" for none yet)."""
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
    """One part of a selector; None where it is about nothing that is always there."""
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
            "::" if kind == "literal" and token.value == ":" == before else token.value if kind == "literal" else ""
        )
    return Compound(frozenset(names), tuple(conditions), tuple(tests), exact, _keys(names, tests))


def _keys(names: set[str], tests: list[Test]) -> frozenset[str]:
    if names:
        return frozenset({min((name.lower() for name in sorted(names)), key=lambda name: "#.".find(name[0]) % 3)})
    for one in tests:
        if one.kind == "is":
            found = frozenset[str]().union(*(selector.subject.keys for selector in one.selectors))
            return found if len(found) <= _MOST_KEYS else frozenset({""})
    return frozenset({""})


def _asked(name: str) -> list[Test] | None:
    """What a pseudo-class without arguments asks; None for an unknown one."""
    if name in _ONLY:
        return [Test(*_nth(one)) for one in _ONLY[name]]
    if name in _COUNTED:
        return [Test(*_nth(name))]
    return [Test(name)] if name in ("root", "scope", "empty") else None


def _nth(name: str) -> tuple[str, tuple[Selector, ...], tuple[int, int]]:
    kind, nth = _COUNTED[name]
    return kind, (), nth


def _function(token: Node, parents: tuple[Selector, ...], depth: int) -> Test | None:
    """What a pseudo-class with arguments asks; None for an unknown one."""
    name = token.lower_name
    if name in _NTH:
        nth = parse_nth(token.arguments)
        return Test(name, nth=nth) if nth else None
    if name in _ANY_OF or name in ("not", "has"):
        return Test("is" if name in _ANY_OF else name, selectors(token.arguments, parents, depth + 1))
    return None


def _condition(tokens: Sequence[Node]) -> Condition:
    given = [one for one in tokens if one.type not in ("whitespace", "comment")]
    name = given[0].lower_value if given and given[0].type == "ident" else ""
    if len(given) < 3 or given[1].type != "literal":
        return name, "" if len(given) == 1 else "?", ""
    return name, str(given[1].value), str(getattr(given[2], "value", ""))


def _holds(condition: Condition, attributes: Mapping[str, str]) -> int:
    """Whether an attribute is as it must be."""
    name, operator, value = condition
    if not name:
        return MAYBE
    if name not in attributes:
        return NO
    if operator in ("", "?"):
        return MAYBE if operator else YES
    given = attributes[name]
    return YES if _compared(operator, given, value) else MAYBE * _compared(operator, given.lower(), value.lower())


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


# --- fitting ----------------------------------------------------------------------------------------------------


class Fit:
    """Asks a page whether selectors fit its elements, up to a bound of work; beyond that everything is MAYBE."""

    def __init__(self) -> None:
        self.work = 0
        self.elements: dict[int, tuple[Element, int]] = {}

    @property
    def tired(self) -> bool:
        """Whether the bound is reached."""
        return self.work > _WORK

    def selector(self, selector: Selector, node: LexborNode) -> int:
        """Whether a selector fits an element."""
        return self._up(selector.parts, len(selector.parts) - 1, node)

    def _up(self, parts: tuple[tuple[str, Compound], ...], at: int, node: LexborNode) -> int:
        """Whether the parts up to this one fit, with the element at its place."""
        sign, compound = parts[at]
        here = self._compound(compound, node)
        if here == NO or at == 0:
            return here
        return min(here, self._any(self._up(parts, at - 1, other) for other in self._before(sign, node)))

    def _any(self, found: Iterator[int]) -> int:
        """The best of several answers."""
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
            result = min(result, _holds(condition, element.attributes))
        for test in compound.tests if result else ():
            result = min(result, self._test(test, node))
        return result

    def _element(self, node: LexborNode) -> tuple[Element, int]:
        """An element, and what a look at it costs."""
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
        """Whether an element that fits stands where it must from here on."""
        sign, _ = selector.parts[0]
        single = len(selector.parts) == 1
        best = self._any(self.selector(selector, other) for other in self._after(sign, single, node))
        return best if single else min(best, MAYBE)  # the outermost part may stand outside

    def _empty(self, node: LexborNode) -> int:
        """Whether there is neither text nor an element in it."""
        found = YES
        for child in self._children(node):
            if _is_element(child):
                return NO
            if child.tag == "-text" and (said := child.text_content):
                found = min(found, NO if said.strip() else MAYBE)
        return MAYBE if self.tired else found

    def _place(self, test: Test, node: LexborNode) -> int:
        """Whether an element is the an+b-th of its sisters."""
        step, first = test.nth
        count = 1 + sum(
            "type" not in test.kind or other.tag == node.tag for other in self._sisters(node, "last" in test.kind)
        )
        if self.tired:
            return MAYBE
        fits = (count - first) % step == 0 and (count - first) // step >= 0 if step else count == first
        return YES if fits else NO

    def _children(self, node: LexborNode) -> Iterator[LexborNode]:
        child = node.first_child
        while child is not None and not self.tired:
            self.work += 1
            yield child
            child = child.next

    def _sisters(self, node: LexborNode, forward: bool) -> Iterator[LexborNode]:
        """The elements beside one, from the nearest."""
        other = node.next if forward else node.prev
        while other is not None and not self.tired:
            self.work += 1
            if _is_element(other):
                yield other
            other = other.next if forward else other.prev

    def _before(self, sign: str, node: LexborNode) -> Iterator[LexborNode]:
        """The elements from which a combinator may lead to this one."""
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
        """The elements to which a combinator may lead from this one; with further parts also those within."""
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
        """All elements in an element."""
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
