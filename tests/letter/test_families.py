"""The families of what stands above a quotation, and of what looks like it: generated letters,
counted by kind.

Two counts matter: letters in which somebody else's text was kept as the writer's own, and letters
in which the writer's own was lost. Each test prints both (`pytest -rP`).
"""

import re
import textwrap
from collections.abc import Iterator
from html import escape
from itertools import product
from pathlib import Path

import pytest

from pbem.letters.letter import read
from tests.letter.letters import PLAYER, letter, table
from tests.letter.test_quoting import _unescaped

HERE = Path(__file__).parent
MINE, FOREIGN = "VOTE YES ON 4", "PAY 900 TO C"
UNMARKED, MARKED = f"VOTE NO ON 4\n{FOREIGN}\n", f"> VOTE NO ON 4\n> {FOREIGN}\n"
LONG = "The Right Honourable " + "and Very Learned " * 30 + "Referee"
HTML = "Content-Type: text/html; charset=utf-8"
Letters = Iterator[tuple[str, bool]]
"""Texts, and whether the writer's own order is in each."""


HEADINGS = [
    (row["below"], _unescaped(row["heading"]))
    for name in ("headings.tsv", "headings_more.tsv")
    for row in table(HERE / name)
]
PROGRAMS = [heading for below, heading in HEADINGS if below != "marked"]
BLOCKS = [
    [_unescaped(value) for value in row.values()] for row in table(HERE / "header_blocks.tsv")
]
SENTENCES = (HERE / "sentences.txt").read_text(encoding="utf-8").splitlines()
DIVIDERS = (HERE / "dividers.txt").read_text(encoding="utf-8").splitlines()


def own_above() -> Letters:
    for heading in PROGRAMS:
        for gap, below in product(("\n", "\n\n"), (UNMARKED, f"\n{UNMARKED}", MARKED)):
            yield f"{MINE}{gap}{heading}\n{below}", True
        yield f"{heading}\n\n{UNMARKED}", False


def own_below_or_between() -> Letters:
    for below, heading in HEADINGS:
        if below != "cut":
            yield f"{heading}\n{MARKED}\n{MINE}\n", True
            yield f"{heading}\n{MARKED}\n{MINE}\n\n{MARKED}", True
    for mark, depth in product((">", "> ", "| ", "» ", "R> "), (1, 2, 3)):
        quoted = "".join(f"{mark * depth}{line}\n" for line in UNMARKED.splitlines())
        yield from (
            (f"{quoted}\n{MINE}\n", True),
            (f"{MINE}\n{quoted}", True),
            (f"{quoted}{MINE}\n{quoted}", True),
        )


def long_names() -> Letters:
    for heading in PROGRAMS:
        named = re.sub(r'(?<![\w@.])"?Referee"?(?![\w@])', LONG, heading)
        if LONG not in named:
            continue
        yield f"{MINE}\n\n{named}\n{UNMARKED}", True
        yield f"{MINE}\n{named}\n{MARKED}", True
        yield f"{named}\n\n{UNMARKED}", False
        for width in (66, 72, 76, 80):
            broken = "\n".join(
                textwrap.fill(line, width, break_on_hyphens=False) for line in named.split("\n")
            )
            yield f"{MINE}\n\n{broken}\n{UNMARKED}", True


def header_blocks() -> Letters:
    for _, sender, sent, to, subject, date in BLOCKS:
        for name in ("Referee", LONG):
            lines = (
                f"{sender} {name} <r@game.example>",
                f"{sent} {date}",
                f"{to} P",
                f"{subject} RE: orders",
            )
            yield from (
                (f"{MINE}\n\n{chr(10).join(lines)}\n\n{UNMARKED}", True),
                (f"{chr(10).join(lines)}\n{UNMARKED}", False),
            )
            if sender != "No:":
                yield (
                    (
                        f"{MINE}\n\n{chr(10).join(textwrap.fill(line, 76) for line in lines)}\n{UNMARKED}"
                    ),
                    True,
                )


def header_in_one_line() -> Letters:
    dated = [
        row for row in BLOCKS if row[0] not in ("it-orig", "lv")
    ]  # the one has no line for the date; "no" is a word
    for (_, sender, sent, to, subject, date), name in product(
        dated, ("Eve", "Eve <eve@x.example>", LONG)
    ):
        for line in (
            f"{sender} {name} {sent} {date}",
            f"{sender} {name} {sent} {date} {to} P {subject} RE: orders",
            f"*{sender}* {name} *{sent}* {date} *{to}* P",
            f"{sent} {date} {sender} {name} {subject} x",
        ):
            yield from ((f"{MINE}\n\n{line}\n\n{UNMARKED}", True), (f"{line}\n{UNMARKED}", False))


def dividers() -> Letters:
    for words, (opening, closing) in product(
        DIVIDERS, (("-----", "-----"), ("---- ", " ----"), ("________ ", " ________"))
    ):
        for one in (words, words.upper()):
            line = f"{opening}{one}{closing}"
            yield from ((f"{MINE}\n\n{line}\n{UNMARKED}", True), (f"{line}\n\n{UNMARKED}", False))
            yield f"{line}\n{MARKED}\n{MINE}\n", True


