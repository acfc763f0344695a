"""Lists of games by state, and of letters by outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.desk import home, times
from pbem.desk.asked import Asked, NotThere, Page
from pbem.desk.times import Moment
from pbem.games.frame.adjudication import owed, reread
from pbem.house import shelf
from pbem.letters.states import LetterState
from pbem.periods import own_page
from pbem.referee.gamesmaster import waits
from pbem.store.games import games, order_sets, overview
from pbem.store.games.games import GameAt
from pbem.store.games.overview import ClockRow
from pbem.store.letters import waiting
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import OrderSet

WAITS = "waits"
TAKEN = (LetterState.ORDERS, LetterState.COMMAND)
FILTERS: Mapping[str, tuple[LetterState, ...]] = {
    WAITS: waits.ATTENTION,
    "taken": TAKEN,
    "not-taken": tuple(one for one in LetterState if one not in TAKEN),
    "any": (),
}
"""Which letters a list shows; none for all."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list."""

    game: ClockRow
    title: str
    called: str
    closes: Moment | None
    seats: int
    missing: Sequence[str]
    playing: bool


# --- games ----------------------------------------------------------------------------------------


def games_page(asked: Asked) -> Page:
    state = asked.given.get("state", GameState.RUNNING)
    if state not in list(GameState):
        raise NotThere("There is no such page.")
    page = home.page_number(asked)
    seen, conn = asked.sight.seen, asked.work.conn
    numbers = overview.numbers(conn, seen)
    number = numbers.get(GameState(state), 0)
    pages = home.pages(number)
    if page > pages:
        raise NotThere("There is no such page.")
    first = (page - 1) * home.PAGE
    rows = overview.listed(conn, seen, GameState(state), home.PAGE, first)
    facts = {
        "state": state,
        "own": asked.who or asked.work.mark.gamesmaster,
        "numbers": {one.value: numbers.get(one, 0) for one in GameState},
        "games": _lines(asked, rows),
        "tables": overview.filling_number(conn, waits.his_tables(asked.sight)),
        "page": page,
        "pages": pages,
    }
    return Page("games.html.j2", "Games", facts)


def _lines(asked: Asked, rows: Sequence[ClockRow]) -> list[GameRow]:
    conn = asked.work.conn
    going = [row.id for row in rows if row.stands == PeriodState.OPEN]
    tables = {row.id: table() for row, table in games.several(conn, going)}
    standing = order_sets.newest_sets(conn, going)
    return [_line(asked, row, tables.get(row.id), standing.get(row.id, {})) for row in rows]


def _line(asked: Asked, row: ClockRow, at: GameAt | None, sets: Mapping[str, OrderSet]) -> GameRow:
    playing = row.id in asked.sight.playing
    is_open = at is not None and row.stands == PeriodState.OPEN
    return GameRow(
        row,
        shelf.open_ruleset(row.ruleset).about.title,
        own_page.called(at) if at and is_open else "",
        times.deadline(row, row.due, asked.work.now) if row.due and is_open else None,
        len(at.seats) if at else 0,
        () if playing or not at else _missing(at, sets),
        playing,
    )


def _missing(at: GameAt, sets: Mapping[str, OrderSet]) -> list[str]:
    standing = {seat: reread(at.ruleset, sets[seat].orders) for seat in at.seats if seat in sets}
    still = owed(at.ruleset, at.state, at.seats, standing)
    return [seat for seat, slots in still.items() if slots]


# --- letters --------------------------------------------------------------------------------------


def letters_page(asked: Asked) -> Page:
    given = asked.given
    state = given.get("state", WAITS)
    if state not in FILTERS:
        raise NotThere("There is no such page.")
    before = asked.number("before")
    conn, seen = asked.work.conn, asked.sight.seen
    game_id, sender = given.get("game", "").strip(), given.get("sender", "").strip().lower()
    ids = overview.letter_page(
        conn, seen, FILTERS[state], home.PAGE + 1, game_id=game_id, sender=sender, before=before
    )
    rows = overview.letters(conn, ids[: home.PAGE])
    ours, now = asked.work.config.referee.zone, asked.work.now
    clocks = overview.clocks(conn, {row.game_id for row in rows})
    zones = {key: game.zone for key, game in clocks.items()}
    facts = {
        "state": state,
        "states": list(FILTERS),
        "game": game_id,
        "sender": sender,
        "before": before,
        "number": sum(waiting.numbers(conn, waits.ATTENTION, seen).values()),
        "letters": [
            (row, times.moment(row.received, zones.get(row.game_id, ours), now)) for row in rows
        ],
        "older": rows[-1].id if len(ids) > home.PAGE else 0,
    }
    return Page("letters.html.j2", "Letters", facts)
