"""HTML letters: what their sender saw is read, what nobody could see is not."""

import pytest

from pbem.letters.letter import read
from pbem.letters.reading.markup import text
from tests.letter.letters import letter
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


HIDDEN = (
    '<a title="<!--"></a><div hidden><a title="-->"></a>{}</div>',
    '<a title="<style>"></a><div hidden><a title="</style>"></a>{}</div>',
    "<style>/*<!--*/</style><div hidden><style>/*-->*/</style>{}</div>",
    '<script>"<!--"</script><div hidden><script>"-->"</script>{}</div>',
    "<p><template><div>{}</div></template></p>",
    "<p><object><div>{}</div></object></p>",
    "<p><svg><text>{}</text></svg></p>",
    "<p><select><div>{}</div></select></p>",
    "<p><video><span>{}</span></video></p>",
    "<p><button hidden><div>{}</div></button></p>",
    '<p><font style="display:none">x</p><p>{}</p>',
    "<p><b hidden>x</p><p>{}</p>",
    "<p><u hidden>x</p><p>{}</p>",
    "<div hidden><table><tr><td></div>{}</td></tr></table></div>",
    "<div hidden></body>{}</html>",
    '<font color="#fff">{}</font>',
    '<div style="color:#fff;background:#000"><div style="background:#fff">{}</div></div>',
    '<div style="font-size:0"><b style="font-size:2em">{}</b></div>',
    '<div style="font-size:0"><b style="font:14px">{}</b></div>',
    '<div style="font-size:0"><b style="font:14px 12px arial">{}</b></div>',
    '<!doctype html><div style="font-size:0"><b style="font-size:14">{}</b></div>',
    '<div style="font-size:0"><b style="font-size:14px 3px">{}</b></div>',
    '<div style="color:white"><b style="color:black foo">{}</b></div>',
    '<!doctype html><div style="color:white"><b style="color:000000">{}</b></div>',
    '<div style="color:white"><b style="background:#000 1px 1px 1px">{}</b></div>',
    '<div style="color:white"><b style="background:#000 foo">{}</b></div>',
    "<div bgcolor=black><font color=white>{}</font></div>",
    '<b style="color:#fff;-moz-color:#000;text-fill-color:#000;-ms-background:#000">{}</b>',
    '<span style="background:#000"><div style="color:#fff">{}</div></span>',
    '<div style="background:#000;height:0"><b style="color:#fff">{}</b></div>',
    '<div style="background:#000;display:contents"><b style="color:#fff">{}</b></div>',
    (
        "<template><style>.x{{color:#000}}</style></template><div style='color:#fff'><b"
        " class=x>{}</b></div>"
    ),
    "<details>{}</details>",
    "<p popover>{}</p>",
    "<bdo dir=rtl>{}</bdo>",
    "<a ;{}",
    "<pre><a \n{}",
    "<p title='{}",
    "</{}>",
    '<p id="divRplyFwdMsg">{}</p>',
    '<div id="appendonsend"></div><p>{}</p>',
    '<div id="mail-editor-reference-message-container"><p>{}</p></div>',
    '<div id="x" class="ydp1abcyahoo_quoted"><p>{}</p></div>',
    '<div id="Signature">{}</div>',
    '<div id="ms-outlook-mobile-signature">{}</div>',
    '<div id="composer_signature">{}</div>',
    '<div id="AppleMailSignature">{}</div>',
    "<font><blockquote>VOTE NO ON 4</font><p>{}</p></blockquote>",
)


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


SHOWN = (
    '<div style="font-size:0.9em">{}</div>',
    '<div style="font-size:.875rem">{}</div>',
    '<div style="font-size:0.85em"><div style="font-size:0.8em">{}</div></div>',
    "<style>.s{{font-size:0.8em}}</style><div class=s>{}</div>",
    '<div style="font:14px/1.5 arial">{}</div>',
    '<div style="font:normal 400 12pt Calibri">{}</div>',
    '<td style="font-size:0"><div style="font-size:14px">{}</div></td>',
    "<body bgcolor=black text=white><p>{}</p>",
    '<span style="background:yellow"><p>{}</p></span>',
    '<div style="color:windowtext">{}</div>',
    '<div style="color:var(--black)">{}</div>',
    '<div style="color:rgb(0,0,0);caret-color:rgb(0,0,0);background-color:rgba(0,0,0,0)">{}</div>',
    '<div style="color:inherit;background:none transparent">{}</div>',
    '<p style="margin-left:36.0pt;text-indent:-18.0pt;line-height:105%">{}</p>',
    '<p style="margin:0cm 0cm 0.0001pt;mso-margin-top-alt:auto">{}</p>',
    '<div style="width:100%;max-width:600px;overflow:hidden;height:auto">{}</div>',
    '<div style="width:calc(100% - 20px);overflow:hidden">{}</div>',
    '<div style="opacity:0.9;zoom:1;transform:translateY(-50%) scale(1)">{}</div>',
    '<div style="text-decoration:underline;visibility:visible;display:block">{}</div>',
    "<details open><summary></summary>{}</details>",
    "<p aria-hidden=true>{}</p>",
    "<rp>{}</rp>",
    "<menu>{}</menu>",
    "<map>{}</map>",
    "<b>{}</i>",
    "<style>p {{ color: red }}</style><p>{}",
    '<p title="a > b < c">{}</p>',
    "<p>{}</p><!-- > -->",
    "<p>{}</p><!-->",
)


@pytest.mark.parametrize("page", SHOWN)
def test_what_is_seen_is_read(page: str) -> None:
    assert lines(page.format(SEEN)) == [SEEN]


@pytest.mark.parametrize("value", ["pre", "pre-wrap", "pre-line", "break-spaces"])
def test_lines_are_kept_where_the_style_says_so(value: str) -> None:
    wanted = [SEEN, "PASS"]
    assert lines(f'<div style="white-space: {value}">{SEEN}\nPASS</div>') == wanted
    assert lines(f"<div>{SEEN}\nPASS</div>") == [" ".join(wanted)]


def test_an_unfinished_tag_at_the_end_is_no_text() -> None:
    assert text("<p>a</p>b<a \nc")[0] == text("<p>a</p>b")[0]
