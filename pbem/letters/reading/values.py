"""CSS values as rough numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tinycss2.ast import Node

UNITS = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "q": 0.945,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "vw": 10.0,
    "vh": 8.0,
}


def flat(tokens: Sequence[Node]) -> Iterator[Node]:
    waiting = list(reversed(tokens))
    while waiting:
        token = waiting.pop()
        if token.type not in ("whitespace", "comment"):
            yield token
        waiting.extend(
            reversed(getattr(token, "arguments", None) or getattr(token, "content", None) or ())
        )


def is_number(value: Node) -> bool:
    return value.type in ("number", "dimension", "percentage")


def number(value: Node) -> float:
    """Return its number; a percentage as fraction."""
    return float(value.value) / 100 if value.type == "percentage" else float(value.value)


def pixels(value: Node, plain: float = 1.0) -> float:
    """Return a rough length. plain: the worth of a unitless number."""
    if value.type == "dimension":
        return float(value.value) * UNITS.get(value.lower_unit, 8.0)
    return float(value.value) * plain if value.type == "number" else float(value.value)


def is_computed(values: Sequence[Node], operators: str = "-*/") -> bool:
    return any(value.type == "literal" and value.value in operators for value in flat(values))


def least(values: list[Node], plain: float = 1.0) -> float:
    """Return the least length; calculations are skipped."""
    found = [pixels(value, plain) for value in values if is_number(value)]
    if is_computed(values) and not any(value.type == "percentage" for value in values):
        return 0.0
    return min(found, default=16.0)
