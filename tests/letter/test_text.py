"""What counts as a letter's own text: quotations of the usual mail programs, parts, a closed list of charsets,
soft line breaks; a line ends at CRLF or LF and nowhere else."""

import ast
import base64
import codecs
import encodings.aliases
import json
import quopri
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import pbem
from pbem.house.shelf import open_ruleset
from pbem.letters.letter import read
from pbem.letters.reading import headers
from pbem.letters.reading.headers import decode, known
from pbem.letters.verdict import understood
from tests.letter.letters import CORPORA, decided, letter, own, proven
from tests.letter.own_lines import plain_lines
from tests.letter.test_parts import _mixed

REPLIES = CORPORA / "replies"
NAMES = sorted(path.name for path in (REPLIES / "emails").iterdir())
OURS_IS_STRICTER = {"embedded_email_18.txt"}
"""An unmarked text under "On ... X wrote:" is X's to us; the corpus takes it for the writer's
own."""


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("name", NAMES)
def test_replies(name: str) -> None:
    text, trimmed = (
        (REPLIES / folder / name).read_text(encoding="utf-8") for folder in ("emails", "trimmed")
    )
    mine = _lines(own(text).text)
    if name not in OURS_IS_STRICTER:
        assert mine == _lines(trimmed)
    elided = REPLIES / "elided" / name
    if elided.exists():
        cut = set(_lines(elided.read_text(encoding="utf-8"))) - set(_lines(trimmed))
        assert not cut & set(mine)
    assert not any(line.startswith(">") for line in mine)


def test_an_order_above_a_heading_is_not_swallowed_by_it() -> None:
    mine = own(
        "VOTE YES ON 4\nOn Mon, 2 Nov 2026 at 10:00 Referee\n<referee@game.example> wrote:\n>"
        " x\nVOTE YES ON 5"
    ).text
    assert _lines(mine) == ["VOTE YES ON 4", "VOTE YES ON 5"]


GMAIL = (
    '<div dir="ltr">VOTE YES ON 4<div><br></div></div><br><div class="gmail_quote"><div dir="ltr"'
    ' class="gmail_attr">On Mon, Nov 2, 2026 at 10:00 AM Referee &lt;<a'
    ' href="mailto:referee@game.example">referee@game.example</a>&gt; wrote:<br></div><blockquote'
    ' class="gmail_quote" style="margin:0">VOTE NO ON 4<br>PAY 900 TO C</blockquote></div>'
)
OUTLOOK = (
    "<html><head><style>p {margin:0}</style></head><body><p class=MsoNormal>VOTE YES ON"
    " 4<o:p></o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p"
    " class=MsoNormal><b>From:</b> Referee &lt;r@g.example&gt; <br><b>Sent:</b> Monday, November 2,"
    " 2026 10:00 AM<br><b>To:</b> Player<br><b>Subject:</b> x</p></div><p class=MsoNormal>VOTE NO"
    " ON 4</p></body></html>"
)
APPLE = (
    "<body>VOTE YES ON 4<br><div><br><blockquote type='cite'><div>"
    "On 2 Nov 2026, at 10:00, Referee &lt;r@g.example&gt; wrote:"
    "</div><div>VOTE NO ON 4</div></blockquote></div></body>"
)
BOTTOM = (
    "<p>On 2/11/26 10:00, Referee wrote:<br></p><blockquote type=cite><p>VOTE NO ON"
    " 4</p></blockquote><p>VOTE YES ON 4</p><div class='moz-signature'>PAY 9 TO C</div>"
)


@pytest.mark.parametrize(
    "page",
    [GMAIL, OUTLOOK, APPLE, BOTTOM, "VOTE&nbsp;YES<!-- x --> ON<br/>4".replace("<br/>", " ")],
)
def test_html_replies(page: str) -> None:
    assert plain_lines(read(letter(page, "Content-Type: text/html; charset=utf-8"))) == [
        "VOTE YES ON 4"
    ]


def test_html_lines() -> None:
    table = "<table><tr><td>VOTE</td><td>YES ON 4</td></tr><tr><td>PASS</td></tr></table>"
    page = f"{table}<ul><li>PAY 5 TO L<li>A &lt; B</ul><pre>X\nY  Z</pre>"
    assert plain_lines(read(letter(page, "Content-Type: text/html"))) == [
        "VOTE YES ON 4",
        "PASS",
        "PAY 5 TO L",
        "A < B",
        "X",
        "Y Z",
    ]


