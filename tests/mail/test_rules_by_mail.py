"""RULES and TABLES by mail and in the shell: every paragraph that can be cited can be had, every
table is printed from the game's own figures."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.house import shelf, templates
from pbem.pages import rulebook
from pbem.pages.plain import plain
from pbem.text import WIDTH
from tests.bots import bot_game
from tests.installation import Installation


def rules(key: str, words: str) -> str:
    """The answer to RULES as it is read."""
    return plain(templates.rules_text(key, words))


def tables(key: str, values: Mapping[str, Any], words: str) -> str:
    """The answer to TABLES as it is read."""
    return plain(templates.tables_text(key, values, words))


def test_every_paragraph_can_be_had(key: str) -> None:
    for number, text in shelf.rules(key).paragraphs.items():
        said = rules(key, number)
        assert f"[{number}] " in said and text.split()[-1] in said
        assert max(map(len, said.split("\n"))) <= WIDTH


def test_what_bots_are_told_can_be_had(key: str) -> None:
    """By the events of their games."""
    ruleset, known = shelf.open_ruleset(key), shelf.rules(key).paragraphs
    cited = {event.rule for turn in bot_game(ruleset, 0) for event in turn.outcome.events}
    assert cited
    assert [rule for rule in cited if rule not in known] == []


def test_the_contents_name_what_answers(key: str) -> None:
    said = rules(key, "").replace("\n", " ")
    for table in templates.tables(key):
        assert table in said
    asked = re.findall(r"\* [a-z ]+: RULES\s([^*]+) (?=\*)", said)
    assert len(asked) == 4
    for words in asked:
        answer = rules(key, words)
        assert "[" in answer, words


def test_every_table_is_printed(key: str) -> None:
    values = shelf.rulebook(key).tables
    names = templates.tables(key)
    assert names
    for name in names:
        said = tables(key, values, name)
        assert len(said.split("\n")) > 3 and max(map(len, said.split("\n"))) <= WIDTH
        assert said in tables(key, values, "all")


def test_a_figure_that_a_scenario_changes_is_in_the_table(key: str) -> None:
    changes: dict[str, dict[str, Any]] = {
        "parlement-1966": {"crowns": {"fee": 12345}},
        "parlement-1968": {"figures": {"filing_fee": 12345}},
        "coalition": {"ministries": {"PM": {"name": "Premier", "value": 12345, "rank": "prime"}}},
        "legislation": {"tokens": 12345},
        "politics-1935": {"money": {"radio_fee": 12345}},
        "party-in-power": {"most_hand": 12345},
    }
    values = shelf.merged(shelf.rulebook(key).tables, changes[key])
    said = tables(key, values, "ALL")
    assert "12,345" in said or "12345" in said


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("16", ["16"]),
        ("paragraph 16", ["16"]),
        ("§16?", ["16"]),
        ("14-17", ["14", "15", "16", "17"]),
        ("14 to 16, R1 and R2.", ["14", "15", "16", "R1", "R2"]),
        ("r3", ["R3"]),
        ("amendments", ["35", "36"]),
        ("bankruptcy", ["33", "34"]),
        ("government", [str(n) for n in range(5, 13)]),
    ],
)
def test_how_people_ask(words: str, numbers: list[str]) -> None:
    said = rules("parlement-1966", words)
    assert [line[1 : line.index("]")] for line in said.split("\n") if line[:1] == "["] == numbers


def test_a_section_by_its_number() -> None:
    said = rules("coalition", "4")
    assert [f"[4.{n}] " in said for n in range(1, 8)] == [True] * 7 and "[3.1] " not in said


def test_a_paragraph_by_the_number_that_its_parts_share() -> None:
    said = rules("politics-1935", "4.2")
    assert [f"[4.2{part}] " in said for part in "abcd"] == [True] * 4 and "[4.3] " not in said


def test_what_there_is_not() -> None:
    assert "There is no paragraph 99" in rules("coalition", "99")
    assert 'No paragraph of the rules has "xyzzy"' in rules("coalition", "xyzzy")
    assert 'no one table "nonsense"' in tables("coalition", {}, "nonsense")


def test_a_word_that_many_have() -> None:
    said = rules("parlement-1968", "the")
    assert said.count("\n[") <= rulebook.MOST_FOUND and "more have it" in said


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "parlement-1966") as at:
        yield at


def test_by_mail(at: Installation) -> None:
    """Answered from anywhere, to the address of record; no order is taken for it."""
    at.start()
    at.send("S", "RULES 16\nTABLES bills?\nRULES\nTABLES")
    said = at.newest("S")
    assert "[16] A proposed bill is voted on" in said and "Income tax" in said
    assert "R1 to R24" in said and "The tables are bills, blocs, money" in said
    assert at.standing("S") == [] and "not read" not in said


@pytest.mark.parametrize(
    ("words", "said"),
    [(["16"], "[16] A proposed bill"), (["TABLES", "bills"], "NATO"), ([], "R1 to R24")],
)
def test_by_shell(words: list[str], said: str) -> None:
    assert said in CliRunner().invoke(main, ["rules", "parlement-1966", *words]).output
