"""The kill matrix of a table that fills: seven people sign on by mail, five answer when they are
called, one does not, and the game begins by itself, whatever strikes the daemon meanwhile."""

import sqlite3
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sqlalchemy import Engine, func, select

from pbem.daemon.loop import Daemon
from pbem.letters.states import LetterState
from pbem.periods import open_tables as tables
from pbem.periods import opening, replay
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.schema.tables import Letter, OpenTable, Outgoing
from tests.faults.child import Child
from tests.faults.matrix import Matrix
from tests.faults.schedules import IN_DOUBT, Fault, Lines, Script
from tests.faults.tally import twice
from tests.faults.world import Start, World
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk

ID = "t"
PEOPLE = tuple(
    f"{name}@club.example" for name in ("ann", "ben", "cleo", "dan", "eve", "fay", "gus")
)
FIVE = PEOPLE[:5]
CODE, SILENCE = "CONFIRM", "silence"
"""The code that was mailed last; four days in which nobody writes."""
JOIN: Script = (
    [(who, f"SIGNON {ID} AS {who[:3].capitalize()}") for who in PEOPLE[:4]],
    *([(who, CODE)] for who in PEOPLE[:4]),
    SILENCE,
    *([(who, f"SIGNON {ID} AS {who[:3].capitalize()}")] for who in PEOPLE[4:]),
    *([(who, CODE)] for who in PEOPLE[4:]),
    [("gus@club.example", f"SIGNOFF {ID}")],
    [("gus@club.example", CODE), *((who, CODE) for who in FIVE[:3])],
    SILENCE,
    [("fay@club.example", CODE)],
)
"""Six join, in this order, and a seventh who leaves; Dan does not answer when he is called. Eve, who
has just signed on, is not called."""
TABLE_POINTS = ("table.done", "table.committed")
_MAIL = (Outgoing.key, Outgoing.state, Outgoing.resent, Outgoing.message_id)
_WITHIN = ("table.done",)


class Joiner(Child):
    """The daemon where there is no game yet."""

    def game(self) -> tuple[str, int, datetime | None, int, int]:
        with reading(self.daemon.engine) as conn:
            waits = Outgoing.state.in_(("ready", "leased", "unknown")) & ~Outgoing.resent
            waiting = conn.execute(select(func.count(Outgoing.id)).where(waits)).scalar_one()
            failed = Letter.how_many(conn, outcome=LetterState.FAILED)
            return "running", 0, None, waiting, failed


class Door(World):
    """The post office and the people who come."""

    child = Joiner
    people = (GAMESMASTER, *map(address, SEATS), *PEOPLE)

    def _step(self, step: str) -> None:
        self.at.clock += timedelta(days=4)
        self._pass()

    def _letters(self, lines: Lines) -> None:
        super()._letters(
            [(who, f"{CODE} {self._code(who)}" if words == CODE else words) for who, words in lines]
        )


@dataclass(slots=True)
class Joined:
    """What a run left behind, as far as faults must not change it."""

    table: str
    people: dict[str, tuple[str, int | None]]
    seats: dict[str, str]
    mails: dict[str, Counter[str]]
    doubted: set[str]
    faults: list[str] = field(default_factory=list)


def joined(engine: Engine, world: World) -> Joined:
    with exclusive_transaction(engine) as conn:
        table = OpenTable.one(conn, id=ID)
        assert table
        people = open_tables.applicants(conn, ID)
        begun = games.begun(conn, ID)
        wrong = replay.replay(conn, ID).faults if begun else ["the game has not begun"]
        holders = games.holders(conn, ID) if begun else {}
        left = conn.execute(select(Letter.id, Letter.outcome, Letter.reason)).all()
        unsent = conn.execute(select(*_MAIL)).all()
    wrong += [
        f"letter {one.id} is {one.outcome}: {one.reason}"
        for one in left
        if one.outcome != "command"
    ]
    wrong += [
        f"mail {one.key} is {one.state}" for one in unsent if one.state != "sent" and not one.resent
    ]
    wrong += [f"{len(world.inbox)} letters were left in the inbox"] * bool(world.inbox)
    mails = {
        who: Counter(
            str(subject) for subject in {one["Message-ID"]: one["Subject"] for one in told}.values()
        )
        for who, told in world.mails.items()
        if who in PEOPLE
    }
    return Joined(
        table.state,
        {one.address: (one.state, one.place) for one in people},
        {seat: holder.address for seat, holder in holders.items()},
        mails,
        {one.message_id for one in unsent if one.resent},
        list(wrong),
    )


def differs(now: Joined, then: Joined, world: World) -> list[str]:
    """What differs from the undisturbed run, and what no run may show."""
    wrong = [*now.faults, *twice(world.mails, now.doubted)]
    for what in ("table", "people", "seats", "mails"):
        if getattr(now, what) != getattr(then, what):
            wrong.append(f"{what}: {getattr(now, what)!r} instead of {getattr(then, what)!r}")
    doubts = sum(fault.kind in IN_DOUBT for fault in world.shared.struck())
    counts = [
        count - 1
        for mails in world.mails.values()
        for count in Counter(mail["Message-ID"] for mail in mails).values()
    ]
    wrong += [f"{sum(counts)} mails went out twice, with {doubts} faults"] * (sum(counts) > doubts)
    return wrong


class Joining(Matrix):
    """The matrix of an open table."""

    name = "joining"
    world = Door
    script = JOIN
    milder = ("restore", "poison", "burn")

    def begin(self) -> Start:
        place = self.folder / "start"
        place.mkdir()
        with Installation(place, "coalition", seats=SEATS, strangers=PEOPLE) as at:
            with desk(at) as work:
                plan = opening.Plan(ID, "coalition", (), "Europe/Paris", seed="7")
                tables.open_(work, tables.Wanted(plan, 5))
            at.daemon.engine.dispose()
            clock = at.clock
        with sqlite3.connect(place / "pbem.db") as live:
            live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        live.close()
        return Start(place / "pbem.db", clock, clock)

    def rehearsed(self) -> Daemon:
        with Installation(
            self.folder, "coalition", seats=SEATS, url=self.url, strangers=PEOPLE
        ) as at:
            at.clock = self.start.clock
            at.send(PEOPLE[0], f"SIGNON {ID} AS Ann")
        return at.daemon

    def left(self, world: World) -> Joined:
        return joined(self.daemon.engine, world)

    def complete(self, found: Joined) -> bool:
        return found.table == "begun"

    def differs(self, found: Joined, world: World) -> list[str]:
        return differs(found, self.reference, world)

    def faults(self, seed: int) -> list[Fault]:
        """What brings letters into another order, or takes back a code that was mailed, is a kill
        here."""
        return [
            replace(one, kind="kill") if one.point in _WITHIN and one.kind == "locked" else one
            for one in super().faults(seed)
        ]

    def at_each(self) -> list[str]:
        """A kill at every passing of every point of a table."""
        return [
            line
            for point in TABLE_POINTS
            for nth in range(1, self.counts[point] + 1)
            for line in self.struck([Fault(point, nth, "kill")]).wrong
        ]
