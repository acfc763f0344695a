"""RULES and TABLES by mail and in the shell: every paragraph that can be cited can be had, every table is printed
from the game's own figures; the charter and the tokens of Legislation."""

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.errors import OptionError
from pbem.house import shelf, templates
from pbem.pages import rulebook
from pbem.pages.plain import plain
from pbem.periods import issue_mails
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.text import WIDTH
from tests.installation import Installation, text_of
from tests.parsed import attached
from tests.subjects import subjects

MOST_IN_CONTENTS = 485
"""Words, so that its mail has 500 at most with what stands around them."""


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


def test_the_contents_name_what_answers(key: str) -> None:
    said = rules(key, "").replace("\n", " ")
    for table in templates.tables(key):
        assert table in said
    asked = re.findall(r"\* [a-z ]+: RULES\s([^*]+) (?=\*)", said)
    assert len(asked) == 4
    for words in asked:
        answer = rules(key, words)
        assert "[" in answer, words


def test_the_overview_is_short_and_names_the_rest_of_the_game_in_short(key: str) -> None:
    said = plain(templates.rules_text(key, ""))
    assert len(said.split()) <= MOST_IN_CONTENTS
    shown, rest = shelf.rules(key).short.split("\n\n")[:2], shelf.rules(key).short.split("\n\n")[2:]
    assert rest and all(" ".join(text.split()) in " ".join(said.split()) for text in shown)
    for text in rest:
        lead = text.partition(".")[0]
        assert f"RULES {lead}" in said.replace("\u00a0", " ") and text not in said
        assert " ".join(rules(key, lead.lower()).split()) == text


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


@pytest.mark.game("parlement-1966")
def test_by_mail(at: Installation) -> None:
    """Answered from anywhere, to the address of record; no order is taken for it."""
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


THREE = ("P1", "P2", "P3")


def test_the_charter_says_what_holds_and_who_has_signed(tmp_path: Path) -> None:
    options = {"STATE": " Keystone ", "LOSE": "SKIP+FINE", "PUBLIC_EYE": "ON"}
    scenario = {"tables": {"bill_cards": 3, "majority": [3, 5]}}
    with Installation(
        tmp_path, "legislation", seats=THREE, options=options, scenario=scenario
    ) as at:
        at.start()
        welcome = attached(at.mails("P1")[0])
        at.send("P1", "RULES CHARTER")
        asked = " ".join(at.newest("P1").split())
        for text in (welcome, asked):
            assert "Charter for the State of Keystone, within the Republic of Idealia" in text
            assert "A bill has 3 cards at least. It passes with more Ayes than 3 of 5" in text
            assert "the next turn as chair; all tokens (usually a new hand)" in text
            assert "* P2, Player P2, on 2 March 2026" in text
            assert "Not played: a yellow card with each bill" in text
        at.clock += timedelta(days=2)
        with exclusive_transaction(at.daemon.engine) as conn:
            work = at.work(conn)
            seat_acts.replace(
                work, "g", "P2", "new@legit.example", name="Nora New", why="moved away"
            )
            text = issue_mails.charter(conn, games.game_at(conn, "g"))
        assert "* P2, Nora New, on 4 March 2026" in text and "* P1, Player P1, on 2 March" in text


def test_a_state_has_a_short_printable_name() -> None:
    option = shelf.open_ruleset("legislation").about.options[0]
    assert option.name == "STATE" and option.read("New  Keystone") == "New Keystone"
    for wrong in ("x" * 41, "Key\x07stone"):
        with pytest.raises(OptionError, match="STATE"):
            option.read(wrong)


