"""How long games last is told truly: by bots until twenty games of people are on file."""

from datetime import timedelta

import pytest

from pbem.games import GAMES
from pbem.games.frame.house import House
from pbem.games.frame.length import Days, Elapsed
from pbem.house import houses

WEEK = timedelta(days=7)


def at_pace(key: str, name: str) -> House:
    return houses.house_rules(key, houses.settled(key, {}, name), {}, name)


@pytest.mark.parametrize("pace", ["", *houses.paces()])
def test_each_rule_set_says_it_at_each_pace(key: str, pace: str) -> None:
    said = houses.words(key, at_pace(key, pace))
    assert said.startswith("about ") and said.endswith("with bots)"), said


def test_the_pace_multiplies(key: str) -> None:
    usual, daily = (houses.by_bots(key, at_pace(key, name)) for name in ("weekly", "daily"))
    assert max(daily) * 3 < max(usual) < max(daily) * 15
    assert len(usual) >= 20


def test_people_count_from_twenty_games_on() -> None:
    house = houses.usual("coalition")
    bots = houses.words("coalition", house)
    assert houses.words("coalition", house, [WEEK] * 19) == bots
    assert houses.words("coalition", house, [WEEK] * 20) == "about 7 days"
    spread = [WEEK * n for n in range(1, 22)]
    assert houses.words("coalition", house, spread) == "about 3 months (1-4)"


def test_a_median_in_round_units() -> None:
    house = houses.usual("coalition")
    for span, said in (
        (timedelta(minutes=42), "about 40 minutes"),
        (timedelta(hours=5), "about 5 hours"),
        (timedelta(days=3), "about 3 days"),
        (WEEK * 6, "about 6 weeks"),
    ):
        assert houses.words("coalition", house, [span] * 20) == said


def test_kinds_of_periods() -> None:
    own = {"*": Days(14), "lists": Days(21)}
    assert houses.kind(own, "lists", 5) == "lists"
    assert houses.kind(own, "vote", 5) == "*"
    assert houses.kind(own, "vote", 1) == houses.ALONE


def test_an_option_that_ends_a_game_shortens_it() -> None:
    house, weeks = houses.usual("coalition"), "about 6 weeks (with bots)"
    assert houses.words("coalition", house, [WEEK * 14] * 20, {"MAX_PERIODS": 6}) == weeks


def test_no_deadlines_no_length() -> None:
    house = House({"*": Days(0)}, {})
    assert not houses.words("coalition", house)
    assert houses.words("coalition", House({"*": Elapsed(10)}, {})).startswith("about 2 hours")


def test_bots_have_played_all() -> None:
    assert all(houses.by_bots(key, houses.usual(key)) for key in GAMES)
