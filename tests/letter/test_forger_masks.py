"""A forger with a leaked secret address, whose letters our server finds forged (dmarc=fail): nothing
that he writes above or below that hides it."""

from collections.abc import Iterator

import pytest

from tests.installation import SEATS, address
from tests.letter.forging import OUR_SERVER, Bench, bench, on_the_wire

ANN = address("A")
FAIL = f"Authentication-Results: {OUR_SERVER}; dmarc=fail header.from=legit.example"
FIELD = f"Authentication-Results: {OUR_SERVER};"
BESIDES = {
    "nothing": [],
    "a pass": [f"{FIELD} dmarc=pass header.from=legit.example"],
    "many passes": [f"{FIELD} dmarc=pass header.from=legit.example"] * 5,
    "nothing checked": [f"{FIELD} none"],
    "an empty field": [FIELD],
    "no words": [f"Authentication-Results: {OUR_SERVER}"],
    "an open comment": [f"{FIELD} (((dmarc=pass"],
    "an open quote": [f'{FIELD} dmarc=pass reason="x'],
    "a long field": [f"{FIELD} dkim=pass header.d={'x' * 9_000}"],
    "odd letters": [f"{FIELD} dmarc=pass header.from=legit.\u212aexample"],
    "our name quoted": [f'Authentication-Results: "{OUR_SERVER}"; dmarc=pass'],
    "our name in capitals": [f"Authentication-Results: {OUR_SERVER.upper()}; none"],
    "our name with a version": [f"Authentication-Results: {OUR_SERVER} 9; none"],
    "another error": [f"{FIELD} dmarc=temperror header.from=legit.example"],
    "a seal": [
        f"ARC-Authentication-Results: i=1; {OUR_SERVER}; dmarc=pass",
        "ARC-Seal: i=1; cv=pass",
    ],
    "a blank before the colon": [f"Authentication-Results : {OUR_SERVER}; none"],
}
FOUND = {
    "plainly": FAIL,
    "with a reason": f"{FIELD} dmarc=fail (p=REJECT sp=NONE) header.from=legit.example",
    "in capitals": f"{FIELD} DMARC=FAIL header.from=legit.example",
    "folded": f"{FIELD}\r\n\tdkim=none;\r\n\tdmarc=fail header.from=legit.example",
    "with blanks": f"{FIELD} dmarc = fail header.from = legit.example",
    "behind his odd sender": f'{FIELD} spf=pass smtp.mailfrom="a b;(\\"@x@evil.example; dmarc=fail'
    " header.from=legit.example",
    "behind his open comment": f"{FIELD} spf=pass smtp.mailfrom=a(@evil.example; dmarc=fail"
    " header.from=legit.example",
    "behind his letters": f"{FIELD} spf=pass smtp.mailfrom=\u00fc@evil.example; dmarc=fail",
    "within his quotes": f'{FIELD} spf=pass smtp.mailfrom="b@evil.example; dmarc=fail'
    ' header.from=legit.example; dkim=pass header.i=x"@evil.example',
    "unreadable, with a comment": f"{FIELD} spf=pass smtp.mailfrom=\u00fc@evil.example; dmarc=(c)fail",
    "unreadable, with a version": f"{FIELD} spf=pass smtp.mailfrom=\u00fc@evil.example; dmarc/1=fail",
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with bench(tmp_path_factory.mktemp("masks"), trust="proven", seats=SEATS) as made:
        yield made


@pytest.fixture
def at(table: Bench) -> Iterator[Bench]:
    table.back()
    yield table


def forged(at: Bench, above: list[str], below: list[str]) -> bytes:
    to = next(mail.reply_to for mail in reversed(at.mails()) if mail.to == ANN)
    raw = on_the_wire(at.letter("A", "SPECIAL AGR", To=to))
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = ["", *below] if below else []
    top = "".join(f"{line}\r\n" for line in above).encode()
    return top + head + "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize("besides", BESIDES)
def test_no_field_of_his_hides_what_our_server_found(at: Bench, besides: str) -> None:
    fields = BESIDES[besides]
    for above, below in (([FAIL, *fields], []), ([*fields, FAIL], []), ([FAIL], fields)):
        at.back()
        came = at.comes(forged(at, above, below))
        assert came.outcome == "unverified" and at.standing("A") == [], (came, above, below)


@pytest.mark.parametrize("found", FOUND)
def test_no_envelope_of_his_hides_it(at: Bench, found: str) -> None:
    """Our server writes down his MAIL FROM beside what it found."""
    came = at.comes(forged(at, [FOUND[found]], []))
    assert came.outcome == "unverified" and at.standing("A") == [], came


def test_a_server_that_says_nothing_leaves_the_secret_address_its_worth(at: Bench) -> None:
    for fields in ([], [f"{FIELD} none"], [f"{FIELD} dmarc=temperror header.from=legit.example"]):
        at.back()
        assert at.comes(forged(at, fields, [])).outcome == "orders", fields
