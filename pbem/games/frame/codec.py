"""Frozen dataclasses to JSON and back.

Fractions are "1000/3", lengths days or "90 minutes", sets sorted lists, keys text.
"""

import json
from fractions import Fraction
from typing import Any, TypeVar

from cattrs import Converter
from cattrs.preconf.json import make_converter

from pbem.games.frame.length import Days, Elapsed, Length, moved_by

Json = Any
T = TypeVar("T")


def number(value: Fraction | int) -> int | str:
    """Return an int, or a fraction as "p/q"."""
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


def _hours(value: Any, _: Any) -> int | Elapsed:
    found = moved_by(value)
    return found.n if isinstance(found, Days) else found


_CONVERTER = _converter()


def dump(value: object) -> Json:
    return _CONVERTER.unstructure(value)


def load(kind: type[T], dumped: Json) -> T:
    """Rebuild a ``kind``. Raise cattrs' error for another shape."""
    return _CONVERTER.structure(dumped, kind)


def text(value: Json) -> str:
    """Return canonical text: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def parse(written: str) -> Json:
    return json.loads(written)


def plain(value: Any) -> Json:
    """Return the value as JSON restores it, key order kept."""
    return json.loads(json.dumps(value, ensure_ascii=False))
