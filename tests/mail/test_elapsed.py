"""Games whose periods last hours or minutes, by mail and from the shell: receipts, reminders, extensions,
early ends and lateness, all in proportion; and what is stored of games of days stays as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.games.frame.length import Elapsed
from tests.installation import SEATS, SLATE, Installation, flat
from tests.shell import Shell

PERIODS = {"90 minutes": timedelta(minutes=90), "36 hours": timedelta(hours=36)}
BEFORE = {"90 minutes": timedelta(minutes=12), "36 hours": timedelta(hours=5)}
"""Of reminders, and between two early looks."""


@contextmanager
def playing(
    tmp_path: Path, period: str, key: str = "coalition", **more: Any
) -> Iterator[Installation]:
    given = (
        {"options": {"PERIOD": period}} if key == "coalition" else {"house": {"lengths": period}}
    )
    with Installation(tmp_path, key, **{**given, **more}) as at:
        at.start()
        yield at


@pytest.fixture(params=PERIODS)
def period(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def at(tmp_path: Path, period: str) -> Iterator[Installation]:
    with playing(tmp_path, period, seats=SEATS) as made:
        yield made


def voting(at: Installation) -> datetime:
    """To the second period, in which all are asked for their votes; its deadline."""
    at.write("A", f"PROPOSE {SLATE}")
    at.once(minutes=0)
    at.to_deadline()
    due = at.table().period.due
    assert at.table().period.number == 2 and due is not None
    return due


def test_a_period_lasts_its_time_from_its_bulletin(at: Installation, period: str) -> None:
    opened, due = at.table().period.opened, at.table().period.due
    assert due - opened == PERIODS[period]
    at.clock = due - timedelta(minutes=1)
    assert at.once(minutes=0).closed == 0
    at.clock = due + timedelta(seconds=90)  # the referee looks a little late: nobody loses a minute
    assert at.once(minutes=0).closed == 1
    assert at.table().period.due - due == PERIODS[period] + timedelta(minutes=2)


def test_a_receipt_tells_the_deadline_and_what_is_left(tmp_path: Path) -> None:
    with playing(tmp_path, "90 minutes", seats=SEATS) as at:
        at.send("A", "SPECIAL AGR")
        said = flat(at.newest("A"))
        due = "Monday 2 March 2026, 11:30 Europe/Paris"
        assert f"Deadline: {due}; 1 hour 29 minutes left." in said
        assert "You have not said READY." in said
        at.send("A", "READY\nSTATUS")
        said = flat(at.newest("A"))
        assert (
            "READY: within 12 minutes the period closes once all who may act have said so" in said
        )
        assert said.count(due) == 1


def test_a_period_closes_early_at_the_next_look(at: Installation, period: str) -> None:
    due = voting(at)
    for seat in SEATS:
        at.write(seat, "VOTE ABSTAIN\n" + ("WAIT" if seat == "C" else "READY"))
    at.once()
    written = at.clock
    at.clock += BEFORE[period]
    at.once()
    assert at.table().period.number == 2, "C has said WAIT"
    at.write("C", "READY")
    at.once(minutes=0)
    while at.table().period.number == 2 and at.clock < due:
        at.clock += timedelta(minutes=1)
        at.once(minutes=0)
    assert at.table().period.number == 3
    assert timedelta(0) < at.clock - written <= 2 * BEFORE[period] + timedelta(minutes=2)
    assert at.table().period.due - at.clock == PERIODS[period]


def players(*more: str) -> list[str]:
    return [
        *(word for seat in SEATS for word in ("--player", f"{seat}={seat.lower()}@legit.example")),
        *more,
    ]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--option", "PERIOD=90 minutes"), "90 minutes"),
        (("--house", "lengths=36 hours"), "36 hours"),
    ],
)
def test_the_gamesmaster_makes_such_a_game(shell: Shell, more: tuple[str, ...], told: str) -> None:
    shell("new", "coalition", "g", *players(*more))
    shell("start", "g")
    row = shell.at.table().period
    assert str(Elapsed((row.due - row.opened) // timedelta(minutes=1))) == told
    shell("extend", "g", "30 minutes", "--why", "a late train")
    shell("extend", "g", "-1 hour", "--why", "all are in")
    assert shell.at.table().period.due == row.due - timedelta(minutes=30)
    assert "+30 minutes  extension: a late train" in shell("explain", "deadline", "g")
    assert "by hours or minutes" in shell.fails("extend", "g", "3", "--why", "x")
    assert "counted in hours" in shell.fails("pause", "g", "2026-12-01", "2026-12-02", "--why", "x")
