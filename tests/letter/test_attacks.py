"""The corpus of attacks line by line, and further letters of the same kinds."""

from pathlib import Path

import pytest

from pbem.budget import Budget
from pbem.house.shelf import open_ruleset
from pbem.letters.letter import read
from pbem.letters.limits import Limits
from pbem.letters.reading.headers import address
from pbem.letters.verdict import understood
from pbem.referee.deciding.sandbox import read_guarded
from tests.letter.letters import CORPORA, PLAYER, decided, letter, proven, table, written

ATTACKS = CORPORA / "attacks"


@pytest.mark.parametrize("row", table(ATTACKS / "expected.tsv"), ids=lambda row: row["file"])
def test_corpus(row: dict[str, str]) -> None:
    raw = (ATTACKS / row["file"]).read_bytes()
    found = read_guarded(raw, Limits(), Budget(60.0, "reading"))
    decision = decided(found, raw)
    expected, _, orders = row["expected"].partition(":")
    match expected:
        case "quarantine" | "unknown-sender" | "unverified":
            assert decision.verdict == expected
            assert expected != "quarantine" or not decision.reply_allowed
        case "verified":
            assert decision.verdict == "orders" and decision.authentication != "open"
        case "no-reply" | "reply-ok":
            assert decision.reply_allowed == (expected == "reply-ok")
        case "drop":
            assert decision.verdict == "ignored"
        case "accept" | "accept-clean":
            assert not found.refused
            assert not set("\r\n\0") & set(found.message_id + found.subject + (found.sender or ""))
        case "orders":
            language = open_ruleset("parlement-1966").language
            assert understood(language, decision.peeled.text) == orders.split("; ")
        case _:
            pytest.fail(f"no such expectation: {expected}")


ODD_FROM = table(Path(__file__).with_name("odd_from.tsv"))


@pytest.mark.parametrize("head", [written(row["head"]) for row in ODD_FROM])
def test_any_odd_from_is_quarantined(head: str) -> None:
    raw = (
        "\r\n".join(proven()) + f"\r\n{head}\r\nTo: referee@game.example\r\n\r\nVOTE YES ON 4\r\n"
    ).encode()
    decision = decided(read(raw), raw)
    assert (decision.verdict, decision.reply_allowed) == ("quarantine", False), decision.reason


FIRST_LINES = {
    "space before colon": "From : <evil@attack.example>",
    "tab before colon": "From\t: <evil@attack.example>",
    "space before colon, with a time": "From : <evil@attack.example> 09:00:00 2026",
    "mark before it": ">From : <evil@attack.example>",
    "colon further on": "From evil@attack.example: x",
    "colon further on, with a time": "From evil@attack.example: Mon Jan  2 09:00:00 2026",
    "no colon": "From <evil@attack.example>",
    "no colon, with a year": "From <evil@attack.example> 2026",
    "mark, no colon": ">From <evil@attack.example>",
}


@pytest.mark.parametrize("first", FIRST_LINES.values(), ids=FIRST_LINES)
def test_a_first_line_that_may_be_a_from_is_quarantined(first: str) -> None:
    raw = first.encode() + b"\r\n" + letter("VOTE YES ON 4\n", *proven())
    decision = decided(read(raw), raw)
    assert (read(raw).sender, decision.verdict, decision.reply_allowed) == (
        None,
        "quarantine",
        False,
    )


@pytest.mark.parametrize(
    "first",
    [
        "From somebody Mon Jan  2 09:00:00 2026",
        "From - Mon Jan  2 09:00 2026",
        "From a@b.example  Mon Jan  2 09:00:00 +0100 2026 remote from c",
        ">From <> Mon Jan  2 09:00:00 2026",
        "From () 2026-01-02 09:00:00 +0000",
    ],
)
def test_the_line_of_a_mailbox_file_is_left_out(first: str) -> None:
    raw = first.encode() + b"\r\n" + letter("VOTE YES ON 4\n", *proven())
    assert decided(read(raw), raw).verdict == "orders"


@pytest.mark.parametrize(
    "value",
    [
        PLAYER,
        f"<{PLAYER}>",
        f"Player One <{PLAYER}>",
        f'"One, Player" <{PLAYER}>',
        f"{PLAYER} (Player One)",
        f"=?utf-8?q?M=C3=BCller=2C_Jan?= <{PLAYER}>",
        "<Player1@LEGIT.example>",
        f"J. R. O'Hara <{PLAYER}>",
        f"Player\r\n One <{PLAYER}>",
        f"Jörg <{PLAYER}>",
        f"Player (work) <{PLAYER}>",
        f'"Player" One <{PLAYER}>',
    ],
)
def test_ordinary_from_is_read(value: str) -> None:
    raw = letter("VOTE YES ON 4\n", *proven(), sender=value)
    assert decided(read(raw), raw).verdict == "orders"


@pytest.mark.parametrize(
    "address",
    [
        "player1@lеgit.example",
        "player1@ｌegit.example",
        "player1@legit.example.evil.example",
        "player1@legitexample",
        "player１@legit.example",
        "player1@legit．example",
        "player1+x@legit.example",
        "plаyer1@legit.example",
    ],
)
def test_no_other_address_becomes_the_players(address: str) -> None:
    raw = letter("VOTE YES ON 4\n", sender=f"<{address}>")
    assert decided(read(raw), raw).verdict in ("unknown-sender", "quarantine")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("p@\xe9\u200dgit.example", "p@\xe9git.example"),
        ("p@\xe9\xadgit.example", "p@\xe9git.example"),
        ("p@\xe9\u034fgit.example", "p@\xe9git.example"),
        ("p@\xe9git\ufe0f.example", "p@\xe9git.example"),
        ("p@fa\xdf\xe9x.example", "p@fass\xe9x.example"),
        ("p@\xe9\u03c2x.example", "p@\xe9\u03c3x.example"),
    ],
)
def test_letters_that_a_registry_folds_make_no_address(one: str, other: str) -> None:
    assert address(one) == "" != address(other)
