"""A table is opened."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec
from pbem.games.frame.dice import commitment
from pbem.games.frame.house import House
from pbem.periods import open_tables as tables
from pbem.periods import opening
from pbem.periods.opening import Plan
from pbem.post import masters
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.schema.states import TableState
from pbem.store.schema.tables import OpenTable

FULL = "full"
BOTS_SHARE = 4
"""One seat in so many may be a house bot's."""
OPEN_FOR, LEAST_OPEN_FOR = timedelta(weeks=8), timedelta(weeks=2)
"""Without a date; less with hours or minutes."""
_DRAWN_LATER = ("id", "seed", "created", "status", "held_because", "period", "edition")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table to open."""

    plan: Plan
    places: int
    start: str = FULL
    """"full", or a day."""
    closes: str | None = None
    """None: the start, or some weeks."""
    approve: bool = False
    choice: bool = False
    """Whether seats may be wished for."""
    reliability: int = 0
    bots: int = 0
    """So many empty seats at most are played by house bots from its date on."""
    house: House | None = None
    """An earlier game's; None: the plan's."""


def open_(work: Work, wanted: Wanted) -> tuple[str, ...]:
    """Open a table: try its game, draw the seed. Return what to tell the gamesmaster."""
    plan = replace(wanted.plan, seed=wanted.plan.seed or secrets.token_hex(32))
    opening.no_practice(plan.id)
    opening.no_open_table(work, plan.id)
    if games.exists(work.conn, plan.id):
        raise OperatorError(f"there is a game {plan.id!r} already; choose another id")
    _possible(wanted)
    settled = opening.settled(work, replace(plan, players=[("", "", "")] * wanted.places))
    game = settled.game
    if wanted.house:
        rules = {**codec.load(House, game.house).rules, **wanted.house.rules}
        hour = wanted.house.next_hour or wanted.house.hour
        house = replace(wanted.house, rules=rules, hour=hour, next_hour="")
        game = game._replace(house=codec.dump(house))
    if game.second and game.second == game.gamesmaster:
        raise OperatorError(f"{game.second} is the gamesmaster; the second is somebody else")
    house = codec.load(House, game.house)
    zone = ZoneInfo(game.zone)
    starts = None if wanted.start == FULL else _moment(wanted.start, house, zone)
    closes = _moment(wanted.closes, house, zone) if wanted.closes else starts
    closes = closes or work.now + house.share(OPEN_FOR, LEAST_OPEN_FOR)
    if closes <= work.now:
        raise OperatorError(f"{closes:%Y-%m-%d} is over: the table would close at once")
    of_game = game._asdict().items()
    known = {name: it for name, it in of_game if it is not None and name not in _DRAWN_LATER}
    row = OpenTable(
        id=plan.id,
        ruleset=plan.ruleset,
        state=TableState.JOINING,
        places=wanted.places,
        plan={"game": known, "choice": wanted.choice, "bots": wanted.bots},
        seed=game.seed,
        gamesmaster=game.gamesmaster,
        approve=wanted.approve,
        reliability=wanted.reliability,
        opened=work.now,
        starts=starts,
        closes=closes,
        called=None,
        next_look=closes,
    )
    notes.forget_codes(work.conn, row.id)  # of an earlier table of this id
    open_tables.new(work.conn, row)
    if row.gamesmaster:
        masters.enter(work.conn, work.mark, row.gamesmaster)
    notes.note(
        work.conn,
        row.id,
        work.now,
        "table-opened",
        ruleset=row.ruleset,
        places=row.places,
        commitment=commitment(row.seed),
    )
    return (
        *settled.brief,
        f"The table {row.id} is open for {row.places} players until {tables.moment(row, closes)}.",
        f"The SHA-256 of its seed: {commitment(row.seed)}.",
    )


def _possible(wanted: Wanted) -> None:
    if wanted.plan.standby:
        raise OperatorError("an open table has its waiting list, and nobody who stands by")
    if not 0 <= wanted.reliability <= 100:
        raise OperatorError("--reliability is a percentage, from 0 to 100")
    if not 0 <= wanted.bots <= wanted.places // BOTS_SHARE:
        raise OperatorError(
            f"--bots is at most one seat in {BOTS_SHARE}: 0 to {wanted.places // BOTS_SHARE} of"
            f" {wanted.places}"
        )


def _moment(day: str, house: House, zone: ZoneInfo) -> datetime:
    """Return the house's hour, or a minute (2026-07-01T20:00). Raise OperatorError."""
    try:
        when = datetime.fromisoformat(day)
    except ValueError:
        raise OperatorError(
            f"{day!r} is no day; write 2026-07-01, or 2026-07-01T20:00 with the hour"
        ) from None
    if "T" in day.upper() or when.tzinfo:
        return (when if when.tzinfo else when.replace(tzinfo=zone)).astimezone(UTC)
    return calendar.moment(when.date(), house.hour or "0:00", zone)


def table(work: Work, game_id: str) -> OpenTable:
    """Raise OperatorError without one."""
    found = OpenTable.one(work.conn, id=game_id)
    if found is None:
        raise OperatorError(f"there is no open table {game_id!r}")
    if not found.is_open:
        raise OperatorError(
            f"the game {game_id} has begun"
            if found.state == TableState.BEGUN
            else f"the table {game_id} is closed"
        )
    return found
