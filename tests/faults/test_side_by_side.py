"""On PostgreSQL letters, periods and acts of different games run at the same time; a game's own come
one after another. Each worker is a process of its own; nothing here is measured by a clock: one
stands still within its transaction while the other goes through, or is seen to wait for it."""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from pbem.daemon.loop import Daemon
from pbem.errors import RefereeError
from pbem.periods import due, replay
from pbem.periods.due import Scan
from pbem.post import alarms
from pbem.referee.acts import clock_acts, word_acts
from pbem.store.engine import locks
from pbem.store.engine.database import exclusive_transaction, reading, shared_transaction
from pbem.store.games import periods
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.schema.tables import Journal, Letter, OrderSet, Outgoing, Period
from tests.apart import PATIENCE, Standing, apart, ended
from tests.installation import SEATS, Installation, secretly

GAMES = ("g", "h")


@pytest.fixture
def at(tmp_path: Path, postgresql_url: str) -> Iterator[Installation]:
    """Two games with the same players."""
    with Installation(tmp_path, "coalition", seats=SEATS, url=postgresql_url) as running:
        for game in GAMES:
            running.start(game)
        yield running


def someone_waits(at: Installation) -> None:
    """Until a transaction waits for another's lock."""
    until = time.monotonic() + PATIENCE
    asked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    while time.monotonic() < until:
        with at.daemon.engine.connect() as conn:
            if conn.execute(asked).scalar():
                return
        time.sleep(0.05)
    raise AssertionError("nobody waits")


def decides(at: Installation) -> Callable[[Daemon], object]:
    return lambda daemon: daemon.referee.decide_all(at.clock)


def taken_in(at: Installation, *letters: tuple[str, str, str]) -> None:
    """Letters (seat, game, text) on file, undecided."""
    for seat, game, words in letters:
        secretly(at, seat, f"GAME {game}\n{words}")
    daemon = at.new_daemon()
    assert take_in(daemon, at) == len(letters)
    daemon.close()


def take_in(daemon: Daemon, at: Installation) -> int:
    return daemon.readers[0].take_in(daemon._begun(at.clock, compare=False))


def outcomes(at: Installation) -> list[str]:
    """What became of each letter, as it is committed: this waits for nobody."""
    with reading(at.daemon.engine) as conn:
        return list(conn.execute(select(Letter.outcome).order_by(Letter.id)).scalars())


def sets(at: Installation, game: str) -> list[tuple[str, int, int | None]]:
    """(seat, ordinal, letter) of each order set of a game, in the order of its journal."""
    with reading(at.daemon.engine) as conn:
        found = select(OrderSet.seat, OrderSet.ordinal, OrderSet.letter_id)
        rows = conn.execute(found.where(OrderSet.game_id == game).order_by(OrderSet.letter_id))
        return [(row.seat, row.ordinal, row.letter_id) for row in rows]


def journalled(at: Installation, game: str) -> list[str]:
    """The seats whose letters a game's journal has, in its order."""
    with reading(at.daemon.engine) as conn:
        found = select(Journal.data).where(Journal.game_id == game, Journal.kind == "letter")
        return [data["seat"] for data in conn.execute(found.order_by(Journal.n)).scalars()]


@pytest.mark.needs("postgresql")
def test_another_games_letter_period_and_act_need_not_wait_for_a_letter(at: Installation) -> None:
    taken_in(at, ("A", "g", "SPECIAL AGR"), ("B", "h", "SPECIAL AGR"))
    first = Standing(at, "letter.decided", decides(at))
    assert at.daemon.referee.decide_all(at.clock) == 1
    assert at.daemon.referee.passed_over == {1}
    assert outcomes(at) == ["stored", "orders"]
    with at.daemon.installation.shared_work(at.clock, "h") as work:
        word_acts.rule(work, "h", "In the meantime.")
        assert "period 2" in clock_acts.close(work, "h", None, unread=True).said
    first.go_on()
    assert outcomes(at) == ["orders", "orders"]
    assert journalled(at, "g") == ["A"] and journalled(at, "h") == ["B"]
    assert_whole(at)


