"""What no case can show: receipts, the dealing of the codes, complaints about options and
scenarios."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.errors import OptionError, ScenarioError
from pbem.games.frame.dice import Dice
from pbem.games.party_in_power.about import CODES
from pbem.games.party_in_power.setup import dealt_codes
from pbem.periods import paper
from pbem.store import shelf

KEY = "party-in-power"


def begin(scenario: dict[str, Any], **options: Any) -> paper.Game:
    return paper.begin(paper.Setup(KEY, 0, None, options, scenario))


def test_every_game_deals_the_pip_and_the_lowest_numbers() -> None:
    dealt = [dealt_codes(["ann", "ben", "cyd"], Dice(str(seed), "lots")) for seed in range(40)]
    assert all(sorted(codes.values()) == sorted(CODES[:3]) for codes in dealt)
    assert {codes["ann"] for codes in dealt} == set(CODES[:3])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONSTITUENCIES", 28),
        ("CONSTITUENCIES", 2),
        ("MINISTERS", 14),
        ("MINISTERS", 2),
        ("TIE", "LAN"),
        ("DRAFT", -1),
    ],
)
def test_options_out_of_range_are_refused(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=name):
        begin({}, **{name: value})


@pytest.mark.parametrize(
    ("scenario", "named"),
    [
        ({"phase": "LUNCH"}, "phase"),
        ({"phase": "POLLING"}, "private"),
        ({"publik": {}}, "publik"),
        ({"public": {"constitution": "K01"}}, "public.constitution"),
        ({"public": {"constituency": "K28"}}, "public.constituency"),
        ({"public": {"issue": "PEACE"}}, "public.issue"),
        ({"public": {"row": ["G20", "G20"]}}, "public.row"),
        ({"public": {"row": ["T20"]}}, "public.row"),
        ({"public": {"order": ["PIP", "PIP"]}}, "public.order"),
        ({"public": {"momentum": "PIP"}}, "public.momentum"),
        ({"public": {"top": [7, "X"]}}, "public.top"),
        ({"public": {"ncmp": {"LAN": "two"}}}, "public.ncmp.LAN"),
        ({"public": {"won": {"ZZZ": ["K01"]}}}, "public.won"),
        ({"private": {"XYZ": {}}}, "private.XYZ"),
        ({"private": {"LAN": {"pool": []}}}, "private.LAN.pool"),
        ({"private": {"LAN": {"hand": ["G01"]}, "COM": {"hand": ["G01"]}}}, "private"),
        (
            {"phase": "POLLING", "private": {"LAN": {"submitted": ["R5a ON PEACE"]}}},
            "private.LAN.submitted",
        ),
        ({"private": {"PIP": {"pool": {"candidates": ["G01"]}}}}, "private.PIP.pool"),
        ({"decks": {"grass": []}}, "decks.grass"),
        ({"decks": {"constituencies": []}}, "decks.constituencies"),
    ],
)
def test_a_wrong_scenario_names_its_key(scenario: dict[str, Any], named: str) -> None:
    with pytest.raises(ScenarioError, match=named.replace(".", r"\.")):
        begin(scenario)


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
    from pbem.store import templates

    ruleset = shelf.open_ruleset(KEY)
    guide = templates.environment().get_template(f"{KEY}/guide.txt.j2").render()
    for line in guide.splitlines():
        assert len(line) <= 78
        assert all(ruleset.language.read(one).problem for one in ruleset.language.split(line)), line
