"""Signed letters that come again: a DKIM signature counts once, for what it covers."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import dkim
import pytest

from pbem.periods import deadline_acts
from tests.installation import (
    DOMAIN,
    REFEREE,
    SEATS,
    Installation,
    told,
    vouched,
)
from tests.mail.proof import code

OLD, NEW = "SPECIAL AGR", "SPECIAL JUS"
COVERED = [b"from", b"to", b"subject", b"date", b"message-id"]


HERE = Path(__file__).parent
KEY = (HERE / "dkim.pem").read_bytes()  # of this test alone
RECORD = (HERE / "dkim.txt").read_bytes().strip()


def _record(_name: bytes, timeout: int = 5) -> bytes:
    """What DNS would say."""
    return RECORD


def signed(raw: bytes, *, length: bool = False) -> bytes:
    """A letter with its provider's signature on top, relaxed as providers do."""
    raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    made = dkim.sign(
        raw,
        b"s",
        DOMAIN.encode(),
        KEY,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=COVERED,
        length=length,
    )
    return bytes(made) + raw


def arrived(raw: bytes) -> bytes:
    """The letter as our mail server hands it on: with what it found of the signature."""
    passed = "pass" if holds(raw) else "fail"
    results = f"mx.game.example; dkim={passed} header.d={DOMAIN}; dmarc={passed}"
    return f"Authentication-Results: {results} header.from={DOMAIN}\r\n".encode() + raw


def holds(raw: bytes) -> bool:
    """Whether a mail server finds the signature in order. dkimpy reads neither a blank before a
    colon nor a second signature; other checkers do."""
    raw = raw.replace(b"Message-ID :", b"Message-ID:").replace(NONE, b"")
    return bool(dkim.verify(raw, dnsfunc=_record))


def deliver(at: Installation, raw: bytes) -> str:
    """Hand it to the referee; what became of it."""
    at.office.deliver(REFEREE, arrived(raw), at.clock)
    at.once()
    return at.outcomes()[-1][0]


def _folded(raw: bytes) -> bytes:
    """The signature folded in other places."""
    head, mark, rest = raw.partition(b" b=")
    value, end, body = rest.partition(b"\r\nFrom:")
    plain = b"".join(value.split())
    return head + mark + plain[:20] + b"\r\n\t" + plain[20:] + end + body


NONE = (
    b"DKIM-Signature: v=1; a=rsa-sha256; s=x; h=from:to:date; bh=aaaa; b=bbbb; d="
    + DOMAIN.encode()
    + b"\r\n"
)
VARIANTS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda raw: raw,
    "another Message-ID on top": lambda raw: b"Message-ID: <2@evil.example>\r\n" + raw,
    "two more": lambda raw: b"Message-ID: <3@x.example>\r\nMessage-ID: <2@x.example>\r\n" + raw,
    "a blank before its colon": lambda raw: raw.replace(b"\r\nMessage-ID:", b"\r\nMessage-ID :"),
    "its name in capitals": lambda raw: raw.replace(b"\r\nMessage-ID:", b"\r\nMESSAGE-ID:"),
    "two blanks for one": lambda raw: raw.replace(b"SPECIAL AGR", b"SPECIAL  AGR"),
    "a tab for a blank": lambda raw: raw.replace(b"SPECIAL AGR", b"SPECIAL\tAGR"),
    "blanks at its line's end": lambda raw: raw.replace(b"SPECIAL AGR", b"SPECIAL AGR  \t"),
    "empty lines below": lambda raw: raw + b"\r\n\r\n",
    "both": lambda raw: b"Message-ID: <2@x.example>\r\n" + raw.replace(b"L A", b"L   A"),
    "the signature folded": _folded,
    "the signature folded, and another Message-ID": lambda raw: (
        b"Message-ID: <2@x.example>\r\n" + _folded(raw)
    ),
    "fields of another on top": lambda raw: b"X-Spam: no\r\nReceived: from x by y; z\r\n" + raw,
    "a second signature that is none": lambda raw: b"Message-ID: <2@x.example>\r\n" + NONE + raw,
}


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=SEATS, trust="proven") as at:
        at.start()
        yield at


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_old_letter_of_hers_puts_no_old_orders_back(strict: Installation, variant: str) -> None:
    old = signed(strict.letter("A", OLD))
    again = VARIANTS[variant](old)
    assert holds(again), "the signature still holds"
    assert deliver(strict, old) == "orders"
    assert deliver(strict, signed(strict.letter("A", NEW))) == "orders"
    assert deliver(strict, again) != "orders" and strict.standing("A") == [NEW]