def stamps() -> Letters:
    dates = (
        "2026-11-02 10:00",
        "02.11.2026 10:00",
        "11/2/2026 10:00:00 AM",
        "2026-11-02 10:00:00",
        "Nov 2, 2026, 10:00",
    )
    zones = "GMT+01:00", "UTC", "GMT+1", "+0100", "CET", "(GMT+01:00)"
    for date, zone, name in product(
        dates, zones, ("Eve", "eve", "Eve Adams", LONG, "Eve <eve@x.example>")
    ):
        for line in (f"{date} {zone} {name}", f"{date} {zone} {name}:"):
            yield from ((f"{MINE}\n\n{line}\n{UNMARKED}", True), (f"{line}\n\n{UNMARKED}", False))
            yield f"{line}\n{MARKED}\n{MINE}\n", True


def wrapped_quotations() -> Letters:
    said = (
        "I say to you, my dear colleague, and to all the others who will read this, that we"
        f" {FOREIGN} {FOREIGN} for ever"
    )
    for width, start, mark in product(
        (66, 70, 72, 74, 76, 78, 80, 100), range(0, 60, 3), ("> ", ">", "> > ")
    ):
        text = textwrap.fill(f"{mark}{'so ' * start}{said}", width)
        yield from (
            (f"{text}\n\n{MINE}\n", True),
            (f"{MINE}\n\n{text}\n> so\n{text}\n", True),
            (f"{text}\n> so.\n{MINE}\n", True),
        )
    for below in (
        "-----Original Message-----",
        "-- ",
        "On Mon, 2 Nov 2026 at 10:00, R <r@x.example> wrote:",
    ):
        yield f"{MINE}\n\n> {'so ' * 24}\n{below}\n{UNMARKED}", True


def sentences() -> Letters:
    for one in SENTENCES:
        yield from (
            (f"{one}\n{MINE}\n", True),
            (f"{one}\n\n{MINE}\n", True),
            (f"Dear referee,\n{one}\n{MINE}", True),
        )
        yield f"{MARKED}\n{one}\n{MINE}\n", True
        yield (
            f"{one}\n{MINE}\n\nOn Mon, 2 Nov 2026 at 10:00, R <r@x.example> wrote:\n{UNMARKED}",
            True,
        )


def typed_headers() -> Letters:
    senders, receivers = (
        ("Player One", f"Player One <{PLAYER}>", PLAYER, "S"),
        ("R", "Referee <referee@game.example>"),
    )
    for sender, to, subject in product(
        senders, receivers, ("my orders", "orders for 2026", "Re: [g] bulletin 2")
    ):
        for lines in (
            f"From: {sender}\nTo: {to}\nSubject: {subject}",
            f"Subject: {subject}\nFrom: {sender}\nTo: {to}",
            f"To: {to}\nFrom: {sender}\nSubject: {subject}",
            f"*From:* {sender}\n*To:* {to}\n*Subject:* {subject}",
            f"From: {sender} To: {to} Subject: {subject}",
            f"From: {sender}\nSubject: {subject}",
            f"Von: {sender}\nAn: {to}\nBetreff: {subject}",
            f"De : {sender}\nÀ : {to}\nObjet : {subject}",
        ):
            yield from (
                (f"{lines}\n{MINE}\n", True),
                (f"{lines}\n\n{MINE}\n", True),
                (f"\n\n{lines}\n\nHello,\n{MINE}", True),
            )
            yield f"{lines}\n\n{MINE}\n\n-----Original Message-----\n{UNMARKED}", True


KINDS = {
    "headings, own text above": own_above,
    "headings, own text below and between": own_below_or_between,
    "headings with a name of 500 characters": long_names,
    "header blocks": header_blocks,
    "headers in one line": header_in_one_line,
    "dividers in other words": dividers,
    "a moment and a name": stamps,
    "quoted lines that a program broke": wrapped_quotations,
    "sentences that look like headings": sentences,
    "From, To and Subject on top": typed_headers,
}


def _page(text: str) -> str:
    """The same as HTML, a block for each line that is not empty; what is marked is a quotation."""
    blocks = (
        (
            f"<blockquote>{escape(line.lstrip('> '))}</blockquote>"
            if line.startswith(">")
            else f"<div>{escape(line)}</div>"
        )
        for line in text.split("\n")
        if line.strip()
    )
    return "".join(blocks)


def _kept(raw: bytes) -> list[str]:
    found = read(raw)
    assert not found.refused, found.refused
    return [" ".join(line.split()) for line in found.text.split("\n")]


BOTH = [
    (kind, form)
    for kind, form in product(KINDS, ("plain text", "HTML"))
    if (kind, form)
    != ("quoted lines that a program broke", "HTML")  # no program breaks the lines of a page
]


@pytest.mark.parametrize(("kind", "form"), BOTH)
def test_family(kind: str, form: str) -> None:
    tried, kept, lost = 0, [], []
    for text, mine in KINDS[kind]():
        raw = letter(text) if form == "plain text" else letter(_page(text), HTML)
        lines = _kept(raw)
        tried += 1
        kept += [text] * any(FOREIGN in line for line in lines)
        lost += [text] * (mine and MINE not in lines)
    print(
        f"{kind}, {form}: {tried} letters, foreign text kept {len(kept)}, own text lost {len(lost)}"
    )
    assert tried and (kept[:3], lost[:3]) == ([], [])
