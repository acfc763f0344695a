"""Draw the pictures of a bulletin: SVG, which replay compares, and PNG for mails.

Drawing is slow, so :func:`pbem.periods.closing.ahead` does it before the transaction, which redraws
if an order set changed. The frame of the bulletin keeps the SHA-256 of each SVG.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import structlog

from pbem.games.frame.events import Seat
from pbem.house import pictures, templates
from pbem.pages import picture
from pbem.store.games.game_rows import ClosedRow
from pbem.store.games.games import GameAt

log = structlog.get_logger()
Scores = Sequence[tuple[int, Mapping[Seat, float]]]
"""(bulletin number, scores) of earlier bulletins."""
MOST_BYTES = 150_000
"""The most bytes of one mail's PNGs."""
LONG = 33_000
"""Pictures of more characters skip the sharpest zoom: they would be too large."""


def svgs(
    at: GameAt, number: int, closed: ClosedRow, before: Scores, after: Any = None
) -> dict[str, str]:
    """Return bulletin number's pictures by name; {} if drawing fails.

    after: the position; None for that of at. before: scores of earlier bulletins.
    """
    state = at.state if after is None else after
    try:
        issue = templates.pictured(
            at.ruleset, state, at.seats, number, closed.phase, closed.events, before
        )
        return picture.svgs(templates.environment(), issue)
    except Exception:
        log.exception("not drawn", game=at.id, bulletin=number)
        return {}


def digests(drawn: Mapping[str, str]) -> dict[str, str]:
    """Return the SHA-256 of each picture."""
    return {name: hashlib.sha256(svg.encode()).hexdigest() for name, svg in drawn.items()}


def pngs(drawn: Mapping[str, str]) -> dict[str, bytes]:
    """Return PNGs as sharp as a mail allows; {} if drawing fails."""
    made: dict[str, bytes] = {}
    try:
        for zoom in pictures.ZOOMS[1 if sum(map(len, drawn.values())) > LONG else 0 :]:
            made = {name: pictures.png(svg, zoom) for name, svg in drawn.items()}
            if sum(map(len, made.values())) <= MOST_BYTES:
                return made
    except ValueError:
        log.exception("not drawn", pictures=sorted(drawn))
        return {}
    log.error("pictures are too large", bytes={name: len(png) for name, png in made.items()})
    return {}


class Pngs(Mapping[str, bytes]):
    """PNGs drawn on first use: plain-text mails need none."""

    def __init__(self, drawn: Mapping[str, str]) -> None:
        self._drawn = drawn

    @cached_property
    def _made(self) -> dict[str, bytes]:
        return pngs(self._drawn)

    def __getitem__(self, name: str) -> bytes:
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)
