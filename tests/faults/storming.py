"""The kill matrix of a storm: three games are due at one minute, and between their closings come
letters of another game, whatever strikes the daemon meanwhile."""

import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, select

from pbem.daemon import passes
from pbem.daemon.loop import Daemon
from pbem.periods import replay
from pbem.post.clock import Reading
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import periods
from pbem.store.schema.tables import Letter, OrderSet, Outgoing, Period
from tests.faults.child import Child
from tests.faults.matrix import Matrix
from tests.faults.schedules import CLOSE, IN_DOUBT, ONE, Lines, Script
from tests.faults.tally import twice
from tests.faults.world import Start, World
from tests.installation import REFEREE, SEATS, Installation

GAMES, QUIET = ("g", "h", "i"), "quiet"
CALM: Script = (
    [("A", f"GAME {game}\nPROPOSE {ONE}") for game in GAMES],
    [("B", f"GAME {QUIET}\nSPECIAL JUS"), ("C", "GAME h\nSPECIAL TRA")],
    CLOSE,
    [(seat, f"GAME {game}\nVOTE AYE") for game in GAMES for seat in "AB"],
    CLOSE,
    [],
)
"""Two storms; the pass after the last puts its letters away."""
BETWEEN: dict[int, Lines] = {
    1: [("A", f"GAME {QUIET}\nSPECIAL AGR"), ("D", f"GAME {QUIET}\nSPECIAL FOR")],
    2: [("B", f"GAME {QUIET}\nSPECIAL ENV\nNAEM x"), ("E", "STATUS")],
    4: [("A", f'GAME {QUIET}\nNAME "Harbour"')],
    5: [("B", f"GAME {QUIET}\nSPECIAL AGR"), ("C", f"GAME {QUIET}\nSPECIAL TRA")],
}
"""What is written when so many periods have closed: a storm is three of them."""


