"""Two daemons on two machines, one PostgreSQL, one mailbox: one reads it at a time, the other takes
over from one that was killed, stands still or is cut off; nothing is lost, done twice, or alarming.
Each daemon is a process of its own; what is waited for is a fact, never a time."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, make_url, select, text

from pbem.daemon.loop import Daemon
from pbem.periods import replay
from pbem.post import inbox
from pbem.post.imap import Folder, Mailbox
from pbem.post.work import no_crash
from pbem.store.engine import database, locks
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.engine.locks import Turn
from pbem.store.schema.tables import Letter
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation
from tests.sharing import until
from tests.subjects import subjects
from tests.wire import Wire

FORK = get_context("fork")
PATIENCE = 240  # seconds after which a test that hangs is given up
WELL_AGAIN = "[pbem] the database is well again"
pytestmark = pytest.mark.needs("postgresql")


@pytest.fixture
def at(
    tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Installation]:
    """A game on the machine's clock, where silence is noticed sooner than in earnest."""
    monkeypatch.setattr(locks, "SILENCE", 3)
    monkeypatch.setattr(database, "_IDLE", 3)
    with Installation(tmp_path, "coalition", seats=SEATS, url=postgresql_url) as made:
        made.clock = datetime.now(UTC)
        made.start()
        made.office.now = lambda: datetime.now(UTC)
        yield made


@contextmanager
def serving(
    at: Installation, crash: Callable[[str], None] = no_crash, port: int = 0
) -> Iterator[BaseProcess]:
    """A daemon that serves, in a process of its own; ``port``: by which it reaches the database."""

    def run() -> None:
        settings = at.config()
        if port:
            url = make_url(at.url).set(port=port).render_as_string(hide_password=False)
            there = settings.referee.model_copy(update={"database": url})
            settings = settings.model_copy(update={"referee": there})
        Daemon(settings, crash).run()

    at.daemon.engine.dispose()  # no process inherits another's connections
    process = FORK.Process(target=run)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def asking(at: Installation) -> int:
    """How many daemons have the turn or ask for it."""
    asked = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_lock%'"
    with reading(at.daemon.engine) as conn:
        waiting = conn.execute(text(f"{asked} AND pid <> pg_backend_pid()")).scalar_one()
    return int(waiting)


def answered(at: Installation, seat: str, letters: int) -> bool:
    """Whether a seat has a receipt for each of its letters."""
    found = [mail for mail in at.mails(seat) if str(mail["Subject"]).startswith("Re: ")]
    return len(found) >= letters


def ended(process: BaseProcess) -> None:
    process.terminate()
    process.join(PATIENCE)
    assert process.exitcode == 0


def assert_once(at: Installation, letters: int, told: list[str]) -> None:
    """Each letter one row, one effect, one receipt; all of them moved; no alarm."""
    with exclusive_transaction(at.daemon.engine) as conn:
        rows = conn.execute(select(Letter.outcome, Letter.moved)).all()
        assert replay.replay(conn, "g").faults == []
    assert Counter(row.outcome for row in rows) == {"orders": letters}
    assert all(row.moved for row in rows)
    assert at.office.messages(REFEREE) == []
    assert len(at.office.messages(REFEREE, "Processed")) == letters
    for seat in SEATS:
        ids = Counter(mail["Message-ID"] for mail in at.mails(seat))
        assert set(ids.values()) <= {1}, seat
    assert Counter(state for _, state in at.outbox()) == {"sent": len(at.outbox())}
    assert [one for one in subjects(at, GAMESMASTER) if one != WELL_AGAIN] == told


def moved(at: Installation) -> bool:
    return at.office.messages(REFEREE) == []


def quiet(at: Installation) -> bool:
    """Nobody has a mail in hand, which would be in doubt if he ended now."""
    return {state for _, state in at.outbox()} == {"sent"}


def test_who_is_killed_is_succeeded(at: Installation) -> None:
    told = subjects(at, GAMESMASTER)
    with serving(at) as first:
        at.write("A", "SPECIAL AGR")
        until(lambda: answered(at, "A", 1))
        with serving(at) as second:
            until(lambda: asking(at) >= 1)  # the last word of a session: its turn is another's
            at.write("B", "SPECIAL AGR")
            until(lambda: answered(at, "B", 1) and quiet(at))
            assert first.is_alive() and second.is_alive()
            first.kill()
            at.write("C", "SPECIAL AGR")
            until(lambda: answered(at, "C", 1) and moved(at) and quiet(at))
            ended(second)
    assert_once(at, 3, told)


POINTS = ("inbox.cursor", "inbox.fetched", "inbox.stored", "letter.decided", "inbox.moved")


