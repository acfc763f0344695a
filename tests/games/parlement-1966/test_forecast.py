"""WHY DISTRICT and the notice before a ballot: what a party may know of it, and nothing more; and
where crowns came to nothing."""

from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.games.parlement_1966.state import PARTIES
from pbem.house import shelf

RULES = shelf.open_ruleset("parlement-1966")
PRIMARY = {
    "phase": "primary",
    "candidates": {"S": [21, 43], "L": [43], "M": [21]},
    "public": {"session": 2, "records": {"W": {"S": 5}, "B": {"L": 4}, "K": {"L": 1, "M": 3}}},
}


def test_a_forecast_knows_nothing_of_others() -> None:
    options = settle(RULES.about.options, {})
    state = RULES.setup(tuple(PARTIES), options, PRIMARY, Dice("0", "x")).state
    other = {**PRIMARY, "private": {"L": {"votes": {"43": 9000}, "prefer": ["M"]}}}
    twin = RULES.setup(tuple(PARTIES), options, other, Dice("0", "x")).state
    assert RULES.view(state, "S")["forecast"] == RULES.view(twin, "S")["forecast"]
