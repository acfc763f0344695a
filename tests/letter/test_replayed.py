"""A letter that a server vouches for counts if it was written to us and now: signed letters can be
sent on by anybody."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.letters.addresses import KnownFacts
from pbem.letters.authentication import Level, token_hash
from pbem.letters.letter import read
from pbem.letters.reading.headers import mailboxes
from pbem.letters.verdict import Decision
from tests.letter.letters import PLAYER, REFEREE, decided, installation

NOW = datetime(2026, 11, 2, 10, 0, tzinfo=UTC)
PASS = "Authentication-Results: mx.game.example; dmarc=pass header.from=legit.example"
BY_DKIM = f"{PASS}; dkim=pass header.d=legit.example"
BY_SPF = f"{BY_DKIM}; spf=pass smtp.mailfrom=legit.example"
SIGNATURE = (
    "DKIM-Signature: v=1; a=rsa-sha256; d=legit.example;\r\n s=s; h=From : To:Subject:Date; b=x"
)
DATE = "Date: Mon, 02 Nov 2026 09:59:00 +0000"
TOKEN = "k3v5z7q2w4x6y3b5n7m2p4r6t3"


def made(*head: str, received: datetime | None = NOW, where: KnownFacts | None = None) -> Decision:
    lines = [
        *head,
        f"From: <{PLAYER}>",
        "Subject: x",
        "Message-ID: <1@legit.example>",
        "",
        "VOTE YES ON 4",
        "",
    ]
    raw = "\r\n".join(lines).encode()
    return decided(read(raw), raw, where, received=received)


NAMED = [
    f"To: {REFEREE}",
    f"To: <{REFEREE.upper()}>",
    f'To: "The Referee" <{REFEREE}>',
    "To: referee+g1@game.example",
    "To: Referee <referee+b-12@game.example>",
    f"To: <a@b.example>, The Referee <{REFEREE}>",
    f"To: <a@b.example>\r\nCc: {REFEREE}",
    f"Cc: x <a@b.example>,\r\n <{REFEREE}>",
    f"To: Players: <a@b.example>, {REFEREE};",
    f"To: (the umpire) {REFEREE} (by mail)",
]
NOT_NAMED = [
    "To: <a@b.example>",
    "X-To: referee@game.example",
    "To: undisclosed-recipients:;",
    "Subject: no To",
    f"Bcc: {REFEREE}",
    f"To: <a@b.example>\r\nDelivered-To: {REFEREE}",
    f"To: <a@b.example>\r\nX-Original-To: {REFEREE}",
    f"To: <a@b.example>\r\nEnvelope-To: {REFEREE}\r\nResent-To: {REFEREE}",
    f'To: "{REFEREE}" <a@b.example>',
    f'To: "<{REFEREE}>, x" <a@b.example>',
    f"To: {REFEREE} <a@b.example>",
    f"To: a@b.example ({REFEREE})",
    f"To: <a@b.example> (x\\) , {REFEREE})",
    f"To: <a@b.example>\r\nTo: <{REFEREE}>",
    f"To: <{REFEREE}>\r\nTo: <a@b.example>",
    f"To: <a@b.example>\r\nCc: <c@d.example>\r\nCc: <{REFEREE}>",
    f"To : <{REFEREE}>",
    "To: <referee@game.example.evil.example>",
    "To: <notreferee@game.example>",
    "To: =?utf-8?q?referee=40game.example?= <a@b.example>",
]


@pytest.mark.parametrize("head", NAMED)
def test_a_letter_to_us_counts(head: str) -> None:
    assert made(PASS, DATE, head).verdict == "orders"


@pytest.mark.parametrize("head", NOT_NAMED)
def test_a_letter_to_somebody_else_is_asked_about(head: str) -> None:
    found = made(PASS, DATE, head)
    assert (found.verdict, found.authentication, found.reply_allowed) == (
        "unverified",
        Level.OPEN,
        True,
    )
    assert "To and Cc do not name the referee" in found.reason


DATES = [
    (timedelta(), True),
    (timedelta(days=-2, hours=-23), True),
    (timedelta(days=2, hours=23), True),
    (timedelta(days=-3, minutes=-1), False),
    (timedelta(days=3, minutes=1), False),
    (timedelta(days=-400), False),
]


@pytest.mark.parametrize(("off", "counts"), DATES)
def test_an_old_letter_is_asked_about(off: timedelta, counts: bool) -> None:
    date = (NOW + off).strftime("Date: %a, %d %b %Y %H:%M:%S +0000")
    assert (made(PASS, date, NAMED[0]).verdict == "orders") is counts
    assert made(PASS, date, NAMED[0], received=None).verdict == "orders", (
        "a file has no time of receipt"
    )
    wide = replace(installation(), date_days=500)
    assert made(PASS, date, NAMED[0], where=wide).verdict == "orders"


@pytest.mark.parametrize(
    "date",
    [
        "X-Date: Mon, 02 Nov 2026 09:59:00 +0000",
        "Date: yesterday",
        "Date:",
        f"{DATE}\r\n{DATE}",
        f"Date : {DATE[6:]}",
        f"Date : Mon, 12 Oct 2026 10:00:00 +0000\r\n{DATE}",
        f"{DATE}\r\nDate\t: Mon, 12 Oct 2026 10:00:00 +0000",
        "Date: Mon, 02 Nov 99999 10:00:00 +0000",
        "Date: Mon, 02 Nov 2026 10:00:00 +9999999999",
        "Date: 0",
        "Date: " + "1" * 9_000,
    ],
)
def test_a_letter_without_one_plain_date_is_asked_about(date: str) -> None:
    found = made(PASS, date, NAMED[0])
    assert found.verdict == "unverified" and "Date" in found.reason


@pytest.mark.parametrize(
    "date",
    [
        "Mon, 2 Nov 2026 10:00:00 +0100",
        "2 Nov 2026 10:00 GMT",
        "Mon, 02 Nov 2026 04:59:00 -0500 (EST)",
        "Mon, 02 Nov 2026 09:59:00 -0000",
        "02 Nov 26 09:59:00 +0000",
    ],
)
def test_ways_to_write_a_date(date: str) -> None:
    assert made(PASS, f"Date: {date}", NAMED[0]).verdict == "orders"


@pytest.mark.parametrize(
    ("head", "counts"),
    [
        ((BY_DKIM, SIGNATURE, NAMED[0]), True),
        (
            (BY_DKIM, SIGNATURE, f"To: <a@b.example>\r\nCc: {REFEREE}"),
            False,
        ),  # a Cc that was not signed may be added
        (
            (BY_SPF, SIGNATURE, f"To: <a@b.example>\r\nCc: {REFEREE}"),
            True,
        ),  # it came from the player's own provider
        ((BY_DKIM, SIGNATURE.replace(":Date", ""), NAMED[0]), False),
        ((BY_DKIM, SIGNATURE.replace(" : To", ""), NAMED[0]), False),
        (
            (BY_DKIM, SIGNATURE.replace("d=legit", "d=list"), NAMED[0]),
            True,
        ),  # of another: it says nothing of this
        ((BY_DKIM, SIGNATURE, SIGNATURE.replace(" : To", ""), NAMED[0]), False),
        (
            (
                BY_DKIM,
                SIGNATURE.replace("h=From", "h=Cc:From"),
                f"To: <a@b.example>\r\nCc: {REFEREE}",
            ),
            True,
        ),
        ((BY_DKIM, NAMED[0]), True),
        (
            (BY_DKIM, SIGNATURE.replace(" : To", "").replace(":", " :", 1), NAMED[0]),
            False,
        ),  # the same to a signature's checker
        (
            (BY_DKIM, SIGNATURE.replace(" : To", "").replace(":", "\t:", 1), SIGNATURE, NAMED[0]),
            False,
        ),
    ],
)
def test_what_names_us_must_be_signed(head: tuple[str, ...], counts: bool) -> None:
    assert (made(DATE, *head).verdict == "orders") is counts


def test_other_levels_ask_neither() -> None:
    where = installation(Level.PROVEN, token_hash=token_hash(TOKEN))
    assert (
        made(
            f"Delivered-To: referee+{TOKEN}@game.example", "To: <a@b.example>", where=where
        ).verdict
        == "orders"
    )
    assert made("To: <a@b.example>", where=installation(Level.OPEN)).verdict == "orders"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("", ()),
        ("x", ()),
        ("<a@b.c>", ("a@b.c",)),
        ("A@B.C, <d@e.f>", ("a@b.c", "d@e.f")),
        ('"x, y" <a@b.c>', ("a@b.c",)),
        ('"x\\"<q@r.s>" <a@b.c>', ("a@b.c",)),
        ("<a@b.c><d@e.f>", ()),
        ("(x (y) <q@r.s>) a@b.c", ("a@b.c",)),
        ("G: a@b.c, b@b.c;, d@e.f", ("a@b.c", "b@b.c", "d@e.f")),
        ('"open a@b.c', ()),
        ("a@b.c d@e.f", ()),
        ("<a@b.c", ("a@b.c",)),
    ],
)
def test_lists_of_recipients(value: str, found: tuple[str, ...]) -> None:
    assert mailboxes(value) == found
