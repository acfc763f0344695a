"""Wherever the daemon is killed, a seat that is offered goes once and to whoever answered."""

import random

import pytest

from pbem.post.crash_points import POINTS
from tests.faults.offering import Plug, run
from tests.sampled import share

OFTEN = share(10, of_ci=4)
"""So many kills at the points of a seat's own steps and of letters; as many at all others."""
OWN = ("seat.changed", "seat.committed", "letter.decided", "letter.committed")


@pytest.mark.slow
@pytest.mark.parametrize("often", [1, OFTEN])
def test_killed_anywhere_a_seat_is_given_once_and_to_whoever_answered(often: int) -> None:
    undisturbed = Plug()
    assert run(undisturbed) == []
    assert undisturbed.passed["seat.changed"] and undisturbed.passed["seat.committed"]
    chance = random.Random(7)
    places = [
        [
            (point, n + 1)
            for point in POINTS
            if (point in OWN) == own
            for n in range(undisturbed.passed[point])
        ]
        for own in (True, False)
    ]
    drawn = [place for some in places for place in chance.sample(some, min(often, len(some)))]
    plugs = [Plug(*place) for place in drawn]
    assert [line for plug in plugs for line in run(plug)] == []
    assert all(plug.pulled for plug in plugs)
