"""What cases cannot say: receipts, the named streams, scenarios that are wrong, the tables' own
checks."""

import pytest

from pbem.games.frame.adjudication import take
from pbem.games.frame.dice import Dice
from pbem.games.frame.ruleset import upgraded
from pbem.house import shelf, templates
from pbem.pages.plain import plain
from pbem.periods import paper
from tests.bots import bot_game

KEY = "politics-1935"


def begun(scenario=None, seats=None, **options):
    return paper.begin(paper.Setup(KEY, 0, seats, options, scenario or {}))


def advised(game, seat, standing):
    told = game.ruleset.advice(game.state, seat, standing)
    said = templates.events_in_words(game.ruleset, game.state, seat, told)
    return plain("\n".join(said)).split("\n") if told else []


def test_a_list_on_file_fills_the_slot_and_none_opens_it_again():
    game = begun({"private": {"P1": {"standing": [["AZ", 1]]}}})
    assert game.ruleset.due(game.state, "P1", {}) == ()
    assert game.ruleset.due(game.state, "P2", {}) == ("CAMPAIGN",)
    assert [str(order) for order in game.ruleset.default(game.state, "P1")] == ["STANDING AZ 1"]
    for text, owed in (
        ("STANDING NONE", ("CAMPAIGN",)),
        ("CAMPAIGN", ()),
        ("PASS", ()),
        ("RESIGN", ()),
    ):
        standing = take(game.ruleset, game.state, "P1", f"STANDING NONE\n{text}", {}).standing
        assert game.ruleset.due(game.state, "P1", standing) == owed


def test_the_start_uses_the_named_streams():
    game = begun(seats=("P1", "P2", "P3", "P4"))
    first = Dice("0", "play").stream("first/1")
    throws = {seat: [first.d6(), first.d6(), first.d6()] for seat in game.seats}
    assert game.opening[0].data["first"][0] == throws
    assert sum(throws[game.state.order[0]]) == max(map(sum, throws.values()))
    pack = Dice("0", "play").stream("pack").shuffled([f"S{n:02d}" for n in range(1, 29)])
    assert game.state.hands["P1"] == tuple(pack[-1 - 4 * n] for n in range(3))
    assert game.state.pack == tuple(pack[:16])
    roll = Dice("0", "play").stream("throw/1/P3")
    assert game.state.throws["P3"] == (roll.d6(), roll.d6(), roll.d6())


def test_the_cards_that_were_dealt_are_laid_open_at_the_end_and_not_before():
    game = begun(seats=("P1", "P2", "P3"))
    dealt = {seat: list(cards) for seat, cards in game.state.hands.items()}
    assert paper.views(game, game.state)["public"]["dealt"] == {}
    over = paper.step(game, {"P1": "RESIGN", "P2": "RESIGN"})
    assert over.ruleset.view(over.state, None)["dealt"] == dealt
    old = {k: v for k, v in game.ruleset.dump(game.state).items() if k != "dealt"}
    assert not game.ruleset.load(upgraded(game.ruleset, old, 1)).dealt


def test_an_elimination_shuffles_with_its_own_stream():
    scenario = {
        "public": {"order": ["P1", "P2", "P3"], "played": {"P2": ["S04"]}},
        "private": {"P1": {"hand": []}, "P2": {"hand": ["S02", "S03"]}, "P3": {"hand": []}},
        "decks": {"pack": ["S09", "S08", "S07"]},
    }
    after = paper.step(begun(scenario), {"P2": "RESIGN"})
    wanted = Dice("0", "play").stream("elim/1").shuffled(["S09", "S08", "S07", "S02", "S03", "S04"])
    lots = [lot.card for lot in after.state.lots]
    assert [*after.state.pack, *reversed(lots)] == wanted


def test_a_view_is_a_scenario_of_the_same_position():
    game = begun(seats=("P1", "P2", "P3"))
    for _ in range(3):
        game = paper.step(
            game, {"P1": "CAMPAIGN DE 5, NV 2", "P2": "STANDING OH, AZ 3", "P3": "CAMPAIGN TX"}
        )
    seen = paper.views(game, game.state)
    public = {name: value for name, value in seen["public"].items() if value is not None}
    private = {s: {k: v for k, v in seen[s].items() if v is not None} for s in game.seats}
    again = begun(
        {"public": public, "private": private, "decks": {"pack": list(game.state.pack)}}, game.seats
    )
    assert paper.views(again, again.state) == seen


