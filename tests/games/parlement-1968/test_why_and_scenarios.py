"""WHY, and scenarios that cannot be played."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import ScenarioError
from pbem.house import resources, shelf, templates
from pbem.pages.plain import plain
from pbem.periods import paper

HERE = Path(__file__).parent
KEY = "parlement-1968"


def played(name: str, periods: int) -> Any:
    case = tomllib.loads((HERE / "cases" / name).read_text())
    game = paper.begin(paper.Setup(KEY, 0, None, {}, case.get("scenario", {})))
    for period in case["period"][:periods]:
        game = paper.step(game, period.get("orders", {}))
    return game


def asked(game: Any, words: str) -> str:
    """The answer to WHY, on one line."""
    steps = game.ruleset.why(game.state, None, (), words)
    return " ".join(
        plain("\n".join(templates.events_in_words(game.ruleset, game.state, None, steps))).split()
    )


@pytest.mark.parametrize("words", ["WHY n2", "DISTRICT N2", "district n2", "the seat N2"])
def test_why_a_district(words: str) -> None:
    game = played("8.14-n2-four.toml", 1)
    told = asked(game, words)
    for part in (
        "Rad leads, and nobody else is better than 25% of 6 bills: Rad 1,000. [8.14]",
        "Rad leads by 2: 70%, the rest to the second: Rad 700, Ctr 300. [8.14]",
        "Ctr and Con tie for first and share evenly: Ctr 3,500, Con 3,500. [8.14]",
        "Ctr: 1,000 votes as incumbent. [8.16]",
        "a runoff. [8.18]",
    ):
        assert part in told, part


def test_why_a_runoff_with_the_workers_independent() -> None:
    game = played("8.14-n2-four.toml", 3)
    told = asked(game, "N2")
    assert "all go to its own independent: Ind-W 1,000. [8.7]" in told
    assert "Ctr has most votes and is elected. [8.22]" in told


def test_why_a_record_line_by_line() -> None:
    game = played("6.2-printed-example.toml", 4)
    told = asked(game, "why I rad-eas")
    assert (
        "bill 5: voted Yes, which earned I +2, with the bonus of a balance of power; the bloc"
        " stands Y. [6.2]" in told
    )
    assert "Rad-Eas began the session with I 4. [6.6]" in told
    assert "Rad-Eas has I 9 in all" in told
    assert "Soc-Cap began the session with W 4." in asked(game, "Soc W")
    for words in ("RECORD Rad-Eas", "record of Rad-Eas", "Rad-Eas", "Radical-East"):
        assert "Rad-Eas began the session with W 2, I 4, B 4, K 2, P 0. [6.6]" in asked(game, words)


@pytest.mark.parametrize("words", ["VOTE 5", "vote on 5", "bill 5", "5", "votes #5", "vote bill 5"])
def test_why_a_vote(words: str) -> None:
    told = asked(played("6.2-printed-example.toml", 4), words)
    assert "28 Yes, 22 No" in told and "[5.6]" in told
    assert "Rad-Eas I +2" in told


def test_why_a_bloc_and_the_government() -> None:
    game = played("6.2-printed-example.toml", 4)
    assert "favourite" in asked(game, "BLOC K") and "[8.15]" in asked(game, "the Catholics")
    assert "Premier Soc E5" in asked(game, "government")


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