@pytest.mark.parametrize("point", POINTS)
def test_who_stands_still_is_succeeded_and_does_no_harm_when_he_wakes(
    at: Installation, point: str
) -> None:
    """He stands in the middle of reading, with letters in hand that another then reads."""
    told = subjects(at, GAMESMASTER)
    standing, ready = FORK.Value("i", 0), FORK.Event()

    def stand(here: str) -> None:
        """Stop the daemon that reads; on a slow machine it may be the second."""
        if here == point and ready.is_set() and not standing.value:
            standing.value = os.getpid()
            os.kill(os.getpid(), signal.SIGSTOP)

    with serving(at, stand) as first:
        at.write("A", "SPECIAL AGR")
        until(lambda: answered(at, "A", 1) and moved(at))
        with serving(at, stand) as second:
            until(lambda: asking(at) >= 1 and quiet(at))
            ready.set()
            at.write("B", "SPECIAL AGR")
            until(lambda: standing.value)
            stands, reads = (first, second) if standing.value == first.pid else (second, first)
            at.write("C", "SPECIAL AGR")
            until(lambda: answered(at, "B", 1) and answered(at, "C", 1))
            until(lambda: moved(at))
            os.kill(standing.value, signal.SIGCONT)
            at.write("D", "SPECIAL AGR")
            until(lambda: answered(at, "D", 1))
            until(lambda: asking(at) >= 1 and quiet(at))  # he is awake, and it is not his turn
            reads.kill()
            at.write("E", "SPECIAL AGR")
            until(lambda: answered(at, "E", 1) and moved(at) and quiet(at))
            ended(stands)
    assert_once(at, 5, told)


def test_who_is_cut_off_from_the_database_is_succeeded(at: Installation) -> None:
    """Nothing is carried any more, and nobody says so."""
    told, port = subjects(at, GAMESMASTER), make_url(at.url).port
    assert port
    with Wire(port) as wire, serving(at, port=wire.port) as first:
        at.write("A", "SPECIAL AGR")
        until(lambda: answered(at, "A", 1) and moved(at))
        with serving(at) as second:
            until(lambda: asking(at) >= 1 and quiet(at))
            wire.freeze()
            at.write("B", "SPECIAL AGR")
            until(lambda: answered(at, "B", 1) and moved(at) and quiet(at))
            first.kill()
            ended(second)
    assert_once(at, 2, told)


def test_a_turn_is_one_daemons(postgresql_url: str) -> None:
    engine = database.connect(postgresql_url)
    one, two = Turn(engine, "referee@mail"), Turn(engine, "referee@mail")
    other = Turn(engine, "club@mail")
    assert one.mine() and not two.mine() and other.mine()
    assert one.mine() and not two.mine(0.2)
    with create_engine(engine.url, poolclass=NullPool).connect() as conn:
        ended = text(
            "SELECT pg_terminate_backend(pid) FROM pg_locks"
            " WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = :number"
        )
        conn.execute(ended, {"number": locks.number("mailbox referee@mail")})
    assert two.mine(PATIENCE) and not one.mine()
    two.leave()
    assert one.mine(PATIENCE) and not two.mine()
    for turn in (one, two, other):
        turn.leave()
    engine.dispose()


class Overtaken(Mailbox):
    """While we look at the folder, another daemon reads a letter that has just come."""

    meanwhile: Callable[[], object] | None = None

    def select(self, folder: str) -> Folder:
        found = super().select(folder)
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile and folder == "INBOX":
            meanwhile()
        return found


def test_a_turn_that_is_left_is_anothers_at_once(postgresql_url: str) -> None:
    """Else a pass that follows upon another would read nothing, and close nothing."""
    engine = database.connect(postgresql_url)
    for n in range(100):
        turn = Turn(engine, "g")
        assert turn.mine(), n
        turn.leave()
    engine.dispose()


def test_a_folder_that_another_reads_on_is_not_taken_for_one_that_came_from_a_backup(
    at: Installation,
) -> None:
    other = at.new_daemon()

    def meanwhile() -> None:
        at.write("A", "SPECIAL AGR")
        other.once(at.clock)

    at.daemon.readers[0].mailbox = Overtaken(at.daemon.readers[0].mailbox.account)
    with at.daemon.readers[0].mailbox as mailbox:
        assert isinstance(mailbox, Overtaken)
        mailbox.meanwhile = meanwhile
        intake = inbox.Intake(at.daemon.engine, mailbox, at.daemon.readers[0].account)
        assert inbox.take_in(intake, "INBOX", at.clock, 1_000_000) == 0
    other.close()
    with reading(at.daemon.engine) as conn:
        assert [uid > 0 for uid in conn.execute(select(Letter.uid)).scalars()] == [True]
