"""What names commands in the shell names buttons and pages at the desk."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from pbem.desk.times import spoken
from tests.desk.visitor import OF_THE_SHELL

ROOT = Path(__file__).parents[2] / "pbem"
ROOMS = ("orders", "store", "post", "periods", "referee", "desk")
SOURCES = [path for room in ROOMS for path in sorted((ROOT / room).glob("*.py"))]


@pytest.mark.parametrize(
    ("said", "words", "link"),
    [
        ("`pbem start g` begins it", "Start begins it", "/do/start?game=g"),
        ("unless `pbem rewind g N` does", "unless Rewind does", "/do/rewind?game=g"),
        ("`pbem master g ADDRESS --second`", "Master", "/do/master?game=g&second=yes"),
        (
            "now `pbem rewind\ng 2` puts it right",
            "now Rewind puts it right",
            "/do/rewind?game=g&number=2",
        ),
        ("`pbem rotate g A`, too", "Rotate, too", "/do/rotate?game=g&seat=A"),
        ("`pbem accept 7 --seat SEAT` <b>", "Accept <b>", "/do/accept?letter=7"),
        (
            "`pbem rewind g 3 --accept 7`",
            "Rewind",
            "/do/rewind?game=g&number=3&accept=7",
        ),
        ("now `pbem resume --all`", "now Resume", "/do/resume?everything=yes"),
        ("`pbem close-table t`", "Close table", "/do/close-table?table=t"),
        ("`pbem replace`", "Replace", "/do/replace"),
        ("`pbem close g g g --why`", "Close", "/do/close?game=g"),
        ("see `pbem queue`", "see What waits", "/"),
        ("see `pbem queue g` for it", "see What waits for it", "/games/g"),
        ("`pbem letter --id 7`", "the letter", "/letters/7"),
        ("`pbem table` has it", "its page has it", "/games"),
        ("`pbem letter --id '../x'`", "the letter", "/letters/%27..%2Fx%27"),
    ],
)
def test_a_command_is_a_link(said: str, words: str, link: str) -> None:
    made = LexborHTMLParser(spoken("/at".__add__, said))
    assert made.body is not None and made.body.text() == words
    assert [one.attributes["href"] for one in made.css("a")] == [f"/at{link}"]


def test_what_the_desk_does_not_have_stays() -> None:
    said = "`pbem forget g` or `pbem doctor`, <i>`pbem nosuch`</i>"
    assert spoken(str, said).unescape() == said


# --- every text of the referee --------------------------------------------------------------------


def texts(tree: ast.AST) -> Iterator[str]:
    """Every string that is no docstring, with "x" for what is set into it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (
                str(one.value) if isinstance(one, ast.Constant) else "x" for one in node.values
            )
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_command_that_is_named_is_known_at_the_desk() -> None:
    found = 0
    for path in SOURCES:
        for text in texts(ast.parse(path.read_text(encoding="utf-8"))):
            if re.fullmatch(r"(?s).*`pbem [a-z][^`]*`.*", text) and "``pbem" not in text:
                left = re.findall(r"`pbem ([a-z-]+)", spoken(str, text))
                assert set(left) <= OF_THE_SHELL | {"x"}, (
                    path.name,
                    text,
                )  # x: a command of an alarm
                found += 1
    assert found > 25


def test_a_refusal_names_commands_as_such() -> None:
    found = 0
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None:
                for text in texts(node.exc):
                    found += 1
                    assert not re.search(r"(?<!`)\bpbem [a-z]", text), (path.name, text)
    assert found > 200
