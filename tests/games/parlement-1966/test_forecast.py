"""WHY DISTRICT and the notice before a ballot: what a party may know of it, and nothing more; and
where crowns came to nothing."""

from typing import Any

from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import ToldEvent
from pbem.games.parlement_1966.state import PARTIES
from pbem.house import shelf, templates
from pbem.pages.plain import plain
from pbem.periods import paper

RULES = shelf.open_ruleset("parlement-1966")
PRIMARY = {
    "phase": "primary",
    "candidates": {"S": [21, 43], "L": [43], "M": [21]},
    "public": {"session": 2, "records": {"W": {"S": 5}, "B": {"L": 4}, "K": {"L": 1, "M": 3}}},
}


def _said(game: Any, seat: str, words: str) -> list[str]:
    told = [
        ToldEvent(period.number, event)
        for period in game.periods
        for event in period.events
        if event.audience == "public" or seat in event.audience
    ]
    found = RULES.why(game.state, seat, told, words)
    return [
        " ".join(plain(one).split())
        for one in templates.events_in_words(RULES, game.state, seat, found)
    ]


def test_why_of_a_district_works_before_the_primary_and_by_its_bare_number() -> None:
    game = paper.begin(paper.Setup("parlement-1966", 0, None, {}, PRIMARY))
    (first,) = _said(game, "S", "43")
    assert first == (
        "District 43 in this period's ballot: S 4,000, L 4,000 sure, with the 2,000 of your bloc"
        " for S. The blocs of other parties come on top: a candidate's own for that candidate, the rest"
        " as their leaders say. [23]"
    )
    assert _said(game, "S", "DISTRICT 43") == [first]
    assert {"DISTRICT 21", "DISTRICT 43"} <= set(RULES.questions(game.state, "S"))
    assert RULES.view(game.state, "S")["forecast"][0]["districts"] == "21"


def test_why_tells_a_party_alone_that_its_crowns_came_to_nothing() -> None:
    scenario = {**PRIMARY, "private": {"R": {"treasury": 90, "votes": {"43": -500}}}}
    game = paper.begin(paper.Setup("parlement-1966", 0, None, {}, scenario))
    game = paper.step(game, {"R": "PAY 20 TO DISTRICT 43; PREFER L"})
    told = (
        "Your bloc in district 43 came to nothing: it had no votes, and what you paid it since is"
        " no more than the 500 crowns that are lost first. [28]"
    )
    assert told in _said(game, "R", "DISTRICT 43")
    assert told not in _said(game, "S", "DISTRICT 43")


def test_a_forecast_knows_nothing_of_others() -> None:
    options = settle(RULES.about.options, {})
    state = RULES.setup(tuple(PARTIES), options, PRIMARY, Dice("0", "x")).state
    other = {**PRIMARY, "private": {"L": {"votes": {"43": 9000}, "prefer": ["M"]}}}
    twin = RULES.setup(tuple(PARTIES), options, other, Dice("0", "x")).state
    assert RULES.view(state, "S")["forecast"] == RULES.view(twin, "S")["forecast"]
