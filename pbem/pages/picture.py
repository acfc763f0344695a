"""Pictures as SVG from public facts: a chart of the game's course, and its board.

``chart.svg.j2`` and ``board.svg.j2`` in ``templates/<key>/`` draw them; ``pictures.txt.j2``
describes them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil, log10
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, TemplateNotFound

from pbem.games.frame.events import PUBLIC, Seat
from pbem.orders.called import names
from pbem.pages.bulletin import Issue, facts
from pbem.pages.macros import in_force, macros
from pbem.text import short

NAMES = ("chart", "board")
WIDTH = 390
"""In the picture's units: a phone's. No letter is smaller than 11 of them."""
_FILLS = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#332288"),
    *("#661100", "#999933", "#88CCEE", "#117733", "#882255", "#DDCC77", "#444444"),
)
"""By seat: Okabe and Ito's, then others that differ in lightness too."""
_NOBODY = "#CBD1D8"
_APART = 2.6
_DARK, _LIGHT = "#14171C", "#FFFFFF"
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""What SVG cannot hold."""


@dataclass(frozen=True, slots=True)
class Colour:
    """What marks a party in all pictures."""

    fill: str
    ink: str
    tint: str
    mark: str


def colour(
    seats: Sequence[Seat], name: str | None, marks: Mapping[Seat, str] = MappingProxyType({})
) -> Colour:
    """Return a seat's colour; grey for none. marks: other letters than the seat's."""
    fill = _FILLS[seats.index(name) % len(_FILLS)] if name in seats else _NOBODY
    return Colour(fill, ink(fill), _tint(fill), marks.get(name or "", name or ""))


def initials(names: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return the first letters of players' names; {} if two have the same."""
    first = {seat: name[:1].upper() for seat, name in names.items()}
    return first if len(set(first.values())) == len(first) else {}


@lru_cache(maxsize=64)  # few colours, often asked for
def ink(fill: str) -> str:
    return max((_DARK, _LIGHT), key=lambda one: contrast(one, fill))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.1), 1 to 21."""
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
    return "#" + "".join(f"{255 - (255 - share) // 4:02X}" for share in _parts(fill))


def ticks(most: float, about: int = 4) -> list[int]:
    """Return about so many round figures from 0 to at least most."""
    rough = max(most, 1) / about
    power = 10 ** max(0, int(log10(rough)) if rough > 1 else 0)
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
    return [n * step for n in range(ceil(max(most, 1) / step) + 1)]


def scale(first: float, last: float, start: float, end: float) -> Callable[[float], float]:
    """Return a function from figures to places."""
    step = (end - start) / ((last - first) or 1)
    return lambda figure: round(start + (figure - first) * step, 1)


def spread(places: Iterable[float], least: float, top: float, bottom: float) -> list[float]:
    """Return label places at least least apart, near their wishes and in order."""
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


def beside(
    figures: Mapping[Seat, float], names: Iterable[Seat], up: Callable[[float], float], low: float
) -> dict[Seat, float]:
    """Return the height of each line: those of one figure side by side, none below ``low``."""
    heights: dict[Seat, float] = {}
    for figure in set(figures.values()):
        seats = [seat for seat in names if figures.get(seat) == figure]
        first = min(up(figure) + _APART * (len(seats) - 1) / 2, low)
        heights |= {seat: round(first - _APART * n, 1) for n, seat in enumerate(seats)}
    return heights


def known(issue: Issue) -> Mapping[str, Any]:
    """Return the names for templates: public facts and drawing functions."""
    named = dict(names(issue.frame.get("names", {})))
    return facts(issue) | {
        "events": [event.json() for event in issue.events if event.audience == PUBLIC],
        "width": WIDTH,
        "colour": partial(colour, issue.seats, marks=initials(named)),
        "named": {seat: named.get(seat, seat) for seat in issue.seats},
        "ticks": ticks,
        "scale": scale,
        "told": short,
        "spread": spread,
        "beside": beside,
    }


def svg(env: Environment, key: str, name: str, context: Mapping[str, Any]) -> str:
    try:
        template = env.get_template(f"{key}/{name}.svg.j2")
    except TemplateNotFound as missing:
        if missing.name != f"{key}/{name}.svg.j2":
            raise
        return ""
    return _CONTROLS.sub("", template.render(context)).strip()


def svgs(env: Environment, issue: Issue) -> dict[str, str]:
    context = known(issue)
    drawn = {name: svg(env, issue.key, name, context) for name in NAMES}
    return {name: picture for name, picture in drawn.items() if picture}


def alt(env: Environment, key: str, name: str, context: Mapping[str, Any]) -> str:
    with in_force(context):
        module = macros(env, f"{key}/pictures.txt.j2")
        return " ".join(str(getattr(module, f"alt_{name}")()).split())
