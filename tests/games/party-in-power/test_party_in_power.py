"""What no case can show: receipts, the dealing of the codes, complaints about options and
scenarios."""

from typing import Any

from pbem.periods import paper

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