@pytest.mark.needs("postgresql")
def test_another_games_letter_need_not_wait_for_an_adjudication(at: Installation) -> None:
    taken_in(at, ("A", "g", "SPECIAL AGR"), ("B", "h", "SPECIAL AGR"))
    with at.daemon.installation.shared_work(at.clock, "g") as work:
        periods.set_period(work.conn, "g", 1, due=at.clock, next_look=at.clock)

    def close(daemon: Daemon) -> None:
        assert due.one(daemon.installation, "g", 1, Scan(at.clock, True, daemon.crash))

    first = Standing(at, "deadline.adjudicated", close)
    own = apart(at, decides(at))  # passes by no letter: that of g waits
    someone_waits(at)
    with at.daemon.installation.shared_work(at.clock, "h") as work:
        word_acts.rule(work, "h", "In the meantime.")
    first.go_on()
    ended(own)
    assert outcomes(at) == ["late", "orders"]
    assert_whole(at)


@pytest.mark.needs("postgresql")
def test_a_games_own_letters_come_one_after_another(at: Installation) -> None:
    taken_in(at, ("A", "g", "SPECIAL AGR"), ("B", "g", "SPECIAL AGR"))
    first = Standing(at, "letter.decided", decides(at))
    second = apart(at, decides(at))
    someone_waits(at)
    assert outcomes(at) == ["stored", "stored"]
    first.go_on()
    ended(second)
    assert outcomes(at) == ["orders", "orders"]
    assert journalled(at, "g") == ["A", "B"]
    assert_whole(at)


@pytest.mark.needs("postgresql")
def test_what_touches_several_games_waits_for_each_of_them(at: Installation) -> None:
    taken_in(at, ("A", "g", "SPECIAL AGR"))
    first = Standing(at, "letter.decided", decides(at))

    def resume_all(daemon: Daemon) -> None:
        with daemon.installation.work(at.clock) as work:
            for game in GAMES:
                word_acts.rule(work, game, "For all.")

    second = apart(at, resume_all)
    someone_waits(at)
    first.go_on()
    ended(second)
    assert_whole(at)


@pytest.mark.needs("postgresql")
def test_a_letter_that_its_daemon_left_undecided_still_comes_before_a_later_one(
    at: Installation,
) -> None:
    taken_in(at, ("A", "g", "SPECIAL AGR"), ("B", "h", "SPECIAL AGR"), ("A", "g", "SPECIAL EC"))
    first = Standing(at, "letter.decided", decides(at))
    second = apart(at, decides(at))  # passes over the first, decides the second
    someone_waits(at)
    assert outcomes(at) == ["stored", "orders", "stored"]
    assert first.process.pid
    os.kill(first.process.pid, signal.SIGKILL)
    ended(second)
    assert outcomes(at) == ["orders", "orders", "orders"]
    assert sets(at, "g") == [("A", 1, 1), ("A", 2, 3)]
    assert_whole(at)


