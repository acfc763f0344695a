"""What a period costs: processor time from its deadline to its mails in the outbox.

    python -m bench.periods [--ruleset coalition] [--games 3] [--periods 12] [--digest]

House bots play each game, of five players where it can be; a database has it, and nothing is
sent. Each game is played twice at the same time, period by period in turns: its players read HTML
in one, plain text in the other. What the pictures cost is told apart. With ``--digest`` it tells
the SHA-256 of all that each game has on file, its mails too: chance and time are the same in every
run, so that two versions can be compared. README.md beside this file has the figures.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

from sqlalchemy import func, select, update

from pbem.budget import statement_begins
from pbem.games import GAMES
from pbem.games.frame.adjudication import take
from pbem.games.frame.dice import Dice
from pbem.games.frame.readiness import LastWord
from pbem.games.frame.ruleset import Ruleset
from pbem.house import config, shelf
from pbem.periods import drawing, due, opening
from pbem.post.postmark import postmark
from pbem.post.work import Installation, Scan
from pbem.store.engine import database, hot, locks
from pbem.store.games import games, order_sets, periods
from pbem.store.schema import tables as records
from tests.bots import bot_of

BEGINNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
FACES = ("html", "plain")


@dataclass
class Spent:
    """Processor time in seconds of each period, what its pictures took of it, its mails and its
    statements."""

    whole: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    mails: list[int] = field(default_factory=list)
    statements: list[int] = field(default_factory=list)


class Clock:
    """Processor time within some functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, does: Callable[..., Any]) -> Callable[..., Any]:
        """The same function on this clock."""

        def run(*given: Any) -> Any:
            begun = time.process_time()
            try:
                return does(*given)
            finally:
                self.seconds += time.process_time() - begun

        return run


@dataclass
class Play:
    """One game of house bots in a database of its own."""

    installation: Installation
    ruleset: Ruleset[Any]
    chance: Any
    now: datetime
    spent: Spent = field(default_factory=Spent)

    @classmethod
    def begun(cls, folder: Path, key: str, number: int, face: str) -> Play:
        """A game that has just been opened, its players all with the same face of mails."""
        url = f"sqlite:///{folder}/{key}-{number}-{face}.db"
        engine, given = database.connect(url), config.parse(settings(url))
        database.upgrade(engine)
        with database.shared_transaction(engine) as conn:
            installation = Installation(engine, postmark(conn, given), given)
        ruleset = shelf.open_ruleset(key)
        seats = five(ruleset)
        players = [(seat, f"{seat.lower()}@legit.example", f"Player {seat}") for seat in seats]
        with installation.work(BEGINNING) as work:
            plan = opening.Plan("g", key, players, "Europe/Paris", seed=f"{number}")
            opening.new(work, plan)
            work.conn.execute(update(records.Player).values(face=face, calendar=False))
            opening.start(work, "g")
        return cls(installation, ruleset, Dice(f"bots-{number}", key).stream("choices"), BEGINNING)

    def period(self, clock: Clock) -> bool:
        """The letters of a period and its deadline; False where the game is over."""
        self.now += timedelta(minutes=1)
        with self.installation.work(self.now) as work:
            at = games.game_at(work.conn, "g")
            if at.row.status != "running":
                return False
            letters(work.conn, at, self.chance, self.now)
            when = at.period.due or self.now + timedelta(days=1)
            self.now = max(self.now, when)
            periods.set_period(
                work.conn, "g", at.period.number, due=self.now, base=self.now, next_look=self.now
            )
            before = work.conn.execute(select(func.count(records.Outgoing.id))).scalar_one()
        ran = self._closed(at, clock)
        with database.shared_transaction(self.installation.engine) as conn:
            after = conn.execute(select(func.count(records.Outgoing.id))).scalar_one()
        self.spent.mails.append(after - before)
        self.spent.statements.append(ran)
        return True

    def _closed(self, at: games.GameAt, clock: Clock) -> int:
        """The deadline, on the clock; how many statements it took."""
        ran = 0

        def counted() -> float | None:
            nonlocal ran
            ran += 1
            return statement_begins()

        scan = Scan(self.now, drained=True, crash=lambda _point: None)
        with (  # SQLite tells a statement with the mail in it, which takes as long as the period
            mock.patch.object(hot, "statement_begins", counted),
            mock.patch.object(locks, "statement_begins", counted),
        ):
            clock.seconds, begun = 0.0, time.process_time()
            closed = due.one(self.installation, "g", at.period.number, scan)
            self.spent.whole.append(time.process_time() - begun)
        self.spent.pictures.append(clock.seconds)
        if not closed:  # it waits for somebody; after that it waits no longer
            self.spent.whole.pop()
            self.spent.pictures.pop()
            self.now += timedelta(days=1)
            return self._closed(at, clock)
        return ran

    def digest(self) -> str:
        """SHA-256 over all that the database holds of the game."""
        made = hashlib.sha256()
        with database.shared_transaction(self.installation.engine) as conn:
            for table in records.Game.metadata.sorted_tables:
                if table.name == "memo":
                    continue
                for row in conn.execute(select(table).order_by(*table.primary_key.columns)):
                    made.update(repr(tuple(row)).encode())
        return made.hexdigest()


