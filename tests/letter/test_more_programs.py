"""Headings of programs and languages that few write: what stands below is another's, and what
stands above, below or between is the writer's own."""

from html import escape
from pathlib import Path

import pytest

from pbem.letters.letter import read
from tests.letter.letters import letter, table
from tests.letter.test_families import FOREIGN, HERE, MARKED, MINE, UNMARKED, _unescaped

ROWS = [
    (row["below"], _unescaped(row["heading"]))
    for name in ("headings_more.tsv", "headings_rare.tsv")
    for row in table(Path(HERE) / name)
]
HTML = "Content-Type: text/html; charset=utf-8"


def lines(raw: bytes) -> list[str]:
    return [line for line in read(raw).text.split("\n") if line.strip()]


def test_a_heading_in_plain_text() -> None:
    for below, heading in ROWS:
        for gap in ("\n", "\n\n"):
            assert lines(letter(f"{MINE}\n\n{heading}{gap}{UNMARKED}")) == [MINE], heading
            assert lines(letter(f"{heading}{gap}{UNMARKED}")) == [], heading
        assert lines(letter(f"{MINE}\n\n{heading}\n{MARKED}")) == [MINE], heading
        if below == "kept":
            assert lines(letter(f"{heading}\n{MARKED}\n{MINE}\n")) == [MINE], heading
            both = lines(letter(f"{heading}\n{MARKED}\n{MINE}\n\n{MARKED}\nThanks\n"))
            assert both == [MINE, "Thanks"], heading


def test_a_heading_in_html() -> None:
    for _, heading in ROWS:
        broken = "<br>".join(map(escape, f"{MINE}\n\n{heading}\n{UNMARKED}".split("\n")))
        blocks = "".join(
            f"<p>{escape(line)}</p>" if ": " in line else f"<div>{escape(line)}</div>"
            for line in f"{MINE}\n{heading}\n{UNMARKED}".split("\n")
            if line
        )
        for page in (f"<div>{broken}</div>", blocks):
            assert lines(letter(page, HTML)) == [MINE], heading


@pytest.mark.parametrize(
    "own",
    [
        f"---- I wrote ----\n{MINE}",
        f"---- Ich schrieb ----\n{MINE}",
        f"--- my orders ---\n{MINE}",
        f">> what the Premier said on 2 November 2026\n>>> and before >>>\n{MINE}",
        f"| a | b |\n{MINE}",
        f"Orders agreed on 2 November 2026 at 10:00 with Ann <a@x.example>:\n{MINE}",
        f"{MINE}\n---- Ann wrote a poem ----\n{MINE}",
        f">>> On Mon, 2 Nov 2026, Eve wrote:\n{MINE}",
        f"At 10:00 on 2 November 2026 I, <p@legit.example>, say this and nothing else:\n{MINE}",
    ],
)
def test_what_looks_like_one_costs_nobody_his_orders(own: str) -> None:
    found = lines(letter(own))
    assert MINE in found and FOREIGN not in found
