"""Between frozen dataclasses and plain JSON: how a game's state is stored and read back.

Fractions are stored as strings ("1000/3"; whole ones as numbers, as the contract's JSON wants
them), lengths of time as a number of days or as text ("90 minutes"), sets as sorted lists, mappings
with text keys. What :func:`dump` gives, :func:`load` reads back to an equal value.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, TypeVar

from cattrs import Converter
from cattrs.preconf.json import make_converter

from pbem.games.frame.length import Days, Elapsed, Length, moved_by

Json = Any
T = TypeVar("T")


def number(value: Fraction | int) -> int | str:
    """A whole number as a number, a true fraction as ``"p/q"``."""
    if isinstance(value, int):
        return value
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else f"{exact.numerator}/{exact.denominator}"


def _converter() -> Converter:
    converter = make_converter()
    converter.register_unstructure_hook(Fraction, number)
    converter.register_structure_hook(Fraction, lambda value, _: Fraction(value))
    converter.register_unstructure_hook_func(
        lambda kind: getattr(kind, "__origin__", kind) in (set, frozenset),
        lambda value: sorted(converter.unstructure(item) for item in value),
    )
    for kind in (Days, Elapsed):
        converter.register_unstructure_hook(kind, lambda value: value.plain)
    converter.register_structure_hook_func(
        lambda kind: kind == Length, lambda value, _: moved_by(value)
    )
    converter.register_structure_hook_func(lambda kind: kind == int | Elapsed, _hours)
    return converter


def _length(value: Any, _: Any) -> Length:
    return moved_by(value)


def _hours(value: Any, _: Any) -> int | Elapsed:
    """A number of hours, or a length in hours or minutes."""
    found = moved_by(value)
    return found.n if isinstance(found, Days) else found


_CONVERTER = _converter()


def dump(value: object) -> Json:
    """Plain JSON values (dict, list, str, int, bool, None) that stand for a dataclass value."""
    return _CONVERTER.unstructure(value)


def load(kind: type[T], dumped: Json) -> T:
    """The value of dataclass ``kind`` that was dumped; raises cattrs' error where the shape is
    another."""
    return _CONVERTER.structure(dumped, kind)


def text(value: Json) -> str:
    """Canonical JSON text: sorted keys, no blanks; equal values give equal text (for hashes,
    comparisons)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def parse(written: str) -> Json:
    """The plain values of a JSON text."""
    return json.loads(written)


def plain(value: Any) -> Json:
    """The value as JSON gives it back: lists for tuples, text for keys, the order of keys kept."""
    return json.loads(json.dumps(value, ensure_ascii=False))
