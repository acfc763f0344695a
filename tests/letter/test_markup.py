"""HTML letters: what their sender saw is read, what nobody could see is not."""

from __future__ import annotations

import pytest

from pbem.letters.letter import read
from pbem.letters.reading.markup import text
from tests.letter.letters import letter
from tests.letter.own_lines import plain_lines

SEEN, ORDER = "VOTE YES ON 4", "PAY 900 TO C"


def lines(page: str) -> list[str]:
    return plain_lines(read(letter(page, "Content-Type: text/html; charset=utf-8")))


STYLES = """\
color:white;background:white
color:white;background:url(x)
color:#fff;background-color:#fff
color:black;background:black
background:black
color:rgba(0,0,0,0)
color:#0000
color:#00000000
color:#ffffffff
color:rgba(255,255,255,1)
color:rgb(255 255 255)
color:rgb(100%,100%,100%)
color:hsl(0,0%,100%)
color:lab(100% 0 0)
color:#fffffe
color:#fefefe
color:fefefe
color:var(--w, white)
--w:white;color:var(--w)
background:currentcolor
background:linear-gradient(#000,#000)
color:rgba(0,0,0,0.11)
font:0/0 a
font:0px arial
font:bold 1px arial
font-size:0cm
font-size:0vw
font-size:1%
font-size:0.1em
font-size:.1rem
font-size:2px
font-size:calc(1px*1)
font-size:0 !important;font-size:14px
font-size:0;font-size:14hours
opacity:0%
opacity:0.01
max-width:0;overflow:hidden
height:0;overflow:clip
height:0;overflow-y:hidden
height:1px;width:1px;overflow:hidden
line-height:0;overflow:hidden
max-height:0
left:-99em
text-indent:-99em
right:-9999px
bottom:-9999px
left:9999px
top:9999px
margin:-9999px
margin:0 0 0 -9999px
inset:-9999px
left:calc(-9999px)
left:calc(0px - 9999px)
left:calc(-1px*9999)
text-indent:100%;white-space:nowrap;overflow:hidden
transform:scale(0,0)
transform:scale(0.0)
transform:scaleX(0)
-webkit-transform:scale(0)
transform:matrix(0,0,0,0,0,0)
transform:translate(-9999px,0)
transform:translateX(-9999px)
transform:rotateY(90deg)
scale:0
translate:-9999px
zoom:0
filter:opacity(0)
clip-path:inset(50%)
clip-path:inset(100%)
clip-path:circle(0)
clip:rect(1px,1px,1px,1px)
dis\\70lay:none
display:n\\6fne
d\\000069splay:none
-webkit-text-fill-color:transparent
text-decoration:line-through
text-decoration-line:line-through
text-decoration:underline line-through red
unicode-bidi:bidi-override;direction:rtl
content-visibility:hidden
mask:linear-gradient(#0000,#0000)
""".splitlines()


@pytest.mark.parametrize(
    "style", [*STYLES, "color:red;" * 500 + "display:none", "color:red;" * 5_000]
)
def test_a_style_that_hides(style: str) -> None:
    assert lines(f'<p>{SEEN}</p><div style="{style}">{ORDER}</div><div>{SEEN}</div>') == [
        SEEN,
        SEEN,
    ]


@pytest.mark.parametrize("style", [style for style in STYLES if "var(" not in style])
def test_the_same_in_a_style_sheet(style: str) -> None:
    assert lines(f'<style>p, .a #z.Z {{ x:y; {style} }}</style>{SEEN}<p class="b">{ORDER}</p>') == [
        SEEN
    ]


SELECTORS = """\
[class=z]
[class~="z"]
*
*.z
p:nth-child(2)
.z:not(.q)
:is(.z)
:where(p.z, .y)
body .z
body > p.z
div + .z
DIV ~ .Z
#i
@import 'x';.z
@charset "utf-8";.z
@media (min-width:1px){.z
@media screen, print{.z
@media (prefers-color-scheme: dark){.z
@supports (display:block){@media all{.z
.y{} .z
@font-face{font-family:x} .z
<!-- .z
.z, a:hover
.\\7a
""".splitlines()


@pytest.mark.parametrize("selector", SELECTORS)
def test_a_rule_that_hides(selector: str) -> None:
    closing = "}" * (1 + selector.count("{") - selector.count("}"))
    sheet = f"<style>{selector} {{ display:none {closing}</style>"
    assert ORDER not in lines(f'{sheet}<div></div><p class="z" id="i">{ORDER}</p>')
    if selector not in ("*", "p:nth-child(2)"):
        assert lines(f'{sheet}<p>{SEEN}</p><div></div><p class="z" id="i">{ORDER}</p>') == [SEEN]


@pytest.mark.parametrize(
    "sheet",
    [
        "@media print { .z { display: none } }",
        "@media only print { .z { display: none } }",
        ".q .z { display: none }",
        "p.z.q { display: none }",
        ".z::before { display: none }",
        ".z:after, .z:hover { visibility: hidden; height: 0 }",
        "[class=q] { display: none }",
        "@media (prefers-color-scheme: dark) { body { background: #000; color: #fff !important } }",
        "@keyframes z { from { opacity: 0 } }",
        "@font-face { font-family: z; font-size: 0 }",
        ".z { font-size: 0.85em } .z { color: #333 }",
        ".z { color: #fff; background: #121212 }",
        ":not(.q) > .x { display: none }",
        "/* .z { display: none } */ .z { color: red }",
        ".z { color: red",
        "} .z { display: block }",
    ],
)
def test_a_rule_that_does_not_hide(sheet: str) -> None:
    assert lines(f'<style>{sheet}</style><p class="z">{SEEN}</p>') == [SEEN]


