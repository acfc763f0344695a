"""A storm: many games due at one minute, from the look at them to all their mails in the outbox.

    python -m bench.storm [--games 100 200 400] [--ruleset coalition] [--daemons 1] [--pictures]

Some games are begun by house bots, and copied with all that their next period reads until there are
as many as named, each with players, seats and orders of its own rows. Daemons that send nothing
look at all that is due. Told are the time, the processor time and the memory of each number of
games, whether they grow as it does, and how long 10,000 games would take. README.md beside this
file has the figures.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

from sqlalchemy import func, insert, select, update

from bench.periods import BEGINNING, five, letters, settings
from pbem.games.frame.dice import Dice
from pbem.house import config, shelf
from pbem.periods import drawing, due, opening
from pbem.post.postmark import postmark
from pbem.post.work import Installation, Scan
from pbem.store.engine import database
from pbem.store.games import games
from pbem.store.schema import tables as records
from pbem.store.schema.states import PeriodState

BASES = 20
"""So many games differ; the others are copies of theirs."""
STORM = 10_000
PLAYED = BEGINNING + timedelta(minutes=10)
DUE = BEGINNING + timedelta(days=3)
_COPIED = (
    records.Game,
    records.Player,
    records.Address,
    records.Seat,
    records.Period,
    records.OrderSet,
    records.Journal,
    records.Bulletin,
    records.Outgoing,
)


@dataclass(frozen=True)
class Weathered:
    """What a storm took: seconds from its beginning to its end, processor time of all daemons, and
    the resident memory of the largest of them in megabytes, before and at its highest."""

    games: int
    seconds: float
    processor: float
    before: float
    memory: float


def site(url: str) -> Installation:
    """The installation over a database that is there."""
    given = config.parse(settings(url))
    engine = database.connect(url)
    with database.shared_transaction(engine) as conn:
        return Installation(engine, postmark(conn, given), given)


def fill(url: str, key: str, count: int) -> None:
    """So many games with orders on file, all due at one minute."""
    engine = database.connect(url)
    database.upgrade(engine)
    engine.dispose()
    here = site(url)
    bases = min(count, BASES)
    for n in range(bases):
        _begin(here, key, n)
    with here.work(PLAYED) as work:
        for number in range(1, -(-count // bases)):
            _copy_all(work.conn, number, min(bases, count - number * bases))
        values = {"due": DUE, "base": DUE, "next_look": DUE}
        is_open = records.Period.status == PeriodState.OPEN
        work.conn.execute(update(records.Period).where(is_open).values(**values))
    here.engine.dispose()


def _begin(here: Installation, key: str, n: int) -> None:
    """A game of house bots that has closed its first period, with orders for the second."""
    seats, chance, game_id = five(shelf.open_ruleset(key)), Dice(f"{n}", key).stream("x"), f"b{n}"
    players = [(seat, f"{seat.lower()}{n}@legit.example", f"Player {seat}{n}") for seat in seats]
    with here.work(BEGINNING) as work:
        plan = opening.Plan(game_id, key, players, "Europe/Paris", seed=f"{n}")
        opening.new(work, plan)
        opening.start(work, game_id)
        letters(work.conn, games.game_at(work.conn, game_id), chance, BEGINNING)
        work.conn.execute(
            update(records.Period)
            .where(records.Period.game_id == game_id, records.Period.number == 1)
            .values(due=PLAYED, base=PLAYED, next_look=PLAYED)
        )
    due.one(here, game_id, 1, _look(PLAYED))
    with here.work(PLAYED) as work:
        letters(work.conn, games.game_at(work.conn, game_id), chance, PLAYED)


def _look(now: Any) -> Scan:
    return Scan(now, drained=True, crash=lambda _point: None)


def _copy_all(conn: Any, number: int, bases: int) -> None:
    """The rows of the first games once more, as those of others."""
    ids = {f"b{n}" for n in range(bases)}
    players = {
        row.player_id
        for row in conn.execute(select(records.Seat.game_id, records.Seat.player_id))
        if row.game_id in ids
    }
    for table in _COPIED:
        of = {"game": "id", "player": "id", "address": "player_id"}.get(table.__tablename__)
        mine = players if table in (records.Player, records.Address) else ids
        column = table.__table__.c[of or "game_id"]
        rows = conn.execute(select(table.__table__).where(column.in_(mine))).mappings()
        if copies := [_copied(table, row, number) for row in rows]:
            conn.execute(insert(table), copies)


def _copied(table: type, row: Mapping[str, Any], n: int) -> dict[str, Any]:
    """A row as it would be in the ``n``-th copy."""
    made, further = dict(row), n * 1_000_000
    for name in ("game_id", "address", "recipient"):
        if made.get(name):
            made[name] = f"{made[name]}x{n}" if name == "game_id" else f"x{n}{made[name]}"
    for name in ("player_id", "token_hash"):
        if made.get(name):
            own = made[name]
            made[name] = own + further if name == "player_id" else f"{n:08x}{own[8:]}"
    if table is records.Game:
        made["id"] = f"{made['id']}x{n}"
    elif table is records.Player:
        made["id"] += further
    elif table is records.Outgoing:
        made |= {"key": f"{made['key']}x{n}", "raw": b"", "state": "sent"}
        del made["id"]
    return made


def storm(url: str, count: int, daemons: int) -> Weathered:
    """All that is due is looked at by so many daemons at once."""
    context = multiprocessing.get_context("fork")
    told, children = context.SimpleQueue(), []
    begun = time.perf_counter()
    for _ in range(daemons):
        children.append(context.Process(target=_daemon, args=(url, told)))
        children[-1].start()
    figures = [told.get() for _ in children]
    for child in children:
        child.join()
    seconds = time.perf_counter() - begun
    here = site(url)
    with database.shared_transaction(here.engine) as conn:
        left = conn.execute(
            select(func.count()).where(records.Period.next_look == DUE)
        ).scalar_one()
    here.engine.dispose()
    assert sum(closed for closed, *_ in figures) == count and not left, (figures, left)
    _, processor, before, memory = zip(*figures, strict=True)
    return Weathered(count, seconds, sum(processor), max(before), max(memory))


def _daemon(url: str, told: Any) -> None:
    """One daemon's look; tells what it closed, took and needed."""
    here, before = site(url), _resident()
    begun = time.process_time()
    closed = due.due(here, _look(DUE))
    told.put((closed, time.process_time() - begun, before, _highest()))
    here.engine.dispose()


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def _highest() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def weathered(given: argparse.Namespace, count: int) -> Weathered:
    """A storm of so many games over a new database."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as name:
        url = f"sqlite:///{Path(name) / 'pbem.db'}"
        apart(lambda: fill(url, given.ruleset, count))
        return storm(url, count, given.daemons)


def apart(does: Callable[[], object]) -> None:
    """Something in a process of its own, whose memory and caches are nobody else's."""
    child = multiprocessing.get_context("fork").Process(target=does)
    child.start()
    child.join()
    assert child.exitcode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[100, 200, 400])
    parser.add_argument("--ruleset", default="coalition")
    parser.add_argument("--daemons", type=int, default=1)
    parser.add_argument("--pictures", action="store_true", help="draw them as PNG too")
    given = parser.parse_args()
    head = f"{'games':>7}{'s':>9}{'ms each':>9}{'processor ms each':>19}{'MB before':>11}{'MB':>7}"
    print(head)
    drawn = mock.DEFAULT if given.pictures else (lambda _svgs: {})
    with mock.patch.object(drawing, "pngs", drawing.pngs if given.pictures else drawn):
        found = [weathered(given, count) for count in given.games]
    for one in found:
        each, own = 1000 * one.seconds / one.games, 1000 * one.processor / one.games
        print(
            f"{one.games:>7}{one.seconds:>9.1f}{each:>9.1f}{own:>19.1f}{one.before:>11.0f}"
            f"{one.memory:>7.0f}"
        )
    first, last = found[0], found[-1]
    growth = (last.processor / last.games) / (first.processor / first.games)
    minutes, busy = (one / last.games * STORM / 60 for one in (last.seconds, last.processor))
    print(f"a game of {last.games} costs {growth:.2f} times one of {first.games}")
    print(f"{STORM:,} games at that rate: {minutes:.1f} minutes, {busy:.1f} of processor time")


if __name__ == "__main__":
    main()
