"""Declarations that hide text. A property listed here hides unless its value is known to be
harmless."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from tinycss2.ast import Node

from pbem.letters.reading.values import flat, is_computed, is_number, number, pixels

FAINT = 0.1
_AS_EVER = frozenset({"initial", "inherit", "unset", "revert", "revert-layer"})
_GONE: Mapping[str, set[str]] = {
    "display": {"none", "table-column", "table-column-group"},
    "visibility": {"hidden", "collapse"},
    "content-visibility": {"hidden"},
    "mso-hide": {"all"},
    "text-decoration": {"line-through"},
    "text-decoration-line": {"line-through"},
    "unicode-bidi": {"bidi-override", "isolate-override"},
    "background-clip": {"text"},
    "text-security": {"disc", "circle", "square"},
    "text-combine": {"horizontal"},
}
_NOTHING = frozenset({"none", "auto"})
_HARMLESS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("clip", "clip-path", "mask", "mask-image", "mask-border", "mask-border-source"), _NOTHING
    ),
    **dict.fromkeys(("mask-box-image", "mask-box-image-source", "offset", "offset-path"), _NOTHING),
    **dict.fromkeys(
        ("motion", "motion-path", "line-clamp", "max-lines", "text-combine-upright"), _NOTHING
    ),
    "mix-blend-mode": frozenset({"normal"}),
}
"""Property -> words that do not hide."""
_PLACE = (-100.0, 2_000.0)
_LIMITS: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("left", "right", "top", "bottom", "text-indent", "translate"), _PLACE),
    "letter-spacing": (-2.0, 50.0),
    "word-spacing": (-8.0, 200.0),
    "z-index": (0.0, math.inf),
    "font-size-adjust": (0.3, 5.0),
    "text-size-adjust": (3.0, 2_000.0),
}
"""Between these, text is seen."""
_AROUND = re.compile(
    r"(?:inset|margin|padding)(?:-[a-z]+)*+|border(?:-(?:top|right|bottom|left|block|inline|start|end))*+-width"
)
_LINES = {
    "text-stroke": 2,
    "text-stroke-width": 2,
    "text-decoration": 5,
    "text-decoration-thickness": 5,
}
_FRACTIONS = {"opacity", "zoom", "scale"}
_FLIPS = ("matrix3d", "rotatex", "rotatey", "rotate3d", "perspective", "blur", "url")


def hides(name: str, values: list[Node], words: set[str]) -> bool:
    if name in _GONE and words & _GONE[name]:
        return True
    if name in _HARMLESS:
        return not words & (_HARMLESS[name] | _AS_EVER)
    if name in _FRACTIONS:
        return any(number(value) < FAINT for value in values if is_number(value)) or is_computed(
            values
        )
    if name in ("letter-spacing", "word-spacing") and is_computed(values):
        return True
    if name in _LINES:
        return any(pixels(value) > _LINES[name] for value in values if value.type == "dimension")
    if name in _LIMITS or _AROUND.fullmatch(name):
        return _is_beyond(name, values)
    if name in ("transform", "filter", "rotate"):
        turned = name == "rotate" and (words & {"x", "y"} or sum(map(is_number, values)) > 1)
        return bool(turned) or any(value.type == "url" or _is_distorting(value) for value in values)
    return _is_covered(name, values, words)


def _is_beyond(name: str, values: list[Node]) -> bool:
    lowest, highest = _LIMITS.get(name, _PLACE)
    letters = name.endswith("-spacing")
    for value in values:
        if is_number(value):
            length = 16 * number(value) if letters and value.type == "percentage" else pixels(value)
            if not (lowest < length < highest or (length == 0 and name == "z-index")):
                return True
    if any(value.type == "percentage" and value.value <= -90 for value in values):
        return True
    return name != "margin" and is_computed(values, "*/")


def _is_covered(name: str, values: list[Node], words: set[str]) -> bool:
    if name == "box-shadow":
        return "inset" in words and any(
            abs(pixels(value)) >= 8 for value in values if is_number(value)
        )
    if name == "content":
        return any(value.type in ("url", "function") for value in values)
    return name == "color-scheme" and "dark" in words and "light" not in words


def _is_distorting(function: Node) -> bool:
    if function.type != "function":
        return False
    name, values = (
        function.lower_name,
        [value for value in flat(function.arguments) if is_number(value)],
    )
    if name.startswith("scale") or name in ("opacity", "contrast", "alpha"):
        return any(number(value) < FAINT for value in values) or is_computed(function.arguments)
    if name.startswith("translate"):
        return _is_beyond("translate", list(flat(function.arguments)))
    if name.startswith("skew"):
        return any(_degrees(value) > 45 for value in values) or is_computed(function.arguments)
    if name == "brightness":
        return not all(0.3 < number(value) < 3 for value in values) or is_computed(
            function.arguments
        )
    if name == "invert":
        return not values or any(number(value) > FAINT for value in values)
    if name == "matrix":
        return (
            len(values) != 6
            or min(number(values[0]), number(values[3])) < FAINT
            or any(abs(number(value)) > 1 for value in values[1:3])
            or any(not _PLACE[0] < number(value) < _PLACE[1] for value in values[4:])
        )
    return name in _FLIPS


def _degrees(value: Node) -> float:
    turns = {"deg": 1.0, "grad": 0.9, "rad": 57.3, "turn": 360.0}
    unit = value.lower_unit if value.type == "dimension" else "deg"
    return abs(float(value.value)) * turns.get(unit, 360.0)


def animations(values: Sequence[Node]) -> frozenset[str]:
    return frozenset(
        str(value.value).lower() for value in values if value.type in ("ident", "string")
    )
