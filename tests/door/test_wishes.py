"""Letters of people whom nobody knows, in their own words, and what is understood of them.

``own.tsv`` and, where they are, the tables beside it: language, what is expected, the open tables,
the name in From, and the text with ``\\n`` for a line break. Expected: ``join:<table>``, ``join:?``
(ask which), ``watch:<table>``, ``practise:<rule-sets>``, ``question``, ``code`` or ``nothing``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.house.houses import phrases
from pbem.letters import letter as letters
from pbem.orders.door import wish
from pbem.orders.door.wish import Kind, Wish
from pbem.referee.words.club import meant

HERE = Path(__file__).parent
OTHERS = ("letters.tsv", "held.tsv", "fresh.tsv", "blind.tsv")
"""Written by others: of these only the figures are told."""
LEAST, MOST = 0.95, 0
"""So many of others' letters are understood, and so many of those that wish nothing are taken for a
wish."""
LONGEST = 200_000


class Row(NamedTuple):
    """One letter."""

    language: str
    expect: str
    tables: str
    name: str
    text: str


def rows(name: str) -> Iterator[Row]:
    path = HERE / name
    for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else ():
        fields = line.split("\t")
        if len(fields) == len(Row._fields) and fields[0] not in ("language", ""):
            yield Row(*fields)


def own_words(row: Row) -> str:
    """What is left of a letter without quotation and signature."""
    head = (
        f"From: {row.name or 'Somebody'} <somebody@player.example>",
        "To: <referee@game.example>",
        "Subject: hello",
        "Message-ID: <1@player.example>",
        "Content-Type: text/plain; charset=utf-8",
    )
    body = row.text.replace("\\n", "\r\n")
    return letters.read(("\r\n".join(head) + f"\r\n\r\n{body}").encode()).text


def understood(row: Row) -> str:
    there = [one for one in row.tables.split(",") if one]
    text = own_words(row)
    return said(wish.read(text, phrases(), dict.fromkeys(there, ""), there, meant(text)))


def said(found: Wish) -> str:
    if found.kind in (Kind.JOIN, Kind.WATCH, Kind.PRACTISE):
        return f"{found.kind}:{found.table or '?'}"
    return str(found.kind)


def test_letters_are_understood() -> None:
    told = [(row, understood(row)) for row in rows("own.tsv")]
    wrong = [f"{row.expect} -> {found}: {row.text}" for row, found in told if found != row.expect]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", OTHERS)
def test_letters_of_others_are_understood(name: str) -> None:
    told = [(row.expect, understood(row)) for row in rows(name)]
    right = sum(expect == found for expect, found in told)
    granted = [(e, f) for e, f in told if f.startswith(("join:", "watch:")) and f[-1] != "?"]
    none = sum(
        expect == "nothing" and found.startswith(("join", "watch")) for expect, found in told
    )
    other = sum(expect != found for expect, found in granted if expect != "nothing")
    figures = (
        f"{right} of {len(told)} understood; {none} taken for a wish that wish nothing; {other}"
        " granted what they did not wish"
    )
    assert right >= LEAST * len(told) and none <= MOST, figures


@pytest.mark.parametrize(
    "text", ["i want to ", "not ", "would like to be ", "ich möchte gern ", "x", ". ", "take me "]
)
def test_a_long_letter_is_read_in_no_time(text: str) -> None:
    """Its first words count."""
    there = {f"table{number}": "" for number in range(30)}
    found = wish.read(text * (LONGEST // len(text)), phrases(), there, list(there))
    assert found.kind == Kind.NOTHING


def test_a_table_is_meant_by_its_game() -> None:
    tables = {"autumn": "coalition", "winter": "parlement-1966"}
    found = wish.read("I'd like to play Coalition, please", phrases(), tables, (), ["coalition"])
    assert said(found) == "join:autumn"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I'd like to join autumn as Nadia", "Nadia"),
        ("Sign me up, please. My name is Jean-Luc Picard.", "Jean-Luc Picard"),
        ("SIGNON autumn AS Nadia", "Nadia"),
        ("I'd like to join autumn as soon as possible", ""),
    ],
)
def test_a_name_is_heard(text: str, name: str) -> None:
    assert wish.read(text, phrases(), {"autumn": ""}, ()).name == name
