"""HTML letters: what their sender saw is read, what nobody could see is not."""

import pytest

from pbem.letters.letter import read
from pbem.letters.reading.markup import text
from tests.letter.letters import letter, lines_of
from tests.letter.own_lines import plain_lines

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


HIDDEN = lines_of("hidden.txt")


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


@pytest.mark.parametrize("page", lines_of("seen.txt"))
def test_what_is_seen_is_read(page: str) -> None:
    assert lines(page.format(SEEN)) == [SEEN]


@pytest.mark.parametrize("value", ["pre", "pre-wrap", "pre-line", "break-spaces"])
def test_lines_are_kept_where_the_style_says_so(value: str) -> None:
    wanted = [SEEN, "PASS"]
    assert lines(f'<div style="white-space: {value}">{SEEN}\nPASS</div>') == wanted
    assert lines(f"<div>{SEEN}\nPASS</div>") == [" ".join(wanted)]


def test_an_unfinished_tag_at_the_end_is_no_text() -> None:
    assert text("<p>a</p>b<a \nc")[0] == text("<p>a</p>b")[0]