def settings(url: str) -> dict[str, Any]:
    """The configuration of an installation over a database, whose servers are not there."""
    server = {"host": "127.0.0.1", "security": "none", "password_env": "X", "user": "r"}
    return {
        "referee": {
            "address": "referee@game.example",
            "gamesmaster": "gm@game.example",
            "database": url,
        },
        "imap": server,
        "smtp": {"host": "127.0.0.1", "security": "none"},
    }


def five(ruleset: Ruleset[Any]) -> tuple[str, ...]:
    """The game's table of five players, or that of the number next to it."""
    return min(ruleset.about.seats, key=lambda one: abs(len(one) - 5))


def letters(conn: Any, at: games.GameAt, chance: Any, now: datetime) -> None:
    """The orders of all seats, one of which misses a move now and then."""
    ruleset, bot = at.ruleset, bot_of(at.ruleset)
    public = ruleset.view(at.state, None)
    for seat in at.seats:
        if chance.below(12):
            text = bot.letter(public, ruleset.view(at.state, seat), seat, chance)
            standing = take(ruleset, at.state, seat, text, {}).standing
            order_sets.save_orders(
                conn, at, seat, standing, None, said=LastWord.NOTHING, letter_id=None, now=now
            )
            games.set_seat(conn, at.id, seat, heard=at.period.number)


@contextmanager
def pinned() -> Iterator[Clock]:
    """Nonces that are the same in every run, and a clock over all that draws pictures."""
    clock, chance = Clock(), random.Random(7)
    with (
        mock.patch("secrets.token_hex", lambda n: chance.randbytes(n).hex()),
        mock.patch.object(drawing, "svgs", clock.timed(drawing.svgs)),
        mock.patch.object(drawing, "pngs", clock.timed(drawing.pngs)),
    ):
        yield clock


def played(folder: Path, key: str, number: int, most: int) -> dict[str, Play]:
    """A game in both faces, period by period in turns."""
    with pinned() as clock:
        plays = {face: Play.begun(folder, key, number, face) for face in FACES}
        for _ in range(most):
            going = [play.period(clock) for play in plays.values()]
            if not all(going):
                break
    return plays


def told(key: str, spent: Mapping[str, Spent]) -> None:
    """One line for each face: medians."""
    for face, one in spent.items():
        own = [w - p for w, p in zip(one.whole, one.pictures, strict=True)]
        figures = [statistics.median(each) * 1000 for each in (own, one.pictures)]
        mails, ran = statistics.mean(one.mails), statistics.median(one.statements)
        print(
            f"{key:22}{face:7}{figures[0]:8.1f}{1000 * statistics.mean(own):8.1f}{figures[1]:10.1f}"
            f"{mails:8.1f}{ran:8.0f}{len(own):9}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", nargs="*", default=list(GAMES))
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--periods", type=int, default=12)
    parser.add_argument("--digest", action="store_true")
    given = parser.parse_args()
    print(f"{'ms a period':29}", end="")
    print(f"{'median':>8}{'mean':>8}{'pictures':>10}{'mails':>8}{'stmts':>8}{'periods':>9}")
    for key in given.ruleset:
        spent = {face: Spent() for face in FACES}
        with tempfile.TemporaryDirectory(prefix="pbem-bench-") as name:
            for number in range(given.games):
                for face, play in played(Path(name), key, number, given.periods).items():
                    for each in ("whole", "pictures", "mails", "statements"):
                        getattr(spent[face], each).extend(getattr(play.spent, each))
                    if given.digest:
                        print(f"  {key} {number} {face} {play.digest()}")
                    play.installation.engine.dispose()
        told(key, spent)


if __name__ == "__main__":
    main()
