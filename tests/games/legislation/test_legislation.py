"""What cases cannot say: scenarios take the shape of views, receipts, and the balance between modes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "contract"))
from test_contract import bot_game

from pbem import play, shelf
from pbem.adjudication import take
from pbem.dice import Dice
from pbem.errors import ScenarioError
from pbem.games.legislation.receipt import receipt
from pbem.ruleset import settle

RULES = shelf.open_ruleset("legislation")


@pytest.mark.parametrize("seed", range(16))
def test_views_read_back_as_a_scenario(seed: int) -> None:
    for turn in bot_game(RULES, seed):
        state = turn.outcome.state
        if state.winners is not None:
            continue
        scenario = {
            "public": RULES.view(state, None),
            "private": {seat: RULES.view(state, seat) for seat in state.alive},
            "decks": {"red": list(state.red_deck), "yellow": list(state.yellow_deck)},
        }
        scenario = json.loads(json.dumps(scenario))
        options = settle(RULES.about.options, dict(state.options))
        again = RULES.setup(state.seats, options, scenario, Dice("0", "x")).state
        assert RULES.view(again, None) == RULES.view(state, None)
        for seat in state.alive:
            assert RULES.view(again, seat) == RULES.view(state, seat)


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ({"public": {"order": ["P1", "P2"]}}, "public.order"),
        ({"public": {"laws": []}}, "laws"),
        ({"public": {"law": ["GOLD+"]}}, "public.law"),
        ({"public": {"law": ["STAR+", "STAR-"]}}, "public.law"),
        ({"public": {"issues": ["STAR"], "law": ["MOON+"]}}, "public.issues"),
        ({"private": {"P9": {}}}, "P9"),
        ({"private": {"P1": {"hand": ["STAR+"] * 7}}}, "STAR+"),
        ({"phase": "LUNCH"}, "phase"),
        ({"phase": "VOTE"}, "docket"),
        ({"decks": {"green": []}}, "green"),
        ({"public": {"docket": [{"core": ["STAR+"], "yellow": "WAR"}]}}, "WAR"),
    ],
)
def test_a_wrong_scenario_is_named(scenario: dict, words: str) -> None:
    with pytest.raises(ScenarioError, match=words.replace("+", r"\+")):
        play.begin(play.Setup("legislation", 0, None, {}, scenario))


def test_a_receipt_shows_the_effect_and_the_purse() -> None:
    scenario = {
        "public": {"law": ["HEART-", "MOON+"], "tokens": {"P1": 9}, "issues": ["HEART", "STAR", "MOON", "KEY"]},
        "private": {"P1": {"hand": ["HEART-", "STAR+", "MOON+", "KEY-"]}},
    }
    game = play.begin(play.Setup("legislation", 0, None, {}, scenario))
    standing = take(RULES, game.state, "P1", "BILL HEART+ STAR+; GIVE 2 TO P2", {}).standing
    assert receipt(game.state, "P1", standing) == (
        "BILL HEART+ STAR+: if passed: satisfies STAR+; loses HEART- (2 of 4 satisfied now, 2 then)",
        "purse: 9 tokens, these orders take 2, 7 left",
    )


def test_serial_and_session_decide_alike() -> None:
    """One bill on the docket: DOCKET makes no difference to the law and the purses."""
    for docket in ("SESSION", "SERIAL"):
        scenario = {"phase": "VOTE", "public": {"docket": [{"chair": "P1", "core": ["HEART+", "STAR+"]}]}}
        game = play.begin(play.Setup("legislation", 0, ("P1", "P2", "P3"), {"docket": docket}, scenario))
        state = play.step(game, {"P1": "VOTE AYE", "P2": "VOTE AYE"}).state
        assert state.law == {"HEART+", "STAR+"}
        assert [state.tokens(seat) for seat in state.seats] == [5, 5, 4]
