"""Marks of programs by kind, as a table: none is answered, unless it is proven and has an order of
its own in it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pbem.letters import automatic
from pbem.letters.letter import read
from pbem.letters.verdict import Decision, decide
from tests.letter.letters import PLAYER, installation, proven, table

ROWS = table(Path(__file__).with_name("automatic.tsv"))
PROGRAMS = [row for row in ROWS if row["kind"] != "person"]
ORDER, NOTE = "VOTE YES ON 4\r\n", "I am away until Monday.\r\n"
KEPT_BY_LISTS = ("Auto-Submitted: auto-generated",)
"""Marks of programs that do not say that the letter answers another."""


def made(line: str, text: str, *head: str) -> bytes:
    lines = [
        *head,
        line,
        f"From: <{PLAYER}>",
        "To: <referee@game.example>",
        "Message-ID: <1@legit.example>",
    ]
    lines += [] if line.startswith("Subject") else ["Subject: orders"]
    if "multipart" in line:
        report = (
            "Content-Type: message/disposition-notification\r\n\r\nDisposition: x; displayed\r\n"
        )
        text = f"--b\r\n\r\n{text}--b\r\n{report}--b--\r\n"
    return ("\r\n".join(lines) + "\r\n\r\n" + text).encode()


def judged(raw: bytes) -> Decision:
    return decide(
        read(raw),
        raw,
        installation(),
        understands=lambda game, text: game == "g1" and "VOTE YES" in text,
    )


@pytest.mark.parametrize("row", PROGRAMS, ids=lambda row: row["line"][:40])
def test_a_program_is_not_answered_unless_it_is_a_player_after_all(row: dict[str, str]) -> None:
    line = row["line"]
    assert automatic.why(read(made(line, NOTE)))
    for text in (NOTE, ORDER):
        assert not judged(made(line, text)).reply_allowed, "not proven"
    assert not judged(made(line, NOTE, *proven())).reply_allowed, "nothing of its own in it"
    assert not judged(made(line, "CONFIRM abcd-efgh\r\n", *proven())).reply_allowed
    if "Content-Type: message" not in line:
        heard = judged(made(line, ORDER, *proven()))
        assert (heard.verdict, heard.reply_allowed) == ("orders", True), heard.reason
        quoted = judged(made(line, f"{NOTE}> {ORDER}", *proven()))
        assert not quoted.reply_allowed


@pytest.mark.parametrize("row", PROGRAMS, ids=lambda row: row["line"][:40])
def test_an_order_in_it_is_never_lost_unseen(row: dict[str, str]) -> None:
    """Not proven, it is held as any letter is; a note by fields is nothing to look at; one by its
    subject is, if proven."""
    found = judged(made(row["line"], ORDER)).verdict
    assert found == "unverified" or "Content-Type: message" in row["line"]
    note = judged(made(row["line"], NOTE, *proven()))
    if row["line"].startswith("Subject"):
        assert (note.verdict, note.rule) == ("ignored", "perhaps-away")
    elif not row["line"].startswith(KEPT_BY_LISTS):
        assert (note.verdict, note.rule) == ("ignored", "absence-note")


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["kind"] == "person"], ids=lambda row: row["line"][:40]
)
def test_a_person_is_answered(row: dict[str, str]) -> None:
    assert automatic.why(read(made(row["line"], ORDER))) == ""


def test_a_stranger_that_is_a_program_is_told_nothing() -> None:
    for row in PROGRAMS:
        raw = made(row["line"], ORDER).replace(PLAYER.encode(), b"else@where.example")
        assert not judged(raw).reply_allowed


def test_the_table_has_the_usual_languages() -> None:
    counts = Counter(row["kind"].partition(",")[0] for row in ROWS)
    languages = {
        kind: {row["kind"] for row in ROWS if row["kind"].startswith(f"{kind},")}
        for kind in ("away", "read")
    }
    print(dict(counts), {kind: len(found) for kind, found in languages.items()})
    assert len(languages["away"]) >= 30 and len(languages["read"]) >= 20
