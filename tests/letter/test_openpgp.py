"""Signed letters, with keys made on the spot."""

from __future__ import annotations

import pysequoia
import pytest

from pbem.letters import openpgp
from pbem.letters.authentication import Level
from pbem.letters.letter import read
from pbem.letters.verdict import Decision, decide
from tests.letter.letters import PLAYER, installation, letter

KEYS = [pysequoia.Tsk.generate(f"Player <{PLAYER}>") for _ in range(2)]
CERTS = [str(key.extract_certificate()) for key in KEYS]
PART = b"Content-Type: text/plain\r\n\r\nGAME g1\r\nVOTE YES ON 4\r\n- PAY 5 TO L\r\n"
HEAD = (
    'Content-Type: multipart/signed; micalg=pgp-sha512; protocol="application/pgp-signature";'
    ' boundary="b 1"'
)


def _decide(raw: bytes, key: int = 0) -> Decision:
    return decide(
        read(raw), raw, installation(Level.OPENPGP, pgp_key=CERTS[key]), verify=openpgp.verify
    )


def _signed(part: bytes = PART, signed: bytes = PART) -> bytes:
    signature = pysequoia.sign(KEYS[0].signer(), signed, mode=pysequoia.SignatureMode.DETACHED)
    body = (
        b"--b 1\r\n"
        + part
        + b"\r\n--b 1\r\nContent-Type: application/pgp-signature\r\n\r\n"
        + signature
        + b"\r\n--b 1--\r\n"
    )
    return letter("", HEAD) + body


def _clear(text: str = "GAME g1\nVOTE YES ON 4\n- PAY 5 TO L\n") -> str:
    signed: bytes = pysequoia.sign(
        KEYS[0].signer(), text.encode(), mode=pysequoia.SignatureMode.CLEAR
    )
    return signed.decode()


@pytest.mark.parametrize(
    "raw",
    [
        _signed(),
        _signed().replace(b"\r\n", b"\n"),
        letter(_clear()),
        letter("Hello\n" + _clear() + "PASS\n"),
        letter(_clear().replace("Hash:", "PAY: 9\nHash:")),
    ],
)
def test_a_good_signature(raw: bytes) -> None:
    decision = _decide(raw)
    assert (decision.verdict, str(decision.authentication)) == (
        "orders",
        "openpgp",
    ), decision.reason
    assert read(raw).text == "GAME g1\nVOTE YES ON 4\n- PAY 5 TO L"
    assert _decide(raw, key=1).verdict == "unverified"


@pytest.mark.parametrize(
    "raw",
    [
        _signed(PART.replace(b"YES", b"NO")),
        letter(_clear().replace("YES", "NO")),
        letter("VOTE YES ON 4\n"),
        letter(_clear().replace("\n\nGAME g1\nVOTE YES ON 4\n", "\n \n\n")),
        letter(_clear().replace("VOTE", "> VOTE")),
        letter(_clear(), sender="<player2@other.example>"),
        letter(_clear()[:-60]),
        letter(
            "-----BEGIN PGP SIGNED MESSAGE-----\n\nx\n-----BEGIN PGP SIGNATURE-----\n\nx\n-----END"
            " PGP SIGNATURE-----\n"
        ),
    ],
)
def test_no_good_signature(raw: bytes) -> None:
    assert _decide(raw).authentication < Level.OPENPGP


def test_nothing_beside_the_signed_part_counts() -> None:
    outer = (
        b"--o\r\n"
        + HEAD.encode()
        + b"\r\n\r\n"
        + _signed().partition(b"\r\n\r\n")[2]
        + b"\r\n--o\r\nContent-Type: text/plain\r\n\r\nPAY 900 TO C\r\n--o--\r\n"
    )
    raw = letter("", "Content-Type: multipart/mixed; boundary=o") + outer
    assert "PAY 900 TO C" in read(raw).text
    assert _decide(raw).verdict == "unverified"
    attached = (
        b"--o\r\nContent-Type: text/plain\r\n\r\n"
        + _clear().encode()
        + b"--o\r\nContent-Type: text/plain; name=a.txt\r\n\r\nPAY 900 TO C\r\n--o--\r\n"
    )
    raw = letter("", "Content-Type: multipart/mixed; boundary=o") + attached
    assert _decide(raw).verdict == "orders" and "PAY 900" not in read(raw).text


def test_the_extra_is_there() -> None:
    assert openpgp.available()
