"""A clock that is wrong does nothing that lasts: whatever reads the time is walked through, with a
clock that jumps by minutes, days and years, both ways, while serving and at a start."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.acts.acts import BY_NAME
from pbem.daemon.loop import Daemon
from pbem.errors import OperatorError, OutsideError
from pbem.periods import deadline_acts, opening
from pbem.post import clock, codes
from pbem.post.clock import Reading
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.table_base import Record
from pbem.store.schema.tables import Outgoing
from tests.faults.test_bad_day import asked
from tests.installation import GAMESMASTER, SLATE, Installation, desk
from tests.mail.test_open_tables import ANN, BEN, Club
from tests.subjects import subjects

ROOT = Path(__file__).parents[2] / "pbem"
JUMPS = [
    timedelta(minutes=10),
    timedelta(minutes=-10),
    timedelta(days=3),
    timedelta(days=-3),
    timedelta(days=400),
    timedelta(days=-400),
]
JUMPS_WHEN = [
    pytest.param(jump, when, marks=() if n % 5 == 0 else pytest.mark.slow, id=f"{jump}-{when}")
    for n, (jump, when) in enumerate(product(JUMPS, ("while serving", "at a start")))
]
"""The default run has a short, a long and a very long one, forward and back."""
SET_BY_A_HOLD = {"game", "journal", "ruling", "outgoing", "memo"}
"""The tables that a hold writes into; what of them is no part of it is compared by itself."""
OF_A_HOLD = {"alarm", "hold"}


class Scene(Club):
    """Something of each kind waits for its time: reminders and a deadline, a silent player's seat,
    an open table, a code, a mail to be tried again, a gamesmaster who is asked for, the digest, and
    what is purged."""

    def lay(self) -> None:
        self.game = "g"
        self.start("over")
        self.write("A", "GAME over\nSPECIAL AGR")
        self.once()
        with desk(self) as work:
            opening.end(work, "over", "enough")
        self.clock += timedelta(days=8)  # statements are out
        self.once()
        self.start("g")
        self.write("A", f"GAME g\nPROPOSE {SLATE}")
        self.once()
        self.to_deadline()  # now each owes his vote
        self.start("held")
        self.open(places=5)
        self.join(ANN, BEN)
        with desk(self) as work:
            deadline_acts.hold(work, "held", "illness")
        asked(self, "g")
        with desk(self) as work:
            codes.new(work, "resign", "a@legit.example", game="g", seat="A")
        self.once()
        self.write("B", "GAME g\nSTATUS")
        self.office.reject_next(450)
        self.once()
        self.once()

    def status(self, game: str) -> str:
        with exclusive_transaction(self.daemon.engine) as conn:
            return games.game(conn, game).status

    def rows(self) -> dict[str, list[Any]]:
        """All that is on file, but for what a hold of all games writes."""
        with exclusive_transaction(self.daemon.engine) as conn:
            found = {
                table.name: sorted(map(repr, conn.execute(select(table)).all()))
                for table in Record.metadata.sorted_tables
                if table.name not in SET_BY_A_HOLD
            }
            kept = Outgoing.kind.not_in(OF_A_HOLD)
            columns = (Outgoing.key, Outgoing.state, Outgoing.next_try, Outgoing.raw)
            found["outgoing"] = sorted(map(repr, conn.execute(select(*columns).where(kept)).all()))
            memos = conn.execute(select(Record.metadata.tables["memo"])).all()
            found["memo"] = sorted(
                repr(one)
                for one in memos
                if one.key not in ("last_pass", "clock in doubt") and "stale:" not in one.key
            )
        return found

    def held_and_alarmed(self) -> list[str]:
        """The keys of the mails that a doubt has made."""
        with exclusive_transaction(self.daemon.engine) as conn:
            of_doubt = Outgoing.kind.in_(OF_A_HOLD)
            asked = select(Outgoing.key).where(of_doubt).order_by(Outgoing.id)
            return list(conn.execute(asked).scalars())


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Scene]:
    with Scene(tmp_path) as made:
        made.lay()
        yield made


class Machine:
    """Both clocks of the machine, and the mail server's, which is right."""

    def __init__(self, at: Installation) -> None:
        self.at, self.began, self.off, self.seconds = at, at.clock, timedelta(0), 0.0

    def begin(self) -> Daemon:
        """The daemon's process begins."""
        self.at.daemon.close()
        self.at.daemon = daemon = self.at.new_daemon()
        daemon.read = lambda: Reading(self.true + self.off, 1000.0 + self.seconds)
        daemon.server = lambda _: self.true
        return daemon

    @property
    def true(self) -> datetime:
        return self.began + timedelta(seconds=self.seconds)

    def passes(self, n: int = 2) -> None:
        for _ in range(n):
            self.seconds += 1
            self.at.daemon.pass_now()


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: sorted(set(before[name]) ^ set(after[name]))[:4]
        for name in before
        if before[name] != after[name]
    }


