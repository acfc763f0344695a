"""WHY, and scenarios that cannot be played."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import ScenarioError
from pbem.house import resources, shelf
from pbem.periods import paper

HERE = Path(__file__).parent
KEY = "parlement-1968"


def played(name: str, periods: int) -> Any:
    case = tomllib.loads((HERE / "cases" / name).read_text())
    game = paper.begin(paper.Setup(KEY, 0, None, {}, case.get("scenario", {})))
    for period in case["period"][:periods]:
        game = paper.step(game, period.get("orders", {}))
    return game


def test_why_money_is_for_the_seat_alone() -> None:
    game = played("6.2-printed-example.toml", 4)
    assert game.ruleset.why(game.state, None, (), "MONEY") == ()
    steps = game.ruleset.why(game.state, "Con", (), "my treasury")
    assert [step.data["balance"] for step in steps] == [
        game.ruleset.view(game.state, "Con")["treasury"]
    ]


@pytest.mark.parametrize("words", ["", "WHY", "WHY X99", "WHY W Liberals", "a b c d", "VOTE 77"])
def test_why_of_what_has_no_such_name(words: str) -> None:
    game = paper.begin(paper.Setup(KEY, 0, None, {}, {}))
    assert game.ruleset.why(game.state, None, (), words) == ()


@pytest.mark.parametrize("name", ["template", "standard", "fourth-republic"])
def test_the_shipped_scenarios_are_sound(name: str) -> None:
    scenario = paper.read_toml(resources.path("rules", "scenarios", KEY, f"{name}.toml"))
    game = paper.begin(paper.Setup(KEY, 0, None, {}, scenario))
    start = paper.begin(paper.Setup(KEY, 0, None, {}, {}))
    assert name == "fourth-republic" or game.ruleset.view(game.state, None) == start.ruleset.view(
        start.state, None
    )


def test_bad_tables_are_told_where_and_how_to_mend_them() -> None:
    scenario = paper.read_toml(resources.path("rules", "scenarios", KEY, "fourth-republic.toml"))
    tables = copy.deepcopy(scenario["tables"])
    tables["party"][0]["holds"] = ["P1-P5", "Z1"]
    tables["bloc"][1]["key"] = tables["bloc"][0]["key"].lower()
    tables["office"][1]["bills"] = ["77"]
    with pytest.raises(ScenarioError) as caught:
        paper.begin(paper.Setup(KEY, 0, None, {}, {"tables": tables}))
    found = dict(caught.value.faults)
    assert found["tables.party[1].holds"] == "'Z1' is no district"
    assert found["tables.office[2].bills"] == "there is no bill 77"
    assert "stands twice" in found["tables.bloc"]
    assert found["tables.party"].startswith("nobody holds N1")
    assert all(key in str(caught.value) for key in found)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("party", "key", "Ind"),
        ("region", "letter", "n"),
        ("bill", "key", "one"),
        ("bill", "stands", {"O": "X"}),
        ("item", "stands", {"O": "Y"}),
    ],
)
def test_a_bad_cell_of_a_table_is_told(table: str, column: str, value: object) -> None:
    scenario = paper.read_toml(resources.path("rules", "scenarios", KEY, "fourth-republic.toml"))
    tables = copy.deepcopy(scenario["tables"])
    tables[table][0][column] = value
    with pytest.raises(ScenarioError, match=rf"tables\.{table}\[1\]\.{column}"):
        paper.begin(paper.Setup(KEY, 0, None, {}, {"tables": tables}))


@pytest.mark.parametrize(
    ("scenario", "named"),
    [
        ({"phase": "lunch"}, "phase"),
        ({"public": {"colour": 1}}, "public.colour"),
        ({"public": {"districts": {"Z1": {"holder": "Com"}}}}, "public.districts.Z1"),
        ({"public": {"districts": {"C1": {"holder": "Tory"}}}}, "public.districts.C1.holder"),
        ({"public": {"seats": {"Com": 11}}}, "public.seats.Com"),
        ({"public": {"records": {"W": {"Com-Nor": 3}}}}, "public.records.W.Com-Nor"),
        ({"phase": "program"}, "public.government"),
        (
            {"phase": "bill", "public": {"government": {"premier": "Soc E5"}}},
            "public.program.bills",
        ),
        (
            {"phase": "program", "public": {"government": {"premier": "Soc E1"}}},
            "public.government.premier",
        ),
        ({"private": {"Com": {"treasury": -5}}}, "private.Com.treasury"),
        ({"private": {"Tory": {}}}, "private"),
        ({"decks": {"blue": []}}, "decks"),
    ],
)
def test_a_bad_position_names_its_key(scenario: dict[str, Any], named: str) -> None:
    with pytest.raises(ScenarioError, match=named):
        paper.begin(paper.Setup(KEY, 0, None, {}, scenario))


def test_a_bloc_of_a_longer_name_has_independents_too() -> None:
    """8.17 with a scenario's own bloc, whose key is not all capitals: its independent can be paid
    for."""

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {("Kat" if key == "K" else key): renamed(one) for key, one in value.items()}
        if isinstance(value, list):
            return [renamed(one) for one in value]
        return "Kat" if value == "K" else value

    case = tomllib.loads((HERE / "cases" / "8.17-bought.toml").read_text())
    scenario = renamed(case["scenario"]) | {"tables": renamed(dict(shelf.rulebook(KEY).tables))}
    orders = {
        seat: text.replace("IND-K", "IND-KAT") for seat, text in case["period"][0]["orders"].items()
    }
    game = paper.step(paper.begin(paper.Setup(KEY, 0, None, {}, scenario)), orders)
    spent = next(event.data["spent"] for event in game.periods[-1].events if event.kind == "spent")
    assert ["Nat", "Ind-Kat", 300, 300] in spent["C1"], spent
