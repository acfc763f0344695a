"""A text that Ann signed, in the hands of somebody to whom she sent it: it counts once, in the game
and the period that it names, however it is wrapped."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pysequoia
import pytest

from pbem.periods import deadline_acts, players
from tests.installation import SEATS, address
from tests.letter.forging import Bench, bench

ANN = address("A")
KEY, OTHER = (pysequoia.Tsk.generate(f"Ann <{one}>") for one in (ANN, "ally@else.example"))
HEAD = "GAME g\nPERIOD 1\n"
ORDERS, NEWER = f"{HEAD}SPECIAL AGR\n", f"{HEAD}SPECIAL ENV\n"
CLEAR, DETACHED = pysequoia.SignatureMode.CLEAR, pysequoia.SignatureMode.DETACHED


def signed(text: str, key: pysequoia.Tsk = KEY) -> str:
    return pysequoia.sign(key.signer(), text.encode(), mode=CLEAR).decode()


def in_parts(at: Bench, text: str) -> bytes:
    """Signed as PGP/MIME."""
    part = f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}".replace("\r\n", "\n")
    part = part.replace("\n", "\r\n")
    mark = pysequoia.sign(KEY.signer(), part.encode(), mode=DETACHED).decode()
    head = at.letter("A", "x").decode().partition("\n\n")[0]
    head = re.sub(r"(?m)^(Content-|MIME-).*\n?", "", head).rstrip("\n")
    kind = 'multipart/signed; micalg=pgp-sha512; protocol="application/pgp-signature"; boundary="b"'
    lines = [f"MIME-Version: 1.0\nContent-Type: {kind}\n", f"--b\n{part}\n--b"]
    lines.append(f"Content-Type: application/pgp-signature\n\n{mark}\n--b--\n")
    return f"{head}\n{lines[0]}\n{lines[1]}\n{lines[2]}".encode()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with bench(tmp_path_factory.mktemp("signed"), trust="openpgp", seats=SEATS) as made:
        with made.at.daemon.installation.work(made.now) as work:
            for who in (ANN, address("B")):
                players.register_key(work, who, str(KEY.extract_certificate()))
        made.keep()
        yield made


@pytest.fixture
def at(table: Bench) -> Iterator[Bench]:
    table.back()
    yield table


def armour(said: str) -> str:
    """The signature's own lines in other ones."""
    head, mark, block = said.partition("-----BEGIN PGP SIGNATURE-----")
    body = re.sub(r"\s|=....$", "", block.partition("-----END")[0].partition("\n\n")[2].strip())
    whole = base64.b64decode(re.sub(r"=[A-Za-z0-9+/]{4}$", "", body) + "==", validate=False)
    lines = re.findall(".{1,40}", base64.b64encode(whole).decode())
    return (
        f"{head}{mark}\nComment: again\n\n" + "\n".join(lines) + "\n-----END PGP SIGNATURE-----\n"
    )


WRAPPED: dict[str, Callable[[str], str]] = {
    "as it is": lambda said: said,
    "with words around it": lambda said: f"Dear referee,\n\nSPECIAL JUS\n\n{said}\n\nSPECIAL TRA\n",
    "with blanks at the ends": lambda said: said.replace("AGR\n", "AGR  \t\n"),
    "in other lines of armour": armour,
    "twice": lambda said: f"{said}\n{said}",
    "behind the ally's own": lambda said: f"{signed('GAME g', OTHER)}\n{said}",
    "before the ally's own": lambda said: f"{said}\n{signed('GAME g', OTHER)}",
    "with a line before the text": lambda said: said.replace("\n\n", "\nComment: x\n\n", 1),
    "quoted": lambda said: "".join(f"> {line}\n" for line in said.split("\n")),
}


