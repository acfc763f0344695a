"""What CSS does to the visibility of text. Whatever could hide it counts as hiding; only sizes and
colours are computed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import tinycss2
from tinycss2.ast import Declaration, Node
from tinycss2.color4 import Color, parse_color

from pbem.letters.reading.hiding import FAINT, animations, hides
from pbem.letters.reading.values import UNITS, flat, is_number, least, pixels

Rgba = tuple[float, float, float, float]
"""0 to 255, and opacity 0 to 1."""

BLACK: Rgba = (0, 0, 0, 1)
WHITE: Rgba = (255, 255, 255, 1)
SMALLEST = 3.0
"""In pixels. Smaller text is not seen."""
_NARROWEST = 8.0
"""Pixels. A smaller clipping box hides."""
LONGEST = 10_000
"""A longer style attribute counts as hiding."""

_NAMED_SIZES = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
    "xxx-large": 48.0,
}
_SYSTEM_COLOURS = {
    **dict.fromkeys(("windowtext", "canvastext", "buttontext", "fieldtext", "initial"), BLACK),
    **dict.fromkeys(("window", "canvas", "field", "buttonface"), WHITE),
}
_SIDES = {
    "height",
    "width",
    "max-height",
    "max-width",
    "block-size",
    "inline-size",
    "max-block-size",
    "max-inline-size",
}
_CONTAINED = {"size", "inline-size", "strict", "paint", "content"}
_OVERFLOWS = {"overflow", "overflow-x", "overflow-y", "overflow-block", "overflow-inline"}
_COMPUTED = {"size", "relative", "color", "background", "keeps_lines"}
_AS_AROUND = {"inherit", "unset", "revert", "revert-layer", "initial"}
_KEEP_LINES = {"pre", "pre-wrap", "pre-line", "break-spaces", "preserve", "preserve-breaks"}
_PREFIX = re.compile(r"-(?:webkit|moz|ms|o)-")
_BEFORE_SIZE = {
    "normal",
    "italic",
    "oblique",
    "bold",
    "bolder",
    "lighter",
    "small-caps",
    "condensed",
    "expanded",
}
_AROUND_IMAGES = {
    "none",
    "repeat",
    "repeat-x",
    "repeat-y",
    "no-repeat",
    "scroll",
    "fixed",
    "center",
    "left",
    "right",
    "top",
    "bottom",
    "cover",
    "contain",
    "transparent",
}
_MIXED_COLOURS = {
    "color",
    "color-mix",
    "light-dark",
    "lab",
    "lch",
    "oklab",
    "oklch",
    "hwb",
    "device-cmyk",
    "rgb",
    "hsl",
}
_NO_DIGIT = re.compile(r"[^0-9a-fA-F]")
_HEXADECIMAL = re.compile(r"(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Style:
    """What a style does to its text."""

    hidden: bool = False
    empty: bool = False
    """No size: hidden if something ``clips``."""
    flat: bool = False
    """No line height: hidden if something ``clips``."""
    clips: bool = False
    keeps_lines: bool | None = None
    size: float | None = None
    """In pixels; if ``relative``, a factor."""
    relative: bool = False
    color: tuple[Rgba, ...] = ()
    background: tuple[Rgba, ...] = ()
    unsure: bool = False
    """Size and colours around it may stay."""
    important: bool = False
    variable: bool = False
    defines: bool = False
    """It sets a custom property."""
    animations: frozenset[str] = frozenset()
    """Keyframes that it may use."""

    @property
    def may_hide(self) -> bool:
        """Whether an animation with it could hide text."""
        boxed = self.empty or self.flat or self.clips or self.variable
        return self.hidden or boxed or self.size is not None or bool(self.color or self.background)


NONE = Style()


@lru_cache(maxsize=500)
def of_attribute(text: str) -> Style:
    if len(text) > LONGEST:
        return Style(hidden=True)
    return of_declarations(
        one for one in tinycss2.parse_blocks_contents(text) if one.type == "declaration"
    )


def of_declarations(declarations: Iterable[Declaration]) -> Style:
    """Combine declarations: the last or important one counts."""
    found: dict[str, object] = {}
    for one in sorted(declarations, key=lambda one: bool(one.important)):
        name = _PREFIX.sub("", one.lower_name)
        values = list(flat(one.value))
        if name.startswith("--"):
            found["defines"] = True
        for field, value in _meaning(name, one.value, values):
            if name != one.lower_name and field in _COMPUTED:
                continue  # no browser knows -x-color: it may hide nothing of what hides
            found[field] = value
            found["important"] = found.get("important") or one.important
        if any(value.type == "function" and value.lower_name == "var" for value in values):
            found["variable"] = True
    return Style(**found) if found else NONE  # type: ignore[arg-type]


def _meaning(name: str, tokens: Sequence[Node], values: list[Node]) -> Iterator[tuple[str, object]]:
    words = {value.lower_value for value in values if value.type == "ident"}
    if hides(name, values, words):
        yield "hidden", True
    elif name in ("white-space", "white-space-collapse"):
        yield "keeps_lines", bool(words & _KEEP_LINES) and len(values) == 1
    elif name in ("font-size", "font", "all") and words & _AS_AROUND:
        yield "unsure", True
    elif name in ("font-size", "font"):
        yield from _size(tokens, shorthand=name == "font")
    elif name in ("color", "background", "background-color"):
        yield from _coloured(name, tokens, words)
    elif name == "text-fill-color" and any(
        alike(color, WHITE) for color in _colors(tokens, shorthand=False)[0]
    ):
        yield "hidden", True
    elif name == "display" and "contents" in words:
        yield "unsure", True
    elif name in ("animation", "animation-name"):
        yield "animations", animations(values)
    else:
        yield from _boxed(name, values, words)


def _boxed(name: str, values: list[Node], words: set[str]) -> Iterator[tuple[str, object]]:
    if name in _SIDES and least(values) < _NARROWEST:
        yield "hidden" if name == "max-height" and least(values) <= 0 else "empty", True
    elif name == "line-height" and least(values, plain=16) < SMALLEST:
        yield "flat", True
    elif name == "text-indent" and least(values) >= 90:
        yield "empty", True
    elif name in ("contain", "container", "container-type") and words & _CONTAINED:
        yield "empty", bool(words & {"size", "inline-size", "strict"})
        yield "clips", bool(words & {"paint", "content", "strict"})
    elif name in _OVERFLOWS and words - {"visible", "inherit", "initial"}:
        yield "clips", True


def _coloured(name: str, tokens: Sequence[Node], words: set[str]) -> Iterator[tuple[str, object]]:
    behind = name.startswith("background")
    found, unsure = _colors(tokens, shorthand=name == "background")
    if unsure:
        yield "unsure", True
    if not behind and any(color[3] < FAINT for color in found):
        yield "hidden", True
    elif found:
        yield "background" if behind else "color", found
    if behind and "currentcolor" in words:
        yield "hidden", True


def _size(tokens: Sequence[Node], shorthand: bool) -> Iterator[tuple[str, object]]:
    """Yield the text size. Odd values count only if too small."""
    given = [token for token in tokens if token.type not in ("whitespace", "comment")]
    at = next(
        (at for at, token in enumerate(given) if not shorthand or _is_font_size(token)), len(given)
    )
    size, relative, valid = _one_size(given[at]) if at < len(given) else (None, False, False)
    if size is None:
        return
    valid = valid and (_is_font(given[:at], given[at + 1 :]) if shorthand else len(given) == 1)
    if valid or size < (0.2 if relative else SMALLEST):
        yield from (("size", size), ("relative", relative))


def _is_font_size(token: Node) -> bool:
    if token.type == "number":
        return bool(token.value == 0)
    return token.type in ("dimension", "percentage", "function") or (
        token.type == "ident" and token.lower_value in (*_NAMED_SIZES, "smaller", "larger")
    )


def _one_size(token: Node) -> tuple[float | None, bool, bool]:
    match token.type:
        case "function" if token.lower_name != "var":
            return (
                least(list(flat(token.arguments))),
                False,
                token.lower_name in ("calc", "min", "max", "clamp"),
            )
        case "dimension":
            relative, length = token.lower_unit in ("em", "ex", "ch"), pixels(token)
            return (length / 16 if relative else length), relative, token.lower_unit in UNITS
        case "percentage":
            return token.value / 100, True, True
        case "number":
            return float(token.value), False, token.value == 0
        case "ident" if token.lower_value in _NAMED_SIZES:
            return _NAMED_SIZES[token.lower_value], False, True
        case "ident" if token.lower_value in ("smaller", "larger"):
            return (0.83 if token.lower_value == "smaller" else 1.2), True, True
        case _:
            return None, False, False


def _is_font(before: list[Node], after: list[Node]) -> bool:
    if not all(
        token.type == "number" or (token.type == "ident" and token.lower_value in _BEFORE_SIZE)
        for token in before
    ):
        return False
    if after and after[0].type == "literal" and after[0].value == "/":
        after = after[2:]
    return bool(after) and all(token.type in ("ident", "string") or token == "," for token in after)


def _colors(tokens: Sequence[Node], shorthand: bool) -> tuple[tuple[Rgba, ...], bool]:
    given = [token for token in tokens if token.type not in ("whitespace", "comment")]
    found = [color for token in flat(given) if (color := _parsed(token))]
    unsure = len(given) != 1 or not found
    if shorthand and found:
        unsure = not _is_background(given)
    elif len(given) == 1 and given[0].type in ("ident", "number", "dimension"):
        plain = given[0].serialize()
        if not found and _HEXADECIMAL.fullmatch(plain):
            found = [
                color
                for color in (_parsed(tinycss2.parse_one_component_value(f"#{plain}")),)
                if color
            ]
    return tuple(found), unsure


def _is_background(given: list[Node]) -> bool:
    lengths = sum(is_number(token) for token in given)
    known = all(
        is_number(token)
        or token.type == "url"
        or token == "/"
        or _parsed(token)
        or (token.type == "ident" and token.lower_value in _AROUND_IMAGES)
        or (
            token.type == "function"
            and (token.lower_name == "url" or token.lower_name.endswith("-gradient"))
        )
        for token in given
    )
    return known and lengths < 3 and sum(_parsed(token) is not None for token in given) < 2


def _parsed(token: Node | str) -> Rgba | None:
    """Return a colour. One not computed counts as unseen."""
    if (
        not isinstance(token, str)
        and token.type == "ident"
        and token.lower_value in _SYSTEM_COLOURS
    ):
        return _SYSTEM_COLOURS[token.lower_value]
    try:
        color = parse_color(token)
        if not isinstance(color, Color):
            return (
                (255, 255, 255, 0) if getattr(token, "lower_name", "") in _MIXED_COLOURS else None
            )
        red, green, blue = color.to("srgb").coordinates
    except (
        NotImplementedError,
        ValueError,
        TypeError,
        ArithmeticError,
        AttributeError,
    ):  # what tinycss2 does not convert
        return (255, 255, 255, 0)
    return ((red or 0) * 255, (green or 0) * 255, (blue or 0) * 255, float(color.alpha or 0))


def of_old_attribute(value: str) -> Rgba:
    """Return the colour of ``bgcolor``, even misspelt (HTML, 2.3.6)."""
    plain = value.strip()[:128]
    if color := _parsed(plain) if plain.isalpha() or _is_marked(plain) else None:
        return color
    digits = _NO_DIGIT.sub("0", plain.removeprefix("#")) or "0"
    length = -(-len(digits) // 3)
    digits = digits.ljust(3 * length, "0")
    red, green, blue = (digits[at : at + length][-8:] for at in (0, length, 2 * length))
    if length == 1:
        return int(red, 16), int(green, 16), int(blue, 16), 1
    while len(red) > 2 and red[0] == green[0] == blue[0] == "0":
        red, green, blue = red[1:], green[1:], blue[1:]
    return int(red[:2], 16), int(green[:2], 16), int(blue[:2], 16), 1


def _is_marked(value: str) -> bool:
    return value.startswith("#") and _HEXADECIMAL.fullmatch(value[1:]) is not None


def over(front: Rgba, behind: Rgba) -> Rgba:
    opaque = front[3]
    red, green, blue = (
        one * opaque + other * (1 - opaque)
        for one, other in zip(front[:3], behind[:3], strict=True)
    )
    return red, green, blue, 1


def alike(color: Rgba, background: Rgba) -> bool:
    """Return whether text of this colour vanishes."""
    return (
        max(abs(one - other) for one, other in zip(color[:3], background[:3], strict=True))
        * color[3]
        <= 32
    )
