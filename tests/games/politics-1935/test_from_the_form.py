"""Two periods played as one seat by orders taken from its printed form alone: they are taken, and do
what the form says of them."""

from typing import Any

import pytest

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.house import templates
from pbem.pages import bulletin
from pbem.pages.page import BLANK, filled
from pbem.periods import paper
from tests.bots import bot_of

KEY, SEAT = "politics-1935", "P1"
POSITION: dict[str, Any] = {
    "public": {
        "order": ["P2", "P1", "P3"],
        "round": 4,
        "pins": {"TX": [["P2", 2], ["P1", 2]], "NV": [["P3", 8]]},
        "lots": [["S12", "P2"], ["S20", "P3"]],
    },
    "private": {
        "P1": {"hand": ["S06", "S22"], "throw": [6, 5, 4], "standing": "UT 3"},
        "P2": {"throw": [1, 2, 3]},
        "P3": {"throw": [1, 2, 4]},
    },
}


def printed_form(game: Any, state: Any, seat: str) -> dict[str, str]:
    """The lines of the notice below FILL IN, each order with its effect."""
    issue = templates.issue(game.ruleset, state, game.seats, 1, "ROUND", ())
    notice = bulletin.notice(templates.environment(), issue, seat)
    found: dict[str, str] = {}
    for line in notice.partition("FILL IN")[2].splitlines():
        order, mark, effect = line.partition("#")
        if BLANK in order and order.split()[0] in game.ruleset.language.words:
            found[order.strip()] = effect.strip() if mark else ""
        elif mark and not order.strip() and found:
            last = list(found)[-1]
            found[last] = f"{found[last]} {effect.strip()}".strip()
    return found


def played(game: Any, state: Any, lines: str) -> Any:
    """The outcome of a period in which the seat sends ``lines``, and bots play the rest."""
    rules, chance = game.ruleset, Dice("form", KEY).stream("bots")
    taken = take(rules, state, SEAT, lines, {})
    assert not taken.problems, taken.problems
    orders = {SEAT: taken.standing}
    for seat in ("P2", "P3"):
        letter = bot_of(rules).letter(
            rules.view(state, None), rules.view(state, seat), seat, chance
        )
        kept = "\n".join(line for line in letter.split("\n") if not line.startswith("RESIGN"))
        orders[seat] = take(rules, state, seat, kept, {}).standing
    return play_period(rules, state, orders, Dice("form", "play"))


def level(view: Any, code: str, seat: str = SEAT) -> int:
    return next((n for who, n in view["pins"][code] if who == seat), 0)


def test_two_rounds_by_the_form() -> None:
    game = paper.begin(paper.Setup(KEY, 0, ("P1", "P2", "P3"), {}, POSITION))
    form = printed_form(game, game.state, SEAT)
    assert form == {
        "CAMPAIGN ...": "your 15 points, as NY 1 (costs 9), OH 1 (6)",
        "SPEAK ... AFTER ...": "card, after SELF, P2 or P3; costs 20,000",
        "BID ... ON S12": "Fisheries: in 10,000s, up to 750,000",
        "BID ... ON S20": "Railway rates: in 10,000s, up to 750,000",
        "STANDING ...": "your list on file, now UT 3: spends what is left, every round",
    }
    answers = {
        "CAMPAIGN ...": ["TX 2"],
        "STANDING ...": ["VT 1, DE 4"],
        "BID ... ON S12": ["750,000"],
        "SPEAK ... AFTER ...": ["S06", "SELF"],
    }
    lines = "\n".join(f"{filled(order, answers[order])}  # {form[order]}" for order in answers)
    outcome = played(game, game.state, lines)
    view, own = (game.ruleset.view(outcome.state, seat) for seat in (None, SEAT))
    assert level(view, "TX") == 2 + 2 + 2, "two by the dice, two by the speech"
    assert (level(view, "VT"), level(view, "DE"), level(view, "UT")) == (1, 4, 0)
    assert own["standing"] == [["VT", 1], ["DE", 4]]
    assert view["played"][SEAT] == ["S06"] and "S12" in own["hand"]
    spent = dict(own["money"]["entries"])
    assert spent["Radio Fee S06"] == -20_000 and -750_000 <= spent["card S12"] < 0
    assert own["cash"] == 750_000 + sum(spent.values())

    form = printed_form(game, outcome.state, SEAT)
    total = own["total"]
    assert f"your {total} points" in form["CAMPAIGN ..."]
    assert "now VT 1, DE 4" in form["STANDING ..."] and "SPEAK ... AFTER ..." in form
    before = level(view, "WY")
    lines = (
        f"{filled('CAMPAIGN ...', ['WY 1'])}\n{filled('STANDING ...', ['NONE'])}\n"
        f"{filled('SPEAK ... AFTER ...', ['S22', 'P3'])}"
    )
    outcome = played(game, outcome.state, lines)
    view, own = (game.ruleset.view(outcome.state, seat) for seat in (None, SEAT))
    assert level(view, "WY") == before + 1 and own["standing"] == []
    assert view["played"][SEAT] == ["S06", "S22"] and level(view, "CA") >= 1


def test_the_card_that_was_shown_is_taken_by_the_form() -> None:
    position = {
        "public": {"order": ["P1", "P2", "P3"]},
        "private": {"P1": {"throw": [1, 2, 4], "shown": "S09"}},
    }
    game = paper.begin(paper.Setup(KEY, 0, ("P1", "P2", "P3"), {"FUND": "OFF"}, position))
    form = printed_form(game, game.state, SEAT)
    assert form["TAKE ..."] == ("put CARD: you keep S09 (Sound banking) and give up your 7 points")
    outcome = played(game, game.state, filled("TAKE ...", ["CARD"]))
    assert "S09" in game.ruleset.view(outcome.state, SEAT)["hand"]
    assert not any(form_word.startswith("BID") for form_word in form)


@pytest.mark.parametrize(
    ("seat", "words"),
    [("P1", ["CAMPAIGN", "STANDING", "STANDING"]), ("P2", ["STANDING", "STANDING"])],
)
def test_a_turn_by_the_form(seat: str, words: list[str]) -> None:
    """Only who has the dice is offered a play; speeches only where they are open."""
    position = {"public": {"order": ["P1", "P2", "P3"], "turn": "P1", "round": 1}}
    game = paper.begin(paper.Setup(KEY, 0, ("P1", "P2", "P3"), {"MODE": "TURN"}, position))
    assert [order.split()[0] for order in printed_form(game, game.state, seat)] == words
    position["public"]["round"] = 3
    game = paper.begin(paper.Setup(KEY, 0, ("P1", "P2", "P3"), {"MODE": "TURN"}, position))
    late = printed_form(game, game.state, seat)
    assert sorted(order.split()[0] for order in late) == sorted([*words, "SPEAK"])
    card = game.ruleset.view(game.state, seat)["hand"][0]
    taken = take(game.ruleset, game.state, seat, filled("SPEAK ...", [card]), {})
    assert [str(order) for order in taken.standing.values()] == [f"SPEAK {card}"]
