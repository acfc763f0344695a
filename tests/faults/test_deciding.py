"""What may befall letters while they are decided and mails go out in between.

What is replaced here is a fault or a moment that cannot be had otherwise: a bug in our own code,
another process acting between two steps, minutes that pass, a server that stays away. Whatever is
not broken on purpose is the real thing.
"""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from pbem.budget import Budget
from pbem.errors import DatabaseError
from pbem.letters.letter import Letter
from pbem.letters.limits import Limits
from pbem.post import outbox
from pbem.post.smtp import Delivery, Sent
from pbem.referee.acts import letter_acts
from pbem.referee.deciding import handling, sandbox
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Game, Outgoing, Period
from pbem.store.schema.tables import Letter as LetterRow
from tests.installation import SEATS, Installation

MANY = {"letters_an_hour": 999, "receipts_an_hour": 999}
Read = Callable[[bytes, Limits, Budget], Letter]


pytestmark = pytest.mark.game("coalition", limits=MANY)


def receipts(at: Installation) -> Counter[str]:
    return Counter(state for key, state in at.outbox() if key.startswith("receipt:"))


def before_reading(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Something happens when the next letter is read: its group is in memory, none of it is
    decided."""
    real: Read = sandbox.read_guarded

    def reading(raw: bytes, limits: Limits, on: Budget) -> Letter:
        monkeypatch.setattr(sandbox, "read_guarded", real)
        act()
        return real(raw, limits, on)

    monkeypatch.setattr(sandbox, "read_guarded", reading)


def test_a_reader_that_fails_here_undoes_nothing_that_another_daemon_decided(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = at.new_daemon()

    def decided_elsewhere() -> None:
        second.once(at.clock)
        raise MemoryError("the reader was killed")

    at.write("A", "SPECIAL AGR")
    before_reading(monkeypatch, decided_elsewhere)
    at.once()
    second.close()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders"]
    assert not [key for key, _ in at.outbox() if "letter:1" in key], "nothing failed: no alarm"


def test_a_letter_dismissed_while_its_group_is_in_memory_has_no_effect(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dismissed() -> None:
        at.act(letter_acts.dismiss, 1)

    at.write("A", "SPECIAL AGR")
    at.write("B", "SPECIAL JUS")
    before_reading(monkeypatch, dismissed)
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["dismissed", "orders"]
    assert at.standing("A") == [] and receipts(at) == {"sent": 1}


@pytest.mark.game("coalition", trust="proven")
def test_a_letter_accepted_while_its_group_is_in_memory_is_believed(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.send("A", "SPECIAL AGR")

    def accepted() -> None:
        at.act(letter_acts.accept, 1)

    at.write("B", "SPECIAL JUS")
    before_reading(monkeypatch, accepted)
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "unverified"]
    assert at.standing("A") == ["SPECIAL AGR"]


def test_a_letter_that_raises_loses_no_answer_of_the_mail_server(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = handling.Handling.carry_out

    def carry_out(self: handling.Handling, decision: object) -> bool:
        if self.row.id in (2, 4):
            raise ValueError("a bug of ours")
        return real(self, decision)  # type: ignore[arg-type]

    monkeypatch.setattr(handling.Handling, "carry_out", carry_out)
    at.send_each(SEATS, "PASS")
    assert Counter(outcome for outcome, _ in at.outcomes()) == {"orders": 3, "failed": 2}
    assert receipts(at) == {"sent": 3}
    at.later(minutes=20)
    assert [
        len({mail["Message-ID"] for mail in at.mails(seat)}) - len(at.mails(seat)) for seat in SEATS
    ] == [0] * 5


def test_a_pass_that_the_database_ends_still_files_what_went_out(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = handling.Handling.carry_out

    def carry_out(self: handling.Handling, decision: object) -> bool:
        if self.row.id == 3:
            raise DatabaseError("database: it is locked")
        return real(self, decision)  # type: ignore[arg-type]

    for seat in SEATS:
        at.write(seat, "PASS")
    with monkeypatch.context() as broken, pytest.raises(DatabaseError):
        broken.setattr(handling.Handling, "carry_out", carry_out)
        at.once()
    assert receipts(at) == {"sent": 2}, "else they would go out a second time"


def test_a_signal_to_stop_lets_the_letter_in_hand_be_finished_and_no_other_be_read(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, real = list[int](), sandbox.read_guarded

    def reading(raw: bytes, limits: Limits, on: Budget) -> Letter:
        reads.append(len(raw))
        return real(raw, limits, on)

    def crash(point: str) -> None:
        if point == "letter.decided":
            at.daemon.stopping.set()

    for n in range(45):
        at.write("A", f'NAME "a{n}"')
    monkeypatch.setattr(sandbox, "read_guarded", reading)
    at.daemon.referee.crash = crash
    at.once()
    assert Counter(outcome for outcome, _ in at.outcomes()) == {"orders": 1, "stored": 44}
    assert len(reads) <= 20
    assert receipts(at) == {"ready": 1}, "no mail is begun either"


def test_a_signal_to_stop_ends_the_reading_of_a_heavy_group(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(45):
        at.write("A", f'NAME "a{n}"')
    before_reading(monkeypatch, at.daemon.stopping.set)
    at.once()
    assert Counter(outcome for outcome, _ in at.outcomes()) == {"stored": 45}


def test_a_signal_to_stop_ends_the_sending_after_the_mail_in_hand(at: Installation) -> None:
    before = Counter(state for _, state in at.outbox())["sent"]

    def crash(point: str) -> None:
        if point == "outbox.sent":
            at.daemon.stopping.set()

    at.write("A", "PRESS TO ALL\nBeware.\nEND PRESS")
    at.daemon.crash = crash
    at.once()
    states = Counter(state for _, state in at.outbox())
    assert states["sent"] == before + 1 and "leased" not in states and states["ready"] > 0


class Away:
    """A mail server that does not answer."""

    trouble = None

    def __init__(self) -> None:
        self.tries = 0

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        self.tries += 1
        return Sent(Delivery.LATER, "away\0")

    def close(self) -> None:
        pass


def test_a_deadline_is_kept_although_no_mail_goes_out(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(30):
        at.write(SEATS[n % 5], f'NAME "a{n}"')
    away = Away()
    monkeypatch.setattr(at.daemon, "carrier", away)
    due = at.table().period.due
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(LetterRow).values(received=due - timedelta(hours=1)))
    assert at.to_deadline().closed == 1
    assert away.tries == outbox.BREAKER
    assert at.table().period.number == 2


def test_no_mail_goes_out_between_a_deadline_and_its_closing(at: Installation) -> None:
    """A slow SMTP server delays no deadline; on other days a receipt goes out before the next
    letter is decided."""
    undecided_at_sending: list[int] = []
    send = at.daemon.carrier.send

    def spied(envelope_from: str, to: str, raw: bytes) -> Sent:
        undecided_at_sending.append(sum(outcome == "stored" for outcome, _ in at.outcomes()))
        return send(envelope_from, to, raw)

    at.daemon.carrier.send = spied  # type: ignore[method-assign]
    at.send_each(SEATS, "PASS")
    assert undecided_at_sending == [4, 3, 2, 1, 0]
    for seat in SEATS:
        at.write(seat, "STATUS")
    periods: list[int] = []
    at.daemon.carrier.send = lambda *mail: (periods.append(at.table().period.number), send(*mail))[
        1
    ]  # type: ignore[method-assign]
    assert at.to_deadline().closed == 1
    assert set(periods) == {2}


@pytest.mark.parametrize("what", ["imap", "smtp"])
def test_a_password_that_cannot_be_had_stops_nothing_else(tmp_path: Path, what: str) -> None:
    """A token command that fails, a file that is gone: what else can be done is done, and the
    gamesmaster told."""
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        server = at.daemon.readers[0].mailbox if what == "imap" else at.daemon.carrier
        whole, gone = server.account, {"user": "referee", "password_env": "PBEM_NO_PASSWORD"}
        for seat in SEATS:
            at.write(seat, "SPECIAL AGR" if seat == "A" else "PASS")
        server.close()
        server.account = whole.model_copy(update=gone)
        done = at.to_deadline()
        assert any("the environment has no PBEM_NO_PASSWORD" in one for one in done.trouble)
        assert (done.closed, len(at.outcomes())) == ((0, 0) if what == "imap" else (1, 5))
        server.account = whole
        at.later(minutes=10)
        at.once()
        subjects = [str(mail["Subject"]) for mail in at.mails("gm@game.example")]
        assert f"[pbem] {what} cannot be asked: its password is missing" in subjects
        assert at.table().period.number == 2 and len(at.mails("A")) > 2


def test_a_pass_of_more_than_half_a_lease_goes_on_sending(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]
    monkeypatch.setattr("pbem.post.outbox.time.monotonic", lambda: seconds[0])

    def crash(point: str) -> None:
        if point == "letter.committed":
            seconds[0] += 70.0

    for n in range(9):
        at.write(SEATS[n % 5], f'NAME "a{n}"')
    at.daemon.referee.crash = crash
    at.once()
    assert Counter(outcome for outcome, _ in at.outcomes()) == {"orders": 9}
    assert receipts(at) == {"sent": 9}


@pytest.mark.game("coalition", limits={"letters_an_hour": 3})
def test_letters_beyond_the_share_of_an_hour_wait_and_the_mails_go_out(at: Installation) -> None:
    for n in range(5):
        at.write("A", f'NAME "a{n}"')
    at.send("B", "SPECIAL JUS")
    assert [outcome for outcome, _ in at.outcomes()] == ["orders"] * 3 + ["stored"] * 2 + ["orders"]
    assert receipts(at) == {"sent": 4}
    at.later(minutes=61)
    assert Counter(outcome for outcome, _ in at.outcomes()) == {"orders": 6}
    assert at.standing("A") == ['NAME "a4"']


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))]
)
def test_a_nul_in_the_servers_words_is_no_letters_fault(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL takes no NUL in a text; the answer to one mail is filed in the next letter's
    transaction."""
    url = request.getfixturevalue("postgresql_url") if kind == "postgresql" else ""
    with Installation(tmp_path, "coalition", seats=SEATS, url=url) as at:
        at.start()
        monkeypatch.setattr(at.daemon, "carrier", Away())
        at.send_each(SEATS, "PASS")
        assert Counter(outcome for outcome, _ in at.outcomes()) == {"orders": 5}
        with exclusive_transaction(at.daemon.engine) as conn:
            tried = select(Outgoing.reply).where(Outgoing.attempts > 0).order_by(Outgoing.id)
            replies = conn.execute(tried).scalars().all()
        assert replies[-1] == "away"


@pytest.mark.game("coalition")
def test_two_games_with_one_position_keep_their_own_tables(at: Installation) -> None:
    """What is kept in memory is found by the tables too: a rule-set may put a position in the order
    of its tables."""
    at.start("h")
    with exclusive_transaction(at.daemon.engine) as conn:
        first = games.game_at(conn, "g")
        conn.execute(update(Game).where(Game.id == "h").values(tables_hash="f" * 64))
        conn.execute(
            update(Period).where(Period.game_id == "h").values(state_hash=first.period.state_hash)
        )
        second = games.game_at(conn, "h")
    assert first.period.state_hash == second.period.state_hash
    assert first.state is not second.state
