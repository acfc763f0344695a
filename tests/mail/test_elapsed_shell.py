"""Games whose periods last hours or minutes, from the gamesmaster's shell."""

from datetime import timedelta

import pytest

from pbem.games.frame.length import Elapsed
from tests.installation import SEATS
from tests.shell import Shell


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


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--option", "PERIOD=soon"), "or 36 hours"),
        (("--option", "PERIOD_ONE=2 hours"), "alone is 2 hours; a game counts all its periods"),
        (("--house", "lengths=a while"), "is no length of time; write 7 days, 36 hours"),
        (("--house", "alone=a while"), "alone=a while is no number of days"),
    ],
)
def test_lengths_that_are_none(shell: Shell, more: tuple[str, ...], said: str) -> None:
    refused = shell.fails("new", "coalition", "g", *players(*more))
    assert said in refused and refused.count("\n") == 1
