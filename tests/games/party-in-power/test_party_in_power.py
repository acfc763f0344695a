"""What no case can show: receipts, the dealing of the codes, complaints about options and
scenarios."""

from typing import Any

import pytest

from pbem.games.frame.ruleset import ToldEvent
from pbem.house import shelf, templates
from pbem.periods import paper
from tests.keys import printed_guide

KEY = "party-in-power"


def begin(scenario: dict[str, Any], **options: Any) -> paper.Game:
    return paper.begin(paper.Setup(KEY, 0, None, options, scenario))


def test_a_scenario_may_carry_a_whole_view() -> None:
    game = begin({}, CONSTITUENCIES=5)
    for _ in range(3):
        game = paper.step(game, {"LAN": f"CONTEST {' '.join(game.state.hands['LAN'])}"})
    views = paper.views(game, game.state)
    public = views.pop("public")
    again = begin({"public": public, "private": views, "phase": public["phase"]}, CONSTITUENCIES=5)
    for seat in (None, *game.seats):
        old, new = game.ruleset.view(game.state, seat), again.ruleset.view(again.state, seat)
        for word in ("deck_sizes", "discard_sizes"):
            old.pop(word, None), new.pop(word, None)
        assert old == new


def test_the_table_has_27_constituencies_and_87_seats() -> None:
    state = begin({}, CONSTITUENCIES=27).state
    seats = [state.place(id).seats for id in state.cards if id[0] == "K"]
    assert (len(seats), sum(seats)) == (27, 87)
    assert [seats.count(n) for n in (1, 4, 5, 6)] == [12, 2, 11, 2]
    assert sum(state.settings.ncmps[str(n)] for n in seats) == 44


def test_the_guide_is_no_letter() -> None:
    ruleset = shelf.open_ruleset(KEY)
    for line in printed_guide(KEY).splitlines():
        assert len(line) <= 78
        assert all(ruleset.language.read(one).problem for one in ruleset.language.split(line)), line


def counted() -> tuple[paper.Game, list[ToldEvent]]:
    """A game in which LAN has won K03 against the PIP by an override, with all that LAN was
    told."""
    game = begin(
        {
            "public": {"constituency": "K03", "row": ["G20", "G60"]},
            "private": {
                "PIP": {"pool": ["M06", "T23", "A1a"]},
                "LAN": {"hand": ["L02", "G19", "G18", "R1a"]},
            },
        },
        CONSTITUENCIES=3,
    )
    game = paper.step(game, {"LAN": "OVERRIDE G18; DRAFT G60 TOP"})
    game = paper.step(game, {"LAN": "CONTEST L02 R1a"})
    game = paper.step(game, {"PIP": "FIELD T23; PLAY A1a"})
    told = [
        ToldEvent(period.number, event)
        for period in game.periods
        for event in period.events
        if event.audience == "public" or "LAN" in event.audience
    ]
    return game, told


def asked(words: str, seat: str | None = "LAN") -> str:
    game, told = counted()
    return " ".join(templates.explained(game.ruleset, game.state, seat, told, words).split())


@pytest.mark.parametrize("words", ["K03", "k3", "3", "Causeway North", "constituency Causeway?"])
def test_why_tells_a_constituency_from_the_issue_to_the_result(words: str) -> None:
    answer = asked(words)
    steps = [
        "K03 Causeway North has 1 seat",
        "LAN spent G18 Dill, Employment 6: the issue was Employment. [4.1]",
        "LAN submitted 2 cards.",
        "ESTATE UPGRADING: PIP +3 votes. [4.6]",
        "Votes of LAN: 14 [4.7]",
        "Votes of PIP: 10 [4.7]",
        "LAN won K03 Causeway North and 1 seat: 8 VP.",
    ]
    found = [answer.find(step) for step in steps]
    assert found == sorted(found) and -1 not in found, (found, answer)


def test_why_tells_votes_scores_the_issue_momentum_and_ones_own_hand() -> None:
    assert "Votes of PIP" not in asked("VOTES lantern") and "Votes of LAN" in asked("VOTES lantern")
    assert asked("SCORE") == asked("my points") == asked("Lantern Party")
    assert "LAN (Lantern Party) has 8 VP: 1 seat at 8, 0 NCMPs, 0 from cards. [4.10]" in asked("VP")
    assert "PIP (Party of Power) has 0 VP" in asked("SCORE PIP")
    assert "SCORE" not in asked("points", None) and "KIT (Kite Alliance)" in asked("points", None)
    assert "spent G18 Dill" in asked("ISSUE K03") and "spent G18" not in asked("ISSUE")
    assert "LAN has the Momentum Card now. [4.8]" in asked("MOMENTUM")
    assert "+1 printed, -2 in this game of 3 Opposition" in asked("ADVANTAGE of K03")
    assert "Your hand has" in asked("HAND") and "WHY can be asked of" in asked("HAND", None)
    for words in ("", "NONSENSE", "VOTES NONSENSE", "SCORE NONSENSE", "K27"):
        assert "WHY can be asked of: K03, " in asked(words), words
