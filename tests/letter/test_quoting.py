"""What mail programs write above a letter that is answered or sent on, and what looks like it and
is a player's own.

`headings.tsv` has a heading of each program and language, and whether orders below a quotation
marked line by line are kept; `header_blocks.tsv` the labels of Outlook's block; `telephones.txt`
what telephones write below a letter.
"""

import re
from itertools import product
from pathlib import Path

import pytest

from pbem.house.shelf import open_ruleset
from tests.letter.letters import lines_of, own, table

HERE = Path(__file__).parent
MINE, UNMARKED, MARKED = (
    "VOTE YES ON 4",
    "VOTE NO ON 4\nPAY 900 TO C\n",
    "> VOTE NO ON 4\n> PAY 900 TO C\n",
)
REFEREE, PLAYER = "Referee <referee@game.example>", "Player One <player1@legit.example>"
RULE = "_" * 32


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in own(text).text.splitlines() if line.strip()]


def _unescaped(text: str) -> str:
    plain = text.replace("\\n", "\n").replace("\\t", "\t")
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found.group(1), 16)), plain)


def test_headings() -> None:
    for row in table(HERE / "headings.tsv"):
        name, below, heading = row["name"], row["below"], _unescaped(row["heading"])
        if below != "marked":
            assert _lines(f"{MINE}\n\n{heading}\n\n{UNMARKED}") == [MINE], name
            cut = own(f"{MINE}\n\n{heading}\n\n{UNMARKED}").cut
            assert any("PAY 900 TO C" in one.text for one in cut), name
            assert _lines(f"vote 12 yes\n{heading}\n{UNMARKED}") == ["vote 12 yes"], name
        assert _lines(f"{MINE}\n\n{heading}\n{MARKED}") == [MINE], name
        assert _lines(f"vote 12 yes\n{heading}\n{MARKED}") == ["vote 12 yes"], name
        kept = [] if below == "cut" else [MINE]
        assert _lines(f"{heading}\n{MARKED}\n{MINE}\n") == kept, name


def test_header_blocks() -> None:
    for row in table(HERE / "header_blocks.tsv"):
        name, sender, sent, to, subject, date = map(_unescaped, row.values())
        block = f"{sender} {REFEREE}\n{sent} {date}\n{to} {PLAYER}\n{subject} RE: orders"
        starred = re.sub(r"^(\S.*?[:：])", r"*\1*", block, flags=re.MULTILINE)
        for one in (block, f"{RULE}\n{block}", starred, f"-----Original Message-----\n{block}"):
            found = _lines(f"{MINE}\n\n{one}\n\n{UNMARKED}")
            assert found in ([MINE], [MINE, RULE]), name


def test_lines_of_telephones() -> None:
    for line in (HERE / "telephones.txt").read_text(encoding="utf-8").splitlines():
        assert _lines(f"{MINE}\n\n{_unescaped(line)}\n") == [MINE], line


HEADING = f"On Mon, 2 Nov 2026 at 10:00, {REFEREE} wrote:"
ABOVE = (
    "BLOC 7 FOR C",
    "vote 5 yes",
    "pay 50 to l",
    "my orders:\nvote yes on 4\npay 5 to l",
    "Orders as of 10:00\nPAY 5 TO L",
    "CANDIDATES 21, 31",
    "CANDIDATES 21,",
    "candidates 21, 31,\n33",
    "SPEND 80 ON Ctr IN N2",
    "On bill 4, I agree.",
    "pay 500 to L (if < 600)",
    "Bob <bob@x.example>",
    "Bob, tel. 12 34 56",
    "On 3 Nov 2026 I vote thus\nVOTE YES ON 4",
)


def test_what_stands_right_above_a_heading_is_no_part_of_it() -> None:
    headings = (HEADING, HEADING.replace("Referee ", "Referee\n"), f"{REFEREE} wrote:")
    for mine, heading, below in product(ABOVE, headings, (MARKED, UNMARKED)):
        assert _lines(f"{mine}\n{heading}\n{below}") == mine.splitlines()


@pytest.mark.parametrize("text", lines_of(HERE / "no_heading.txt"))
def test_what_looks_like_a_heading_and_is_none(text: str) -> None:
    assert _lines(f"{text}\n{MINE}") == [*text.splitlines(), MINE]


OF_OUTLOOK_EXPRESS = (
    "----- Original Message ----- \nFrom: R <r@g.example>\nTo: <p@x>\nSent: Monday\nSubject: x\n\n"
)
SENT_TO_P = "From: R <r@g.example>\nTo: p\nSent: x"
YOU_WROTE = "Monday, November 2, 2026, 10:00:00 AM, you wrote:"
IN_HUNGARIAN = "Referee <r@game.example> ezt írta (időpont:\n2026. nov. 2., H, 10:00):"


@pytest.mark.parametrize(
    ("text", "mine"),
    [
        (f"{OF_OUTLOOK_EXPRESS}{MARKED}\n{MINE}", [MINE]),
        (f"{OF_OUTLOOK_EXPRESS}{UNMARKED}\n{MINE}", []),
        (f"PASS\n{OF_OUTLOOK_EXPRESS}{MARKED}\n{MINE}", ["PASS"]),
        (f"----- Forwarded message -----\n{SENT_TO_P}\n\n{MARKED}\n{MINE}", []),
        (f"{MINE}\n----- Forwarded message from {REFEREE} -----\n\n{UNMARKED}", [MINE]),
        (f"{MINE}\n----- Weitergeleitete Nachricht von {REFEREE} -----\n{UNMARKED}", [MINE]),
        (f"{MINE}\n{'-' * 20} Start of forwarded message {'-' * 20}\n{UNMARKED}", [MINE]),
        (f"{MINE}\n------------------ Original ------------------\n{UNMARKED}", [MINE]),
        (f"{YOU_WROTE}\n\nR> VOTE NO ON 4\nR> PAY 9 TO C\n\n{MINE}", [MINE]),
        (f"\u200b> VOTE NO ON 4\n\ufeff> PAY 9 TO C\n\u200e> PASS\n{MINE}", [MINE]),
        (f"\x0c> VOTE NO ON 4\n\u3000> PAY 9 TO C\n{MINE}", [MINE]),
        (f"{MINE}\n-- \u200b\nVOTE NO ON 4", [MINE]),
        (f"{MINE}\n\n{IN_HUNGARIAN}\n{UNMARKED}", [MINE]),
    ],
)
def test_where_a_quotation_begins_and_ends(text: str, mine: list[str]) -> None:
    assert _lines(text) == mine


def test_no_order_word_makes_a_heading(key: str) -> None:
    """Reading knows no game's words; so no order of any game may be taken for a heading, whatever
    is below it."""
    words = [terminal.pattern.value for terminal in open_ruleset(key).language.lark.terminals]
    plain = sorted({word for word in words if word.replace(" ", "").isalpha()})
    assert plain
    for word in plain:
        mine = [f"{word} 5", f"{word.lower()} 12 for C", f"{word}: 4", f"{word} 5, 6,"]
        assert _lines("\n".join(mine) + f"\n{HEADING}\n{MARKED}") == mine
        for one in mine:
            assert _lines(f"{one}\n{HEADING}\n{MARKED}") == [one]
