"""A bulletin's pictures: SVG, which replay compares, and PNG.

The bulletin keeps their SHA-256.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Seat
from pbem.games.frame.house import HIDDEN
from pbem.house import pictures, shelf, templates
from pbem.pages import picture, sheet
from pbem.pages.bulletin import Issue
from pbem.store.games import bulletins, periods
from pbem.store.games.games import GameAt

log = structlog.get_logger()
MOST_BYTES = 150_000
"""Of one mail's PNGs."""
BOARD = "board"
LONG = 33_000
"""Characters above which the sharpest zoom is too large."""


def svgs(
    conn: Connection, game: GameAt, number: int, names: Mapping[Seat, str] | None = None
) -> dict[str, str]:
    """Return a bulletin's pictures by name; {} if drawing fails. ``game``: in the period after.
    ``names``: of the players, None for those of now."""
    shown = {seat: game.player(seat) for seat in game.seats} if names is None else names
    if game.house.names == HIDDEN:  # in the last one, too
        shown = {}
    closed, before = periods.closed(conn, game.id, number), bulletins.scores(conn, game.id, number)
    try:
        said = (closed.phase, closed.events, before, shown)
        issue = templates.pictured(game.ruleset, game.state, game.seats, number, *said)
        return picture.svgs(templates.environment(), issue)
    except Exception:
        log.exception("not drawn", game=game.id, bulletin=number)
        return {}


def digests(drawn: Mapping[str, str]) -> dict[str, str]:
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


def _now(conn: Connection, game: GameAt, state: Any) -> Issue:
    number = bulletins.newest(conn, game.id) or 0
    closed = periods.closed(conn, game.id, number)
    names = {seat: game.player(seat) for seat in game.seats}
    given = (state, game.seats, number, closed.phase, closed.events, (), names)
    return templates.pictured(game.ruleset, *given)


def board_in_words(conn: Connection, game: GameAt, state: Any) -> str:
    issue = _now(conn, game, state)
    said = picture.alt(templates.environment(), issue.key, BOARD, picture.known(issue))
    return f"{sheet.picture(BOARD, said)}\n\n{said}"


def board_now(conn: Connection, game: GameAt, state: Any) -> Mapping[str, bytes]:
    """Return the present board's picture, drawn on first use; {} if drawing fails."""
    try:
        issue = _now(conn, game, state)
        drawn = picture.svg(templates.environment(), issue.key, BOARD, picture.known(issue))
        return Pngs({BOARD: drawn}) if drawn else {}
    except Exception:
        log.exception("not drawn", game=game.id)
        return {}


@lru_cache(maxsize=16)
def board(key: str, places: int, known: str) -> Mapping[str, bytes]:
    """Return a table's opening board, {} without one. Its lots are no game's. ``known``: the
    table's tables, options and scenario, as JSON."""
    tables, options, scenario = json.loads(known)
    ruleset = shelf.open_ruleset(key, tables)
    seats = next((one for one in ruleset.about.seats if len(one) == places), ruleset.about.seats[0])
    lots = Dice("board", key)
    try:
        state = ruleset.setup(seats, options, scenario, lots).state
        issue = templates.pictured(ruleset, state, seats, 0, "", ())
        drawn = picture.svgs(templates.environment(), issue)
        return {"board": pictures.png(drawn["board"], pictures.ZOOMS[-1])}
    except Exception:
        log.exception("not drawn", ruleset=key)
        return {}


class Pngs(Mapping[str, bytes]):
    """Drawn on first use: plain mails need none."""

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
