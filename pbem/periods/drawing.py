"""The pictures of a bulletin: as SVG, from which replay knows them again, and as PNG for its mails.

Drawing takes longer than most of what a transaction does. So the pictures of a period are drawn
from a snapshot before the transaction that publishes it (``closing.ahead``), which takes them where
it finds the same position and orders, and draws them anew where an order set changed meanwhile:
what goes out is always what the transaction found. On file is the SHA-256 of each SVG, in the
bulletin's frame; the PNG is part of the mails.
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
"""What bulletins kept of what the game counts, each with its number."""
MOST_BYTES = 150_000
"""The PNGs of one mail are no larger together."""
LONG = 33_000
"""Pictures of more characters would be larger at their sharpest: that is not tried."""


def svgs(
    at: GameAt, number: int, closed: ClosedRow, before: Scores, after: Any = None
) -> dict[str, str]:
    """The pictures of bulletin ``number``, by name, of the position ``after`` its period: that of
    ``at``, where it is on file already. ``before``: the scores that earlier bulletins kept. No
    picture where drawing fails: a bulletin does not wait for it."""
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
    """What a bulletin keeps of its pictures."""
    return {name: hashlib.sha256(svg.encode()).hexdigest() for name, svg in drawn.items()}


def pngs(drawn: Mapping[str, str]) -> dict[str, bytes]:
    """The same for mails, as sharp as a mail may carry them; none where drawing fails."""
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
    """The same, drawn when somebody asks for one: whose mails are plain text needs none."""

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