@pytest.mark.parametrize(("jump", "when"), JUMPS_WHEN)
def test_a_wrong_clock_leaves_no_trace_but_the_hold(at: Scene, jump: timedelta, when: str) -> None:
    machine = Machine(at)
    machine.begin()
    machine.passes(3)
    assert at.daemon.clock.sure and at.status("g") == "running"
    before, mails = at.rows(), set(at.held_and_alarmed())
    machine.off = jump
    if when == "at a start":
        machine.begin()
    machine.passes(3)
    assert at.status("g") == "held" and not at.daemon.clock.sure
    assert differences(before, at.rows()) == {}
    with exclusive_transaction(at.daemon.engine) as conn:
        assert abs(games.game(conn, "g").held_at - machine.true) < timedelta(minutes=1)
        with pytest.raises(OperatorError, match="the clock is in doubt"):
            clock.must_be_sure(conn)
    machine.off = timedelta(0)
    if when == "at a start":
        machine.begin()
    machine.passes(2)
    assert at.daemon.clock.sure and differences(before, at.rows()) == {}
    fresh = set(at.held_and_alarmed()) - mails
    assert len([one for one in fresh if one.startswith("alarm:")]) == 1, fresh
    with exclusive_transaction(at.daemon.engine) as conn:
        clock.must_be_sure(conn)
        due = games.game_at(conn, "g").period.due
        done = do(at.work(conn), BY_NAME["resume"], {"game": "g", "everything": False}, Actor())
        assert "goes on" in done.said and games.game_at(conn, "g").period.due == due


def test_a_letter_is_decided_meanwhile_by_the_right_time(at: Scene) -> None:
    machine = Machine(at)
    machine.begin()
    machine.passes(1)
    machine.off = timedelta(days=400)
    at.clock = machine.true
    at.write("C", "GAME g\nSPECIAL AGR")
    machine.passes(1)
    with exclusive_transaction(at.daemon.engine) as conn:
        table = Record.metadata.tables["letter"]
        newest = conn.execute(select(table).order_by(table.c.id.desc()).limit(1)).one()
    assert newest.outcome == "orders" and newest.decided == newest.seen == machine.true
    assert "Re: [g] 1 line not taken" in subjects(at, "C")[-1]


@pytest.mark.slow
def test_what_the_walk_waits_for_does_happen_in_its_time(at: Scene) -> None:
    """Else the walk would prove nothing."""
    machine = Machine(at)
    machine.begin()
    machine.passes(1)
    before = at.rows()
    due = at.table().period.due
    assert due
    for moment in (
        due - timedelta(hours=20),
        due,
        *(due + timedelta(days=15 * n) for n in range(1, 30)),
    ):
        machine.began = at.clock = moment
        machine.begin()
        machine.passes(1)
        with desk(at) as work:
            if at_held(work.conn):
                deadline_acts.resume(work, "g")
    changed = differences(before, at.rows())
    assert {"letter", "outgoing", "memo", "period", "seat", "open_table"} <= set(changed)
    with exclusive_transaction(at.daemon.engine) as conn:
        keys = " ".join(conn.execute(select(Outgoing.key)).scalars())
        purged = conn.execute(select(Outgoing.key).where(Outgoing.raw == b"")).all()
    for kind in ("digest:", "silence:", "reminder:", "bulletin:"):
        assert kind in keys, kind
    assert purged


def at_held(conn: Any) -> bool:
    return games.game(conn, "g").status == "held"


def test_without_a_mail_server_a_clock_that_came_back_is_right_by_the_steady_one(at: Scene) -> None:
    machine = Machine(at)
    machine.begin()
    machine.passes(1)

    def refuse(_: object) -> datetime:
        raise OutsideError("it says nothing")

    at.daemon.server = refuse
    machine.off = timedelta(hours=5)
    machine.passes(2)
    assert at.daemon.clock.wrong
    machine.off = timedelta(0)
    machine.passes(1)
    assert at.daemon.clock.sure and at.status("g") == "held"


def test_a_machine_that_slept_is_believed_once_the_mail_server_says_so(at: Scene) -> None:
    machine = Machine(at)
    machine.begin()
    machine.passes(1)
    machine.began += timedelta(hours=2)  # for both, but not for the steady clock
    machine.passes(1)
    assert at.daemon.clock.sure and at.status("g") == "held"


def test_one_wrong_clock_is_one_alarm_however_often_cron_looks(at: Scene) -> None:
    machine = Machine(at)
    machine.off = timedelta(days=2)
    before = len(at.held_and_alarmed())
    for _ in range(4):
        machine.begin()
        machine.passes(1)
        machine.seconds += 60
    alarms = [one for one in at.held_and_alarmed()[before:] if one.startswith("alarm:")]
    assert len(alarms) == 1
    assert sum("all games are held" in one for one in subjects(at, GAMESMASTER)) == 1


# --- who reads the time ---------------------------------------------------------------------------

CLOCKS = {
    "post/clock.py",  # the daemon's, by `daemon.clocks.Clock`
    "cli/at_work.py",  # acts of the shell: `clock.must_be_sure`
    "desk/app.py",  # acts at the desk: `desk.acts`
    "cli/service.py",  # also how old a page says it is
    "cli/init.py",  # doctor compares it
    "store/engine/backup.py",  # the name of a file
}
"""The files that read the machine's clock."""


def test_nobody_else_reads_the_machines_clock() -> None:
    words = ("datetime.now(", "time.time(", "date.today(", "utcnow(")
    found = {
        str(file.relative_to(ROOT))
        for file in ROOT.rglob("*.py")
        if "demo" not in file.parts
        and any(word in file.read_text(encoding="utf-8") for word in words)
    }
    assert found == CLOCKS