def test_the_charter_has_a_page_on_the_site_that_goes_with_it(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    site = {"folder": str(pages), "address": "https://games.example/"}
    options = {"STATE": "Keystone <b>"}
    with Installation(tmp_path, "legislation", seats=THREE, options=options, site=site) as at:
        at.start()
        index, raw = (
            (pages / "g" / name).read_text(encoding="utf-8")
            for name in ("index.html", "charter.html")
        )
        text = " ".join(re.sub("<[^>]*>", " ", raw).split())
        assert '<a href="charter.html">its charter</a>' in index
        assert "<b>" not in raw and "the State of Keystone &lt;b&gt;" in text
        assert "A bill has 2 cards at least." in text and "half of the players" in text
        assert "P2, Player P2, on 2 March 2026" in text and "@" not in raw.partition("<main")[2]
        at.clock += timedelta(days=2)
        at.act(seat_acts.replace, "g", "P2", "new@legit.example", name="Nora New", why="moved away")
        at.to_deadline()
        now = (pages / "g/charter.html").read_text(encoding="utf-8")
        assert "P2, Nora New, on 4 March 2026" in now, "who took the seat has signed, too"


DOCKET = {
    "phase": "VOTE",
    "public": {
        "order": list(THREE),
        "session": 1,
        "issues": ["HEART", "STAR", "MOON", "KEY", "SUN", "BELL"],
        "docket": [{"id": "B1", "chair": "P1", "core": ["HEART+", "STAR-"]}],
    },
}


def tokens(at: Installation, seat: str) -> list[str]:
    return [one for one in subjects(at, seat) if "token" in one]


def playing(folder: Path, **options: str) -> Installation:
    return Installation(
        folder, "legislation", seats=THREE, scenario=DOCKET, options={"PERIOD": 3, **options}
    )


def test_a_token_goes_to_all_others_at_once_and_is_no_order_by_itself(tmp_path: Path) -> None:
    with playing(tmp_path) as at:
        at.start()
        at.send("P2", "CHECK\nTOKEN HEART+ FOR")
        assert tokens(at, "P1") == [], "a trial lays none"
        at.send("P2", "TOKEN HEART+ FOR\nVOTE AYE ON B1")
        assert tokens(at, "P1") == tokens(at, "P3") == ["[g] Player P2 lays a token for HEART+"]
        assert tokens(at, "P2") == []
        told = text_of(at.mails("P1")[-1])
        assert "Player P2 lays a token for HEART+. [3.7]" in told and "AYE" not in told
        at.send("P2", "TOKEN HEART+ FOR\nVOTE NAY ON B1")
        assert len(tokens(at, "P1")) == 1, "nothing has changed on the table"
        at.send("P2", "TOKEN HEART+ AGAINST\nTOKEN STAR- FOR")
        at.send("P2", "CANCEL TOKEN STAR-")
        at.send("P2", "TOKEN STAR- FOR")
        assert tokens(at, "P3")[1:] == [
            "[g] Player P2 lays a token against HEART+ and lays a token for STAR-",
            "[g] Player P2 takes back the token on STAR-",
            "[g] Player P2 lays a token for STAR-",
        ]
        at.to_deadline()
        assert "* Player P2: against HEART+, for STAR-" in at.newest("P1") or any(
            "* Player P2: against HEART+, for STAR-" in text_of(one) for one in at.mails("P1")
        )


def test_status_and_the_notice_say_how_the_tokens_lie(tmp_path: Path) -> None:
    scenario = {**DOCKET, "phase": "AMEND", "public": {**DOCKET["public"], "session": 2}}
    with Installation(
        tmp_path, "legislation", seats=THREE, scenario=scenario, options={"PERIOD": 3}
    ) as at:
        at.start()
        at.send("P1", "STATUS")
        assert "How the tokens lie" not in at.newest("P1")
        at.write("P2", "TOKEN HEART+ FOR\nTOKEN STAR- AGAINST")
        at.write("P3", "STANDING VOTE NAY\nVOTE AYE IF HEART+")
        at.send("P1", "STATUS")
        told = at.newest("P1")
        assert "How the tokens lie" in told and "* Player P2: for HEART+, against STAR-" in told
        assert (
            "Player P3:"
            not in told.partition("How the tokens lie")[2].partition("What the period")[0]
        )
        at.to_deadline()
        notice = next(text for text in map(text_of, reversed(at.mails("P1"))) if "alone" in text)
        assert "* Player P2: for HEART+, against STAR-" in notice
        at.write("P2", "TOKEN HEART+ AGAINST")
        at.send("P1", "STATUS")
        assert "* Player P2: against HEART+, against STAR-" in at.newest("P1"), "the last one lies"


def test_with_deadline_a_token_waits_for_the_bulletin(tmp_path: Path) -> None:
    with playing(tmp_path, TOKENS="DEADLINE") as at:
        at.start()
        at.send("P2", "TOKEN HEART+ FOR")
        assert tokens(at, "P1") == []
        at.to_deadline()
        assert any("* Player P2: for HEART+" in text_of(one) for one in at.mails("P1"))
