"""A letter's page as people may look at it: nothing in it fetches, and its words stay."""

import re

import pytest

from pbem.letters.limits import OverLimit
from pbem.letters.reading.markup import still

AWAY = "http://away.example/x"
FETCHING = {
    "iframe": f'<iframe src="{AWAY}"></iframe>',
    "iframe of words": f'<iframe srcdoc="<img src={AWAY}>"></iframe>',
    "frame": f'<frameset><frame src="{AWAY}"></frameset>',
    "object": f'<object data="{AWAY}">words</object>',
    "embed": f'<embed src="{AWAY}">',
    "applet": f'<applet archive="{AWAY}"></applet>',
    "portal": f'<portal src="{AWAY}"></portal>',
    "fencedframe": f'<fencedframe src="{AWAY}"></fencedframe>',
    "preconnect": f'<link rel=preconnect href="{AWAY}">',
    "dns": f'<link rel=dns-prefetch href="{AWAY}">',
    "sheet": f'<link rel=stylesheet href="{AWAY}">',
    "base": f'<base href="{AWAY}">',
    "refresh": f'<meta http-equiv=refresh content="0;url={AWAY}">',
    "svg": f'<svg><image href="{AWAY}"/><use xlink:href="{AWAY}#a"/></svg>',
    "math": f'<math><maction actiontype=statusline href="{AWAY}">x</maction></math>',
    "picture": f'<img src="{AWAY}" srcset="{AWAY} 2x" alt="a picture">',
    "lazy": f'<picture><source srcset="{AWAY}"><img loading=eager src="{AWAY}"></picture>',
    "film": f'<video src="{AWAY}" poster="{AWAY}"><track src="{AWAY}"></video>',
    "sound": f'<audio src="{AWAY}"></audio>',
    "ground": f'<body background="{AWAY}"><table background="{AWAY}"><tr><td>x</table>',
    "link": f'<a href="{AWAY}" ping="{AWAY}">here</a>',
    "form": f'<form action="{AWAY}"><button formaction="{AWAY}">x</button></form>',
    "button": f'<input type=image src="{AWAY}">',
    "quotation": f'<blockquote cite="{AWAY}">x</blockquote>',
    "script": f'<script src="{AWAY}"></script>',
    "handler": f"<p onmouseover=\"fetch('{AWAY}')\">x</p>",
    "manifest": f'<html manifest="{AWAY}">',
    "shadow": f'<div><template shadowrootmode=open><img src="{AWAY}"></template></div>',
    "noscript": f'<noscript><iframe src="{AWAY}"></iframe></noscript>',
    "style": f'<p style="background: url({AWAY}) red">x</p>',
    "escaped": f'<p style="background: \\75 rl({AWAY})">x</p>',
    "in a block": f"<style>@media screen {{ p {{ background: url('{AWAY}') }} }}</style>",
    "import": f'<style>@import "{AWAY}";</style>',
    "import url": f"<style>@IMPORT url({AWAY});</style>",
    "font": f"<style>@font-face {{ font-family: x; src: url({AWAY}) }}</style>",
    "set": f'<style>p {{ background: image-set("{AWAY}" 1x) }}</style>',
    "variable": f"<style>p {{ --x: url({AWAY}); background: var(--x) }}</style>",
    "svg sheet": f"<svg><style>@import '{AWAY}';</style></svg>",
    "broken": f"<style>p {{ background: url({AWAY} ' }}</style>",
}


@pytest.mark.parametrize("way", FETCHING)
def test_nothing_is_fetched(way: str) -> None:
    shown = still(f"<p>before</p>{FETCHING[way]}<p>behind</p>")
    # what is left of an import is a rule that no browser knows
    fetching = re.sub(r'@cut[^;]*;|"[^"]*" 1x', "", shown)
    assert "away.example" not in fetching, shown
    assert not re.search(
        r"<(iframe|frame|object|embed|portal|fencedframe|link|base|meta)\b", shown, re.IGNORECASE
    )
    assert "before" in shown or way == "frame"


def test_words_and_what_hides_them_stay() -> None:
    page = """<!DOCTYPE html><html lang=en><head><title>t</title><style type="text/css">
      .no { display: none } p > b { color: #fff }</style></head>
      <body bgcolor=white text=black><p class=no>unseen</p><p style="font-size:0">small</p>
      <p hidden>away</p><table width=5 cellpadding=2><tr><td colspan=2 align=right>cell</td></tr>
      </table><font color=white size=1>white</font><ol start=3><li value=4>four</ol></body></html>"""
    shown = still(page)
    for kept in (
        ".no { display: none }",
        "p > b { color: #fff }",
        'class="no"',
        'style="font-size:0"',
        "hidden",
        'bgcolor="white"',
        'colspan="2"',
        '<font color="white" size="1">',
        'value="4"',
        "<!DOCTYPE html>",
    ):
        assert kept in shown
    assert still(shown) == shown


@pytest.mark.parametrize(
    "page", ["<a>" * 40_000, f"<plaintext><iframe src={AWAY}>", '<style>a { b: "</style>"}</style>']
)
def test_what_cannot_be_shown(page: str) -> None:
    with pytest.raises(OverLimit):
        still(page)


def test_a_sheet_without_end_is_left_out() -> None:
    assert "{" not in still(f"<style>{'a{' * 5_000}</style><p>words</p>")
    assert "red" not in still(f"<style>p {{ color: red }}{' ' * 200_000}</style>")