@pytest.mark.parametrize("form", WRAPPED)
def test_a_signed_text_counts_once(at: Bench, form: str) -> None:
    text = signed(ORDERS)
    at.comes(at.letter("A", text))
    assert at.standing("A") == ["SPECIAL AGR"]
    at.comes(at.letter("A", signed(NEWER)))
    assert at.standing("A") == ["SPECIAL ENV"]
    at.comes(at.letter("A", WRAPPED[form](text)))
    assert at.standing("A") == ["SPECIAL ENV"]


def test_a_part_that_is_signed_counts_once(at: Bench) -> None:
    raw = in_parts(at, ORDERS)
    at.comes(raw)
    assert at.standing("A") == ["SPECIAL AGR"]
    at.comes(at.letter("A", signed(NEWER)))
    for was, now in (
        (b"Message-ID: <", b"Message-ID: <x"),
        (b"\nSubject: ", b"\nX-More: 1\nSubject: Re: "),
        (b'boundary="b"', b'boundary="b"; x=1'),
    ):
        at.comes(raw.replace(was, now).replace(b"Message-ID: <", b"Message-ID: <y", 1))
        assert at.standing("A") == ["SPECIAL ENV"]


@pytest.mark.parametrize("form", WRAPPED)
def test_it_does_not_count_in_the_next_period(at: Bench, form: str) -> None:
    """Nor where it was never sent here before: it is for the period that it names."""
    text = signed(ORDERS)
    _next_period(at)
    at.comes(at.letter("A", WRAPPED[form](text)))
    assert at.standing("A") == []


def test_a_text_for_the_next_period_counts_in_it_only_if_it_was_signed_in_it(at: Bench) -> None:
    """Else an ally keeps what she signed for later, and chooses when."""
    early = signed(ORDERS.replace("PERIOD 1", "PERIOD 2"))
    at.comes(at.letter("A", early))
    assert at.standing("A") == []
    _next_period(at)
    at.comes(at.letter("A", early))
    assert at.standing("A") == []


def _next_period(at: Bench) -> None:
    at.now += timedelta(hours=30)
    with at.at.daemon.installation.work(at.now) as work:
        deadline_acts.close(work, "g", None)
    at.now += timedelta(minutes=1)


TO_AN_ALLY = (
    "PAY 999 TO B\nSPECIAL AGR\n",
    "What I might send:\n\nSPECIAL AGR\n",
    "GAME g\nSPECIAL AGR\n",
    "PERIOD 1\nSPECIAL AGR\n",
    "GAME h\nPERIOD 1\nSPECIAL AGR\n",
    "GAME g\nGAME h\nPERIOD 1\nSPECIAL AGR\n",
    "GAME g\nPERIOD 7\nSPECIAL AGR\n",
    "> GAME g\n> PERIOD 1\nSPECIAL AGR\n",
    "GAME g\nPERIOD 1\nSPECIAL AGR\nGAME h\n",
)


@pytest.mark.parametrize("text", TO_AN_ALLY)
@pytest.mark.parametrize("around", ["", "GAME g\nPERIOD 1\n\n"])
def test_what_she_signed_for_an_ally_is_no_letter_to_us(at: Bench, text: str, around: str) -> None:
    """The lines GAME and PERIOD must stand in what she signed, not beside it."""
    came = at.comes(at.letter("A", around + signed(text), Subject="[g] orders"))
    assert at.standing("A") == []
    assert came.outcome == "unverified" or came.to(ANN), came
    assert {mail.to for mail in came.mails} <= {ANN}


def test_a_signature_of_another_time_is_asked_about(at: Bench) -> None:
    text = signed(ORDERS)
    for days in (4, 40, 400):
        at.back()
        at.now += timedelta(days=days)
        at.comes(at.letter("A", text))
        assert at.standing("A") == [], days


def test_one_key_of_two_players_is_not_each_others(at: Bench) -> None:
    """What Ann signed does not count from Bob's address, though her key is registered for him too
    (one person, two addresses): it is hers once it has counted."""
    text = signed(ORDERS)
    at.comes(at.letter("A", text))
    at.comes(at.letter("B", text))
    assert (at.standing("A"), at.standing("B")) == (["SPECIAL AGR"], [])
