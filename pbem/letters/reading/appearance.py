"""How text looks in an element: size and possible colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.letters.limits import OverLimit
from pbem.letters.reading import styles
from pbem.letters.reading.sheets import Applied
from pbem.letters.reading.styles import BLACK, WHITE, Rgba, Style

# fmt: off
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt",
    "fieldset", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li",
    "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
})
# fmt: on
_COLOURED = frozenset({"body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"})
SMALLER = frozenset({"small", "sub", "sup"})
_COLOURS = 12
_CLEAR: Rgba = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Look:
    """How text looks in an element."""

    size: float = 16.0
    """Pixels."""
    colors: frozenset[Rgba] = frozenset({BLACK})
    """Possible ones."""
    backgrounds: frozenset[Rgba] = frozenset({WHITE})
    """Possible ones."""
    clipped: bool = False
    keeps_lines: bool = False
    unseen: bool = False
    boxed: frozenset[Rgba] = frozenset({WHITE})


def look_in(around: Look, tag: str, given: Mapping[str, str], own: Style, matched: Applied) -> Look:
    """Return how text looks, from the look ``around``."""
    size = _size(around.size * (0.83 if tag in SMALLER else 1), own, matched)
    colors = around.colors
    if tag in ("font", "body") and (old := given.get("color" if tag == "font" else "text")):
        colors = frozenset({styles.of_old_attribute(old)})
    colors = _possible(own, [(one.color, sure, one) for one, sure in matched], own.color, colors)
    front = (
        {styles.of_old_attribute(old)}
        if tag in _COLOURED and (old := given.get("bgcolor"))
        else {_CLEAR}
    )
    fronts = _possible(
        own,
        [(one.background, sure, one) for one, sure in matched],
        own.background,
        frozenset(front),
    )
    # what is behind an inline element is not behind the blocks in it
    behind = around.backgrounds | (around.boxed if is_box(tag) else frozenset())
    if len(fronts) * len(behind) > _COLOURS**2:
        raise OverLimit("too many colours behind one another")
    backgrounds = frozenset(styles.over(one, other) for one in fronts for other in behind)
    if any(one.empty for one in (own, *(style for style, _ in matched))):
        backgrounds |= around.backgrounds
    rules = [
        one.keeps_lines
        for one, sure in matched
        if one.keeps_lines is not None and (sure or not one.keeps_lines)
    ]
    keeps = own.keeps_lines if own.keeps_lines is not None else all(rules) if rules else None
    return Look(
        size,
        colors,
        backgrounds,
        around.clipped or own.clips or any(one.clips for one, _ in matched),
        (around.keeps_lines or tag == "pre") if keeps is None else keeps,
        size < styles.SMALLEST
        or len(colors) * len(backgrounds) > _COLOURS**2
        or any(styles.alike(color, background) for color in colors for background in backgrounds),
        backgrounds if is_box(tag) else around.boxed,
    )


def is_box(tag: str) -> bool:
    """Return whether it is laid out as block or cell."""
    return tag in BLOCKS or tag in ("td", "th")


def _size(around: float, own: Style, matched: Applied) -> float:
    rules = [(one, sure) for one, sure in matched if one.size is not None]
    mine = own.size is not None and not own.unsure
    setting = [one for one, _ in rules if one.important or not mine] + (
        [own] if own.size is not None else []
    )
    sizes = [(one.size or 0) * (around if one.relative else 1) for one in setting]
    settled = mine or (not own.unsure and any(sure and not one.unsure for one, sure in rules))
    return min(sizes if settled else [*sizes, around])


def _possible(
    own: Style,
    rules: list[tuple[tuple[Rgba, ...], bool, Style]],
    mine: tuple[Rgba, ...],
    otherwise: frozenset[Rgba],
) -> frozenset[Rgba]:
    if mine and not own.unsure:
        return frozenset(mine).union(*(colors for colors, _, style in rules if style.important))
    named = frozenset(mine).union(*(colors for colors, _, _ in rules))
    settled = not own.unsure and any(
        colors and sure and not style.unsure for colors, sure, style in rules
    )
    return named if settled else named | otherwise
