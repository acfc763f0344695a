"""Parts of odd types and charsets: what is read as the writer's words, and what the gamesmaster is
told is not."""

import base64
from itertools import product

import pytest

from pbem.letters.letter import read
from tests.letter.letters import decided, letter
from tests.letter.own_lines import plain_lines

MINE, TWO = "VOTE YES ON 4", "VOTE YES ON 4\r\nPAY 5 TO L"


def _mixed(*parts: str, kind: str = "mixed") -> bytes:
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    return letter(body, f"Content-Type: multipart/{kind}; boundary=b")


READ = {
    "a semicolon missing": ("text/plain charset=utf-8", MINE),
    "in quotation marks": ('"text/html"', f"<p>{MINE}</p>"),
    "turned round": ("plain/text", MINE),
    "of another plain kind": ("text/markdown; charset=utf-8", MINE),
    "of no known kind": ("text/x-orders", MINE),
}


@pytest.mark.parametrize(("kind", "body"), READ.values(), ids=READ)
def test_bodies_that_are_read(kind: str, body: str) -> None:
    found = read(letter(body, f"Content-Type: {kind}"))
    assert plain_lines(found) == [MINE] and not found.notes


UNREAD = (
    "text/enriched text/calendar text/csv text/vcard text/x-amp-html message/partial"
    " application/octet-stream"
)


@pytest.mark.parametrize("kind", UNREAD.split())
def test_bodies_that_are_not(kind: str) -> None:
    found = read(letter(MINE, f"Content-Type: {kind}"))
    assert not found.text and found.notes == (f"part not read: {kind}",)


def test_pictures_need_no_note() -> None:
    picture = "Content-Type: image/png\nContent-Disposition: inline\n\nx"
    assert not read(_mixed(f"Content-Type: text/plain\n\n{MINE}", picture)).notes


@pytest.mark.parametrize(
    "kind", ["application/text", "application/x-download", "text/x-orders", "text/markdown"]
)
def test_kinds_of_order_files(kind: str) -> None:
    file = (
        f'Content-Type: {kind}; name="o.txt"\nContent-Disposition: attachment;'
        f' filename="o.txt"\n\n{MINE}'
    )
    found = read(_mixed("Content-Type: text/plain\n\nsee the file", file))
    assert (plain_lines(found), found.attachments) == (["see the file", MINE], ("o.txt",))


@pytest.mark.parametrize("empty", ["\u00a0", "\u200b", "\ufeff", "\ufffc", " \u00ad\n"])
def test_a_plain_part_that_says_nothing_gives_way(empty: str) -> None:
    plain, page = (
        f"Content-Type: text/plain; charset=utf-8\n\n{empty}\n",
        f"Content-Type: text/html\n\n<p>{MINE}",
    )
    assert plain_lines(read(_mixed(plain, page, kind="alternative"))) == [MINE]


@pytest.mark.parametrize(
    ("page", "left"),
    [
        (f"<p><s>{MINE}</s><p>PASS", ["PASS"]),
        (f'<p style="text-decoration:line-through">{MINE}</p><p>PASS', ["PASS"]),
        (f"<p><del>{MINE}</del><p>{MINE}<p>PASS", [MINE, "PASS"]),
        (f"<p>{MINE}<p>PASS", [MINE, "PASS"]),
        (f"<s>{MINE}</s>{'<i>' * 40_000}", [MINE, "PASS"]),
    ],
)
def test_what_the_page_strikes_out_the_plain_part_beside_it_does_not_say(
    page: str, left: list[str]
) -> None:
    plain = f"Content-Type: text/plain\n\n{MINE}\nPASS\n"
    found = read(_mixed(plain, f"Content-Type: text/html\n\n{page}", kind="alternative"))
    assert plain_lines(found) == left


CODED = {
    "no mark, low half first": ("utf-16", TWO.encode("utf-16-le")),
    "no mark, high half first": ("utf-16", TWO.encode("utf-16-be")),
    "a mark and no label": ("", TWO.encode("utf-16")),
    "a mark and another label": ("windows-1252", TWO.encode("utf-16")),
    "the other mark": ("utf-8", b"\xfe\xff" + TWO.encode("utf-16-be")),
    "a mark of UTF-8 and another label": ("iso-8859-1", TWO.encode("utf-8-sig")),
}


@pytest.mark.parametrize(("charset", "raw"), CODED.values(), ids=CODED)
def test_byte_order(charset: str, raw: bytes) -> None:
    kind = f"text/plain; charset={charset}" if charset else "text/plain"
    head = (f"Content-Type: {kind}", "Content-Transfer-Encoding: base64")
    found = read(letter(base64.encodebytes(raw).decode(), *head))
    assert plain_lines(found) == TWO.split("\r\n") and not found.notes


def test_blanks_behind_a_soft_line_break() -> None:
    raw = letter(
        "VOTE YES =  \nON 4\nPAY =20\n5",
        "Content-Type: text/plain",
        "Content-Transfer-Encoding: quoted-printable",
    )
    assert read(raw).text == "VOTE YES ON 4\nPAY\n5"


@pytest.mark.parametrize("charset", ["utf-8", "us-ascii", "x-unknown", "utf-8\0", "*=x"])
def test_bytes_that_quoted_printable_should_have_coded(charset: str) -> None:
    head = (
        "Content-Transfer-Encoding: quoted-printable",
        f"Content-Type: text/plain; charset={charset}",
    )
    assert read(letter("PAY 5 TO L=C3=B6we ö", *head)).text == "PAY 5 TO Löwe ö"


KINDS = (
    "text/plain",
    "multipart/signed",
    "multipart/mixed",
    "message/delivery-status",
    "message/global-delivery-status",
)


@pytest.mark.parametrize(
    ("kind", "charset"), list(product(KINDS, ('"\0"', "x-unknown", "*=x", "*0*=utf-8''x")))
)
def test_charsets_that_cannot_be_looked_up(kind: str, charset: str) -> None:
    name = "charset" if charset.startswith("*") else "charset="
    raw = letter(
        "ö\n\nFinal-Recipient: ö\n",
        f"Content-Type: {kind}; {name}{charset}",
        "Return-Path: <>",
        sender="<>",
    )
    assert decided(read(raw), raw).verdict
