"""What cases cannot say: scenarios take the shape of views, receipts, and the balance between
modes."""

import json
from collections import Counter
from typing import Any

import pytest

from pbem.errors import ScenarioError
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.games.legislation.cards import issue, sign
from pbem.house import shelf, templates
from pbem.pages.bulletin import bulletin
from pbem.periods import paper
from tests.bots import bot_game

RULES = shelf.open_ruleset("legislation")


@pytest.mark.parametrize("seed", range(5))
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
            mine = RULES.view(state, seat)
            assert RULES.view(again, seat) == {**mine, "ledger": []}, "no period was closed yet"


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ({"public": {"order": ["P1", "P2"]}}, "public.order"),
        ({"public": {"laws": []}}, "laws"),
        ({"public": {"law": ["GOLD+"]}}, "public.law"),
        ({"public": {"law": ["STAR+", "STAR-"]}}, "public.law"),
        ({"public": {"issues": ["STAR"], "law": ["MOON+"]}}, "public.issues"),
        ({"private": {"P12": {}}}, "P12"),
        ({"private": {"P1": {"hand": ["STAR+"] * 7}}}, "STAR+"),
        ({"phase": "LUNCH"}, "phase"),
        ({"phase": "VOTE"}, "docket"),
        ({"decks": {"green": []}}, "green"),
        ({"public": {"docket": [{"core": ["STAR+"], "yellow": "WAR"}]}}, "WAR"),
    ],
)
def test_a_wrong_scenario_is_named(scenario: dict, words: str) -> None:
    with pytest.raises(ScenarioError, match=words.replace("+", r"\+")):
        paper.begin(paper.Setup("legislation", 0, None, {}, scenario))


def test_serial_and_session_decide_alike() -> None:
    """One bill on the docket: DOCKET makes no difference to the law and the purses."""
    for docket in ("SESSION", "SERIAL"):
        scenario = {
            "phase": "VOTE",
            "public": {"docket": [{"chair": "P1", "core": ["HEART+", "STAR+"]}]},
        }
        game = paper.begin(
            paper.Setup("legislation", 0, ("P1", "P2", "P3"), {"docket": docket}, scenario)
        )
        state = paper.step(game, {"P1": "VOTE AYE", "P2": "VOTE AYE"}).state
        assert state.law == {"HEART+", "STAR+"}
        assert [state.tokens(seat) for seat in state.seats] == [5, 5, 4]


def test_a_scenario_that_names_seats_decides_the_size_of_the_table() -> None:
    order = ["P2", "P1", "P5", "P4", "P3"]
    game = paper.begin(paper.Setup("legislation", 0, None, {}, {"public": {"order": order}}))
    assert game.seats == ("P1", "P2", "P3", "P4", "P5")
    assert list(game.state.order) == order


def _busy(state: Any, seat: str) -> str:
    """Every chair files, everybody moves something, every bill fails."""
    match state.phase:
        case "BILL":
            at = state.order.index(seat)
            return f"BILL {state.issues[at]}+ {state.issues[at + 1]}+"
        case "AMEND":
            return "\n".join(f"AMEND ADD {state.issues[-1]}+ ON {bill.id}" for bill in state.docket)
    return "VOTE NAY ON ALL"


@pytest.mark.parametrize(
    ("docket", "size", "periods"), [("SERIAL", 4, 77), ("SERIAL", 6, 113), ("SESSION", 5, 23)]
)
def test_the_length_of_a_game(docket: str, size: int, periods: int) -> None:
    """18n+5 periods one bill at a time, 23 all together without extensions (§3)."""
    seats = tuple(f"P{i}" for i in range(1, size + 1))
    game = paper.begin(paper.Setup("legislation", 0, seats, {"docket": docket}, {}))
    while RULES.result(game.state) is None:
        game = paper.step(game, {seat: _busy(game.state, seat) for seat in seats})
    assert len(game.periods) == periods


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("size", [3, 10])
def test_a_deal_gives_different_issues(seed: int, size: int) -> None:
    seats = tuple(f"P{i}" for i in range(1, size + 1))
    for options in ({}, {"teams": "on"}, {"split_deal": "on"}, {"plus_only": "on"}, {"crown": 3}):
        state = paper.begin(paper.Setup("legislation", seed, seats, options, {})).state
        for seat in seats:
            issues = [issue(card) for card in state.objectives(seat)]
            assert len(set(issues)) == 4, (options, issues)
            if "split_deal" in options:
                assert sum(map(sign, state.hand[seat])) == 0


def test_red_cards_of_the_issues_in_play() -> None:
    state = paper.begin(paper.Setup("legislation", 1, None, {"conflicting": "on"}, {})).state
    red = Counter([*state.red_deck, *(card for hand in state.hand.values() for card in hand)])
    assert set(red.values()) == {6}
    assert len(red) == 2 * len(state.issues) == 12