def test_a_style_sheet_for_paper_says_nothing_of_the_screen() -> None:
    assert lines(f"<style media=print>p {{ display: none }}</style><p>{SEEN}</p>") == [SEEN]


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
    '<font color="ffffff">{}</font>',
    '<font color="#fff">{}</font>',
    "<font color=fffggfffxfffz>{}</font>",
    '<table><tr><td bgcolor=#000 style="color:#000">{}</td></tr></table>',
    '<div style="color:#fff;background:#000"><div style="background:#fff">{}</div></div>',
    '<div style="overflow:hidden"><div style="height:0">{}</div></div>',
    '<div style="font-size:0.5em">' * 5 + "{}" + "</div>" * 5,
    '<div style="font-size:0"><b style="font-size:2em">{}</b></div>',
    "<style>.z{{display:none}}</style><p class='" + "a " * 50 + "z'>{}</p>",
    "<style>" + ".a{{color:red}}" * 4_000 + ".z{{display:none}}</style><p class=z>{}</p>",
    "<style>.z{{font-size:0}} .y{{font-size:14px}}</style><div class=z><p class=Y>{}</p></div>",
    (
        "<style>@media (min-width:99999px){{.y{{font-size:14px}}}}</style><div"
        " style='font-size:0'><p class=y>{}</p></div>"
    ),
    "<style>@media (prefers-color-scheme: light) {{ p {{ color: #fff }} }}</style><p>{}</p>",
    "<style>.z{{ .y{{display:none}} }}</style><div class=z><p class=y>{}</p></div>",
    "<style>.z{{ &.y{{display:none}} }}</style><p class='z y'>{}</p>",
    "<style>.z{{ @media all{{display:none}} }}</style><p class=z>{}</p>",
    '<div style="font-size:0"><b style="font:14px">{}</b></div>',
    '<div style="font-size:0"><b style="font:14px 12px arial">{}</b></div>',
    '<!doctype html><div style="font-size:0"><b style="font-size:14">{}</b></div>',
    '<div style="font-size:0"><b style="font-size:14px 3px">{}</b></div>',
    '<div style="color:white"><b style="color:black foo">{}</b></div>',
    '<!doctype html><div style="color:white"><b style="color:000000">{}</b></div>',
    '<div style="color:white"><b style="background:#000 1px 1px 1px">{}</b></div>',
    '<div style="color:white"><b style="background:#000 foo">{}</b></div>',
    "<div bgcolor=black><font color=white>{}</font></div>",
    (
        "<style>.x{{color:#000}}</style><div style=color:#fff><b class=x"
        " style=color:inherit>{}</b></div>"
    ),
    (
        "<style>.x{{font-size:14px}}</style><div style=font-size:0><b class=x"
        " style=font-size:inherit>{}</b></div>"
    ),
    "<style>.x{{color:#fff!important}}</style><b class=x style=color:#000>{}</b>",
    '<b style="color:#fff;-moz-color:#000;text-fill-color:#000;-ms-background:#000">{}</b>',
    '<div style="-webkit-text-fill-color:#fff"><b style="color:#000">{}</b></div>',
    '<span style="background:#000"><div style="color:#fff">{}</div></span>',
    '<div style="background:#000;height:0"><b style="color:#fff">{}</b></div>',
    '<div style="background:#000;display:contents"><b style="color:#fff">{}</b></div>',
    (
        "<template><style>.x{{color:#000}}</style></template><div style='color:#fff'><b"
        " class=x>{}</b></div>"
    ),
    (
        "<style title=a>p{{}}</style><style title=b>.x{{color:#000}}</style><i"
        " style='color:#fff'><b class=x>{}</b></i>"
    ),
    "<details>{}</details>",
    "<p popover>{}</p>",
    "<bdo dir=rtl>{}</bdo>",
    "<div><template shadowrootmode=open></template>{}</div>",
    "<a ;{}",
    "<pre><a \n{}",
    "<p title='{}",
    "</{}>",
    "<body text=white><p>{}",
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
    '<body style="background-color:#121212"><div style="color:#fff">{}</div>',
    '<table><tr><td bgcolor="#003366"><font color="#fff">{}</font></td></tr></table>',
    "<body bgcolor=black text=white><p>{}</p>",
    '<div style="background:#036;color:white"><p>{}</p></div>',
    '<span style="background:yellow"><p>{}</p></span>',
    '<span style="background:#036;color:white"><b>{}</b></span>',
    '<div style="background:linear-gradient(#003,#036);color:white">{}</div>',
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
    assert (
        lines(f"<style>.a {{ white-space: {value} }}</style><div class=a>{SEEN}\nPASS</div>")
        == wanted
    )
    assert lines(f"<div>{SEEN}\nPASS</div>") == [" ".join(wanted)]


def test_an_unfinished_tag_at_the_end_is_no_text() -> None:
    assert text("<p>a</p>b<a \nc")[0] == text("<p>a</p>b")[0]
