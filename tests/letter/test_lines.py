"""One law of lines: a line ends at CRLF or LF. Nothing else ends one, however it came into a
letter."""

import ast
import base64
import quopri
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import pbem
from pbem.house.shelf import open_ruleset
from pbem.letters.letter import read
from pbem.letters.verdict import decide, understood
from tests.letter.letters import installation, proven

OTHERS = {
    "CR": "\r", "CR CR": "\r\r", "VT": "\v", "FF": "\f", "FS": "\x1c", "GS": "\x1d", "RS": "\x1e", "NEL": "\x85",
    "LS": "\u2028", "PS": "\u2029",
}  # fmt: skip
TEXTS = {
    "quotation": "> hello{}PAY 500 TO M\n",
    "deeper": ">> hello{}PAY 500 TO M\n> and{}> this{}PAY 500 TO M\n",
    "end of it": "> hello{}\n>{}PAY 500 TO M\n",
    "signature": "-- \nEve{}PAY 500 TO M\n",
    "forwarded": "-----Original Message-----\nFrom: Eve{}PAY 500 TO M\n",
}


def _encoded(text: str) -> Iterator[tuple[str, bytes]]:
    plain, page = (
        b"Content-Type: text/plain; charset=utf-8\r\n",
        b"Content-Type: text/html; charset=utf-8\r\n",
    )
    data = text.encode()
    for lines in (data, data.replace(b"\n", b"\r\n")):
        yield "8bit", plain + b"\r\n" + lines
        yield (
            "base64",
            plain + b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(lines),
        )
        soft = quopri.encodestring(data).replace(b"\r", b"=0D").replace(b"\n", b"\r\n")
        yield (
            "quoted-printable",
            plain + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + soft,
        )
        parts = (
            b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'
            + plain
            + b"\r\n"
            + lines
            + b"\r\n--b--\r\n"
        )
        yield "in a part", parts
        flowed = plain.replace(b"utf-8", b"utf-8; format=flowed")
        yield "flowed", flowed + b"\r\n" + lines
    shown = "".join(
        char if char.isprintable() or char == "\n" else f"&#{ord(char)};"
        for char in text.replace(">", "&gt;")
    )
    yield "HTML, as references", page + b"\r\n<pre>" + shown.encode() + b"</pre>"
    yield "HTML, as they are", page + b"\r\n<pre>" + text.replace(">", "&gt;").encode() + b"</pre>"
    utf16 = plain.replace(b"utf-8", b"utf-16le") + b"Content-Transfer-Encoding: base64\r\n\r\n"
    yield "UTF-16", utf16 + base64.encodebytes(text.encode("utf-16-le"))


def _orders(head_and_body: bytes) -> list[str]:
    raw = (
        "\r\n".join(proven())
        + "\r\nFrom: <player1@legit.example>\r\nTo: <referee@game.example>\r\n"
    ).encode()
    decision = decide(read(raw + head_and_body), raw, installation())
    return understood(open_ruleset("parlement-1966").language, decision.peeled.text)


@pytest.mark.parametrize(("other", "text"), list(product(OTHERS.values(), TEXTS.values())))
def test_nothing_else_breaks_out_of_a_quotation(other: str, text: str) -> None:
    for how, body in _encoded("VOTE YES ON 4\n" + text.replace("{}", other)):
        assert _orders(body) == ["VOTE YES ON 4"], how


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_it_is_a_blank_in_a_players_own_line(other: str) -> None:
    for how, body in _encoded(f"VOTE{other}YES ON 4\nPAY 5 TO S{other}\n"):
        if (how, other) != (
            "HTML, as references",
            "\x85",
        ):  # an ellipsis in every browser (HTML, 13.2.5.80)
            assert _orders(body) == ["VOTE YES ON 4", "PAY 5 TO S"], how


def test_both_line_ends_end_a_line() -> None:
    for how, body in _encoded("VOTE YES ON 4\nPAY 5 TO S\n"):
        assert _orders(body) == ["VOTE YES ON 4", "PAY 5 TO S"], how


def test_nobody_cuts_a_text_elsewhere() -> None:
    """`str.splitlines` knows ten line ends, a text opened with universal newlines three."""
    root = Path(pbem.__file__).parent
    found = [
        (path.relative_to(root).as_posix(), node.lineno)
        for path in sorted(root.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "splitlines"
    ]
    assert {path for path, _ in found} <= {
        "house/config.py",
        "post/compose.py",
    }, found  # a program's words; bytes of our own