@pytest.mark.parametrize(
    ("phase", "filed"), [("VOTE", {"standing": "NAY"}), ("BILL", {"nextbill": ["HEART+", "STAR-"]})]
)
def test_a_bulletin_does_not_show_whose_bill_or_vote_is_on_file(
    phase: str, filed: dict[str, Any]
) -> None:
    texts = []
    for own in ({}, filed):
        public = {"order": ["P1", "P2", "P3"], "issues": ["HEART", "STAR", "MOON", "KEY"]}
        docket = [{"chair": seat, "core": ["HEART+", "STAR-"]} for seat in ("P1", "P3")]
        scenario = {
            "phase": phase,
            "public": public | ({"docket": docket} if phase == "VOTE" else {}),
            "private": {"P2": own},
        }
        game = paper.begin(paper.Setup("legislation", scenario=scenario))
        facts = templates.issue(game.ruleset, game.state, game.seats, 0, phase, game.opening)
        texts.append(bulletin(templates.environment(), facts))
    assert texts[0] == texts[1]
    assert "* P1, P2 and P3: " in texts[0]


def test_a_game_made_before_an_option_plays_by_its_default() -> None:
    """Its options, in its record and in its positions, have no BALANCED_ROUNDS, and keep none."""
    older = {
        k: v
        for k, v in settle(RULES.about.options, {"BALANCED": "ZERO"}).items()
        if k != "BALANCED_ROUNDS"
    }
    state = RULES.setup(("P1", "P2", "P3"), older, {}, Dice("1", "older")).state
    again = RULES.load(json.loads(json.dumps(RULES.dump(state))))
    assert "BALANCED_ROUNDS" not in again.options and again.number("BALANCED_ROUNDS") == 40
    for _ in range(12):
        if RULES.result(again) is None:
            again = RULES.adjudicate(again, {}, Dice("1", "older")).state
    assert again.session > 1


def test_why_tells_bills_from_motions() -> None:
    """A bare number is what is voted on now."""
    moved = [{"id": "A1", "action": "REMOVE", "card": "STAR+", "movers": ["P1"]}]
    bill = {"chair": "P1", "core": ["STAR+", "MOON+"], "amendments": moved}
    scenario = {"phase": "AMENDVOTE", "public": {"docket": [bill]}}
    state = paper.begin(paper.Setup("legislation", 0, None, {}, scenario)).state
    found = {
        words: [one.kind for one in RULES.why(state, "P2", (), words)]
        for words in ("vote B1", "BILL 1", "motion 1", "the vote on A1", "1")
    }
    assert list(found.values()) == [["bill"], ["bill"], ["moved"], ["moved"], ["moved"]], found


DOCKET = [
    {"id": f"B{n}", "chair": f"P{n % 3 + 1}", "core": core.split()}
    for n, core in enumerate(("SUN+ KEY-", "STAR+ SUN-", "MOON- SUN+", "SHIP- HEART+"), 1)
]


def _at_a_vote(docket: list[dict[str, Any]], **own: Any) -> paper.Game:
    issues = ["SHIP", "HEART", "MOON", "STAR", "SUN", "KEY", "BELL", "DROP"]
    public = {"order": ["P1", "P2", "P3"], "issues": issues, "docket": docket, "law": ["MOON+"]}
    scenario = {"phase": "VOTE", "public": public, "private": {"P3": own}}
    return paper.begin(paper.Setup("legislation", 0, ("P1", "P2", "P3"), {}, scenario))


def test_a_form_has_every_bill() -> None:
    """Of many the eight that matter most have a line each, and all others one to copy."""
    docket = [{**DOCKET[n % 4], "id": f"B{n + 1}"} for n in range(11)]
    game = _at_a_vote(docket, hand=["SHIP-", "BELL+", "DROP+"])
    offers = RULES.offers(game.state, "P3")
    form = dict(templates.words(RULES, game.state, "P3").lines(offers))
    named = [f"VOTE ... ON B{n}" for n in range(1, 12) if f"VOTE ... ON B{n}" in form]
    assert len(named) == 8 and {"VOTE ... ON B4", "VOTE ... ON B8"} <= set(named)
    others = (
        "the others, which change nothing for you; effects.txt, attached to your notice, has each"
    )
    assert form["VOTE ... ON B9, B10, B11"] == others
    more = templates.effects(RULES, game.state, "P3")
    assert all(f"VOTE ... ON B{n} " in more for n in (9, 10, 11)) and "ON B4" not in more


def test_more_is_never_longer_than_what_it_hides() -> None:
    words = templates.environment().get_template("legislation/words.txt.j2").module
    six = ["SHIP-", "SUN+", "KEY-", "STAR+", "BELL+", "KITE+"]
    assert str(words.reads(six)) == "SHIP- SUN+ KEY- STAR+ BELL+ KITE+"
    assert str(words.reads([*six, "ANCHOR+", "TOWER-"])) == (
        "SHIP- SUN+ KEY- STAR+ BELL+ and 3 more"
    )


def test_a_subject_says_how_many_of_the_amendments_are_owed() -> None:
    """It said A1 to A20 though eight were owed."""
    words = templates.words(RULES, next(bot_game(RULES, 0)).before, "P1")
    some = [f"VOTE A{n}" for n in (1, 3, 4, 7, 9, 12, 15, 20)]
    assert words.worded("owed_in_short", some) == "votes on 8 of A1 to A20"
