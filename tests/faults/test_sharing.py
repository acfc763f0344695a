"""Several daemons share the work of one PostgreSQL: what is handed out is done once, whoever takes
it; and what is lost, or handed out twice, is done once as well."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text, update

from pbem.daemon.loop import Daemon
from pbem.periods import opening, replay
from pbem.referee.deciding import deciding
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.schema.tables import OrderSet, Period
from tests.apart import FORK, PATIENCE, Standing, apart
from tests.installation import SEATS, Installation, address
from tests.sharing import Cluster, until

GAMES = ("g", "h", "i", "k", "l")
pytestmark = pytest.mark.needs("postgresql")


@pytest.fixture
def at(tmp_path: Path, postgresql_url: str) -> Iterator[Cluster]:
    with Cluster(tmp_path, "coalition", seats=SEATS, url=postgresql_url) as made:
        for game in GAMES:
            made.start(game)
        yield made


# --- periods --------------------------------------------------------------------------------------


def passes(at: Installation, number: int) -> Callable[[Daemon], object]:
    return lambda daemon: [daemon.once(at.clock) for _ in range(number)]


def closed(at: Installation) -> Counter[str]:
    """The periods that are closed, by game."""
    with reading(at.daemon.engine) as conn:
        over = Period.closed.is_not(None) & (Period.number > 0)
        return Counter(conn.execute(select(Period.game_id).where(over)).scalars())


def all_due(at: Cluster) -> None:
    """The deadline of each game."""
    with reading(at.daemon.engine) as conn:
        dues = conn.execute(select(Period.due).where(Period.due.is_not(None))).scalars()
        at.clock = max(at.clock, *(due for due in dues if due))


def assert_whole(at: Installation) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        for game in GAMES:
            assert replay.replay(conn, game).faults == []
    assert {state for _, state in at.outbox()} == {"sent"}
    for seat in SEATS:
        ids = Counter(mail["Message-ID"] for mail in at.mails(seat))
        assert set(ids.values()) == {1}, seat


def test_one_stands_in_a_period_while_another_does_the_rest_of_what_he_gave(at: Cluster) -> None:
    all_due(at)
    first = Standing(at, "deadline.claimed", passes(at, 1))
    assert closed(at).total() == 0
    done = at.daemon.once(at.clock)  # it is not its turn to read
    assert done.letters == 0 and done.closed == len(GAMES) - 1
    assert closed(at).total() == len(GAMES) - 1
    first.go_on()
    assert closed(at) == dict.fromkeys(GAMES, 1)
    at.once()
    assert_whole(at)


def test_what_a_killed_one_had_taken_is_done_by_the_next_pass(at: Cluster) -> None:
    all_due(at)

    def die(point: str) -> None:
        if point == "deadline.adjudicated":
            os.kill(os.getpid(), signal.SIGKILL)

    first = apart(at, passes(at, 1), die)
    first.join(PATIENCE)
    assert closed(at).total() == 0
    at.daemon.patience = PATIENCE
    assert at.daemon.once(at.clock).closed == len(GAMES)
    assert closed(at) == dict.fromkeys(GAMES, 1)
    at.once()
    assert_whole(at)


@pytest.mark.parametrize("lost", [True, False])
def test_jobs_that_are_lost_or_come_twice_harm_nothing(at: Cluster, lost: bool) -> None:
    all_due(at)
    sharing = at.daemon.sharing
    assert sharing

    def harm(*_: object) -> Any:
        """Between giving and taking."""
        own = "SET LOCAL search_path = procrastinate;"
        with exclusive_transaction(at.daemon.engine) as conn:
            if lost:
                conn.execute(text(f"{own} DELETE FROM procrastinate_jobs"))
            else:
                conn.execute(text(f"{own} UPDATE procrastinate_jobs SET queueing_lock = id"))
        if not lost:
            give(given[0])
        return take(at.clock)

    given: list[Any] = []
    give, take = sharing._jobs.give, sharing.take
    sharing._jobs.give = lambda hints: (given.append(hints), give(hints))[1]  # type: ignore[method-assign]
    sharing.take = harm  # type: ignore[method-assign]
    assert at.daemon.once(at.clock).closed == len(GAMES)
    assert closed(at) == dict.fromkeys(GAMES, 1)
    at.once()
    assert_whole(at)


def test_of_four_that_serve_one_is_killed_and_one_stands_still(at: Cluster) -> None:
    """Each in the middle of a period, and for good: the other two do what there is."""
    at.clock = datetime.now(UTC)
    at.office.now = lambda: datetime.now(UTC)
    struck = [FORK.Event(), FORK.Event()]

    def strike(n: int, point: str, how: signal.Signals) -> Callable[[str], None]:
        def crash(here: str) -> None:
            if here == point and not struck[n].is_set():
                struck[n].set()
                os.kill(os.getpid(), how)

        return crash

    def patient(here: str) -> None:
        """The others come to their first period, and wait there until both are struck."""
        if here == "deadline.claimed":
            assert all(one.wait(PATIENCE) for one in struck)

    def serve(daemon: Daemon) -> None:
        daemon.run()

    def come_due(when: datetime) -> None:
        with exclusive_transaction(at.daemon.engine) as conn:
            first_ones = update(Period).where(Period.number == 1)
            conn.execute(first_ones.values(due=when, next_look=when))

    come_due(at.clock + timedelta(days=1))  # else they would find deadlines of long ago, and hold
    first = apart(at, serve, strike(0, "deadline.adjudicated", signal.SIGKILL))
    second = apart(at, serve, strike(1, "deadline.claimed", signal.SIGSTOP))
    others = [apart(at, serve, patient) for _ in range(2)]
    try:
        until(lambda: handing(at) >= 4)
        come_due(datetime.now(UTC))
        until(lambda: closed(at) == dict.fromkeys(GAMES, 1))
        until(lambda: {state for _, state in at.outbox()} == {"sent"})
    finally:
        for process in (first, second):
            process.kill()
            process.join()
        for process in others:
            process.terminate()
            process.join()
    assert [process.exitcode for process in others] == [0, 0]
    assert_whole(at)


def handing(at: Installation) -> int:
    """How many hands daemons have in the jobs: one of each, or two where its first was busy."""
    asked = "SELECT count(DISTINCT pid) FROM pg_stat_activity WHERE application_name = 'pbem-jobs'"
    with reading(at.daemon.engine) as conn:
        return int(conn.execute(text(asked)).scalar_one())


# --- letters --------------------------------------------------------------------------------------


def test_letters_whose_games_hang_together_are_one_batch() -> None:
    letters = {1: {"a"}, 2: {"b"}, 3: set(), 4: {"a", "c"}, 5: {"c"}, 6: {"d"}, 7: {"b", "e"}}
    assert deciding._apart({n: set(games) for n, games in letters.items()}) == {
        ("a", "c"): [1, 4, 5],
        ("b", "e"): [2, 7],
        ("d",): [6],
    }


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"From: A <A@legit.example>\r\nTo: x@y\r\n\r\nFrom: b@z", {"a@legit.example"}),
        (b"To: x@y\nfrom: Somebody\n <a@b.example>\n\n", {"a@b.example"}),
        (b'From: "c@d.example" <a@b.example>\n\n', {"c@d.example", "a@b.example"}),
        (b"Subject: none\n\nFrom: a@b.example\n", set()),
    ],
)
def test_whose_a_letter_is_guessed_to_be(head: bytes, found: set[str]) -> None:
    assert deciding._senders(head) == found


class Apart(Cluster):
    """Each game has players of its own."""

    def __init__(self, *given: Any, **more: Any) -> None:
        players = tuple(address(f"{seat}{game}") for seat in SEATS for game in GAMES)
        super().__init__(*given, strangers=players, **more)

    def _open(self, game: str) -> None:
        players = [(s, address(f"{s}{game}"), f"{s} of {game}") for s in SEATS]
        how = ("Europe/Paris", "open", "until_adjudicated", "auto")
        plan = opening.Plan(game, self.key, players, *how, {}, {}, {}, self.seed)
        with self.daemon.installation.work(self.clock) as work:
            opening.new(work, plan)
            opening.start(work, game)


def test_one_stands_at_a_letter_while_another_decides_those_of_other_games(
    tmp_path: Path, postgresql_url: str
) -> None:
    with Apart(tmp_path, "coalition", seats=SEATS, url=postgresql_url) as at:
        for game in GAMES:
            at.start(game)
        for special in ("AGR", "EC"):
            for game in GAMES:
                for seat in SEATS:
                    at.write(f"{seat}{game}", f"SPECIAL {special}")
        first = Standing(at, "letter.committed", passes(at, 1))
        done = at.daemon.once(at.clock)
        assert (done.letters, done.decided) == (0, 40)
        outcomes = Counter(outcome for outcome, _ in at.outcomes())
        assert outcomes == {"orders": 41, "stored": 9}
        first.go_on()
        assert Counter(outcome for outcome, _ in at.outcomes()) == {"orders": 50}
        for game in GAMES:
            at.game = game
            assert [at.standing(seat) for seat in SEATS] == [["SPECIAL E/C"]] * len(SEATS)
        with reading(at.daemon.engine) as conn:
            found = select(OrderSet.game_id, OrderSet.seat, OrderSet.ordinal)
            rows = conn.execute(found.order_by(OrderSet.letter_id)).all()
        assert Counter(row[:2] for row in rows) == {(g, s): 2 for g in GAMES for s in SEATS}
        assert [row.ordinal for row in rows] == [1] * 25 + [2] * 25
        at.once()
        assert {state for _, state in at.outbox()} == {"sent"}
