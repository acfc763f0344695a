"""No letter takes more than its budget of processor time, whatever is in it, and none raises.

The bound is the kernel's (a timer in a child that kills it), not a clock in the test;
`bench/bombs.py` shows how far from it each letter stays.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.budget import Budget
from pbem.letters.letter import Letter, read
from pbem.letters.limits import Limits
from pbem.referee.deciding.sandbox import read_guarded, read_in_child
from tests.letter.letters import Made, decided, every_file, letter


def test_every_file_of_the_corpora_is_read_and_decided() -> None:
    files = list(every_file())
    assert len(files) == 286
    for path in files:
        raw = path.read_bytes()
        assert decided(read(raw), raw).reason, path


def _nested(depth: int) -> bytes:
    head = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(depth)
    )
    return (
        b"From: <player1@legit.example>\nMIME-Version: 1.0\n"
        + head
        + b"Content-Type: text/plain\n\nVOTE YES ON 4\n"
    )


def _html(body: str) -> bytes:
    return letter(body, "Content-Type: text/html; charset=utf-8")


BOMBS = Made(
    {
        "1000 nested parts": lambda: _nested(1000),
        "90 nested parts": lambda: _nested(90),
        "15 nested parts": lambda: _nested(15),
        "1000 nested letters": lambda: (
            b"From: <a@b.example>\n" + b"Content-Type: message/rfc822\n\n" * 1000 + b"x"
        ),
        "1000 nested comments": lambda: letter("x\n", "X-Comment: " + "(" * 1000 + ")" * 1000),
        "nested comments in From": lambda: letter(
            "x\n", sender="(" * 5000 + "<player1@legit.example>"
        ),
        "nested comments in Authentication-Results": lambda: letter(
            "x\n",
            "Authentication-Results: mx.game.example; " + "(" * 900 + ")" * 900 + " dmarc=pass",
        ),
        "20,000 encoded-words": lambda: letter(
            "x\n", "Subject: " + " ".join(["=?utf-8?q?a?="] * 20_000)
        ),
        "300 encoded-words": lambda: letter("x\n", "X-Y: " + " ".join(["=?utf-8?q?a?="] * 300)),
        "100,000 fields": lambda: letter("x\n", *["X-A: b"] * 100_000),
        "a field of a megabyte": lambda: letter("x\n", "X-A: " + "b" * 1_000_000),
        "parameters": lambda: letter("x\n", "Content-Type: text/plain; " + '";' * 9_000),
        "parameters of a part": lambda: letter(
            '--b\nContent-Type: text/plain; x="' + '";' * 400_000 + "\n\nx\n",
            "Content-Type: multipart/mixed; boundary=b",
        ),
        "continued parameters": lambda: letter(
            "x\n",
            "Content-Disposition: attachment; " + "; ".join(f"filename*{n}*=a" for n in range(900)),
        ),
        "parts": lambda: letter("--b\n\nx\n" * 50_000, "Content-Type: multipart/mixed; boundary=b"),
        "1500 parts": lambda: letter(
            "--b\n\nx\n" * 1_500, "Content-Type: multipart/mixed; boundary=b"
        ),
        "new lines": lambda: letter("\n" * 1_900_000),
        "90,000 lines": lambda: letter("\n" * 90_000),
        "a line of megabytes": lambda: letter("x " * 1_900_000),
        "blanks": lambda: letter(" " * 700_000 + "x"),
        "open comments": lambda: _html("<!--" * 120_000),
        "open declarations": lambda: _html("<![" * 120_000),
        "open tags": lambda: _html("<a" * 120_000),
        "open tags with attributes": lambda: _html("<a b=" * 90_000 + ">"),
        "open quotes in tags": lambda: _html("<a b='" * 90_000 + ">"),
        "closing tags": lambda: _html("<b>" * 60_000 + "</i>" * 60_000),
        "nested tags": lambda: _html("<div>" * 90_000),
        "bare ampersands": lambda: _html("&" * 300_000),
        "character references": lambda: _html("&#x41;" * 80_000),
        "many small tags": lambda: _html("a<b>b</b>" * 60_000),
        "style sheet": lambda: _html("<style>" + "a{" * 200_000 + "</style>x"),
        "inline end tags in a quotation": lambda: _html(
            "<a><blockquote>" + "<i>" * 60_000 + "</a>" * 60_000
        ),
        "quotations": lambda: _html("<blockquote>" * 60_000 + "</b>" * 60_000),
        "grounds": lambda: _html(f"<b style='{'background: ' * 90}'>" * 700),
        "struck out": lambda: _html(f"<b style='{'text-decoration:' * 120}'>" * 400),
        "scripts": lambda: _html("<script>" * 60_000),
        "unfinished style sheets": lambda: _html("<style " * 128_000),
        "unfinished style sheets, far apart": lambda: _html(("<style " + "x" * 33) * 22_000),
        "unfinished scripts, far apart": lambda: _html(("<script " + "x" * 33) * 22_000),
        "unfinished titles, far apart": lambda: _html(("<title " + "x" * 33) * 22_000),
        "nested elements": lambda: _html("<div>" * 180_000),
        "nested hidden elements": lambda: _html("<div hidden>" * 75_000),
        "2,000 nested elements": lambda: _html("<div>" * 1_999 + "x" + "</div>" * 1_999),
        "misnested elements": lambda: _html("<i><div>" * 14_000 + "</i>" * 14_000),
        "reopened formatting": lambda: _html(
            "".join(f"<b a={n}>" for n in range(2_000)) + "<p>x" * 5_000
        ),
        "attributes": lambda: _html("<a " + " ".join(f"a{n}" for n in range(100_000)) + ">x"),
        "attributes of the page": lambda: _html("".join(f"<html a{n}=b>" for n in range(25_000))),
        "a style attribute of a megabyte": lambda: _html(
            '<p style="' + "color:red;" * 90_000 + '">x'
        ),
        "rules": lambda: _html(
            "<style>" + ".a {color: red}" * 4_900 + "</style>" + "<p class=a>x" * 20_000
        ),
        "a style of its own for each element": lambda: _html(
            "".join(
                f"<p style='margin:0;padding:{n}px;color:#{n:06x};font-family:Arial'>x"
                for n in range(12_000)
            )
        ),
        "long style attributes": lambda: _html(
            "".join(f"<b style='{n};{'color:red;' * 900}'></b>" for n in range(100))
        ),
        "a press to many": lambda: letter("PRESS TO A" + " and A" * 30 + " ?\n"),
        "words for the referee": lambda: letter(("WHY" + " " * 390 + "\u2028\n") * 490),
        "clearsigned beginnings": lambda: letter("-----BEGIN PGP SIGNED MESSAGE-----\n\n" * 15_000),
        "clearsigned signatures": lambda: letter(
            "-----BEGIN PGP SIGNED MESSAGE-----\n\n" + "-----BEGIN PGP SIGNATURE-----\n" * 15_000
        ),
        "headings of quotations": lambda: letter("On 1 Jan 2026 <\n\n" * 9_000),
        "half headings": lambda: letter("On 1 Jan 2026 at 10:00 <a@b.example\n" * 9_000),
        "colons": lambda: letter("From: a\n" * 1 + ": : : " * 100_000),
        "header blocks": lambda: letter("From:\n\n\n\n" * 9_000),
        "labels": lambda: letter("Label: x\n" * 39_000),
        "labels with addresses": lambda: letter("Label: <a@b.example>\n" * 39_000),
        "100,000 labels": lambda: letter("Label: x\n" * 100_000),
        "a line of colons": lambda: letter(":" * 700_000),
        "lines of colons": lambda: letter((":" * 390 + "\n") * 2_000),
        "lines of parentheses": lambda: letter(("(" * 389 + "@\n") * 2_000),
        "words in parentheses": lambda: letter(("(" + "a " * 190 + "@\n") * 2_000),
        "Outlook's rules": lambda: letter(("_" * 32 + "\nA: <a@b>\nB: 2026\n") * 13_000),
        "days": lambda: letter(("on 2026 " * 48 + ":\n") * 1_900),
        "who wrote, and dashes": lambda: letter(("wrote" + " " * 300 + "---\n") * 2_400),
        "verbs of headings": lambda: letter(("a " * 190 + "wrote 2026 b:\n") * 1_900),
        "short sentences": lambda: letter("on 2026 wrote b:\n" * 30_000),
        "sentences in full lines": lambda: letter(
            ("On 2 Nov 2026 " + "a" * 40 + " b wrote c:\n") * 12_000
        ),
        "moments": lambda: letter("2026-11-02 10:00 GMT+01:00 eve is not in\n" * 15_000),
        "headers in one line": lambda: letter("Subject: a To: c\n" * 30_000),
        "colons above quotations": lambda: letter("x:\n> y\n" * 19_000),
        "angles below commas": lambda: letter("On 4 May 2026,\n\n" * 19_000),
        "answered letters": lambda: letter("-----Original Message-----\nFrom: x\n\n> q\n" * 9_000),
        "telephones": lambda: letter(("iphone " * 17 + "gesendet\n") * 6_000),
        "invisible characters": lambda: letter("\u200b" * 700_000),
        "blanks behind soft breaks": lambda: letter(
            ("=" + " " * 70) * 9_000, "Content-Transfer-Encoding: quoted-printable"
        ),
        "soft lines": lambda: letter("a \n" * 30_000, "Content-Type: text/plain; format=flowed"),
        "quote marks": lambda: letter(
            (">" * 900 + "\n") * 700, "Content-Type: text/plain; format=flowed"
        ),
        "quoted-printable": lambda: letter(
            "=" * 700_000, "Content-Transfer-Encoding: quoted-printable"
        ),
        "base64": lambda: letter("QUJD" * 150_000, "Content-Transfer-Encoding: base64"),
        "uuencode": lambda: letter(
            "begin 644 a\n" + "M" * 60 + "\n" + "`\n" * 9_000,
            "Content-Transfer-Encoding: x-uuencode",
        ),
        "punycode": lambda: letter(
            "a-" + "b" * 200_000, "Content-Type: text/plain; charset=punycode"
        ),
        "utf-7": lambda: letter("+AGE-" * 100_000, "Content-Type: text/plain; charset=utf-7"),
        "unknown charset": lambda: letter(
            "VOTE YES ON 4\n", 'Content-Type: text/plain; charset="../../x\0"'
        ),
        "a bounce of megabytes": lambda: letter(
            "550 5.1.1 <a@b.example> " * 80_000, "Return-Path: <>", sender="MAILER-DAEMON@b.example"
        ),
        "a coded report of megabytes": lambda: letter(
            "QUJDOgoKCgo" * 300_000,
            "Return-Path: <>",
            "Content-Type: message/delivery-status",
            "Content-Transfer-Encoding: base64",
        ),
        "our side, said often": lambda: letter(
            "sender " * 500_000, "Return-Path: <>", sender="MAILER-DAEMON@b.example"
        ),
        "addresses": lambda: letter("x\n", "Cc: " + "a@b.example, " * 1_400),
        "at signs": lambda: letter("x\n", "Cc: " + "@" * 19_000),
        "nothing": lambda: b"",
        "one blank line": lambda: b"\r\n",
        "NULs": lambda: b"\0" * 100_000,
        "all bytes": lambda: bytes(range(256)) * 400,
    }
)


_WRITTEN = (
    "<p class=MsoNormal><span style='font-size:11.0pt;color:#1F497D'>VOTE YES ON 4</span></p>"
)
HEAVY = Made({
    "5,000 lines of orders": lambda: letter("VOTE YES ON 4\n" * 4_990),
    "long lines": lambda: letter(("PAY 100 TO S, " * 30 + "\n") * 450),
    "a long press": lambda: letter("PRESS TO ALL\n" + ("We shall not vote for this bill, and here is why. " * 7 + "\n") * 500),
    "a long quotation": lambda: letter("VOTE YES ON 4\n\nOn 1 Jan 2026 at 10:00, S wrote:\n" + "> BUDGET: 12:00 (S)\n" * 30_000),
    "a long thread": lambda: _html(
        "<p>VOTE YES ON 4</p>" + "".join(f"<blockquote>{'<p>VOTE NO ON 5</p>' * 40}" for _ in range(90)) + "</blockquote>" * 90
    ),
    "Outlook's own styles": lambda: _html(
        "<style>"
        + "".join(
            f"p.MsoNormal{n}, li.MsoNormal{n} {{margin:0cm; font-size:11.0pt; font-family:\"Calibri\",sans-serif}}\n"
            for n in range(600)
        )
        + "</style>" + _WRITTEN * 2_400
    ),
    "a newsletter above the orders": lambda: _html(
        "<style>"
        + "".join(f".c{n} td a[href^=http] {{color:#{n:06x} !important; padding:{n}px}}\n" for n in range(60))
        + "".join(f".d{n}, #e{n} {{font:bold {9 + n % 9}px/1.4 Arial,sans-serif; margin:0 {n}px}}\n" for n in range(900))
        + "</style>"
        + "".join(f"<table class=c{n % 60}><tr><td class=d{n % 900}><a href=/{n}>x</a></table>" for n in range(1_500))
        + "<p>VOTE YES ON 4</p>"
    ),
})  # fmt: skip
"""What is long, and still a letter that somebody may write."""


@pytest.mark.parametrize("name", HEAVY)
def test_what_is_only_heavy_is_read(name: str) -> None:
    found = read_in_child(HEAVY[name], Limits())
    assert not found.refused
    assert any(word in found.text for word in ("VOTE YES ON 4", "PAY 100", "We shall"))
    assert "NO ON 5" not in found.text and "BUDGET" not in found.text


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name: str) -> None:
    raw = BOMBS[name]
    found = read_in_child(raw, Limits())
    assert "seconds" not in found.refused and "memory" not in found.refused, found.refused
    decided(found, raw)


def test_over_a_limit_is_quarantined_with_the_reason_and_known_again() -> None:
    raw = BOMBS["1000 nested parts"]
    found = read(raw)
    assert "boundaries: 1000" in found.refused
    assert decided(found, raw).verdict == "quarantine"
    assert read(raw) == found and read(raw + b"x").raw_hash != found.raw_hash


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (Limits(order_characters=99), "x" * 100),
        (Limits(lines=9), "x\n" * 10),
        (Limits(size=300), "x" * 300),
        (Limits(header_bytes=20), "x"),
        (Limits(fields=2), "x"),
        (Limits(field_bytes=10), "x"),
    ],
)
def test_each_limit(limits: Limits, text: str) -> None:
    assert "too many" in read(letter(text), limits).refused
    assert not read(letter(text)).refused


def _guarded(raw: bytes) -> Letter:
    return read_guarded(raw, Limits(), Budget(60.0, "reading"))


def test_a_letter_read_in_a_child_is_the_same_letter() -> None:
    raw = letter("VOTE YES ON 4\n> PAY 5 TO L\n-- \nme\n", "X-Referee-Loop: x")
    assert read_in_child(raw, Limits()) == read(raw) == _guarded(raw)


def test_a_heavy_letter_goes_to_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    heavy = _nested(90)
    monkeypatch.setattr(
        "pbem.referee.deciding.sandbox.read_in_child", lambda raw, limits: "a child"
    )
    assert _guarded(heavy) == "a child"
    assert _guarded(letter()) != "a child"


def test_a_child_that_is_killed_gives_a_refused_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.referee.deciding.sandbox.sys.executable", "/bin/false")
    found = read_in_child(letter(), Limits())
    assert (
        found.refused
        and found.raw_hash == read(letter()).raw_hash
        and found.body_hash == read(letter()).body_hash
    )


_PIECES = st.sampled_from(
    [
        b"From: <player1@legit.example>\r\n",
        b"From",
        b":",
        b"\r\n",
        b"\n",
        b"\r",
        b" ",
        b"\0",
        b"Content-Type: ",
        b"text/html",
        b"multipart/mixed; boundary=b",
        b'multipart/alternative; boundary="b"',
        b"--b",
        b"--b--",
        b"message/rfc822",
        b"; charset=",
        b"utf-8",
        b"Content-Transfer-Encoding: base64\n",
        b"quoted-printable",
        b"=?utf-8?q?x?=",
        b"=?",
        b"?=",
        b"<div hidden>",
        b"</div>",
        b"<!--",
        b"-->",
        b"> ",
        b"-- ",
        b"On 1 Jan 2026 X wrote:",
        b"VOTE YES ON 4\n",
        b"END\n",
        b"PRESS TO S\n",
        b"Authentication-Results: mx.game.example; dmarc=pass\n",
        b"(",
        b")",
        b"\xff\xfe",
        b"; format=flowed",
        b"-----BEGIN PGP SIGNED MESSAGE-----\n",
        b"message/delivery-status",
        b"Final-Recipient: rfc822; a@b\n",
        b"Return-Path: <>\n",
    ]
)


@settings(
    max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(st.lists(st.one_of(_PIECES, _PIECES, st.binary(max_size=12)), max_size=40).map(b"".join))
def test_anything_is_read_and_decided(raw: bytes) -> None:
    for letter_bytes in (raw, b"From: <player1@legit.example>\n" + raw):
        found = read(letter_bytes)
        decision = decided(found, letter_bytes)
        assert decision.reason
        assert not set("\r\n\0") & set(
            found.subject + found.message_id + (found.sender or "") + "".join(found.references)
        )
