"""Orders as people write them: every order line of every guide with a full stop, in bold, as a
bullet.

`templates/<game>/guide.txt.j2` is what HELP sends.
"""

import re
from collections.abc import Iterator
from itertools import product

import pytest

from pbem.house.shelf import open_ruleset
from pbem.letters.verdict import understood
from pbem.orders.asking import asked
from pbem.orders.language import Language
from pbem.orders.mailwords import peel
from pbem.orders.muting import muted, order_lines
from tests.keys import printed_guide
from tests.letter.letters import own

STOPS = ("", ".", " .", "!", "!!", "。")
BOLD = ("", "*", "**", "_", "*_")
MARKS = ("", "- ", "* ", "• ", "· ", "+ ", "1. ", "12) ", "(3) ", "– ")
FORMS = [
    (stop, bold, mark, inside)
    for stop, bold, mark, inside in product(STOPS, BOLD, MARKS, (True, False))
    if (not mark or (stop in STOPS[:2] and bold in BOLD[:2])) and (inside or bold)
]


def orders_of(key: str) -> list[str]:
    """Every order that the guide of a game shows."""
    language = open_ruleset(key).language
    printed = re.findall(r"(?m)^ *#\d+ (.*)$", printed_guide(key))
    missing = [line for line in printed if not any(_begins(language, line))]
    assert not missing
    return list(dict.fromkeys(order for line in printed for order in _begins(language, line)))


def _begins(language: Language, line: str) -> Iterator[str]:
    """The longest beginning of a line that is an order."""
    words = line.partition("  # ")[0].replace(", ...", "").split()
    for count in range(len(words), 0, -1):
        if language.reads(order := " ".join(words[:count]).rstrip(";,")):
            yield order
            return


def _read(language: Language, text: str) -> list[str]:
    return understood(language, peel(own(text).text).text)


def _written(order: str, stop: str, bold: str, inside: bool) -> str:
    return f"{bold}{order}{stop}{bold[::-1]}" if inside else f"{bold}{order}{bold[::-1]}{stop}"


def test_every_order_of_the_guides_in_every_form(key: str) -> None:
    language, tried = open_ruleset(key).language, 0
    orders = orders_of(key)
    for order in orders:
        plain = [str(one) for one in language.parse(order)]
        for stop, bold, mark, inside in FORMS:
            written = _written(order, stop, bold, inside)
            assert _read(language, f"{mark}{written}") == plain, f"{mark}{written}"
            tried += 1
        one, *more = order.split(" ")  # a word of it
        for written in (
            f"*{one}* {' '.join(more)}",
            " ".join((one, *more[:-1], *(f"*{word}*" for word in more[-1:]))),
        ):
            if more and '"' not in order:
                assert _read(language, f"{written}.") == plain, written
    print(f"{key}: {len(orders)} orders of the guides, {tried} ways to write them, all read")
    assert len(orders) >= 7


def test_a_letter_of_such_lines(key: str) -> None:
    language = open_ruleset(key).language
    orders = orders_of(key)
    plain = [str(one) for order in orders for one in language.parse(order)]
    for stop, mark in product(STOPS, MARKS):
        assert _read(language, "".join(f"{mark}{order}{stop}\n" for order in orders)) == plain, (
            stop,
            mark,
        )
    assert _read(language, "*" + "\n".join(orders) + "*") == plain
    assert (
        _read(language, "Dear referee,\n\n" + ".\n".join(orders) + ".\n\nBest wishes,\nBob")
        == plain
    )


def test_what_is_mailed_by_us_is_no_order_with_a_full_stop_either(key: str) -> None:
    language = open_ruleset(key).language
    for order in orders_of(key):
        for stop, bold, mark, inside in FORMS:
            line = f"{mark}{_written(order, stop, bold, inside)}"
            said = muted(line, orders=lambda text: order_lines(language, text))
            assert not _read(language, said), (line, said)


@pytest.mark.parametrize(
    "word", ["HELP", "STATUS", "HISTORY 3", "GAME autumn", "PERIOD 5", "CONFIRM ab12-cd34", "WAIT"]
)
def test_words_to_the_referee_in_every_form(word: str) -> None:
    assert asked(word)
    for stop, bold, mark, inside in product(STOPS[:-1], BOLD, MARKS, (True, False)):
        line = mark + _written(word, stop, bold, inside)
        assert not peel(line).text, line
        assert peel(muted(line)).text or word.startswith("CONFIRM"), line


LONG = "It is my considered opinion that the whole Government of S should"
PROSE = {
    "the end of a broken sentence": (f"{LONG}\nresign.", []),
    "in capitals": (f"{LONG}\nRESIGN.", []),
    "more words": (f"{LONG}\nvote yes on 4.", []),
    "a short line above": ("I think that you\nresign.", []),
    "an order word begins the sentence": (f"Vote as you like, {LONG}\nresign!", []),
    "a sentence": ("I resign. You should resign.", []),
    "a question": ("RESIGN?\nVOTE YES ON 4?", []),
    "three points": ("VOTE YES ON 4...\nPASS…", []),
    "alone": ("Resign.", ["RESIGN"]),
    "below a greeting": ("Dear referee,\nvote yes on 4.", ["VOTE YES ON 4"]),
    "below a name": ("Hello Bob\nPass.", ["PASS"]),
    "below a blank line": (f"{LONG} resign\n\npass.", ["PASS"]),
    "below a sentence": (f"{LONG} resign.\npass.", ["PASS"]),
    "below an order": ("vote yes on 4 and, with all that I have, on bill 5\npass.", []),
    "below a long order": (
        "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R WITH BILL 4\npass.",
        None,
    ),
    "a list ends with its full stop": ("CANDIDATES 21, 31.\n33", ["CANDIDATES 21, 31"]),
    "within quotation marks": ('AMEND "*No* tax."', ['AMEND "*No* tax."']),
    "a mark within a word": ("PAY 5*4 TO L\nVO_TE YES ON 4.", []),
    "comments": ("VOTE YES ON 4. # as agreed.\n- *PASS*. # *so*", ["VOTE YES ON 4", "PASS"]),
    "numbers": ("4.\n4. VOTE YES ON #4.\n5. VOTE NO ON 5.", ["VOTE YES ON 4", "VOTE NO ON 5"]),
    "several": ("VOTE YES ON 4.; VOTE NO ON 5.; PASS.", ["VOTE YES ON 4", "VOTE NO ON 5", "PASS"]),
    "bold over lines": (
        "*VOTE YES ON 4\nCANDIDATES 21,\n31*.",
        ["VOTE YES ON 4", "CANDIDATES 21, 31"],
    ),
    "bold, broken within quotation marks": (
        '*AMEND "no\nnew *tax* at all"*.',
        ['AMEND "no new *tax* at all"'],
    ),
}


@pytest.mark.parametrize(("text", "orders"), PROSE.values(), ids=PROSE)
def test_a_full_stop_counts_only_behind_an_order(text: str, orders: list[str] | None) -> None:
    language = open_ruleset("parlement-1966").language
    found = _read(language, text)
    if orders is None:
        orders = [order for order in found if order.startswith(("GOVERNMENT", "PASS"))]
        assert len(orders) == (2 if text.endswith("pass.") else 0)
    assert found == orders