def test_two_true_letters_with_the_same_words_both_count(strict: Installation) -> None:
    for text in (OLD, NEW, OLD):
        assert deliver(strict, signed(strict.letter("A", text))) == "orders"
    assert strict.standing("A") == [OLD]


def test_a_signature_of_the_beginning_proves_nothing(strict: Installation) -> None:
    raw = signed(strict.letter("A", OLD), length=True)
    assert b" l=" in raw
    longer = raw + b"SPECIAL JUS\r\n"
    assert dkim.verify(longer, dnsfunc=_record), "it holds, whatever stands below"
    assert deliver(strict, longer) == "unverified" and strict.standing("A") == []


def test_a_copied_signature_on_a_forged_letter_keeps_nothing_from_the_true_one(
    strict: Installation,
) -> None:
    true = signed(strict.letter("A", OLD))
    forged = true.replace(b"SPECIAL AGR", b"SPECIAL JUS")
    assert not dkim.verify(forged, dnsfunc=_record)
    assert deliver(strict, forged) == "unverified"
    assert deliver(strict, true) == "orders" and strict.standing("A") == [OLD]


def test_what_comes_again_is_told_to_her_alone_and_once_a_day(strict: Installation) -> None:
    old = signed(strict.letter("A", OLD))
    deliver(strict, old)
    had = {who: len(strict.mails(who)) for who in SEATS}
    for number in range(4):
        assert deliver(strict, b"Message-ID: <%d@x.example>\r\n" % number + old) == "duplicate"
    assert "This letter had come before" in told(strict, "A")
    grown = {who: len(strict.mails(who)) - had[who] for who in SEATS}
    assert grown == {**dict.fromkeys(SEATS, 0), "A": 1}
    strict.clock += timedelta(days=1, hours=1)
    deliver(strict, b"Message-ID: <9@x.example>\r\n" + old)
    assert len(strict.mails("A")) == had["A"] + 2


# --- a leaked address -----------------------------------------------------------------------------


@pytest.mark.game("coalition", trust="proven", late="deadline")
def test_a_failed_check_beats_a_secret_address(at: Installation) -> None:
    to = str(at.mails("A")[-1]["Reply-To"])
    at.send("A", OLD, To=to, Authentication_Results=vouched("A", "fail"))
    assert at.outcomes()[-1][0] == "unverified" and at.standing("A") == []
    assert "fails your mail provider's check (DMARC)" in told(at, "A")
    assert "counts from when it came" in told(at, "A")
    at.send("A", NEW, To=to)
    at.send("A", f"CONFIRM {code(at, 'A')}")
    at.once()
    assert at.standing("A") == [NEW], "it counts from when it came"


@pytest.mark.parametrize("late", ["until_adjudicated", "deadline"])
def test_a_code_after_the_deadline_is_in_time_until_the_period_closes(
    tmp_path: Path, late: str
) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, trust="proven", late=late) as at:
        at.start()
        due = at.table().period.due
        assert due
        at.clock = due - timedelta(minutes=5)
        at.send("A", OLD, To=str(at.mails("A")[-1]["Reply-To"]), **FAILED)
        at.act(deadline_acts.hold, "g", "so that the period stays open")
        at.clock = due + timedelta(minutes=5)
        at.send("A", f"CONFIRM {code(at, 'A')}")
        at.once()
        assert at.table().period.number == 1 and at.standing("A") == [OLD]


FAILED = {"Authentication_Results": vouched("A", "fail")}