class Stormy(Child):
    """The daemon, that looks for letters after each period; its clock stands still meanwhile."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        passes.STEPS = 1

    def do_pass(self, now: datetime) -> None:
        self.daemon.read = lambda: Reading(now, 0.0)
        super().do_pass(now)

    def crash(self, point: str) -> None:
        """A point is passed; where a period has closed, letters are written first."""
        if point == "deadline.committed":
            self.tell("closed")
        super().crash(point)


class Weather(World):
    """The post office and the players, who write in a storm too."""

    child = Stormy

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.closings = 0
        self.answered: dict[int, int] = {}
        """How many of the letters that were written in storms had a receipt at each closing."""
        self.between: list[str] = []

    def heard(self, what: str) -> None:
        """The daemon has closed a period."""
        if what != "closed":
            super().heard(what)
            return
        self.closings += 1
        self.read_mails()
        self.answered[self.closings] = len({*self.between} & receipts(self).keys())
        for who, words in BETWEEN.get(self.closings, ()):
            raw = self.at.letter(who, words, Date=self.written)
            self.between.append(str(_message_id(raw)))
            self.raws.append(raw)
            self.at.office.deliver(REFEREE, raw, self.at.clock + timedelta(seconds=1))


def _message_id(raw: bytes) -> str:
    return raw.split(b"Message-ID: ", 1)[1].split(b"\n", 1)[0].strip().decode()


def receipts(world: World) -> dict[str, set[str]]:
    """The mails that answer each letter."""
    found: dict[str, set[str]] = {}
    for told in world.mails.values():
        for mail in told:
            found.setdefault(str(mail["In-Reply-To"]), set()).add(str(mail["Message-ID"]))
    return found


@dataclass(slots=True)
class Weathered:
    """What a run left behind, as far as faults must not change it."""

    periods: list[tuple[str, int, str, str]]
    sets: dict[tuple[str, int, str], list[list[str]]]
    letters: Counter[tuple[str, str, int]]
    keys: set[str]
    answers: Counter[int]
    """How many letters had so many answers."""
    doubted: set[str]
    faults: list[str] = field(default_factory=list)


def weathered(engine: Engine, world: Weather) -> Weathered:
    """Read it; ``faults`` names what is wrong whatever the undisturbed run was like."""
    with exclusive_transaction(engine) as conn:
        kept = (Period.game_id, Period.number, Period.state_hash, Period.status)
        rows = conn.execute(select(*kept).order_by(*kept[:2])).all()
        sets = conn.execute(select(OrderSet.__table__).order_by(OrderSet.ordinal)).all()
        letters = conn.execute(select(Letter.__table__)).all()
        mails = conn.execute(select(Outgoing.__table__)).all()
        wrong = [f"{one}: {line}" for one in GAMES for line in replay.replay(conn, one).faults]
    orders: dict[tuple[str, int, str], list[list[str]]] = {}
    for one in sets:
        orders.setdefault((one.game_id, one.period, one.seat), []).append(one.orders)
    wrong += [
        f"letter {one.id} is {one.outcome}: {one.reason}"
        for one in letters
        if one.outcome not in ("orders", "command")
    ]
    wrong += [
        f"mail {one.key} is {one.state}" for one in mails if one.state != "sent" and not one.resent
    ]
    wrong += [f"{len(world.inbox)} letters were left in the inbox"] * bool(world.inbox)
    answers = receipts(world)
    return Weathered(
        [tuple(row) for row in rows],
        orders,
        Counter((one.outcome, one.game_id, one.period) for one in letters),
        {one.key for one in mails if one.kind in ("bulletin", "notice", "press", "start")},
        Counter(len(answers.get(_message_id(raw), ())) for raw in world.raws),
        {one.message_id for one in mails if one.resent},
        wrong,
    )


def differs(now: Weathered, then: Weathered, world: Weather) -> list[str]:
    """What differs from the undisturbed run, and what no run may show."""
    wrong = [*now.faults, *twice(world.mails, now.doubted)]
    for what in ("periods", "sets", "letters", "keys", "answers"):
        if getattr(now, what) != getattr(then, what):
            wrong.append(f"{what}: {getattr(now, what)!r} instead of {getattr(then, what)!r}")
    doubts = sum(fault.kind in IN_DOUBT for fault in world.shared.struck())
    again = sum(
        count - 1
        for mails in world.mails.values()
        for count in Counter(mail["Message-ID"] for mail in mails).values()
    )
    return [*wrong, *[f"{again} mails went out twice, with {doubts} faults"] * (again > doubts)]


class Storming(Matrix):
    """The matrix of storms."""

    name = "storm"
    world = Weather
    script = CALM
    milder = ("restore", "poison", "burn")  # what brings letters into another order

    def begin(self) -> Start:
        place = self.folder / "start"
        place.mkdir()
        with Installation(place, "coalition", seats=SEATS) as at:
            for game in (*GAMES, QUIET):
                at.start(game)
            due = at.table().period.due
            assert due
            with exclusive_transaction(at.daemon.engine) as conn:
                for game in GAMES:
                    periods.set_period(conn, game, 1, due=due, base=due, next_look=due)
                far = due + timedelta(days=90)
                periods.set_period(conn, QUIET, 1, due=far, base=far, next_look=far)
            at.daemon.engine.dispose()
            clock = at.clock
        with sqlite3.connect(place / "pbem.db") as live:
            live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        live.close()
        return Start(place / "pbem.db", clock, due)

    def rehearsed(self) -> Daemon:
        with Installation(self.folder, "coalition", seats=SEATS, url=self.url) as at:
            at.clock = self.start.clock
            at.send("A", f"GAME {QUIET}\nSPECIAL AGR")
            at.to_deadline()
        return at.daemon

    def left(self, world: Any) -> Weathered:
        return weathered(self.daemon.engine, world)

    def complete(self, found: Weathered) -> bool:
        """Each letter has one answer."""
        return set(found.answers) == {1}

    def differs(self, found: Weathered, world: Any) -> list[str]:
        return differs(found, self.reference, world)
