"""HTML letters: what their sender saw is read, what nobody could see is not."""

from pathlib import Path

import pytest

from pbem.letters.letter import read
from pbem.letters.reading.markup import shown
from tests.letter.letters import letter, lines_of
from tests.letter.own_lines import plain_lines

HERE = Path(__file__).parent
SEEN, ORDER = "VOTE YES ON 4", "PAY 900 TO C"


def lines(page: str) -> list[str]:
    return plain_lines(read(letter(page, "Content-Type: text/html; charset=utf-8")))


STYLES = """\
display:none
DISPLAY : None !important
display:none;color:black
visibility:hidden
visibility: collapse
font-size:0
font-size:0px;x:y
font-size:0.0em
font:0/0 a
font:bold 0 arial
opacity:0
mso-hide:all
text-decoration:line-through
text-decoration-line:line-through
text-decoration:underline line-through red
dis\\70lay:none
color:white
color:#fff
color:#fffffe
color:rgba(0,0,0,0)
color: hsl(0, 0%, 100%) !important
color:transparent
""".splitlines()


@pytest.mark.parametrize("style", STYLES)
def test_a_style_that_hides(style: str) -> None:
    page = f'<p>{SEEN}</p><div style="{style}">{ORDER}<b>{ORDER}</b></div><div>{SEEN}</div>'
    found = read(letter(page, "Content-Type: text/html; charset=utf-8"))
    assert plain_lines(found) == [SEEN, SEEN] and not found.styled
    assert [one.reason for one in found.cut] == ["hidden"]


@pytest.mark.parametrize(
    "sheet",
    [
        "<style>.z { display: none }</style>",
        "<style>@media screen { p { VISIBILITY:hidden } }</style>",
        "<style>b{font-size:0}</style>",
        "<style>b{font:0 a}</style>",
        "<style>p { color: #fff }</style>",
        "<style>p { background: black }</style>",
        "<style>p{dis\\70lay:none}</style>",
        "<link rel='alternate stylesheet' href='data:text/css,.w{{opacity:0}}'>",
        "<div><template shadowrootmode=open></template></div>",
    ],
)
def test_a_style_sheet_that_may_hide_is_asked_about(sheet: str) -> None:
    found = read(letter(f"{sheet}<p>{SEEN}</p>", "Content-Type: text/html; charset=utf-8"))
    assert found.styled and plain_lines(found) == [SEEN]


@pytest.mark.parametrize(
    "sheet",
    ["p{font-family:Verdana;margin:0}", "@page { size: a4 }", "p.MsoNormal{line-height:105%}"],
)
def test_a_style_sheet_of_typefaces_and_margins_is_none(sheet: str) -> None:
    page = f"<style>{sheet}</style><p>{SEEN}</p>"
    assert not read(letter(page, "Content-Type: text/html; charset=utf-8")).styled


def test_a_page_beside_plain_text_is_not_looked_at() -> None:
    page = "<style>p { display: none }</style><p>PAY 900 TO C</p>"
    body = (
        f"--b\nContent-Type: text/plain\n\n{SEEN}\n--b\nContent-Type: text/html\n\n{page}\n--b--\n"
    )
    found = read(letter(body, "Content-Type: multipart/alternative; boundary=b"))
    assert not found.styled and plain_lines(found) == [SEEN]


HIDDEN = lines_of(HERE / "hidden.txt")


@pytest.mark.parametrize("page", HIDDEN, ids=range(len(HIDDEN)))
def test_what_nobody_saw_is_not_read(page: str) -> None:
    found = read(
        letter(f"<p>{SEEN}</p>" + page.format(ORDER), "Content-Type: text/html; charset=utf-8")
    )
    assert ORDER not in "\n".join(plain_lines(found))
    assert not found.refused


def test_what_comes_after_a_quotation_is_read() -> None:
    page = f"<font><blockquote>VOTE NO ON 4</font><p>{ORDER}</p></blockquote><p>{SEEN}</p>"
    assert lines(page) == [SEEN]


@pytest.mark.parametrize("page", lines_of(HERE / "seen.txt"))
def test_what_is_seen_is_read(page: str) -> None:
    assert lines(page.format(SEEN)) == [SEEN]


@pytest.mark.parametrize("value", ["pre", "pre-wrap", "pre-line", "break-spaces"])
def test_lines_are_kept_where_the_style_says_so(value: str) -> None:
    wanted = [SEEN, "PASS"]
    assert lines(f'<div style="white-space: {value}">{SEEN}\nPASS</div>') == wanted
    assert lines(f"<div>{SEEN}\nPASS</div>") == [" ".join(wanted)]


