"""WHY: what can be asked, in the words people use, and the steps of the answers."""

from pbem.house import shelf, templates
from tests.bots import bot_game

KEY = "politics-1935"


def test_every_state_can_be_asked_for_in_every_position() -> None:
    ruleset, asked = shelf.open_ruleset(KEY), 0
    for turn in bot_game(ruleset, 0):
        for seat in (None, "P1"):
            for code in ruleset.atlas.states:
                steps = ruleset.why(turn.outcome.state, seat, (), f"STATE {code}")
                assert all(templates.events_in_words(ruleset, turn.outcome.state, seat, steps))
                asked += len(steps) > 1
    assert asked
