"""A letter in the order in which it came: each line with what was made of it."""

from pathlib import Path

import pytest

from pbem.letters.letter import Letter, Mark, Understood, marked, read
from pbem.orders.mailwords import peel

CORPORA = Path(__file__).parent.parent / "corpora"


def letter(body: str, kind: str = "text/plain") -> Letter:
    head = f"From: a@b.example\nTo: referee@game.example\nContent-Type: {kind}; charset=utf-8\n\n"
    return read((head + body).encode())


def shown(body: str, *found: Understood, kind: str = "text/plain") -> list[tuple[str, str]]:
    """Each line that says anything, with its mark, or why it was cut."""
    told = letter(body, kind)
    blocks = marked(told, peel(told.text), found)
    return [
        (line.text, block.reason or line.mark)
        for block in blocks
        for line in block.lines
        if line.text.strip()
    ]


def words(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize("file", sorted(CORPORA.rglob("*.eml")), ids=lambda file: file.stem)
def test_nothing_of_a_letter_is_lost(file: Path) -> None:
    """What is read in its pieces is its text, and what is cut in them all that was cut."""
    told = read(file.read_bytes())
    own = [line for one in told.pieces if not one.reason for line in words(one.text)]
    assert own == words(told.text)
    cut = sorted("".join("".join(one.text.split()) for one in told.pieces if one.reason))
    assert cut == sorted("".join("".join(one.text.split()) for one in told.cut))


def test_they_come_in_their_order() -> None:
    body = "one\n> two\nthree\n> four\n\n> five\nsix\n-- \nseven"
    assert shown(body) == [
        ("one", Mark.NOTHING),
        ("> two", "quoted"),
        ("three", Mark.NOTHING),
        ("> four", "quoted"),
        ("> five", "quoted"),
        ("six", Mark.NOTHING),
        ("-- ", "signature"),
        ("seven", "signature"),
    ]


def test_what_a_page_hides_stands_where_it_stood() -> None:
    page = "<p>one</p><p hidden>two</p><p>three</p><blockquote>four</blockquote><p>five</p>"
    assert shown(page, kind="text/html") == [
        ("one", Mark.NOTHING),
        ("two", "hidden"),
        ("three", Mark.NOTHING),
        ("> four", "quoted"),
        ("five", Mark.NOTHING),
    ]


def test_orders_words_and_press_are_marked() -> None:
    body = (
        "VOTE YES\nSTATUS\nPRESS TO B\nhello\nEND PRESS\nPAY 3 TO\n C, and more\nHi\nEND\nVOTE NO"
    )
    found = (
        Understood(1, "VOTE YES", ("VOTE YES ON 4",)),
        Understood(6, "PAY 3 TO C, and more", (), ("no",)),
        Understood(8, "Hi", (), ("I cannot read it",), quiet=True),
    )
    assert [mark for _, mark in shown(body, *found)] == [
        *(Mark.ORDER, Mark.WORD, Mark.PRESS, Mark.PRESS, Mark.PRESS),
        *(Mark.REFUSED, Mark.REFUSED, Mark.NOTHING, Mark.WORD, Mark.BELOW),
    ]
    told = letter(body)
    first = marked(told, peel(told.text), found)[0].lines[0]
    assert first.orders == ("VOTE YES ON 4",) and first.number == 1


def test_an_attached_file_is_named() -> None:
    body = (
        "--x\nContent-Type: text/plain\n\nhello\n--x\nContent-Type: text/plain; name=o.txt\n"
        "Content-Disposition: attachment\n\nVOTE YES\n--x--\n"
    )
    told = letter(body, 'multipart/mixed; boundary="x"')
    found = (Understood(2, "VOTE YES", ("VOTE YES",)),)
    one, other = marked(told, peel(told.text), found)
    assert (one.file, other.file) == ("", "o.txt")
    assert other.lines[0].mark is Mark.ORDER and other.lines[0].number == 2


def test_of_a_signed_letter_its_text_is_read_like_any() -> None:
    body = (
        "VOTE NO\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nVOTE YES\n- - PAY 3\n"
        "-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\nafter"
    )
    assert letter(body).text == "VOTE NO\n\nVOTE YES\n- PAY 3"
    assert [text for text, mark in shown(body) if mark == "OpenPGP data"] == [
        "-----BEGIN PGP SIGNED MESSAGE-----",
        "Hash: SHA256",
        "-----BEGIN PGP SIGNATURE-----",
        "abc",
        "-----END PGP SIGNATURE-----",
        "after",
    ]