@pytest.mark.parametrize(
    ("charset", "raw", "noted"),
    [
        ("utf-8", "PAY 5 TO Löwe".encode(), False),
        ("iso-8859-1", "PAY 5 TO Löwe".encode("latin-1"), False),
        ("utf-8", "PAY 5 TO Löwe".encode("latin-1"), True),
        ("utf-8", "PAY 5 TO Löwe".encode(), False),
        ("us-ascii", "PAY 5 TO Löwe".encode(), True),
        ("x-nonsense", "PAY 5 TO Löwe".encode(), True),
        ("utf-16", "PAY 5 TO Löwe".encode("utf-16"), False),
        ("windows-1252", "PAY 5 TO Löwe".encode("cp1252"), False),
        ("base64", "PAY 5 TO Löwe".encode(), True),
        ("", "PAY 5 TO Löwe".encode(), False),
        ("", "PAY 5 TO Löwe".encode("cp1252"), True),
    ],
)
@pytest.mark.parametrize("encoding", ["8bit", "base64", "quoted-printable"])
def test_charsets_and_encodings(charset: str, raw: bytes, noted: bool, encoding: str) -> None:
    coded = {
        "8bit": raw,
        "base64": base64.encodebytes(raw),
        "quoted-printable": quopri.encodestring(raw),
    }[encoding]
    if encoding == "8bit" and charset == "utf-16":
        return
    head = (
        "From: <a@b.example>\nContent-Type: text/plain;"
        f' charset="{charset}"\nContent-Transfer-Encoding: {encoding}\n\n'
    )
    found = read(head.encode() + coded)
    assert found.text.rstrip("\n") == "PAY 5 TO Löwe"
    assert bool(found.notes) == noted


def test_flowed() -> None:
    head = "Content-Type: text/plain; format=flowed; charset=utf-8"
    assert (
        read(letter("PAY 500 \nTO L\n VOTE\n> VOTE NO \n> ON 4\n-- \nme\n", head)).text
        == "PAY 500 TO L\nVOTE"
    )
    assert read(letter("PAY 5 \n00 TO L\n", head + "; delsp=yes")).text == "PAY 500 TO L"


PLAIN = "Content-Type: text/plain\n\n"
HTML = "Content-Type: text/html\n\n"


def test_plain_before_html() -> None:
    assert (
        read(_mixed(PLAIN + "VOTE YES ON 4", HTML + "<p>VOTE NO ON 4", kind="alternative")).text
        == "VOTE YES ON 4"
    )
    assert (
        read(_mixed(HTML + "<p>VOTE NO ON 4", PLAIN + "VOTE YES ON 4", kind="alternative")).text
        == "VOTE YES ON 4"
    )
    assert (
        read(_mixed(PLAIN + "  ", HTML + "<p>VOTE YES ON 4", kind="alternative")).text
        == "VOTE YES ON 4"
    )


def test_order_files() -> None:
    file = 'Content-Type: text/plain; name="orders.txt"\n'
    file += 'Content-Disposition: attachment; filename="orders.txt"\n\nVOTE YES ON 4\n> PASS'
    found = read(_mixed(PLAIN + "My orders are attached.\n-- \nme", file))
    assert found.text.split() == ["My", "orders", "are", "attached.", "VOTE", "YES", "ON", "4"]
    assert found.attachments == ("orders.txt",)
    octets = file.replace("text/plain", "application/octet-stream")
    assert "VOTE YES ON 4" in read(_mixed(octets)).text


def test_what_is_no_order_file() -> None:
    forwarded = "Content-Type: message/rfc822\n\nFrom: <x@y.example>\n\nVOTE NO ON 4"
    page = (
        'Content-Type: text/html\nContent-Disposition: attachment; filename="x.html"\n\nVOTE NO'
        " ON 4"
    )
    found = read(
        _mixed(
            PLAIN + "VOTE YES ON 4",
            forwarded,
            page,
            "Content-Type: image/png; name=a.png\n\nVOTE NO ON 4",
        )
    )
    assert found.text == "VOTE YES ON 4"
    assert "a forwarded letter" in {cut.reason for cut in found.cut}
    assert any("a.png" in note for note in found.notes)


def test_of_related_parts_only_the_root_is_shown() -> None:
    """RFC 2387, 3.2: the others are what it refers to."""
    for other in (PLAIN, HTML):
        kept = other.replace("\n\n", "\nContent-ID: <a>\n\n")
        raw = _mixed(HTML + "<p>VOTE YES ON 4</p>", kept + "PAY 900 TO C", kind="related")
        assert read(raw).text == "VOTE YES ON 4"
    started = raw.replace(b"related;", b'related; start="<a>";')
    assert read(started).text == "PAY 900 TO C"


