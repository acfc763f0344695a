"""A letter that ends the process: tried with its siblings, then alone, then set aside."""

import os
import signal
from collections.abc import Callable
from multiprocessing import get_context
from typing import Any

import pytest
from sqlalchemy import select, update

from pbem.errors import DatabaseError
from pbem.referee.acts import letter_acts
from pbem.referee.deciding import deciding
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter, Period
from tests.faults.burning import burns
from tests.installation import SEATS, Installation


def pass_apart(at: Installation, crash: Callable[[str], None] = lambda point: None) -> int:
    """A pass in a process of its own; how it ended."""

    def run() -> None:
        daemon = at.new_daemon(crash)
        daemon.once(at.clock)
        daemon.close()

    at.daemon.engine.dispose()
    process = get_context("fork").Process(target=run)
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def attempts(at: Installation) -> list[int]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return list(conn.execute(select(Letter.attempts).order_by(Letter.id)).scalars())


@pytest.mark.parametrize(
    "where", ["pbem.referee.deciding.sandbox.read", "pbem.referee.game.game_letters.take"]
)
def test_a_letter_that_ends_the_process_is_set_aside(
    at: Installation, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Once with its siblings, then alone; they are decided meanwhile."""
    for who, word in (("A", "AGR"), ("B", "JUS"), ("C", "TRA")):
        at.write(who, f"SPECIAL {word}")
    guilty = b"SPECIAL JUS"
    burns(
        monkeypatch,
        where,
        lambda *given, **_: (
            guilty in given[0] if where.endswith("read") else given[3] == guilty.decode()
        ),
        lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL),
    )
    ends = [pass_apart(at) for _ in range(deciding.MOST_ATTEMPTS)]
    assert ends == [-signal.SIGKILL] * deciding.MOST_ATTEMPTS
    assert pass_apart(at) == 0
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "failed", "orders"]
    assert "ended 4 times" in at.outcomes()[1][1]
    assert pass_apart(at) == 0
    monkeypatch.undo()
    os.environ["PBEM_TEST_PASSWORD"] = "secret"
    at.act(letter_acts.retry, 2)
    at.once()
    assert at.standing("B") == ["SPECIAL JUS"]


def test_after_a_crash_letters_are_tried_one_by_one(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who in SEATS[:3]:
        at.write(who, "SPECIAL AGR")

    def crash(point: str) -> None:
        if point == "letter.tried":
            os.kill(os.getpid(), signal.SIGKILL)

    assert pass_apart(at, crash) == -signal.SIGKILL
    assert attempts(at) == [1, 1, 1]
    groups: list[int] = []
    real = deciding.Referee._opened

    def opened(self: Any, ids: Any, *more: Any) -> Any:
        groups.append(len(ids))
        return real(self, ids, *more)

    monkeypatch.setattr(deciding.Referee, "_opened", opened)
    at.once()
    assert groups == [1, 1, 1] and attempts(at) == [0, 0, 0]


def test_an_attempt_that_ends_well_is_not_counted(at: Installation) -> None:
    """A database in trouble is no fault of the letters; nor is a game that waits for its
    bulletin."""
    for who in SEATS[:3]:
        at.write(who, "SPECIAL AGR")

    def crash(point: str) -> None:
        if point == "letter.committed":
            raise DatabaseError("away")

    at.daemon.crash = at.daemon.referee.crash = crash
    with pytest.raises(DatabaseError):
        at.once()
    assert attempts(at) == [0, 0, 0]
    at.daemon.crash = at.daemon.referee.crash = lambda point: None
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Period).where(Period.number == 1).values(status="review"))
    for _ in range(6):
        at.once()
        assert attempts(at) == [0, 0, 0]
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Period).where(Period.number == 1).values(status="open"))
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders"] * 3
