"""Only what a person would write as a number is one: the digits 0 to 9, and the fullwidth ones of
Eastern keyboards."""

import ast
import re
import sys
import unicodedata
from pathlib import Path

import pytest

import pbem
from pbem.games import GAMES
from pbem.house.shelf import open_ruleset
from pbem.orders.characters import plain
from pbem.orders.language import odd_numbers
from pbem.orders.mailwords import peel

FULLWIDTH = {chr(0xFF10 + digit): str(digit) for digit in range(10)}
EVERY = [
    chr(code)
    for code in range(128, sys.maxunicode + 1)
    if unicodedata.category(chr(code)) in ("Nd", "Nl", "No")
]
ODD = [char for char in EVERY if char not in FULLWIDTH]
SIGNS = "²₂①½Ⅳⅴ٣१𝟏⑩❷㉈๓𝍠〇"
"""Some of each kind: raised, lowered, in a circle, a fraction, Roman, Arabic, Indian, mathematical,
of other scripts."""
ORDERS = {
    "parlement-1966": ("PAY {} TO L", "VOTE YES ON {}", "CANDIDATES 1-{}", "SIGN AMENDMENT {}", "PROPOSE {}"),
    "parlement-1968": ("PAY {} TO Rad", "VOTE BILL {} YES", "CANDIDATES E{}", "SIGN GOVERNMENT {}", "SPEND {}k ON Rad IN E1"),
    "coalition": ("VOTE AYE ON {}",),
    "legislation": ("SPEND {} ON CARD", "GIVE {} TO P2", "SPEND {}k ON CARD"),
    "politics-1935": ("CAMPAIGN OHIO {}", "BID {} ON S07", "BID {}K ON S07", "STANDING OHIO {}"),
    "party-in-power": ("DRAW S {}",),
}  # fmt: skip


def read(game: str, text: str) -> list[str]:
    """The orders that a text of this game is read as; what is refused is none."""
    language = open_ruleset(game).language
    return [str(order) for line in language.split(text) for order in language.read(line).orders]


def test_no_sign_but_the_fullwidth_digits_becomes_a_plain_one() -> None:
    assert len(ODD) > 1_700
    assert [char for char in ODD if plain(char) != char] == []
    assert plain("".join(FULLWIDTH)) == "0123456789"
    compatible = [
        chr(code) for code in range(128, sys.maxunicode + 1) if len(plain(chr(code))) == 1
    ]
    assert {char for char in compatible if plain(char).isdigit() and plain(char).isascii()} == set(
        FULLWIDTH
    )


def test_every_game_is_tried() -> None:
    assert set(ORDERS) == set(GAMES)


@pytest.mark.parametrize("game", ORDERS)
def test_no_terminal_for_numbers_takes_another_sign(game: str) -> None:
    """What a terminal of digits matches at the beginning of a number with an odd sign in it is
    never digits alone."""
    terminals = {
        one.name: re.compile(one.pattern.to_regexp())
        for one in open_ruleset(game).language.lark.terminals
    }
    numbers = [
        one
        for name, one in terminals.items()
        if one.fullmatch("10") and name not in ("WORD", "BLANK")
    ]
    assert numbers or game == "coalition"
    for sign in ODD:
        for written in (f"10{sign}", f"1{sign}0", f"{sign}10", f"10{sign}k"):
            found = [one.match(written) for one in numbers]
            assert not [one.group() for one in found if one], (game, written)


@pytest.mark.parametrize(
    ("game", "form"), [(game, form) for game, forms in ORDERS.items() for form in forms]
)
def test_no_order_is_read_with_another_number(game: str, form: str) -> None:
    known = {
        number: read(game, form.format(number))
        for number in ("1", "2", "3", "10", "12", "101", "102", "110", "0")
    }
    assert known["1"] and known["12"]
    assert read(game, form.format("１２")) == known["12"]
    for sign in SIGNS[:9]:
        for written in (
            f"10{sign}",
            f"1{sign}",
            f"{sign}10",
            f"1{sign}2",
            f"1,000{sign}",
            sign,
            f"1\u0336{sign}",
        ):
            found = read(game, form.format(written))
            assert not any(found == orders for orders in known.values()), written
            assert not found or sign.upper() in "".join(found).upper(), written


@pytest.mark.parametrize("sign", SIGNS)
def test_the_refusal_says_why(sign: str) -> None:
    language = open_ruleset("parlement-1966").language
    (line,) = language.split(f"PAY 10{sign} TO L")
    problem = language.read(line).problem
    assert (
        problem
        and f'"10{sign}" is no number here: write numbers with the digits 0 to 9' in problem.notes
    )
    assert not odd_numbers('NAME "Löwe 10" é 漢字 ＡＢ')


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("word", ["PERIOD {}", "HISTORY {}", "ABSENT 2026-01-0{} TO 2026-01-09"])
def test_words_for_the_referee(word: str, sign: str) -> None:
    found = peel(word.format(sign))
    assert found.period is None and not found.commands
    assert peel(word.format("３")).period == 3 or peel(word.format("３")).commands


DETECTED = {
    "attribution.py",
    "bounces.py",
    "config.py",
    "failures.py",
    "headings.py",
    "hypertext.py",
    "shelf.py",
    "quoting.py",
    "phrases.py",
}
"""Here ``\\d`` makes no number of what it finds: dates in headings, codes of servers, our own
paragraphs."""


def test_nobody_asks_unicode_what_a_digit_is() -> None:
    """``str.isdigit`` and a text expression's ``\\d`` take the digits of all scripts:
    ``spelling.is_number`` is asked."""
    wrong = []
    for path in sorted(Path(pbem.__file__).parent.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        asks = re.search(r"isdigit|isdecimal|isnumeric|\\d", source)
        for node in ast.walk(ast.parse(source)) if asks else ():
            match node:
                case ast.Attribute(attr="isdigit" | "isdecimal" | "isnumeric" as asked):
                    allowed = path.name in ("spelling.py", "attribution.py")
                case ast.Constant(value=str(asked)):
                    allowed = path.name in DETECTED or "\\d" not in asked.replace("[^\\W\\d", "")
                case _:
                    continue
            if not allowed:
                wrong.append(f"{path}:{node.lineno}: {asked!r}")
    assert not wrong, "\n".join(wrong)