@pytest.mark.needs("postgresql")
def test_two_that_find_the_same_trouble_tell_it_once(at: Installation) -> None:
    def tell(daemon: Daemon) -> None:
        with daemon.installation.shared_work(at.clock, "g") as work:
            alarms.tell(work, "clock", "the clocks differ", "one")
            daemon.crash("told")

    first = Standing(at, "told", tell)
    second = apart(at, tell)
    someone_waits(at)
    first.go_on()
    ended(second)
    keys = [key for key, _ in at.outbox() if key.startswith("alarm:clock")]
    assert len(keys) == 1


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))]
)
def test_a_journal_takes_nothing_from_who_has_not_locked_its_game(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgresql_url") if kind == "postgresql" else ""
    with Installation(tmp_path, "coalition", seats=SEATS, url=url) as at:
        at.start()
        with (
            pytest.raises(RefereeError, match="without its lock"),
            shared_transaction(at.daemon.engine, "h") as conn,
        ):
            notes.note(conn, "g", at.clock, "ruling", text="not mine")
        with shared_transaction(at.daemon.engine) as conn:
            locks.take(conn, {"g"})
            notes.note(conn, "g", at.clock, "ruling", text="mine")
        assert_whole(at, "g")


def test_locks_of_games_are_taken_in_one_order_whoever_names_them() -> None:
    names = [f"game-{n}" for n in range(50)]
    assert locks._statements("game", names) == locks._statements("game", reversed(names))


# --- all at once ----------------------------------------------------------------------------------


MANY = ("g", "h", "i", "k")


def letters_of(at: Installation) -> list[bytes]:
    """Real letters of all seats to all games: orders, cancelled ones, press, questions, a few that
    come twice, a stranger's, an impostor's; shuffled by a seed, so that they are always the same."""
    chance, raws = random.Random(12), []
    for n in range(2):
        for game in MANY:
            for seat in SEATS:
                words = chance.choice(
                    ("SPECIAL AGR", f'NAME "{seat} {n}{n}"', "STATUS", "CANCEL ALL", "WAIT", "HELP")
                )
                press = f"\nPRESS TO ALL\nGood day from {seat}.\nEND PRESS" * (n == 1)
                raws.append(at.letter(seat, f"GAME {game}\n{words}{press}"))
    raws += chance.sample(raws, 6)
    raws += [at.letter("nobody@nowhere.example", "VOTE YES") for _ in range(5)]
    raws += [at.letter("gm@game.example", "GAME g\nPERIOD 1\nRULE hear, hear") for _ in range(2)]
    chance.shuffle(raws)
    return raws


def found(at: Installation) -> Mapping[str, Any]:
    """All that letters and periods came to, as far as it does not hang on who was first among
    equals in different games."""
    with exclusive_transaction(at.daemon.engine) as conn:
        rows = conn.execute(select(Letter.__table__).order_by(Letter.id)).all()
        closed = conn.execute(select(Period.game_id, Period.number, Period.state_hash)).all()
        mails = conn.execute(select(Outgoing.key, Outgoing.recipient, Outgoing.state)).all()
        bare = [
            conn.execute(select(Journal.kind, Journal.data).where(Journal.game_id == game)).all()
            for game in MANY
        ]
        return {
            "letters": [(r.id, r.outcome, r.reason, r.game_id, r.seat, r.receipt) for r in rows],
            "sets": [sets(at, game) for game in MANY],
            "periods": sorted(map(tuple, closed)),
            "mails": sorted(tuple(row) for row in mails if not row.key.startswith("press:")),
            "journals": [sorted(kind for kind, _ in entries) for entries in bare],
        }


def hammered(folder: Path, url: str, workers: int) -> Mapping[str, Any]:
    """All the letters decided, and all periods closed, by so many workers at once."""
    limits = {"receipts_an_hour": 99, "letters_an_hour": 99, "stranger_mails_an_hour": 3}
    folder.mkdir()
    with Installation(
        folder,
        "coalition",
        seats=SEATS,
        url=url,
        limits=limits,
        strangers=("nobody@nowhere.example",),
    ) as at:
        for game in MANY:
            at.start(game)
        for raw in letters_of(at):
            at.post(raw)
        taken_in_all = at.new_daemon()
        assert take_in(taken_in_all, at)
        taken_in_all.close()

        def decide(daemon: Daemon) -> None:
            daemon.once(at.clock)

        for _ in range(2):  # the second time the periods are due
            with exclusive_transaction(
                at.daemon.engine
            ) as conn:  # whoever reads, all know that it is read
                letters.note_read(conn, at.daemon.readers[0].account, at.clock)
            all_of_them = [apart(at, decide) for _ in range(workers)]
            for one in all_of_them:
                ended(one)
            at.once()
            at.clock = max(at.clock, *(at_game(at, game).period.due for game in MANY))
        assert_whole(at, *MANY)
        with at.daemon.engine.connect() as conn:
            deadlocks = text(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
            )
            assert conn.execute(deadlocks).scalar() == 0
        return found(at)


@pytest.mark.needs("postgresql")
def test_many_workers_upon_many_games_come_to_what_one_alone_does(
    tmp_path: Path, postgresql_cluster: Any
) -> None:
    alone = hammered(tmp_path / "alone", postgresql_cluster.database(), 1)
    together = hammered(tmp_path / "together", postgresql_cluster.database(), 4)
    for what, expected in alone.items():
        assert together[what] == expected, what


def at_game(at: Installation, game: str) -> Any:
    at.game = game
    return at.table()


def assert_whole(at: Installation, *games: str) -> None:
    """The journals are chained, receipts numbered without a gap, and each game replays."""
    with exclusive_transaction(at.daemon.engine) as conn:
        for game in games or GAMES:
            assert replay.replay(conn, game).faults == []
            for seat in SEATS:
                own = (Letter.game_id == game, Letter.seat == seat, Letter.receipt.is_not(None))
                numbers = conn.execute(select(Letter.receipt).where(*own)).scalars().all()
                assert sorted(numbers) == list(range(1, len(numbers) + 1))
        orders = conn.execute(select(OrderSet.letter_id)).scalars().all()
        assert len(orders) == len(set(orders))