def test_the_tables_add_up():
    tables = shelf.rulebook(KEY).tables
    states, speeches = tables["states"], tables["speeches"]
    assert len(states) == 48 and sum(row["votes"] for row in states.values()) == 531
    sums = {}
    for row in states.values():
        sums[row["colour"]] = sums.get(row["colour"], 0) + row["votes"]
    assert sums == {"yellow": 56, "blue": 97, "red": 143, "green": 52, "pink": 45, "purple": 138}
    assert sum(row["cost"] for row in states.values()) == 127
    assert sum(states[code]["votes"] for code in ("PA", "CT", "DE", "ME", "NH", "VT")) == 59
    on_cards = [code for row in speeches.values() for code, _ in row["counties"]]
    assert len(speeches) == 28 and {on_cards.count(code) for code in states} <= {2, 3, 4}
    for key, row in speeches.items():
        assert sum(states[code]["cost"] * n for code, n in row["counties"]) == (
            12 if key == "S05" else 16
        )


def closed_but_for(*empty, leader="P1"):
    """Pins of a leader in every state but those named."""
    codes = begun().state.atlas.states
    return {code: [[leader, 1]] for code in codes if code not in empty}


@pytest.mark.parametrize(
    ("empty", "seat", "expected"),
    [
        ([], "P1", "you play first: the votes are counted before you play, unless"),
        ([], "P1", "As the pins stand that elects P1 with 531 votes, and no play is needed."),
        ([], "P2", "as all have now. That depends on others."),
        (["NV"], "P1", "you play first and 1 state has no pin: it counts nothing. [R11]"),
        (["NV", "AZ"], "P2", "(2 have none now). That depends on others."),
    ],
)
def test_receipt_says_whether_a_pair_is_sure_to_count(empty, seat, expected):
    public = {"order": ["P1", "P2", "P3"], "round": 4, "pins": closed_but_for(*empty)}
    game = begun({"public": public, "private": {seat: {"throw": [6, 1, 1]}}})
    assert expected in " ".join(advised(game, seat, {}))


@pytest.mark.parametrize(
    ("empty", "throw", "expected"),
    [
        ([], [6, 1, 1], "and as the pins stand that elects P1 with 531 votes. [4.2a]"),
        ([], [6, 2, 1], "Your list on file plays your 9 points"),
        (["NV"], [6, 1, 1], "Your list on file plays your 8 points"),
    ],
)
def test_silence_plays_no_list_where_a_count_comes_first(empty, throw, expected):
    public = {"order": ["P1", "P2", "P3"], "round": 4, "pins": closed_but_for(*empty)}
    private = {"P1": {"throw": throw, "standing": "MN 1"}}
    game = begun({"public": public, "private": private})
    silent = game.ruleset.silence(game.state, "P1", {})
    said = plain("\n".join(templates.events_in_words(game.ruleset, game.state, "P1", silent)))
    assert expected in " ".join(said.split())
    played = any(event.kind == "play" for event in paper.step(game, {}).periods[-1].events)
    assert played == ("Your list on file plays" in said)


def test_receipt_says_who_leaves_by_a_count_that_is_sure():
    plain = begun()
    states = plain.ruleset.view(plain.state, None)["map"]
    votes = {code: row["votes"] for code, row in states.items()}
    half = sorted(votes, key=votes.__getitem__)[:37]
    pins = {code: [["P2" if code in half else "P3", 1]] for code in votes}
    pins |= {"NV": [["P1", 1]], "OH": [["P1", 1]]}
    for throw, said in (
        ({"P1": [2, 2, 1]}, "nobody is elected, and you leave the race before you play, so that"),
        ({"P1": [1, 2, 3]}, ""),
    ):
        public = {"order": ["P1", "P2", "P3"], "round": 4, "pins": pins}
        private = {seat: {"throw": dice} for seat, dice in throw.items()}
        game = begun({"public": public, "private": private})
        assert max(game.ruleset.view(game.state, None)["electoral_votes"].values()) < 266
        told = " ".join(advised(game, "P1", {}))
        assert said in told and ("leave the race" in told) == bool(said)


# --- why ------------------------------------------------------------------------------------------


def test_every_state_can_be_asked_for_in_every_position() -> None:
    ruleset, asked = shelf.open_ruleset(KEY), 0
    for turn in bot_game(ruleset, 0):
        for seat in (None, "P1"):
            for code in ruleset.atlas.states:
                steps = ruleset.why(turn.outcome.state, seat, (), f"STATE {code}")
                assert all(templates.events_in_words(ruleset, turn.outcome.state, seat, steps))
                asked += len(steps) > 1
    assert asked