@pytest.mark.parametrize(
    "boundary", ["boundary*=idna''x", "boundary*=undefined''x", "boundary*=punycode''x%ff"]
)
@pytest.mark.parametrize("kind", ["mixed", "report", "signed"])
def test_a_boundary_that_python_stumbles_over_is_a_limit(boundary: str, kind: str) -> None:
    found = read(
        letter("--x\n\nVOTE YES ON 4\n--x--\n", f"Content-Type: multipart/{kind}; {boundary}")
    )
    assert (found.text, found.refused) == ("", "its parts cannot be told apart")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain", "-----BEGIN PGP MESSAGE-----\n\nwcFMA\n-----END PGP MESSAGE-----"),
        (
            'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
            "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type:"
            " application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n--b--",
        ),
    ],
)
def test_an_encrypted_letter_is_answered_that_it_cannot_be_read(kind: str, body: str) -> None:
    said = read(letter(body, f"Content-Type: {kind}"))
    assert said.unreadable.startswith("I cannot read an encrypted letter. Send your letter again")


def test_two_content_types_are_none() -> None:
    """Of two that differ each program takes another: what one hides the other shows."""
    page, hidden = "Content-Type: text/html", "<div hidden>\nPAY 900 TO C\n</div>"
    assert (
        read(letter(hidden, "Content-Type: text/plain", page)).refused
        == "two content-type fields that differ"
    )
    assert read(letter("PAY 5 TO L", page, page)).text == "PAY 5 TO L"


def test_text_around_a_picture_is_one_text() -> None:
    picture = "Content-Type: image/png\nContent-Disposition: inline\n\nx"
    assert read(_mixed(PLAIN + "VOTE YES ON 4", picture, PLAIN + "PASS")).text.split("\n") == [
        "VOTE YES ON 4",
        "PASS",
    ]


def test_torture_reads_alike_with_either_line_end() -> None:
    for path in sorted((CORPORA / "mime_torture").rglob("*.eml")):
        raw = path.read_bytes().replace(b"\r\n", b"\n")
        one, other = read(raw), read(raw.replace(b"\n", b"\r\n"))
        assert (one.text, one.body_hash, one.subject, one.recipients) == (
            other.text,
            other.body_hash,
            other.subject,
            other.recipients,
        ), path
        assert not one.refused, path
        json.dumps([one.text, one.subject, *one.notes])


def test_subjects_and_identifiers() -> None:
    raw = letter(
        "x",
        "In-Reply-To: <a@b> (comment) junk",
        "References: <a@b>\r\n <c@d>\r\n <e f>",
        "Reply-To: <z@z.example>",
    ).replace(
        b"Subject: orders",
        b"Subject: =?utf-8?q?Re=3A_=5Bg1=5D?= =?utf-8?b?IMO8YmVy?=\r\n =?x?q?bad?=",
    )
    found = read(raw)
    assert (found.in_reply_to, found.references) == (("<a@b>",), ("<a@b>", "<c@d>"))
    assert found.subject == "Re: [g1] überbad"


def test_body_hash_is_the_letters_not_its_ways() -> None:
    one = letter("VOTE YES ON 4  \n\n")
    other = letter("VOTE YES ON 4\n", "Received: by another way")
    assert read(one).body_hash == read(other).body_hash != read(letter("VOTE YES ON 5\n")).body_hash
    assert read(one).raw_hash != read(other).raw_hash


@pytest.mark.parametrize(
    "page",
    [
        "<html><head><title>x</title><body>VOTE YES ON 4</body>",
        "<p hidden>x<p>VOTE YES ON 4",
        "<ul><li hidden>x<li>VOTE YES ON 4</ul>",
        "<table><tr hidden><td>x<tr><td>VOTE YES ON 4",
        '<p style="font-size:10px;left:-5px;opacity:0.9;max-height:01px">VOTE YES ON 4',
        '<p style="background-color:white;border-color:transparent">VOTE YES ON 4',
    ],
)
def test_what_is_seen_is_read(page: str) -> None:
    assert plain_lines(read(letter(page, "Content-Type: text/html"))) == ["VOTE YES ON 4"]


def test_a_note_about_a_charset_is_one_harmless_line() -> None:
    found = read(
        letter("VOTE YES ON 4", "Content-Type: text/plain; charset*=utf-8''x%0d%0aVOTE%20NO")
    )
    assert found.notes == ("read as utf-8, since it is not x vote no",)


def test_old_quotation_marks_are_marks_too() -> None:
    assert read(letter("VOTE YES ON 4\n: PAY 900 TO C")).text == "VOTE YES ON 4"


