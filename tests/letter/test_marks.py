"""Marks of programs by kind, as a table: none is answered, unless it is proven and has an order of
its own in it."""

from collections import Counter
from pathlib import Path

from pbem.letters import automatic
from pbem.letters.letter import read
from pbem.letters.verdict import Decision
from tests.letter.letters import PLAYER, decided, proven, table

ROWS = table(Path(__file__).with_name("automatic.tsv"))
PROGRAMS = [row for row in ROWS if row["kind"] != "person"]
ORDER, NOTE = "VOTE YES ON 4\r\n", "I am away until Monday.\r\n"
SENDS = "program"
"""The kind of marks that do not say that the letter answers another."""


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
    return decided(
        read(raw), raw, understands=lambda game, text: game == "g1" and "VOTE YES" in text
    )


def test_a_program_is_not_answered_unless_it_is_a_player_after_all() -> None:
    """What has nothing of its own in it is not answered, proven or not."""
    for line in (row["line"] for row in PROGRAMS):
        assert automatic.why(read(made(line, NOTE))), line
        for text in (NOTE, ORDER):
            assert not judged(made(line, text)).reply_allowed, line
        for text in (NOTE, "CONFIRM abcd-efgh\r\n"):
            assert not judged(made(line, text, *proven())).reply_allowed, line
        if "Content-Type: message" not in line:
            heard = judged(made(line, ORDER, *proven()))
            assert (heard.verdict, heard.reply_allowed) == ("orders", True), (line, heard.reason)
            assert not judged(made(line, f"{NOTE}> {ORDER}", *proven())).reply_allowed, line


def test_an_order_in_it_is_never_lost_unseen() -> None:
    """Not proven, it is held as any letter is; a note by fields is nothing to look at; one by its
    subject is, if proven."""
    for kind, line in (row.values() for row in PROGRAMS):
        found = judged(made(line, ORDER)).verdict
        assert found == "unverified" or "Content-Type: message" in line, line
        note = judged(made(line, NOTE, *proven()))
        if line.startswith("Subject"):
            assert (note.verdict, note.rule) == ("ignored", "perhaps-away"), line
        elif kind != SENDS:
            assert (note.verdict, note.rule) == ("ignored", "absence-note"), line


def test_a_person_is_answered() -> None:
    for line in (row["line"] for row in ROWS if row["kind"] == "person"):
        assert automatic.why(read(made(line, ORDER))) == "", line


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


def test_orders_count_below_a_subject_that_may_be_a_programs() -> None:
    for subject in ("Auto: orders", "Re: the Premier is out of the office", "Automation Bill"):
        assert not automatic.is_answer(read(made(f"Subject: {subject}", NOTE))), subject