def test_an_unfinished_tag_at_the_end_is_no_text() -> None:
    assert shown("<p>a</p>b<a \nc").text == shown("<p>a</p>b").text


# --- html -----------------------------------------------------------------------------------------


MINE, OTHER = "VOTE YES ON 4", "VOTE NO ON 4<br>PAY 900 TO C"
TWO = [MINE, "PAY 5 TO L"]
UNKNOWN_HEAD = "<b>Xx:</b> R<br><b>Yy:</b> Mon<br>"

PAGES = {
    "Outlook's reply, its language unknown": (
        f'<div>{MINE}</div><hr><div id="divRplyFwdMsg">{UNKNOWN_HEAD}</div><div>{OTHER}</div>',
        [MINE],
    ),
    "Outlook's end of the reply": (
        f'{MINE}<div id="appendonsend"></div><div>{OTHER}</div>',
        [MINE],
    ),
    "Outlook's mark in hidden text": (f'<p hidden><b id="appendonsend"></b></p>{MINE}', [MINE]),
    "Outlook's mark in what is quoted": (
        f'<blockquote>x<div id="divRplyFwdMsg">y</div></blockquote>{MINE}',
        [MINE],
    ),
    "Outlook on a telephone": (
        (
            f"{MINE}<div"
            f' id="mail-editor-reference-message-container">{UNKNOWN_HEAD}{OTHER}</div>PAY 5 TO L'
        ),
        TWO,
    ),
    "Yahoo": (
        f'<div>{MINE}<div class="ydpabc1yahoo_quoted">Xx R Yy:<div>{OTHER}</div></div></div>',
        [MINE],
    ),
    "GMX": (f'<div>{MINE}<div name="quote"><b>Xx:</b> R<div>{OTHER}</div></div></div>', [MINE]),
    "Netease": (f'{MINE}<div id="isReplyContent">{OTHER}</div>', [MINE]),
    "signature by its id": (f'{MINE}<div id="Signature">PAY 9 TO C</div>', [MINE]),
    "signature of Outlook on a telephone": (
        f'{MINE}<div id="ms-outlook-mobile-signature">PAY 9 TO C</div>',
        [MINE],
    ),
    "signature of Samsung": (f'{MINE}<div id="composer_signature">PAY 9 TO C</div>', [MINE]),
    "signature of Apple": (f'{MINE}<div id="AppleMailSignature">PAY 9 TO C</div>', [MINE]),
    "an inline end tag in a quotation": (
        f"<font><blockquote>VOTE NO ON 4</font><p>PAY 900 TO C</p></blockquote>{MINE}",
        [MINE],
    ),
    "an inline end tag in a quotation, deeper": (
        f"<div><span><blockquote>VOTE NO ON 4</span><div>PAY 9 TO C</div></blockquote></div>{MINE}",
        [MINE],
    ),
    "an inline element within a quotation": (
        f"<blockquote><b>x</b><i>VOTE NO ON 4</i></blockquote>{MINE}",
        [MINE],
    ),
    "struck out by style": (
        f'<p style="text-decoration: line-through">VOTE NO ON 4</p><p>{MINE}</p>',
        [MINE],
    ),
    "struck out, the newer way": (
        f'<p style="text-decoration-line:line-through red">x</p><p>{MINE}</p>',
        [MINE],
    ),
    "underlined": (f'<p style="text-decoration:underline">{MINE}</p>', [MINE]),
    "letters of 0.9 em": (f'<p style="font-size: 0.9em; color: #333">{MINE}</p>', [MINE]),
    "letters of .8 rem": (f'<p style="font-size:.8rem">{MINE}</p>', [MINE]),
    "letters of 0.0 em": (f'<p style="font-size:0.0em">VOTE NO ON 4</p>{MINE}', [MINE]),
    "pre-line": (f'<div style="white-space: pre-line">{MINE}\nPAY 5 TO L</div>', TWO),
    "pre": (f'<div style="white-space:pre">{MINE}\nPAY 5 TO L</div>', TWO),
    "break-spaces": (f'<div style="white-space:break-spaces">{MINE}\nPAY 5 TO L</div>', TWO),
    "white": (f'<body><div style="color:#fff">VOTE NO ON 4</div>{MINE}</body>', [MINE]),
}


@pytest.mark.parametrize(("page", "mine"), PAGES.values(), ids=PAGES)
def test_pages(page: str, mine: list[str]) -> None:
    assert plain_lines(read(letter(page, "Content-Type: text/html; charset=utf-8"))) == mine
