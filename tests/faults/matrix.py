"""The kill matrix: one short game under seeded faults at the crash points, compared with the
undisturbed run.

A schedule is a world (this process: post office, clock, players, gamesmaster) and a daemon (a child
forked from it, that is killed, cut off, starved or robbed of its database at the chosen points, and
forked anew). Whatever happens, at the end every letter has had its one effect, no mail went out
more often than its doubts allow, and the game has come out as if nothing had happened.
"""

import gc
import random
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import create_engine, text

from pbem.daemon.loop import Daemon
from tests.faults.facts import compare, facts
from tests.faults.schedules import (
    ANN,
    CLOSE,
    CONFIRM,
    DEPUTIES,
    POINTS,
    REMIND,
    REWINDS,
    SCRIPT,
    STRANGERS,
    WITHIN,
    Fault,
    Script,
    kinds,
    schedule,
    shuffled,
)
from tests.faults.tally import Tally, broken, tally
from tests.faults.world import Moment, Start, World, backup_step, begin, codes
from tests.installation import GAMESMASTER, SEATS, Installation
from tests.postgresql import Postgresql


class Matrix:
    """The matrix on one kind of database, in a folder of its own."""

    name = "schedule"
    script: Script = SCRIPT
    milder: tuple[str, ...] = ()
    """Kinds of faults that are kills here."""
    postgresql = False
    world: type[World] = World
    reference: Any
    """What the undisturbed run left behind."""

    def __init__(self, folder: Path) -> None:
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        self.folder = folder
        self.moments: list[Moment] = []
        folder.mkdir(parents=True, exist_ok=True)
        self.start = self.begin()
        self.url = self.fresh()
        self.daemon = self.rehearsed()
        self.counts = self.undisturbed()
        gc.collect()
        gc.freeze()  # what every child shares is nobody's garbage

    def undisturbed(self) -> dict[str, int]:
        """The run that the others are compared with, and whose moments they go on from; how often
        it passes each point."""
        self.first, self.reference = self.play([], between=self._between)
        assert self.complete(self.reference) and not self.reference.faults, self.reference
        poisoned = {} if "poison" in self.milder else {"inbox.retried": 1}  # passed only then
        return self.first.shared.counts() | poisoned

    def begin(self) -> Start:
        (self.folder / "start").mkdir()
        return begin(self.folder / "start")

    def fresh(self, step: int = 0) -> str:
        """A new copy of the position before this step; its URL, always the same."""
        shutil.rmtree(self.folder / "live", ignore_errors=True)
        (self.folder / "live").mkdir()
        file = self.folder / f"step-{step}.db" if step else self.start.file
        shutil.copy(file, self.folder / "live" / "pbem.db")
        return f"sqlite:///{self.folder / 'live' / 'pbem.db'}"

    def keep(self, step: int) -> None:
        """Keep the position before this step."""
        live, kept = self.folder / "live" / "pbem.db", self.folder / f"step-{step}.db"
        with closing(sqlite3.connect(live)) as source, closing(sqlite3.connect(kept)) as target:
            source.backup(target)

    def _between(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.keep(moment.step)

    def _since(self, faults: Sequence[Fault]) -> Moment | None:
        """The last moment before any of them strikes, and before the backup is made that comes
        back."""
        found, backup = None, backup_step(faults, len(self.script))
        for moment in self.moments:
            struck = any(moment.counts[fault.point] >= fault.nth for fault in faults)
            if struck or (backup is not None and moment.step > backup):
                break
            found = moment
        return found

    def rehearsed(self) -> Daemon:
        """The daemon that every child is forked from: it has played the game once, so that all its
        caches are full."""
        with Installation(
            self.folder, "coalition", seats=SEATS, url=self.url, strangers=STRANGERS
        ) as at:
            at.clock = self.start.clock
            for step in self.script:
                if step == REMIND:
                    at.clock += timedelta(days=4)
                for who, words in () if isinstance(step, str) else step:
                    if who == CONFIRM:
                        at.write(words, f"CONFIRM {codes(at, words)[-1]}")
                    elif who == GAMESMASTER:
                        at.write(who, words, To=self.start.secret)
                    elif who in (*SEATS, ANN):
                        at.write(who, words)
                at.to_deadline() if step == CLOSE else at.once()
            at.write("someone@else.example", "May I join a game?")  # the door's phrases
            at.once()
        return at.daemon

    def play(
        self,
        faults: Sequence[Fault],
        script: Script = (),
        between: Callable[[Moment], None] | None = None,
    ) -> tuple[World, Any]:
        """A world that has come to its end, and what it left behind. Its beginning, which no fault
        disturbs, was lived once for all; but not that of another ``script``."""
        since = None if script else self._since(faults)
        self.fresh(since.step if since else 0)
        given = self.folder, self.start, self.daemon, self.url, faults, script or self.script
        world = self.world(*given)
        world.run(since, between)
        found = self.left(world)
        self.daemon.engine.dispose()
        return world, found

    def left(self, world: World) -> Any:
        """What a run left behind."""
        return facts(self.daemon.engine, world)

    def complete(self, found: Any) -> bool:
        """Whether it came to its end."""
        return bool(found.over == "over")

    def differs(self, found: Any, world: World) -> list[str]:
        """What is different from the undisturbed run, or wrong in any."""
        return compare(found, self.reference, world)

    def faults(self, seed: int) -> list[Fault]:
        """What strikes in a schedule."""
        faults = schedule(seed, self.counts, self.postgresql)
        return [replace(one, kind="kill") if one.kind in self.milder else one for one in faults]

    def run(self, seed: int) -> Tally:
        """One schedule."""
        return self.struck(self.faults(seed), str(seed))

    def struck(self, faults: Sequence[Fault], seed: str = "") -> Tally:
        """What comes of the game under these faults."""
        told = f"{self.name} {seed} ({', '.join(map(str, faults))})"
        try:
            world, found = self.play(faults)
        except Exception as error:
            return broken(told, error)
        wrong = [f"{told}: {one}" for one in self.differs(found, world)]
        return tally(world.shared.struck(), world.mails, found.doubted, wrong)

    def check(self, seed: int) -> list[str]:
        """One schedule; [] where it passed."""
        return self.run(seed).wrong

    def shuffled(self, seed: int) -> list[str]:
        """The same letters in another order across the seats, each one twice, with kills between
        commits: the same game."""
        chance = random.Random(seed)
        script = shuffled(chance)
        points = sorted(set(POINTS) - set(WITHIN))
        faults = [
            Fault(chance.choice(points), chance.randint(1, 12), "kill")
            for _ in range(chance.randint(1, 4))
        ]
        _, found = self.play(faults, script)
        wrong = list(found.faults)
        for what in ("state", "over", "standing", "sets"):
            if getattr(found, what) != getattr(self.reference, what):
                wrong.append(
                    f"{what} differs: {getattr(found, what)!r} instead of"
                    f" {getattr(self.reference, what)!r}"
                )
        return [f"shuffle {seed} ({', '.join(map(str, faults))}): {one}" for one in wrong]


class OfDeputies(Matrix):
    """The same of a game in which somebody plays for a while for another. What is restored from a
    backup wants its codes once more, and is another game."""

    name = "deputies"
    script = DEPUTIES
    milder = ("restore",)


class OfRewinds(Matrix):
    """The same of a game whose gamesmaster holds it, moves a deadline, and rewinds a period, by
    mail; where a backup is restored a code of his is another, and he would ask anew."""

    name = "rewinds"
    script = REWINDS
    milder = ("restore",)


class OfRestores(Matrix):
    """The same where a backup always comes back, with one or two kills before it, while the
    processed letters are read again, or after."""

    name = "restores"

    def faults(self, seed: int) -> list[Fault]:
        chance = random.Random(f"restore {seed}")
        points = sorted(point for point, count in self.counts.items() if count)
        at = chance.choice([one for one in points if "restore" in kinds(one, postgresql=False)])
        faults = [Fault(at, chance.randint(1, self.counts[at]), "restore")]
        for _ in range(chance.choice((1, 1, 2))):
            point = chance.choice(points)
            faults.append(Fault(point, chance.randint(1, 2 * self.counts[point]), "kill"))
        return faults


class OnPostgresql(Matrix):
    """The same on PostgreSQL; lost connections to it take the place of full disks and restored
    backups."""

    name = "postgresql"
    postgresql = True

    def __init__(self, folder: Path, cluster: Postgresql) -> None:
        self.origin = cluster.database()
        super().__init__(folder)

    def begin(self) -> Start:
        return begin(self.folder, self.origin)

    def fresh(self, step: int = 0) -> str:
        return copied(f"{self.origin}_{step}" if step else self.origin, f"{self.origin}_live")

    def keep(self, step: int) -> None:
        self.daemon.engine.dispose()
        copied(f"{self.origin}_live", f"{self.origin}_{step}")


def copied(origin: str, to: str) -> str:
    """A copy of a PostgreSQL database; its URL."""
    base, _, name = origin.rpartition("/")
    copy = to.rpartition("/")[2]
    engine = create_engine(f"{base}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as conn:
        conn.execute(text(f"DROP DATABASE IF EXISTS {copy} WITH (FORCE)"))
        conn.execute(text(f"CREATE DATABASE {copy} TEMPLATE {name}"))
    engine.dispose()
    return to
