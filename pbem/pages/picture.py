"""Pictures as SVG: a chart of a game's course, and its board, from public facts.

``templates/<key>/chart.svg.j2`` and ``board.svg.j2`` draw them. ``pictures.txt.j2`` describes them
in words (macros ``alt_chart`` and ``alt_board``). They see a bulletin's public names, but not its
frame. So a picture depends only on position, events and course, and can be drawn before its
bulletin is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil, log10
from typing import Any

from jinja2 import Environment, TemplateNotFound

from pbem.games.frame.events import PUBLIC, Seat
from pbem.pages.bulletin import Issue
from pbem.pages.macros import in_force, macros
from pbem.text import short

NAMES = ("chart", "board")
"""The pictures of a bulletin, in their order."""
WIDTH = 640
"""The width of a picture, in its own units: columns of dots of a mail as it is shown."""
_FILLS = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#332288"),
    *("#661100", "#999933", "#88CCEE", "#117733", "#882255", "#DDCC77", "#444444"),
)
"""Colours by seat, for the largest game: first those of Okabe and Ito, then such as differ from
them in lightness too."""
_NOBODY = "#D9DCE1"
_DARK, _LIGHT = "#14171C", "#FFFFFF"
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""What no SVG can hold."""


@dataclass(frozen=True, slots=True)
class Colour:
    """What marks a party in every picture of a game."""

    fill: str
    ink: str
    """A colour readable on ``fill``."""
    tint: str
    """A pale ``fill``."""
    mark: str
    """Letters that stand wherever the colour does."""


def colour(seats: Sequence[Seat], name: str | None) -> Colour:
    """Return the colour of a seat among all of a game; of nobody, or of anyone without a seat,
    grey."""
    fill = _FILLS[seats.index(name) % len(_FILLS)] if name in seats else _NOBODY
    return Colour(fill, ink(fill), _tint(fill), name or "")


@lru_cache(maxsize=64)  # of a few colours, each asked for again and again
def ink(fill: str) -> str:
    """Dark or light, whichever is read better on a colour."""
    return max((_DARK, _LIGHT), key=lambda one: contrast(one, fill))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.1), from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(fill: str) -> float:
    parts = [share / 255 for share in _parts(fill)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parts(fill: str) -> list[int]:
    return [int(fill[n : n + 2], 16) for n in (1, 3, 5)]


@lru_cache(maxsize=64)
def _tint(fill: str) -> str:
    """Return a quarter of a colour on white."""
    return "#" + "".join(f"{255 - (255 - share) // 4:02X}" for share in _parts(fill))


def ticks(most: float, about: int = 4) -> list[int]:
    """Round figures from 0 to ``most`` or just above it, ``about`` so many steps."""
    rough = max(most, 1) / about
    power = 10 ** max(0, int(log10(rough)) if rough > 1 else 0)
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
    return [n * step for n in range(ceil(max(most, 1) / step) + 1)]


def scale(first: float, last: float, start: float, end: float) -> Callable[[float], float]:
    """Return what puts figures between ``first`` and ``last`` to places between ``start`` and
    ``end``."""
    step = (end - start) / ((last - first) or 1)
    return lambda figure: round(start + (figure - first) * step, 1)


def spread(places: Iterable[float], least: float, top: float, bottom: float) -> list[float]:
    """Return places of labels between ``top`` and ``bottom``, at least ``least`` apart, each as
    near to its wish as possible. Keep the order."""
    wanted = list(places)
    order = sorted(range(len(wanted)), key=lambda n: (wanted[n], n))
    given, edge = list(wanted), top
    for n in order:
        given[n] = max(wanted[n], edge)
        edge = given[n] + least
    edge = bottom
    for n in reversed(order):
        given[n] = round(min(given[n], edge), 1)
        edge = given[n] - least
    return given


def known(issue: Issue) -> Mapping[str, Any]:
    """Return what the templates of pictures may use: the public facts of an issue, and how to
    draw."""
    return {
        "key": issue.key,
        "title": issue.title,
        "number": issue.number,
        "phase": issue.phase,
        "view": issue.view,
        "result": issue.result,
        "tables": issue.tables,
        "events": [event.json() for event in issue.events if event.audience == PUBLIC],
        "seats": issue.seats,
        "course": issue.course,
        "width": WIDTH,
        "colour": partial(colour, issue.seats),
        "ticks": ticks,
        "scale": scale,
        "told": short,
        "spread": spread,
    }


def svg(env: Environment, key: str, name: str, context: Mapping[str, Any]) -> str:
    """One picture; "" if the game has none of that name, or nothing to show now."""
    try:
        template = env.get_template(f"{key}/{name}.svg.j2")
    except TemplateNotFound as missing:
        if missing.name != f"{key}/{name}.svg.j2":
            raise
        return ""
    with in_force(context):
        drawn = template.render(context)
    return _CONTROLS.sub("", drawn).strip()


def svgs(env: Environment, issue: Issue) -> dict[str, str]:
    """Return all pictures of an issue."""
    context = known(issue)
    drawn = {name: svg(env, issue.key, name, context) for name in NAMES}
    return {name: picture for name, picture in drawn.items() if picture}


def alt(env: Environment, key: str, name: str, context: Mapping[str, Any]) -> str:
    """Return what is to be seen on a picture, in a sentence or two."""
    with in_force(context):
        module = macros(env, f"{key}/pictures.txt.j2")
        return " ".join(str(getattr(module, f"alt_{name}")()).split())