ENCODING_STANDARD = """
unicode-1-1-utf-8 utf-8 utf8 866 cp866 csibm866 ibm866 csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2
iso_8859-2:1987 l2 latin2 iso-8859-3 l3 iso-8859-4 iso-8859-5 cyrillic arabic asmo-708 ecma-114 iso-8859-6 iso-8859-6-e
iso-8859-6-i ecma-118 elot_928 greek greek8 iso-8859-7 sun_eu_greek hebrew iso-8859-8 iso-8859-8-e visual iso-8859-8-i logical
iso-8859-10 l6 latin6 iso-8859-13 iso-8859-14 iso-8859-15 l9 iso-8859-16 koi8-r koi koi8 cskoi8r koi8-ru koi8-u macintosh mac
x-mac-roman dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874 windows-1250 x-cp1250 windows-1251 cp1251
ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1
latin1 us-ascii windows-1252 x-cp1252 windows-1253 windows-1254 iso-8859-9 latin5 windows-1255 windows-1256 windows-1257
windows-1258 x-mac-cyrillic x-mac-ukrainian chinese csgb2312 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030 big5
big5-hkscs cn-big5 csbig5 x-x-big5 euc-jp x-euc-jp csiso2022jp iso-2022-jp csshiftjis ms932 ms_kanji shift-jis shift_jis sjis
windows-31j x-sjis cseuckr csksc56011987 euc-kr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
utf-16be utf-16le utf-16 ucs-2 unicode csunicode iso-10646-ucs-2 unicodefeff unicodefffe x-user-defined
"""
MIME = (
    "US-ASCII ISO-8859-1 ISO_8859-15 Shift_JIS EUC-JP ISO-2022-KR ISO-2022-JP-2 GB2312 Big5 KOI8-R"
    " HZ-GB-2312 IBM850"
)
NEVER = """
unicode-escape unicode_escape UNICODE-ESCAPE raw-unicode-escape raw_unicode_escape idna punycode rot13 rot-13 rot_13 undefined
mbcs oem dbcs utf-7 utf7 unicode-1-1-utf-7 utf-8-sig utf_8_sig utf-8sig utf-32 utf-32-le base64 base64_codec hex uu quopri bz2
zlib zip cp037 ebcdic-cp-us ibm500 cp500 cp1140 string-escape unicode-internal unicode\N{LATIN SMALL LETTER DOTLESS I}
"""
ESCAPED = r"x\u000aPAY 900 TO C\x0aPAY 901 TO C\nPAY 902 TO C"


def test_every_label_of_the_list() -> None:
    for label in (*ENCODING_STANDARD.split(), *MIME.split()):
        dashes = (label.replace("-", "_"), label.replace("_", "-"))
        for written in (label, label.upper(), f" {label} ", f'"{label}"', *dashes):
            assert known(written), written
        codec = codecs.lookup(known(label)).name
        assert decode("VOTE YES ON 4".encode(codec), label) == ("VOTE YES ON 4", ""), label


def test_never() -> None:
    coded = {"8bit": ESCAPED, "base64": base64.b64encode(ESCAPED.encode()).decode()}
    for label, way in product(NEVER.split(), coded):
        assert not known(label), label
        kind = f"Content-Type: text/plain; charset={label}"
        found = read(letter(coded[way], kind, f"Content-Transfer-Encoding: {way}"))
        assert found.text.strip() == ESCAPED, label
        assert found.notes or not label.isascii(), label


def test_never_in_a_header_nor_in_a_parameter() -> None:
    mixed = "Content-Type: multipart/mixed; boundary"
    for label in NEVER.split():
        word = f"=?{label}?q?x=5Cu000aVOTE?="
        assert headers.words(word) in (r"x\u000aVOTE", word), label
        name = f"Content-Type: text/plain; name*={label}''x%5Cu002etxt"
        part = f"{name}\nContent-Disposition: attachment\n\nPASS"
        raw = letter(f"--b\n\nhello\n--b\n{part}\n--b--\n", f"{mixed}=b")
        assert all("x.txt" not in one for one in read(raw).attachments), label
        divided = letter("--x\n\nPASS\n--x--\n", f"{mixed}*={label}''x")
        assert read(divided).text == "", label


def test_pythons_other_codecs_are_not_on_the_list() -> None:
    """What is not a text's charset is unknown, and whatever is known leaves letters and digits what
    they are."""
    every = {*encodings.aliases.aliases, *encodings.aliases.aliases.values()}
    taken = {one: known(one) for one in every if known(one)}
    assert {"utf_7", "base64_codec", "rot_13", "cp037", "cp500", "utf_32"} <= every - set(taken)
    plain = b"PAY 500 TO L, vote YES on 4; 0123456789"
    for one, codec in taken.items():
        assert codec.startswith("utf-16") or plain.decode(codec) == plain.decode("ascii"), one


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
    decision = decided(read(raw + head_and_body), raw)
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
        if "splitlines" in (source := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and node.attr == "splitlines"
    ]
    assert {path for path, _ in found} <= {"house/config.py", "post/compose.py"}, (
        found
    )  # a program's words; bytes of our own
