"""All have said READY: from when on that closes a period, and where it never does."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.games.frame.house import NEVER
from tests.installation import Installation
from tests.mail.test_early_closing import (
    FIVE,
    FORESEEN,
    LISTS,
    MOTION,
    THREE,
    TRIO,
    VOTES,
    everybody,
    send,
    to_early_hour,
    told,
)

LATER = [
    ("politics-1935", THREE, TRIO, False),
    ("politics-1935", THREE, everybody("READY", THREE), True),
    ("politics-1935", THREE, everybody("READY", THREE) | {"P3": "PASS"}, False),
    ("politics-1935", THREE, everybody("READY", THREE) | {"P3": "WAIT"}, False),
    ("coalition", FIVE, VOTES, False),
    ("coalition", FIVE, everybody("VOTE AYE\nREADY"), True),
]
"""Letters of the second period, and whether it closes at an early hour in its second half."""


@pytest.mark.parametrize(("game", "seats", "letters", "closes"), LATER)
def test_all_must_have_said_ready_and_half_of_the_time_be_over(
    game: str, seats: tuple[str, ...], letters: Mapping[str, str], closes: bool, tmp_path: Path
) -> None:
    with Installation(tmp_path, game, seats=seats) as at:
        at.start()
        send(at, LISTS if game == "politics-1935" else FORESEEN)
        send(at, everybody("READY", seats))
        at.to_deadline()
        row = at.table().period
        assert row.number == 2
        assert row.due is not None
        send(at, letters)
        half = row.opened + (row.due - row.opened) / 2
        for _ in range((half - at.clock).days):
            to_early_hour(at)
            assert at.clock < half and at.table().period.number == 2
        to_early_hour(at)
        to_early_hour(at)
        assert half < at.clock < row.due and at.table().period.number == 2 + closes


def test_with_the_option_off_no_ready_closes_a_period(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=FIVE, options={"EARLY": "OFF"}) as at:
        at.start()
        assert at.table().house.early == NEVER
        send(at, MOTION)
        at.to_deadline()
        send(at, everybody("VOTE AYE\nREADY"))
        assert "the periods of this game do not close before their deadlines" in told(at, "A")
        assert "the first period" not in told(at, "A")
        due = at.table().period.due
        for _ in range((due - at.clock).days):
            to_early_hour(at)
            assert at.clock < due and at.table().period.number == 2


def test_ready_speaks_of_the_first_period_in_no_other(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=FIVE) as at:
        at.start()
        at.to_deadline()
        for number in (2, 7, 9):
            while at.table().period.number < number:
                send(at, everybody("PASS"))
                at.to_deadline()
            send(at, {"A": "READY"})
            assert "READY" in told(at, "A") and "first period" not in told(at, "A"), number


def test_the_first_period_never_closes_early(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=FIVE) as at:
        at.start()
        due = at.table().period.due
        send(at, everybody("READY"))
        assert "the first period does not close before its deadline" in told(at, "A")
        for _ in range((due - at.clock).days):
            to_early_hour(at)
            assert at.clock < due and at.table().period.number == 1


def test_it_is_told_from_when_on(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=FIVE) as at:
        at.start()
        send(at, MOTION)
        at.to_deadline()
        assert "; if all are READY: from Friday on at 20:00" in told(at, "A")
        send(at, {"B": "READY"})
        assert "READY: from Friday on at 20:00 the period closes" in told(at, "B")
